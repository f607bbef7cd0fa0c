"""Conditions of orders and wake rules (KS-CMD-15), judged by what a unit sees or was told, or by a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from pbem.ground.plane import Point, distance, holds
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.dispatches import Person
from pbem.systems.kriegsspiel.eyes import sights_of
from pbem.systems.kriegsspiel.field import half_battalions, is_formed, terrain_of
from pbem.systems.kriegsspiel.mind import Mind
from pbem.systems.kriegsspiel.orders import Condition, Spot
from pbem.systems.kriegsspiel.papers import side_unit
from pbem.systems.kriegsspiel.play import Play
from pbem.systems.kriegsspiel.sighting import blocks_of
from pbem.systems.kriegsspiel.strengths import loss_fraction
from pbem.systems.kriegsspiel.tables_knowledge import SIGNALS, SUPERIOR_FORCE
from pbem.systems.kriegsspiel.tables_orders import LIMITS
from pbem.systems.kriegsspiel.troops import Unit

AT_PLACE = LIMITS["at_place"]
NEAR_UNIT = 1000
"""Paces within which a unit knows what a comrade does, if it sees him."""

HEARD = 15
"""Moves for which what came to pass answers `attacked`."""


def _joined(test: Condition, holds: Callable[[Condition], bool]) -> bool | None:
    match test.kind:
        case "and":
            return all(holds(part) for part in test.parts)
        case "or":
            return any(holds(part) for part in test.parts)
        case "not":
            return not holds(test.parts[0])
        case _:
            return None


# ------------------------------------------------------------------ of units


@rule("KS-CMD-15")
def true_for(play: Play, unit: Unit, test: Condition) -> bool:
    """Whether a condition holds for a unit, by what it itself sees or has been told."""
    joined = _joined(test, lambda part: true_for(play, unit, part))
    if joined is not None:
        return joined
    judge = JUDGES.get(test.kind)
    return judge is not None and judge(play, unit, test)


def visible(play: Play, unit: Unit) -> Iterator[tuple[Unit, int, int]]:
    """The enemy bodies that a unit has seen in this move or the last: the body, its distance, and its approach."""
    for glimpse in play.war.glimpses.get(unit.key, ()):
        enemy = play.war.units.get(glimpse.body)
        if enemy is not None and glimpse.last >= play.move - 1:
            yield enemy, glimpse.far, glimpse.approaching


def _at(play: Play, unit: Unit, test: Condition) -> bool:
    del play
    return test.spot is not None and distance(unit.place.at, test.spot.at) <= AT_PLACE


def _time(play: Play, unit: Unit, test: Condition) -> bool:
    del unit
    return play.move >= test.move


def _unit_at(play: Play, unit: Unit, test: Condition) -> bool:
    other = side_unit(play, unit.side, test.unit)
    if other is None or test.spot is None or not _knows(play, unit, other):
        return False
    return distance(other.place.at, test.spot.at) <= AT_PLACE


def _knows(play: Play, unit: Unit, other: Unit) -> bool:
    """Whether a unit sees what a comrade does."""
    if other.place.stand != "map" or distance(unit.place.at, other.place.at) > NEAR_UNIT:
        return False
    return sights_of(terrain_of(play.scene)).clear(unit.place.at, 3, other.place.at, 3)


def _word_from(play: Play, unit: Unit, test: Condition) -> bool:
    return any(
        paper.sender == test.unit and paper.to == unit.id and paper.state == "delivered" and 0 <= paper.read < play.move
        for paper in play.papers()
    )


@rule("KS-CMD-15")
def _attacked(play: Play, unit: Unit, test: Condition) -> bool:
    attackers = [other for other in play.on_map() if other.trial.attacks == unit.key and other.side != unit.side]
    if test.arm == "superior":
        return superior_force(play, unit)
    if test.arm:
        attackers = [other for other in attackers if other.arm == test.arm]
    return bool(attackers)


@rule("KS-CMD-15", "KS-CMD-08")
def superior_force(play: Play, unit: Unit, at: Fraction | None = None) -> bool:
    """Enemy bodies coming on within 1000 paces are 3:2, or as was ordered, of itself and the friends within 400."""
    ratio, far, friends_within = SUPERIOR_FORCE
    enemy = Fraction(0)
    for other, away, approach in visible(play, unit):
        if away <= far and approach > 0 and is_formed(other):
            enemy += blocks_of(other)
    own = half_battalions(unit)
    for friend in play.on_map(unit.side):
        if friend.key != unit.key and distance(friend.place.at, unit.place.at) <= friends_within:
            own += half_battalions(friend)
    return enemy > 0 and enemy >= own * (at or Fraction(*ratio))


def _fired_on(play: Play, unit: Unit, test: Condition) -> bool:
    if test.arm == "canister":
        return bool(unit.trial.canister) and unit.trial.canister[-1] >= play.move - 1
    return unit.trial.under_fire >= play.move - 1


def _enemy_within(play: Play, unit: Unit, test: Condition) -> bool:
    for enemy, far, _ in visible(play, unit):
        if test.spot is None and far <= test.number:
            return True
        if test.spot is not None and distance(enemy.place.at, test.spot.at) <= test.number:
            return True
    return False


def _enemy_at(play: Play, unit: Unit, test: Condition) -> bool:
    spot = test.spot
    return spot is not None and any(_is_at(play, spot, enemy.place.at) for enemy, _, _ in visible(play, unit))


def _is_at(play: Play, spot: Spot, at: Point) -> bool:
    area = play.scene.chart.area_of.get(spot.feature)
    if area is not None:
        return holds(area.shape, at)
    return distance(at, spot.at) <= 200


def _crosses(play: Play, unit: Unit, test: Condition) -> bool:
    spot = test.spot
    if spot is None:
        return False
    return any(distance(enemy.place.at, spot.at) <= 100 for enemy, _, _ in visible(play, unit))


def _losses(play: Play, unit: Unit, test: Condition) -> bool:
    del play
    return loss_fraction(unit) * 100 > test.number


@rule("KS-CMD-15")
def _unit_does(play: Play, unit: Unit, test: Condition) -> bool:
    other = side_unit(play, unit.side, test.unit)
    if other is None or not _knows(play, unit, other):
        return False
    match test.arm:
        case "attacks":
            return bool(other.trial.attacks)
        case "retires":
            return other.trial.flight > 0 or (bool(other.duty.queue) and other.duty.queue[0].verb == "retire")
        case _:
            return not other.march.way and other.place.moved == 0 and other.place.marched >= 0


def _crossing(play: Play, unit: Unit, test: Condition) -> bool:
    if test.spot is None:
        return False
    state = unit.duty.knows.get(test.spot.feature) or (
        play.field.crossing_state(test.spot.feature) if distance(unit.place.at, test.spot.at) <= 300 else "intact"
    )
    match test.arm:
        case "ready":
            return state == "prepared" or (bool(state) and state not in CLOSED and state != "intact")
        case "destroyed":
            return state in ("destroyed", "broken", "plank_off")
        case _:
            return any(distance(enemy.place.at, test.spot.at) <= 100 for enemy, _, _ in visible(play, unit))


CLOSED = ("plank_off", "broken", "destroyed", "barricaded", "burning", "building")


def _relieved(play: Play, unit: Unit, test: Condition) -> bool:
    del test
    return any(
        friend.key != unit.key
        and friend.arm == unit.arm
        and distance(friend.place.at, unit.place.at) <= 100
        and play.move - friend.place.halted_since >= 2
        for friend in play.on_map(unit.side)
    )


def _fire_seen(play: Play, unit: Unit, test: Condition) -> bool:
    spot = test.spot
    if spot is None:
        return False
    feature = play.war.features.get(spot.feature)
    if feature is None or not (feature.fire or feature.state == "burning"):
        return False
    return distance(unit.place.at, spot.at) <= 6000


@rule("KS-MSG-10")
def _signal(play: Play, unit: Unit, test: Condition) -> bool:
    return any(
        kind == "signal" and side == unit.side and shots == test.number and distance(unit.place.at, at) <= SIGNALS[1]
        for kind, at, shots, side in play.war.clock.signals
    )


def _not_attacked(play: Play, unit: Unit, test: Condition) -> bool:
    """Whether the hour has come, nobody attacks it, and it has been in no fight before."""
    fought = max(unit.trial.beaten, unit.trial.won) >= 0
    return play.move >= test.move and not fought and not _attacked(play, unit, test)


def _after(play: Play, unit: Unit, test: Condition) -> bool:
    """Whether the order of a verb, which its paper brought, is no longer in the queue."""
    del play
    return all(order.verb != test.arm for order in unit.duty.queue)


JUDGES: Mapping[str, Callable[[Play, Unit, Condition], bool]] = {
    "at": _at, "time": _time, "unit_at": _unit_at, "word_from": _word_from, "attacked": _attacked,
    "fired_on": _fired_on, "enemy_within": _enemy_within, "enemy_at": _enemy_at, "crosses": _crosses,
    "losses": _losses, "unit_does": _unit_does, "crossing": _crossing, "relieved": _relieved, "fire_seen": _fire_seen,
    "signal": _signal, "not_attacked": _not_attacked, "after": _after,
}  # fmt: skip
"""How each condition is judged by a unit."""


# ------------------------------------------------------------------ of commanders


@rule("KS-CMD-15", "KS-SIT-10", "KS-TUR-08")
def known_to(play: Play, person: Person, test: Condition) -> bool:
    """Whether a condition holds by a commander's own page."""
    mind = play.mind(person)
    return mind is not None and _by_page(play, mind, test)


