"""Set-up orders on receipt."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.names import RuleId
from pbem.orders.refusal import Wrong
from pbem.orders.sheet import Complaint, Judgement
from pbem.rules.ledger import rule
from pbem.systems.st_privat.scene.words import DIRECTIONS, names
from pbem.systems.st_privat.sheets.roster import Claim, Roster, superseded
from pbem.systems.st_privat.turn.layout import Layout
from pbem.systems.st_privat.turn.setup import lay_out
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.language import Draft


def _claims(order: say.AnyOrder) -> tuple[str, ...]:
    """What a set-up order says something of, so that a later line can say it anew."""
    match order:
        case say.PlaceUnits() | say.PutDummy():
            return say.units_of(order)
        case say.PutSection():
            return (f"section {order.gun}",)
        case say.SiegeAt() | say.Cinc():
            return (order.text.split()[0],)
    return (f"line {order.line}",)


@rule("SP-SET-01", "SP-SET-02", "SP-SET-03", "SP-SET-04", "SP-GEN-02")
def judge(roster: Roster, sheet: Sequence[Draft]) -> tuple[list[Draft], list[Complaint]]:
    """The set-up orders that stand, and what is said of all; if a garrison is too small, none stands."""
    if not sheet:
        return [], []
    complaints: list[Complaint] = []
    claims: list[Claim] = []
    layout = Layout(roster.scene, roster.field.battle, roster.side)
    for draft in sheet:
        if wrong := roster.wrong_units(draft, say.units_of(draft.order), in_box=True):
            complaints.append(wrong)
        elif misnamed := layout.misnamed(draft.order):
            complaints.append(draft.refused(misnamed, "units"))
        else:
            claims.append(Claim(draft, _claims(draft.order)))
    while True:
        stand, said = superseded(claims)
        orders = [claim.draft.order for claim in stand]
        layout, wrongs = lay_out(roster.scene, roster.field.battle, roster.side, orders)
        if not wrongs:
            break
        for claim in stand:
            if wrong_here := wrongs.get(claim.draft.line.number):
                spot = "square" if "square" in claim.draft.spots else "units"
                complaints.append(claim.draft.refused(wrong_here, spot))
        claims = [claim for claim in claims if claim.draft.line.number not in wrongs]
    short = layout.garrisons_short()
    if short is not None and stand:
        whole = Complaint(0, 0, Judgement.NOT_ALLOWED, short.why, RuleId(short.rule), short.instead)
        return [], [whole, *complaints]
    joining = [doubt for claim in stand if (doubt := _joins(layout, claim.draft))]
    return [claim.draft for claim in stand], complaints + said + joining


@rule("SP-FOR-05", "SP-HID-01")
def _joins(layout: Layout, draft: Draft) -> Complaint | None:
    """A doubt about a line that sets pieces where others of the sheet look another way: they look as those do."""
    order = draft.order
    if not isinstance(order, say.PlaceUnits | say.PutDummy) or order.facing is None:
        return None
    averse = [
        piece
        for name in say.units_of(order)
        if (piece := layout.pieces[name]).square == order.square and piece.facing not in (None, order.facing)
    ]
    if not averse or averse[0].facing is None:
        return None
    verb = "looks" if len(averse) == 1 else "look"
    why = f"{names(p.id for p in averse)} {verb} {DIRECTIONS[averse[0].facing]}, like those who stand there already"
    return draft.complaint(Judgement.DOUBTFUL, Wrong(why, "SP-FOR-05"))
