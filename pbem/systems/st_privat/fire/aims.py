"""What shooters make of their orders: who fires at what, why not, and what the sheet's lines came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.square import Square, place
from pbem.kernel.names import Role
from pbem.orders.prose import listed
from pbem.orders.sheet import Order
from pbem.rules.ledger import cited, rule
from pbem.rules.view import Result
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.ranks import selects
from pbem.systems.st_privat.field.sight import rules_of_sight
from pbem.systems.st_privat.scene.words import cap
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import Ammunition, Fact, FireReason, in_part, owner_only
from pbem.systems.st_privat.world.pieces import Facing, Piece, Place

Source = Literal["order", "else", "policy"]
FireOrder = say.Fire | say.Shoot | say.HoldFire


class Aim(Struct, frozen=True):
    """What one stand or gun makes of its order: a target, or the reason why it has none."""

    shooter: Piece
    at: Square
    """Where the shooter stands."""
    order: FireOrder | None = None
    target: Square | None = None
    place: Place = "outside"
    named: Place | None = None
    """The place that the order names."""
    source: Source = "policy"
    reason: FireReason | None = None
    """Why the target ordered could not be fired at."""
    ammunition: Ammunition = "rifle"
    aim: Literal["troops", "structure", "equipment"] = "troops"
    equipment: str = ""
    facing: Facing | None = None
    """Of a gun that turns before it fires: where it then looks."""


REASONS: Mapping[FireReason, tuple[tuple[str, ...], str]] = {
    "range": (("SP-RIF-02", "SP-ART-01"), "{at} is out of range of {it}"),
    "arc": (("SP-LOS-05",), "{at} does not lie in front of {it}"),
    "line_of_sight": (("SP-LOS-01", "SP-LOS-02", "SP-LOS-04"), "{it} could not see into {at}"),
    "not_spotted": (("SP-ART-02",), "nobody of yours could see {at}"),
    "no_enemy": (("SP-RIF-06",), "no enemy was there to be seen in {at}"),
    "nothing_there": (("SP-DMG-02",), "there was nothing of that kind to hit in {at}"),
    "moved": (("SP-ART-03",), "{it} had moved or turned about this turn"),
    "unlimbered": (("SP-ART-03", "SP-MOV-08"), "{it} came off its limber only this turn"),
    "limbered": (("SP-ART-03",), "{it} was on its limber"),
    "no_crew": (("SP-ART-03", "SP-CAP-05"), "{it} had no gunners beside it"),
    "own_troops": (("SP-ART-04",), "own troops stood in the nine squares round {at}, and the order did not say danger"),
    "hidden": (("SP-SGE-01",), "{it} was not on the table yet"),
    "hold_fire": (("SP-RIF-07",), "{it} held its fire"),
    "square_fired_on": (("SP-RIF-05", "SP-ART-06"), "{at} takes only one fire a turn"),
}
"""Why a shot was not fired: the rules, and the words for the report."""


def newest(orders: Sequence[Order], kinds: tuple[type[FireOrder], ...], piece: Piece) -> FireOrder | None:
    """The last line of a sheet that speaks of a shooter's fire."""
    return next((one for one in reversed(orders) if isinstance(one, kinds) and means(one, piece)), None)


@rule("SP-RIF-05", "SP-ART-06")
def at_one_place(aims: Sequence[Aim]) -> list[Aim]:
    """All who aim at the troops of a square fire at one place of it: the one named by more, outside if even."""
    votes: dict[Square, Counter[Place]] = {}
    for aim in aims:
        if aim.target is not None and aim.named is not None:
            votes.setdefault(aim.target, Counter())[aim.named] += 1
    chosen: dict[Square, Place] = {
        at: "inside" if cast["inside"] > cast["outside"] else "outside" for at, cast in votes.items()
    }
    return [
        replace(aim, place=chosen[aim.target]) if aim.target in chosen and aim.aim == "troops" else aim for aim in aims
    ]


@rule("SP-GEN-02")
def means(order: FireOrder, piece: Piece) -> bool:
    """Whether a fire order speaks of a piece."""
    if isinstance(order, say.Shoot):
        return order.gun == piece.id
    return any(selects(unit, piece) for unit in order.units)


@rule("SP-TRN-04", "SP-RIF-07")
def declarations(field: Field, side: Role, aims: Sequence[Aim]) -> list[Fact]:
    """Who fires at what, for both sides; and, for the owner alone, which orders led elsewhere or nowhere."""
    facts: list[Fact] = []
    for aim in aims:
        if aim.reason is None or aim.order is None or isinstance(aim.order, say.HoldFire):
            continue
        why, ordered = rules_of_reason(aim.reason, aim.ammunition), aim.order.square
        said: Fact
        if aim.target is None:
            said = c.FireImpossible(shooter=aim.shooter.id, target=ordered, reason=aim.reason)
        else:
            said = c.FireDiverted(shooter=aim.shooter.id, target=ordered, to=aim.target, reason=aim.reason)
            why += policy_rules(aim.ammunition) if aim.source == "policy" else []
        facts.append(replace(said, rules=cited(*why), known=owner_only(side)))
    together: dict[tuple[Square, Place, Ammunition], list[Aim]] = {}
    for aim in aims:
        if aim.target is not None:
            together.setdefault((aim.target, aim.place, aim.ammunition), []).append(aim)
    for (target, where, ammunition), group in sorted(together.items(), key=lambda one: (place(one[0][0]), one[0][1:])):
        sources = {aim.source for aim in group}
        sight = dict.fromkeys(name for aim in group for name in rules_of_sight(field, aim.at, target))
        policy = policy_rules(ammunition) if "policy" in sources else []
        seen = () if ammunition in ("shell", "siege") else tuple(sight)
        facts.append(
            c.FireDeclared(
                rules=cited("SP-TRN-04", *seen, "SP-LOS-05", *policy),
                known=in_part(side), side=side, shooters=tuple(aim.shooter.id for aim in group),
                target=target, place=where, ammunition=ammunition,
                source=group[0].source if len(sources) == 1 else "",
            )
        )  # fmt: skip
    return facts


