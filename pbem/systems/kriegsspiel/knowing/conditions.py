"""Conditions of orders and wake rules (KS-CMD-15), judged by what a unit sees or was told, or by a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, assert_never

from pbem.ground.plane import Point, distance, holds
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.field import half_battalions, is_formed, terrain_of
from pbem.systems.kriegsspiel.knowing.sighting import FLAMES, sees, sees_troops, tiding_of, unit_eye
from pbem.systems.kriegsspiel.mind.beliefs import CLOSED
from pbem.systems.kriegsspiel.play.play import Play, side_unit
from pbem.systems.kriegsspiel.tables.fire import REPORTED_LOSS
from pbem.systems.kriegsspiel.tables.knowledge import SIGNALS, SUPERIOR_FORCE
from pbem.systems.kriegsspiel.tables.orders import LIMITS
from pbem.systems.kriegsspiel.world.bodies import is_on_map, may_defend
from pbem.systems.kriegsspiel.world.dispatches import Person, Tiding
from pbem.systems.kriegsspiel.world.mind import Known, Mind
from pbem.systems.kriegsspiel.world.orders import Condition, ConditionKind, Spot
from pbem.systems.kriegsspiel.world.strengths import loss_fraction
from pbem.systems.kriegsspiel.world.troops import Unit

AT_PLACE = LIMITS["at_place"]
TOUCH = 25
"""Paces within which troops know who is upon them, seen or not."""

AT_CROSSING = 100
"""Paces from a crossing within which who is there is on it."""

NEAR_UNIT = 1000
"""Paces within which a unit knows what a comrade does, if it sees him."""

HEARD = 15
"""Moves for which what came to pass answers `attacked`."""


def _joined(test: Condition, holds: Callable[[Condition], bool]) -> bool | None:
    if test.kind == "not":
        return not holds(test.parts[0])
    if test.kind in ("and", "or"):
        return (all if test.kind == "and" else any)(map(holds, test.parts))
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


class Seen(NamedTuple):
    """An enemy body that a unit has in sight."""

    enemy: Unit
    """The body itself, for what comes of it; what is judged is judged by *told*."""
    far: int
    approach: int
    """Paces by which it has come nearer."""
    told: Tiding
    """What the unit can tell of it: of a dark mass neither its arm nor its exact place."""


def sightings(play: Play, unit: Unit) -> Iterator[Seen]:
    """The enemy bodies that a unit has seen in this move or the last."""
    for glimpse in play.war.glimpses.get(unit.key, ()):
        enemy = play.war.units.get(glimpse.body)
        if enemy is not None and glimpse.last >= play.move - 1:
            told = tiding_of(enemy, glimpse, unit.place.at, unit.id, unit.key)
            yield Seen(enemy, glimpse.far, glimpse.approaching, told)


def visible(play: Play, unit: Unit) -> Iterator[tuple[Unit, int, int]]:
    """The same without what can be told of them: the body, its distance, and its approach."""
    for glimpse in play.war.glimpses.get(unit.key, ()):
        enemy = play.war.units.get(glimpse.body)
        if enemy is not None and glimpse.last >= play.move - 1:
            yield enemy, glimpse.far, glimpse.approaching


@rule("KS-ATK-01", "KS-ATK-02", "KS-CMD-15")
def attackers_seen(play: Play, unit: Unit) -> list[Unit]:
    """The enemies that have declared an attack on a unit, and that it sees coming or has upon it."""
    seen = {enemy.key for enemy, _, _ in visible(play, unit)}
    return [
        other
        for other in play.on_map()
        if other.trial.attacks == unit.key
        and other.side != unit.side
        and (other.key in seen or play.field.within(other, unit, TOUCH))
    ]


@rule("KS-CMD-15")
def _at(play: Play, unit: Unit, test: Condition) -> bool:
    del play
    return test.spot is not None and distance(unit.place.at, test.spot.at) <= AT_PLACE


@rule("KS-CMD-15")
def _time(play: Play, unit: Unit, test: Condition) -> bool:
    del unit
    return play.move >= test.move


@rule("KS-CMD-15", "KS-SIT-09")
def _unit_at(play: Play, unit: Unit, test: Condition) -> bool:
    other = side_unit(play, unit.side, test.unit)
    if other is None or test.spot is None or not _knows(play, unit, other):
        return False
    return distance(other.place.at, test.spot.at) <= AT_PLACE


@rule("KS-CMD-15", "KS-SIT-04")
def _knows(play: Play, unit: Unit, other: Unit) -> bool:
    """Whether a unit sees what a comrade does."""
    if not is_on_map(other) or distance(unit.place.at, other.place.at) > NEAR_UNIT:
        return False
    return sees_troops(terrain_of(play.scene), unit_eye(play.war, unit), other)


@rule("KS-CMD-15")
def _word_from(play: Play, unit: Unit, test: Condition) -> bool:
    del play
    return test.unit in unit.duty.word


@rule("KS-CMD-15")
def _attacked(play: Play, unit: Unit, test: Condition) -> bool:
    attackers = attackers_seen(play, unit)
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
    for seen in sightings(play, unit):
        # Guns are not counted; a dark mass may be anything.
        if seen.far <= far and seen.approach > 0 and is_formed(seen.enemy) and seen.told.arm != "artillery":
            enemy += seen.told.blocks
    own = half_battalions(unit)
    for friend in play.on_map(unit.side):
        if friend.key != unit.key and distance(friend.place.at, unit.place.at) <= friends_within:
            own += half_battalions(friend) if _knows(play, unit, friend) else 0
    return enemy > 0 and enemy >= own * (at or Fraction(*ratio))


@rule("KS-CMD-15")
def _fired_on(play: Play, unit: Unit, test: Condition) -> bool:
    """Whether it was fired on in the last move, by whom the condition says: by muskets, guns or canister."""
    trial = unit.trial
    last = {"artillery": trial.under_guns, "canister": trial.under_canister}.get(test.arm, trial.under_fire)
    return last >= play.move - 1


@rule("KS-CMD-15", "KS-SIT-02")
def _enemy_within(play: Play, unit: Unit, test: Condition) -> bool:
    centre = test.spot.at if test.spot is not None else unit.place.at
    return any(distance(seen.told.at, centre) <= test.number for seen in sightings(play, unit))


@rule("KS-CMD-15", "KS-SIT-02")
def _enemy_at(play: Play, unit: Unit, test: Condition) -> bool:
    spot = test.spot
    return spot is not None and any(_is_at(play, spot, seen.told.at) for seen in sightings(play, unit))


@rule("KS-CMD-15")
def _is_at(play: Play, spot: Spot, at: Point) -> bool:
    area = play.scene.chart.area_of.get(spot.feature)
    if area is not None:
        return holds(area.shape, at)
    return distance(at, spot.at) <= 200


@rule("KS-CMD-15")
def _crosses(play: Play, unit: Unit, test: Condition) -> bool:
    spot = test.spot
    if spot is None:
        return False
    return any(distance(seen.told.at, spot.at) <= AT_CROSSING for seen in sightings(play, unit))


@rule("KS-CMD-15")
def _losses(play: Play, unit: Unit, test: Condition) -> bool:
    del play
    return loss_fraction(unit) * 100 > test.number


@rule("KS-CMD-15")
def _unit_does(play: Play, unit: Unit, test: Condition) -> bool:
    other = side_unit(play, unit.side, test.unit)
    if other is None or not _knows(play, unit, other):
        return False
    return SEEN_TO[test.arm](other)


SEEN_TO: Mapping[str, Callable[[Unit], bool]] = {
    "attacks": lambda unit: bool(unit.trial.attacks),
    "retires": lambda unit: unit.trial.flight > 0 or (bool(unit.duty.queue) and unit.duty.queue[0].verb == "retire"),
    "arrives": lambda unit: not unit.march.way and unit.place.moved == 0 and unit.place.marched >= 0,
}
"""What a comrade in sight is seen to do."""


@rule("KS-CMD-15", "KS-MOV-18")
def _crossing(play: Play, unit: Unit, test: Condition) -> bool:
    if test.spot is None:
        return False
    if test.arm not in ("ready", "destroyed"):
        return _crosses(play, unit, test)
    return _is_so(test.arm, unit.duty.knows.get(test.spot.feature) or printed_state(play, test.spot.feature))


GONE = ("destroyed", "broken", "plank_off")
"""States of a crossing that is destroyed."""


@rule("KS-CMD-15", "KS-CMD-13")
def _relieved(play: Play, unit: Unit, test: Condition) -> bool:
    """Whether a comrade of its arm who can defend the place has halted beside it: no post, nobody who is beaten."""
    del test
    return any(
        friend.key != unit.key
        and friend.arm == unit.arm
        and is_formed(friend)
        and may_defend(friend, play.move)
        and distance(friend.place.at, unit.place.at) <= 100
        and play.move - friend.place.halted_since >= 2
        for friend in play.on_map(unit.side)
    )


@rule("KS-CMD-15", "KS-SIT-05")
def _fire_seen(play: Play, unit: Unit, test: Condition) -> bool:
    spot = test.spot
    if spot is None:
        return False
    feature = play.war.features.get(spot.feature)
    if feature is None or not (feature.fire or feature.state == "burning"):
        return False
    return sees(terrain_of(play.scene), unit_eye(play.war, unit, lit=True), spot.at, *FLAMES)


@rule("KS-MSG-10")
def _signal(play: Play, unit: Unit, test: Condition) -> bool:
    return any(
        kind == "signal" and side == unit.side and shots == test.number and distance(unit.place.at, at) <= SIGNALS[1]
        for kind, at, shots, side in play.war.clock.signals
    )


@rule("KS-CMD-15")
def _not_attacked(play: Play, unit: Unit, test: Condition) -> bool:
    """Whether the hour has come, nobody attacks it, and nobody has, nor has it fought, since it was so ordered."""
    trial = unit.trial
    last = max(trial.attacked, trial.beaten, trial.won)
    return play.move >= test.move and last < max(0, unit.duty.paper[1]) and not _attacked(play, unit, test)


@rule("KS-CMD-15")
def _after(play: Play, unit: Unit, test: Condition) -> bool:
    """Whether the order of a verb, which its paper brought, is no longer in the queue."""
    del play
    return all(order.verb != test.arm for order in unit.duty.queue)


JUDGES: Mapping[ConditionKind, Callable[[Play, Unit, Condition], bool]] = {
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


@rule("KS-CMD-15", "KS-SIT-10", "KS-TUR-08")
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
        case "enemy_at":
            return spot is not None and any(_is_at(play, spot, tiding.at) for tiding in fresh)
        case "crosses":
            return spot is not None and any(distance(tiding.at, spot.at) <= AT_CROSSING for tiding in fresh)
        case "crossing":
            return spot is not None and _crossing_by_page(play, mind, spot, test.arm, fresh)
        case "signal":
            return any(
                one.kind == "signal" and one.shots == test.number and one.move == play.move for one in mind.heard
            )
        case "fire_seen":
            return spot is not None and any(
                one.kind == "fire" and one.at is not None and _is_at(play, spot, one.at) for one in mind.heard
            )
        case "unit_does":
            return _told_to_do(mind, test.unit, test.arm)
        case "attacked":
            return bool(told_of(mind, "attacked")) and (test.arm in ("", "superior") or _attack_by(mind, test.arm))
        case "fired_on":
            return bool(told_of(mind, "retiring_under_canister", "losses_passed"))
        case "losses":
            return any(_has_lost(known, test.number) for known in _news_of_own(mind))
        case "not_attacked":
            return play.move >= test.move and not told_of(mind, "attacked")
        case "relieved" | "after" | "and" | "or" | "not":
            # Of troops alone, or put together of others.
            return False
        case other:
            assert_never(other)


@rule("KS-CMD-15", "KS-SIT-10", "KS-TUR-08")
def _crossing_by_page(play: Play, mind: Mind, spot: Spot, how: str, fresh: Sequence[Tiding]) -> bool:
    """Whether a crossing is ready, destroyed or lost, as he knows it."""
    if how == "lost":
        return any(distance(tiding.at, spot.at) <= AT_CROSSING for tiding in fresh)
    known = mind.crossings.get(spot.feature)
    return _is_so(how, known[0] if known is not None else printed_state(play, spot.feature))


def printed_state(play: Play, crossing: str) -> str:
    """The state of a crossing on the printed map; empty: it is not on it."""
    printed = play.scene.chart.crossings.get(crossing)
    return printed.state if printed is not None else ""


@rule("KS-CMD-15")
def _is_so(how: str, state: str) -> bool:
    """Whether a crossing of that state is `ready`, to be passed or blown as was ordered, or `destroyed`."""
    if how == "destroyed":
        return state in GONE
    return state == "prepared" or (bool(state) and state not in CLOSED and state != "intact")


def told_of(mind: Mind, *events: str) -> set[str]:
    """The units whose officers have told him of one of these events in this move, by a paper or by word of mouth."""
    papers = {paper.sender for paper in mind.received if paper.received == mind.move and set(events) & {*paper.events}}
    return papers | {known.state.unit for known in _news_of_own(mind) if set(events) & {*known.events}}


def _news_of_own(mind: Mind) -> Iterator[Known]:
    """The units of his command of which he has learned something in this move."""
    for unit in mind.command:
        known = mind.own.get(unit)
        if known is not None and known.received == mind.move:
            yield known


@rule("KS-CMD-15", "KS-TUR-08")
def _told_to_do(mind: Mind, unit: str, what: str) -> bool:
    """Whether a unit attacks, retires or arrives, as he has seen or heard in this move."""
    if what == "arrives":
        return unit in told_of(mind, "arrived")
    known = mind.own.get(unit)
    if known is None or known.received != mind.move:
        return False
    verb = known.state.doing.partition(" ")[0]
    if what == "attacks":
        return verb in ("attack", "charge")
    return verb == "retire" or known.state.body in BEATEN or unit in told_of(mind, "beaten", "retiring_under_canister")


BEATEN = ("repulsed", "defeated", "totally_defeated", "retiring")
"""States of troops that go back."""


@rule("KS-CMD-15")
def _attack_by(mind: Mind, arm: str) -> bool:
    """Whether he has learned in this move of an enemy of that arm who attacks."""
    news = (entry.tiding for entry in mind.entries.values() if entry.received == mind.move)
    return any(tiding.doing == "attacks" and tiding.arm == arm for tiding in news)


@rule("KS-LOS-07", "KS-TUR-08")
def _has_lost(known: Known, percent: int) -> bool:
    """Whether a unit has lost more than so much, by the fraction that its officer told."""
    begins = {name: Fraction(*bound) for bound, name in REPORTED_LOSS}
    return begins.get(known.state.losses, Fraction(0)) * 100 > percent
