"""A sheet on receipt: every line becomes an order, or it is said what stands in the way."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.names import Role
from pbem.kernel.owed import Call
from pbem.orders.refusal import not_asked_for
from pbem.orders.sheet import Complaint, Judgement, Line, Order, Reading, in_part, read_whole
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.field import field_of
from pbem.systems.st_privat.play.pauses import PLAYED, SORT_NAMES
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.sheets import judge_combat, judge_movement, judge_setup
from pbem.systems.st_privat.sheets.examples import in_own_names
from pbem.systems.st_privat.sheets.roster import Roster, names_of
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.language import Draft, drafts
from pbem.systems.st_privat.world.state import Battle


@rule("SP-GEN-02", "SP-TRN-02", "SP-OPT-03")
def read(scene: Scene, lines: Sequence[Line], battle: Battle, role: Role, call: Call | None) -> Reading[Order]:
    """A whole sheet of *role*, judged by what it knows of the *battle* now.

    Without a call only words are judged: the sheet is for later, and is read again then.
    """
    sides = names_of(scene, battle)
    found, unread = drafts(scene.board, lines, [name for name, side in sides.items() if side == role])
    complaints = in_own_names(unread, scene, battle, role)
    roster = Roster(scene, field_of(scene, battle), role, sides)
    if call is None:
        known, unknown = _words_only(roster, found)
        return _reading(known, [*complaints, *unknown])
    sheet: dict[str, list[Draft]] = {}
    for draft in found:
        sort = draft.sort
        if refused := judge_combat.first_mover_charges(roster, draft) if battle.phase in PLAYED else None:
            complaints.append(refused)
        elif sort not in call.sorts:
            wrong = not_asked_for(SORT_NAMES[sort], "SP-GEN-02")
            complaints.append(draft.complaint(Judgement.NOT_USED, wrong))
        else:
            sheet.setdefault("movement" if sort == "siege" else sort, []).append(draft)
    setup, said = judge_setup.judge(roster, sheet.get("setup", []))
    moves, of_moves = judge_movement.judge(roster, sheet.get("movement", []))
    if any(isinstance(draft.order, say.SiegeReveal) for draft in moves):
        roster.revealing.add("siege")
    rest = [draft for sort in ("fire", "melee", "reactions") for draft in sheet.get(sort, [])]
    others, of_others = judge_combat.judge(roster, sorted(rest, key=lambda d: d.line.number), moves)
    return _reading([*setup, *moves, *others], [*complaints, *said, *of_moves, *of_others])


def _words_only(roster: Roster, found: Sequence[Draft]) -> tuple[list[Draft], list[Complaint]]:
    """The lines whose names exist, and complaints on those whose do not."""
    known: list[Draft] = []
    complaints: list[Complaint] = []
    for draft in found:
        wrong = next(
            (
                draft.complaint(told[0], told[1], f"units.{index}")
                for index, unit in enumerate(say.units_of(draft.order))
                if unit != "all" and not unit.startswith("@") and unit not in roster.sides
                and (told := roster.wrong_id(unit)) is not None
            ),
            None,
        )  # fmt: skip
        if wrong is None:
            known.append(draft)
        else:
            complaints.append(wrong)
    return known, complaints


def _reading(stand: Sequence[Draft], complaints: Sequence[Complaint]) -> Reading[Order]:
    orders = tuple(draft.order for draft in sorted(stand, key=lambda draft: draft.line.number))
    return read_whole(orders, in_part(complaints, {one.line.number for one in stand if one.line.typed}))