def policy_rules(ammunition: Ammunition) -> list[str]:
    """The rule by which a weapon chooses for itself."""
    return ["SP-RIF-07" if ammunition == "rifle" else "SP-ART-09"]


def rules_of_reason(reason: FireReason, ammunition: Ammunition) -> list[str]:
    """The rules of a reason that concern a weapon."""
    other = ("SP-ART-01", "SP-ART-06") if ammunition == "rifle" else ("SP-RIF-02", "SP-RIF-05")
    return [name for name in REASONS[reason][0] if name not in other]


OVERTAKEN: tuple[Result, str] = ("superseded", "A later line gave another order.")


@rule("SP-GEN-02")
def lines_played(
    field: Field,
    side: Role,
    orders: Sequence[Order],
    kind: type[say.Fire] | type[say.Shoot],
    aims: Sequence[Aim],
    results: Mapping[str, str],
) -> list[Fact]:
    """What became of the lines of a sheet that order fire; *results* say for each shooter how its dice fell."""
    facts: list[Fact] = []
    for order in orders:
        if not isinstance(order, kind):
            continue
        obeyed = [aim for aim in aims if aim.order is order]
        named = [aim.shooter for aim in obeyed] or [p for p in field.own(side) if means(order, p)]
        overtaken = not obeyed and any(p.id == aim.shooter.id for p in named for aim in aims)
        result, text = OVERTAKEN if overtaken else _outcome(order, named, obeyed, results)
        facts += lost(field, side, order)
        facts.append(
            o.OrderPlayed(
                rules=cited("SP-GEN-02"), known=owner_only(side),
                side=side, line=order.line, result=result, text=text,
                reason=next((aim.reason for aim in obeyed if aim.reason is not None), ""),
            )
        )  # fmt: skip
    return facts


@rule("SP-GEN-02")
def lost(field: Field, side: Role, order: say.Fire | say.Shoot | say.Charge) -> list[Fact]:
    """Pieces that an order names and that are no more, the general of a charge among them."""
    names = (order.gun,) if isinstance(order, say.Shoot) else order.units
    if isinstance(order, say.Charge):
        names = (*names, order.general)
    gone = [name for name in names if (piece := field.battle.pieces.get(name)) is not None and not piece.stands]
    return [
        o.UnitLost(
            rules=cited("SP-GEN-02"), known=owner_only(side),
            unit=name, line=order.line,
        )
        for name in gone
    ]  # fmt: skip


def _outcome(
    order: say.Fire | say.Shoot, named: Sequence[Piece], obeyed: Sequence[Aim], results: Mapping[str, str]
) -> tuple[Result, str]:
    """The word and the sentence for one line."""
    if not named:
        return "not carried out", "Nobody of yours was left there to fire."
    if not obeyed:
        return "not carried out", "None of them stood in a front rank, ready to fire."
    sentences = []
    fired = [aim for aim in obeyed if aim.target is not None and aim.source != "policy"]
    for target in dict.fromkeys(aim.target for aim in fired):
        at_it = [aim.shooter.id for aim in fired if aim.target == target]
        if isinstance(order, say.Shoot):
            sentences.append(f"{order.gun} fired {order.ammunition} at {target}: {results[order.gun]}.")
        else:
            hits = sum(results[name] == "hit" for name in at_it)
            sentences.append(f"{listed(at_it)} fired at {target}: {hits} of {len(at_it)} dice hit.")
    failed = [aim for aim in obeyed if aim not in fired]
    for reason in dict.fromkeys(aim.reason for aim in failed):
        alike = [aim for aim in failed if aim.reason == reason]
        sentences.append(_sorry(order, alike))
    if not failed:
        return "done", " ".join(sentences)
    return ("in part" if fired else "not carried out"), " ".join(sentences)


def _sorry(order: say.Fire | say.Shoot, aims: Sequence[Aim]) -> str:
    """Why shooters did not fire as ordered, and what they fired at instead."""
    it = listed([aim.shooter.id for aim in aims])
    reason = aims[0].reason
    why = REASONS[reason][1].format(at=order.square, it=it) if reason is not None else f"{it} found no target"
    instead = [aim for aim in aims if aim.target is not None]
    others = [f"{aim.shooter.id} fired at {aim.target} by policy instead." for aim in instead]
    return " ".join([f"{cap(why)}.", *others])