def _by_page(play: Play, mind: Mind, test: Condition) -> bool:
    joined = _joined(test, lambda part: _by_page(play, mind, part))
    if joined is not None:
        return joined
    fresh = [
        entry.tiding
        for entry in mind.entries.values()
        if not entry.dropped and not entry.tiding.gone and mind.move - entry.tiding.seen <= HEARD
    ]
    spot = test.spot
    match test.kind:
        case "time":
            return play.move >= test.move
        case "at":
            return spot is not None and distance(mind.at, spot.at) <= AT_PLACE
        case "unit_at":
            known = mind.own.get(test.unit)
            return known is not None and spot is not None and distance(known.state.at, spot.at) <= AT_PLACE
        case "word_from":
            return any(paper.sender == test.unit and paper.received == play.move for paper in mind.received)
        case "enemy_within":
            centre = spot.at if spot is not None else mind.at
            return any(distance(tiding.at, centre) <= test.number for tiding in fresh)
        case "enemy_at" | "crosses":
            return spot is not None and any(_is_at(play, spot, tiding.at) for tiding in fresh)
        case "crossing":
            state = mind.crossings.get(spot.feature, ("intact", 0))[0] if spot is not None else "intact"
            return state in ("destroyed", "broken", "plank_off") if test.arm == "destroyed" else state == "prepared"
        case "signal":
            return any(
                one.kind == "signal" and one.shots == test.number and one.move == play.move for one in mind.heard
            )
        case "fire_seen":
            return any(one.kind == "fire" for one in mind.heard)
        case "unit_does" | "attacked" | "losses" | "relieved" | "fired_on":
            return _told_by_unit(mind, test)
        case _:
            return False


def _told_by_unit(mind: Mind, test: Condition) -> bool:
    """What a unit has reported of itself in this move."""
    names = {"unit_does": "arrived", "attacked": "attacked", "fired_on": "attacked"}
    wanted = names.get(test.kind, test.kind)
    return any(
        paper.received == mind.move and wanted in paper.events and test.unit in ("", paper.sender)
        for paper in mind.received
    )
