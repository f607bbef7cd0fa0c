"""The charge: its check, the fire of its target, the stand, and the clash (GC-CHG)."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pbem.ground.bearing import DEGREE
from pbem.ground.body import Body
from pbem.ground.plane import Point, bearing, distance
from pbem.rules.ledger import rule
from pbem.systems.crossroads.field.able import in_order, may_charge, routed, why_no_charge
from pbem.systems.crossroads.field.field import Field
from pbem.systems.crossroads.field.sight import aim
from pbem.systems.crossroads.fire.fire import volley
from pbem.systems.crossroads.fire.losses import CAUSE_OF, lose, surrender
from pbem.systems.crossroads.fire.morale import check, officer_fell, suffer
from pbem.systems.crossroads.march.riders import going
from pbem.systems.crossroads.march.walking import run_at
from pbem.systems.crossroads.melee.melee import fight, follow_up
from pbem.systems.crossroads.play.play import Play, about
from pbem.systems.crossroads.scene.scene import tenths
from pbem.systems.crossroads.tables.combat import SURRENDERS, VOLLEY_EVERY
from pbem.systems.crossroads.tables.morale import LOSSES_ROW
from pbem.systems.crossroads.world.outcomes import UnitMoved, UnitRisen
from pbem.systems.crossroads.world.outcomes_combat import ChargeEnded, ChargeStarted
from pbem.systems.crossroads.world.patches import Patch, placed
from pbem.systems.crossroads.world.state import Unit

TOUCH = 1
"""The last tenth of an inch, which a charge need not walk to touch."""


class Onset(NamedTuple):
    """A charge that can be made: whom it will touch, how far that is, and the places on its way, by tenths."""

    touches: str
    distance: int
    """Tenths of an inch from footprint to footprint along the way."""
    places: tuple[Point, ...]


@rule("GC-CHG-01", "GC-CHG-08", "GC-MOR-02")
def onset(field: Field, unit: Unit, target: Unit) -> Onset | str:
    """The charge of *unit* at *target*, or the reason why it cannot be made."""
    if not may_charge(unit):
        return why_no_charge(unit)
    if not field.in_front(unit, field.nearest_point(unit, target)):
        return "not_in_arc"
    if aim(field, unit, target) is None:
        return "not_in_sight"
    return _way(field, unit, target)


@rule("GC-CHG-01", "GC-CHG-08")
def _way(field: Field, unit: Unit, target: Unit) -> Onset | str:
    """The way of a charge to its target, or what stands in it; for whoever is on it already, whatever it has lost."""
    walk, steps = run_at(field, unit, target)
    if walk.stopped_by == "obstacle":
        return "obstacle"
    if walk.stopped_by in ("friend", "edge"):
        return "no_room"
    if not walk.touched or (walk.walked and walk.left < TOUCH):
        return "out_of_reach"
    far = walk.walked + TOUCH if walk.walked else 0
    return Onset(walk.touched, far, tuple(map(tenths, steps)))


@rule("GC-CHG-02")
def volleys_at(distance: int, least: int = 0) -> tuple[int, ...]:
    """How far the charger has come, in tenths, when the target fires: each full five inches.

    >>> volleys_at(120), volleys_at(49), volleys_at(49, 1)
    ((50, 100), (), (0,))
    """
    every = VOLLEY_EVERY * 10
    marks = tuple(range(every, distance + 1, every))
    return marks if len(marks) >= least else (*(0,) * (least - len(marks)), *marks)


@rule("GC-CHG-01", "GC-CHG-03", "GC-CHG-07")
def charge(play: Play, name: str, at: str) -> None:
    """A charge that can be made, from its check to what the winner does."""
    unit, target = play.unit(name), play.unit(at)
    found = onset(play.field, unit, target)
    assert isinstance(found, Onset), "the caller has asked"
    result = check(play, name, "Charge", at, "GC-CHG-01")
    if result != "pass":
        suffer(play, name, result)
        return
    marks = _fired_on(play, unit, target, found)
    head = about(unit, "GC-CHG-01", "GC-CHG-02")
    play.add(ChargeStarted(**head, target=at, distance=found.distance, volleys=len(marks)), meets=(name, at))
    others = _others(play, name)
    if not _through_fire(play, name, at, marks, found):
        return
    now: Onset | str = found
    if _others(play, name) != others:
        # Friends of a fallen officer may have come into its way.
        now = _way(play.field, play.unit(name), play.unit(at))
    if isinstance(now, Onset):
        _touch(play, name, now.touches, now.places[-1], unit)
    else:
        _stopped(play, name, at, "short")


def _others(play: Play, name: str) -> list[Body]:
    """Where all others stand."""
    return [play.field.body(one) for one in play.field.standing if one.id != name]


@rule("GC-CHG-02")
def _fired_on(play: Play, unit: Unit, target: Unit, found: Onset) -> tuple[int, ...]:
    """Where the target may fire: not if it is routed or jammed, told not to, or charged in flank or rear."""
    if not play.policies(target.side).defensive_fire or routed(target) or target.jammed:
        return ()
    if play.field.aspect(target, unit) != "front":
        return ()
    return volleys_at(found.distance, play.battle.options.defensive_fire_min)


@rule("GC-CHG-02", "GC-CHG-03")
def _through_fire(play: Play, name: str, at: str, marks: tuple[int, ...], found: Onset) -> bool:
    """The way through the fire of the target; whether the charge goes on."""
    hit = 0
    each = play.battle.options.charge_check == "per_volley"
    fallen = []
    for number, mark in enumerate(marks, start=1):
        _come_to(play, name, found.places[min(mark, len(found.places) - 1)])
        hits = volley(play, at, name, "defensive", green=False)
        if isinstance(hits, int) and hits:
            hit += hits
            fallen += lose(play, name, hits, CAUSE_OF[play.unit(at).type], at)
        if not play.unit(name).stands:
            _stopped(play, name, at, "stopped")
            for officer in fallen:
                officer_fell(play, officer)
            return False
        if hit and (each or number == len(marks)):
            result = check(play, name, LOSSES_ROW[play.unit(at).type], at, "GC-CHG-03")
            for officer in fallen:
                officer_fell(play, officer)
            fallen, hit = [], 0
            if result != "pass" or not in_order(play.unit(name)):
                _stopped(play, name, at, "stopped" if result == "pass" else "morale")
                suffer(play, name, result)
                return False
    return True


def _come_to(play: Play, name: str, to: Point) -> None:
    """The charger is so far on its way."""
    unit = play.unit(name)
    assert unit.pos is not None, "it stands"
    if to != unit.pos:
        play.add(
            UnitMoved(
                **about(unit, "GC-CHG-02"), start=unit.pos, to=to, path=(unit.pos, to), facing=unit.facing,
                stopped_by="volley", **going(play, unit, placed(to)),
            )
        )  # fmt: skip


def _stopped(play: Play, name: str, at: str, why: Literal["stopped", "morale", "short"]) -> None:
    """The charge is over before it has touched anybody."""
    unit = play.unit(name)
    head = about(unit, "GC-CHG-01" if why == "short" else "GC-CHG-03")
    play.add(ChargeEnded(**head, target=at, why=why, start=unit.pos, to=unit.pos))


@rule("GC-CHG-04", "GC-CHG-05", "GC-CHG-06", "GC-CHG-07")
def _touch(play: Play, name: str, touched: str, to: Point, before: Unit) -> None:
    """The charger comes up: the other stands or goes, is caught, or fights."""
    unit, du = play.unit(name), play.unit(touched)
    assert unit.pos is not None, "it stands"
    assert before.pos is not None, "it stood"
    play.add(
        ChargeEnded(
            **about(unit, "GC-CHG-07", "GC-GEO-01"), target=touched, why="contact", start=unit.pos, to=to,
            inches=distance(before.pos, to), **going(play, unit, placed(to)),
        ),
        meets=(name, touched),
    )  # fmt: skip
    if routed(du):
        surrender(play, touched, name, "GC-CHG-04")
        follow_up(play, name, du, charged=True)
        return
    if du.prone:
        play.add(UnitRisen(**about(du, "GC-FIR-09"), changes={touched: Patch(prone=False)}))
    line = bearing(before.pos, to) if to != before.pos else unit.facing * DEGREE
    result = check(play, touched, "Stand To Charge", name, "GC-CHG-05")
    with play.hand_to_hand(name, touched):
        suffer(play, touched, result, line=line)
    now = play.unit(touched)
    if not now.stands or result in ("WD", "R"):
        follow_up(play, name, du, charged=True)
    elif now.type in SURRENDERS:
        surrender(play, touched, name, "GC-CHG-04")
        follow_up(play, name, du, charged=True)
    else:
        _clash(play, name, touched, line, before.pos)


def _clash(play: Play, name: str, touched: str, line: int, came: Point) -> None:
    """The melee, and its winner; the loser's ground is where it fought."""
    fought = {one: play.unit(one) for one in (name, touched)}
    with play.hand_to_hand(name, touched):
        winner = fight(play, name, touched, line, came)
    if winner:
        loser = touched if winner == name else name
        follow_up(play, winner, fought[loser], charged=winner == name)
