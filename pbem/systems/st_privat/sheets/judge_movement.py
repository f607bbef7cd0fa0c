"""Movement orders on receipt: what of a sheet can be carried out, by what its writer knows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.orders.refusal import Wrong
from pbem.orders.sheet import Complaint, Judgement, Order
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.bodies import bodies
from pbem.systems.st_privat.march.march import WHOLE, March
from pbem.systems.st_privat.march.plans import concerned, marches
from pbem.systems.st_privat.march.regroup import one_place, serves
from pbem.systems.st_privat.march.route import route
from pbem.systems.st_privat.march.siege import cannot_bring_on, gun_of, is_disputed
from pbem.systems.st_privat.march.steps import masters
from pbem.systems.st_privat.scene.words import path, selector, side_name
from pbem.systems.st_privat.sheets.roster import KINDS, Claim, Roster, superseded
from pbem.systems.st_privat.turn.movement import wrong_in_place
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world.language import Draft
from pbem.systems.st_privat.world.pieces import ENEMY, Facing, Place


class Passed(Struct, frozen=True):
    """An order that can be carried out as far as its writer can tell, perhaps not to its end."""

    draft: Draft
    doubts: tuple[Complaint, ...] = ()
    going: Mapping[str, tuple[Square, Place]] = {}
    looking: Mapping[str, Facing | None] = {}


@rule("SP-GEN-02")
def judge(roster: Roster, sheet: Sequence[Draft]) -> tuple[list[Draft], list[Complaint]]:
    """The movement orders that stand, as the office understands them, and what is said of all.

    A refused line spoils no other: what it would have superseded or made room for is as if it were not there.
    """
    complaints: list[Complaint] = []
    claims: list[Claim] = []
    for draft in sorted(sheet, key=lambda one: say.units_of(one.order) == ("all",)):
        if say.units_of(draft.order) == ("all",):
            draft = _the_others(roster, draft, {name for claim in claims for name in claim.names})
            if not say.units_of(draft.order):
                complaints.append(draft.refused(Wrong("everybody has another order", "SP-GEN-02"), "units"))
                continue
        wrong = roster.wrong_units(draft, say.units_of(draft.order))
        found = wrong or _understood(roster, draft)
        if isinstance(found, Complaint):
            complaints.append(found)
        else:
            claims.append(Claim(found, concerned(roster.field, found.order) or ("siege gun",)))
    while True:
        stand, said = superseded(claims)
        # Whoever has an order may be gone when others arrive; if he is not, that shows on the map.
        absent = {name for claim in stand if not isinstance(claim.draft.order, say.Hold) for name in claim.names}
        judged = [(claim, _judge(roster, claim.draft, absent)) for claim in stand]
        refused = [(claim, one) for claim, one in judged if isinstance(one, Complaint)]
        if not refused:
            break
        # What a line lost to a later one comes back if that one is refused: so whole lines are refused first.
        first = [(claim, one) for claim, one in refused if not claim.reduced] or refused
        complaints += [one for _, one in first]
        bad = {claim.draft.line for claim, _ in first}
        claims = [claim for claim in claims if claim.draft.line not in bad]
    passed = [one for _, one in judged if isinstance(one, Passed)]
    for one in passed:
        roster.going.update(one.going)
        roster.looking.update(one.looking)
        said += one.doubts
    return [one.draft for one in passed], complaints + said


# ------------------------------------------------------------------ what is meant


def _the_others(roster: Roster, draft: Draft, ordered: Collection[str]) -> Draft:
    """`hold all`: those who have no other order."""
    there = [piece.id for piece in roster.field.own(roster.side) if piece.on_table and piece.id not in ordered]
    return draft.meaning(say.with_units(draft.order, tuple(there)))


def _understood(roster: Roster, draft: Draft) -> Draft | Complaint:
    """A line with its selectors as pieces, and with the path to a square that it names."""
    order = draft.order
    units = _pieces(roster, order)
    if isinstance(order, say.Form):
        return draft.meaning(replace(order, units=units))
    if not units and say.units_of(order):
        return draft.refused(Wrong("nobody there can be ordered so", "SP-GEN-02"), "units")
    meant = draft.meaning(say.with_units(order, units))
    if isinstance(meant.order, say.Move) and meant.order.to is not None:
        return _routed(roster, meant, meant.order, meant.order.to)
    return meant


def _pieces(roster: Roster, order: Order) -> tuple[str, ...]:
    """The pieces that an order names; of a limbered section the gun, of a deployed one what can march."""
    names: dict[str, None] = {}
    kinds = KINDS.get(type(order))
    for unit in say.units_of(order):
        if not unit.startswith("@"):
            names[unit] = None
            continue
        there = roster.at(unit, kinds, later=False)
        if isinstance(order, say.Move | say.Exit):
            there = _marchers(roster, there, limbering=isinstance(order, say.Move) and order.limber)
        elif isinstance(order, say.Enter | say.Leave):
            there = tuple(name for name in there if not serves(roster.field, roster.piece(name)))
        names |= dict.fromkeys(there)
    return tuple(names)


def _marchers(roster: Roster, names: Iterable[str], *, limbering: bool) -> tuple[str, ...]:
    """Those of a square that `@SQ` sends marching: no deployed gun, and nobody who belongs to a gun there."""
    pieces = [roster.piece(name) for name in names]
    bound = {part.id for gun in pieces if gun.is_gun for part in roster.field.section(gun) if part.id != gun.id}
    return tuple(
        piece.id
        for piece in pieces
        if piece.id not in bound and not (piece.is_gun and piece.deployed and not limbering) and piece.on_table
    )


@rule("SP-MOV-03", "SP-MOV-05")
def _routed(roster: Roster, draft: Draft, order: say.Move, goal: Square) -> Draft | Complaint:
    """A `move ... to` with its path: as far as it goes this turn, and a column's turns on the way."""
    field_ = roster.field
    if apart := one_place([roster.piece(name) for name in order.units]):
        return draft.refused(apart, "units")
    found, stuck = bodies(field_, order.units, limbering=order.limber)
    if not found:
        return draft.refused(stuck[0], "units")
    leader = next((body for body in found if body.arm != "general"), found[0])
    way = route(field_, leader, order, goal)
    if way is None:
        here = goal == leader.square
        why = f"{leader} stands in {goal} already" if here else f"no way is known from {leader.square} to {goal}"
        return draft.refused(Wrong(why, "SP-MOV-03"), "to")
    turns = (*order.turns, *(turn for turn in way.turns if turn not in order.turns))
    via = replace(order, via=way.path, turn=way.turn or order.turn, turns=turns)
    planned, _ = marches(field_, via, order.units, {p.id for p in field_.own(roster.side)})
    cut = [
        one.at for one in planned if one.refusal is not None and one.at > 0 and one.refusal.reason == "move_shortened"
    ]
    if cut:
        reach = way.path[: min(cut)]
        turns = tuple(turn for turn in via.turns if turn.square in reach)
        via = replace(via, via=reach, turns=turns, place="outside", exit=False)
    return draft.meaning(via)


# ------------------------------------------------------------------ what can be done


def _judge(roster: Roster, draft: Draft, absent: Collection[str]) -> Passed | Complaint:
    order = draft.order
    if isinstance(order, say.SiegeReveal):
        return _judge_siege(roster, draft)
    if isinstance(order, say.Hold):
        return Passed(draft)
    if isinstance(order, say.Marching):
        return _judge_march(roster, draft, order, absent)
    assert isinstance(order, say.InPlace)
    wrong = wrong_in_place(roster.field, roster.side, order, absent)
    if wrong is not None:
        return draft.refused(wrong, "units")
    if isinstance(order, say.Enter | say.Leave):
        place: Place = "inside" if isinstance(order, say.Enter) else "outside"
        going = {name: (at, place) for name in order.units if (at := roster.piece(name).square) is not None}
        return Passed(draft, going=going, looking=dict.fromkeys(going))
    if isinstance(order, say.Turn | say.Form) and order.facing is not None:
        return Passed(draft, looking=dict.fromkeys(say.units_of(order), order.facing))
    return Passed(draft)


@rule("SP-SGE-02")
def _judge_siege(roster: Roster, draft: Draft) -> Passed | Complaint:
    if wrong := cannot_bring_on(roster.field, roster.side):
        return draft.refused(wrong)
    gun = gun_of(roster.field, roster.side)
    if gun is not None and is_disputed(roster.field, gun):
        why = Wrong(f"the French dispute {gun.square}; the gun stays hidden while they do", "SP-SGE-02")
        return Passed(draft, (draft.complaint(Judgement.DOUBTFUL, why),))
    return Passed(draft)


def _judge_march(roster: Roster, draft: Draft, order: say.Marching, absent: Collection[str]) -> Passed | Complaint:
    if isinstance(order, say.Move) and (stray := [turn for turn in order.turns if turn.square not in order.via]):
        return draft.refused(Wrong(f"{stray[0].square} is not on the path", "SP-MOV-06"), "turn_at.0")
    planned, stuck = marches(roster.field, order, say.units_of(order), absent)
    if stuck:
        return draft.refused(stuck[0], "units")
    for march in planned:
        if march.refusal is not None:
            wrong = Wrong(march.refusal.why, march.refusal.rules[0], _instead(order, march))
            return draft.refused(wrong, _spot(draft, order, march))
    doubts = [doubt for march in planned for doubt in _doubts(roster, draft, march)]
    going = {name: (march.end, march.place) for march in planned for name in march.body.names if not march.exits}
    looking = {name: _facing(roster, march, absent) for march in planned for name in march.body.names}
    return Passed(draft, tuple(doubts[:1]), going, looking)


def _facing(roster: Roster, march: March, absent: Collection[str]) -> Facing | None:
    """Where a body looks at its end; None beside others of the side, whose facing it may have to take."""
    others = {p.id for p in roster.field.at(march.end, roster.side)} - {*absent, *march.body.names}
    return None if others else march.facing


def _spot(draft: Draft, order: say.Marching, march: March) -> str:
    """The word that a refusal points at."""
    if march.at != WHOLE and f"via.{march.at}" in draft.spots:
        return f"via.{march.at}"
    if isinstance(order, say.Move) and march.at == len(order.via):
        return "exit"
    return "to" if "to" in draft.spots else "square" if "square" in draft.spots else "units"


def _instead(order: say.Marching, march: March) -> str:
    """The part of a path that could be marched."""
    if not isinstance(order, say.Move) or len(march.path) < 2:
        return ""
    return f"move {selector(order.units)} via {path(march.path[1:])}"


@rule("SP-ZOC-02", "SP-MEL-01", "SP-HID-06")
def _doubts(roster: Roster, draft: Draft, march: March) -> list[Complaint]:
    """What looks unwise in a march that can be ordered, from what its writer knows."""
    known, side = roster.field, roster.side
    exposed = known.in_zone(march.end, ENEMY[side]) and known.battle.first_mover == side
    if march.walk.dummies:
        before = march.path[-2]
        why, by = f"{march.end} shows cards: if one is real, the move ends in {before}", "SP-HID-06"
    elif march.stop is not None:
        why, by = f"{march.stop.why}; the move ends in {march.end}", march.stop.rules[0]
    elif exposed:
        master = masters(known, march.body, march.end)
        why, by = f"{march.end} lies in the zone of control of {master}", "SP-ZOC-02"
    else:
        return []
    after = f"; {side_name(ENEMY[side])} move second and may charge" if exposed else ""
    return [draft.complaint(Judgement.DOUBTFUL, Wrong(f"{why}{after}", by))]
