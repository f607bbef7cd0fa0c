"""Guns against walls and bridges (KS-BRE): nothing for a while, then a die each move until a flame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, distance, dot, gap, nearest
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.works_standing import CROSSING_SEEN, breach_id, crossing_of, line_of
from pbem.systems.kriegsspiel.fire.bombardment import begin_firing, bombarding, in_view, ready_guns
from pbem.systems.kriegsspiel.fire.gunnery import BATTERY
from pbem.systems.kriegsspiel.march.carrying_out import DONE, GOING, Did, failed
from pbem.systems.kriegsspiel.play.play import Die, Play
from pbem.systems.kriegsspiel.play.review import AS_IT_STANDS, reviewed
from pbem.systems.kriegsspiel.scene.chart import Barrier, Chart, Crossing
from pbem.systems.kriegsspiel.tables import fire as of_fire
from pbem.systems.kriegsspiel.tables.dice import DICE
from pbem.systems.kriegsspiel.world.options import Options
from pbem.systems.kriegsspiel.world.orders import Order, Spot
from pbem.systems.kriegsspiel.world.outcomes_fire import BreachMade, BreachTried, BridgeBroken
from pbem.systems.kriegsspiel.world.parts import Feature
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.state import by_night
from pbem.systems.kriegsspiel.world.troops import Unit

BREACHING = "breaching"
GONE = ("broken", "destroyed")
SAME_PLACE = 50
"""Paces within which fire at one wall is fire at one place of it."""

Wall = Literal["strong", "weak", "stone_bridge"]
DIE_NAMES: dict[str, Die] = {"I": "I", "II": "II", "III": "III"}


class Mark(NamedTuple):
    """What is fired at: a wall at a place, or a crossing."""

    id: str
    at: Point
    wall: Wall
    bridge: bool


# ------------------------------------------------------------------ the orders


@rule("KS-BRE-03", "KS-BRE-05")
def wall_of(thing: Barrier | Crossing, options: Options) -> Wall:
    """How a wall or a bridge counts: a wooden bridge as a weak wall, or by option as a strong one."""
    if isinstance(thing, Barrier):
        return "weak" if thing.strength == "light" else "strong"
    return "stone_bridge" if thing.material == "stone" else options.wood_bridge_as


def wall_named(chart: Chart, name: str) -> Barrier | None:
    """A line of the map, or an earthwork dug since, by its id."""
    return chart.lines.get(name) or line_of(name)


def mark_of(play: Play, start: Point, order: Order) -> Mark | None:
    """What an order means; None: no line and no crossing."""
    if not order.to:
        return None
    spot: Spot = order.to[0]
    chart = play.scene.chart
    stronghold = chart.strongholds.get(spot.feature)
    name = stronghold.feature if stronghold is not None else spot.feature
    line, crossing = wall_named(chart, name), crossing_of(chart, name)
    if line is not None:
        aim = nearest(line.shape, order.to[1].at if len(order.to) > 1 else start)
        return Mark(name, aim, wall_of(line, play.war.options), bridge=False)
    if crossing is not None and crossing.kind != "ford":
        return Mark(name, crossing.at, wall_of(crossing, play.war.options), bridge=True)
    return None


@rule("KS-BRE-01", "KS-BRE-02", "KS-BRE-04", "KS-BRE-05", "KS-ORD-07", "KS-NIG-01")
def do_breach(play: Play, unit: Unit, order: Order) -> Did:
    """`breach WALL at PLACE`, `batter CROSSING`: unlimbers toward it and fires until it is told otherwise.

    A bridge that is down is enough; walls are fired at for breach after breach.
    """
    mark = mark_of(play, unit.place.at, order)
    cannon = sum(unit.strength.cannon)
    if unit.arm != "artillery" or not cannon:
        return failed("we have no cannon")
    if mark is None:
        return failed("there is no wall, line or crossing")
    if cannon + sum(unit.strength.howitzers) < of_fire.BREACH_GUNS:
        return failed(f"a breach needs {of_fire.BREACH_GUNS} guns")
    if distance(unit.place.at, mark.at) > (of_fire.NIGHT_ARTILLERY if by_night(play.war) else of_fire.BREACH_FAR):
        return failed("it is too far")
    if mark.bridge and play.field.crossing_state(mark.id) in GONE:
        return DONE
    if unit.duty.stage == BREACHING:
        return GOING
    made_ready = ready_guns(play, unit, mark.at)
    if made_ready is not None:
        return made_ready
    if not in_view(play, unit, mark.at):
        return failed("there is no line of fire")
    begin_firing(play, unit, BREACHING)
    return GOING


# ------------------------------------------------------------------ step 5


@rule("KS-BRE-01", "KS-BRE-02")
def idle_moves(kind: str, far: int) -> int | None:
    """Moves of fire before the first throw; None: too far."""
    if far > of_fire.BREACH_FAR:
        return None
    return of_fire.BREACH_IDLE["near" if far <= of_fire.BREACH_NEAR.get(kind, 0) else "far"]


@rule("KS-BRE-01", "KS-BRE-03", "KS-BRE-05")
def breach_die(wall: str, batteries: int, *, first: bool, options: Options) -> Die:
    """The die of a throw: by wall, by one battery or more, the first throw or a later one."""
    if wall == "weak" and batteries > 1:
        return DIE_NAMES[options.two_batteries_weak_wall]
    return DIE_NAMES[of_fire.BREACH_DICE[wall][min(batteries, 2)][0 if first else 1]]


@rule("KS-BRE-01", "KS-BRE-04", "KS-BRE-05")
def breach_step(play: Play) -> None:
    """A move of fire at every wall and bridge, by all who fire at it together."""
    firing: dict[str, tuple[Mark, list[Unit]]] = {}
    for verb in ("batter", "breach"):
        for unit, order in bombarding(play, verb, BREACHING):
            mark = mark_of(play, unit.place.at, order)
            if mark is not None:
                firing.setdefault(mark.id, (mark, []))[1].append(unit)
    for name in sorted(firing):
        _at_wall(play, *firing[name])


@rule("KS-BRE-04")
def counted(fired: int, guns: int) -> tuple[int, int]:
    """Moves of a full battery's fire before and after another move: two batteries wait no less than one."""
    return fired // BATTERY, (fired + min(guns, BATTERY)) // BATTERY


def _at_wall(play: Play, mark: Mark, units: Sequence[Unit]) -> None:
    feature = play.war.features.get(mark.id, Feature(mark.id, at=mark.at))
    if not mark.bridge and distance(feature.at, mark.at) > SAME_PLACE:
        feature = replace(feature, at=mark.at, fired=0)
    guns = sum(unit.strength.guns for unit in units)
    before, moves = counted(feature.fired, guns)
    feature = replace(feature, fired=feature.fired + min(guns, BATTERY))
    play.keep("fire at a wall", Changes(features=(feature,)))
    first = units[0].key
    if mark.wall == "stone_bridge":
        _tried(play, mark, first, moves, "KS-BRE-05")
        if moves >= of_fire.STONE_BRIDGE_MOVES:
            _breaks(play, mark, first)
        return
    waits = [idle_moves(unit.kind, gap(dot(unit.place.at), dot(mark.at)).far) for unit in units]
    idle = min((wait for wait in waits if wait is not None), default=None)
    if idle is None or moves == before or moves <= idle:
        _tried(play, mark, first, moves, *_rules(mark, idle))
        return
    batteries = max(1, guns // BATTERY)
    die = breach_die(mark.wall, batteries, first=moves == idle + 1, options=play.war.options)
    _throws(play, mark, units[:batteries], moves, die, _rules(mark, idle))


def _rules(mark: Mark, idle: int | None) -> tuple[str, ...]:
    kind = "KS-BRE-05" if mark.bridge else "KS-BRE-03" if mark.wall == "weak" else "KS-BRE-01"
    return (kind, *(("KS-BRE-02",) if idle == of_fire.BREACH_IDLE["far"] else ()), "KS-BRE-04")


def _tried(play: Play, mark: Mark, battery: str, moves: int, *rules: str) -> None:
    play.add(BreachTried(battery=battery, line=mark.id, move_no=moves, rules=cited(*rules), changes=Changes()))


@rule("KS-BRE-01", "KS-BRE-03", "KS-BRE-05", "KS-DIE-07")
def _throws(play: Play, mark: Mark, batteries: Sequence[Unit], moves: int, die: Die, rules: tuple[str, ...]) -> None:
    """One throw for all: at a flame each battery has made a breach, or the bridge is down."""
    said = reviewed(play, "breach", mark.id, f"{batteries[0].key} fires at {mark.id}: Die {die}.", "flame", "none")
    throw = play.throw("breach", mark.id, die)
    flame = DICE[die][throw.faces[0] - 1].flame if said == AS_IT_STANDS else said == "flame"
    play.add(
        BreachTried(
            battery=batteries[0].key, line=mark.id, move_no=moves, die=die, face=throw.faces[0], flame=flame,
            dice=(throw,), rules=cited(*rules), changes=Changes(),
        )
    )  # fmt: skip
    if not flame:
        return
    if mark.bridge:
        _breaks(play, mark, batteries[0].key)
        return
    wall = wall_named(play.scene.chart, mark.id)
    assert wall is not None, mark
    for unit in batteries:
        feature = play.war.features[mark.id]
        feature = replace(feature, breaches=feature.breaches + 1, breach_at=(*feature.breach_at, mark.at))
        play.add(
            BreachMade(
                battery=unit.key, line=mark.id, at=mark.at, width=of_fire.BREACH_WIDTH, rules=cited(*rules),
                changes=Changes(features=(feature, _opening(wall, mark, unit))),
            )
        )  # fmt: skip
        play.note(unit.key, "work_finished", "We have made a breach.")
    _seen_open(play, breach_id(wall, mark.at), mark)


@rule("KS-BRE-06")
def _opening(wall: Barrier, mark: Mark, unit: Unit) -> Feature:
    """The passage that a breach is."""
    return Feature(breach_id(wall, mark.at), state="open", kind="breach", at=mark.at, side=unit.side)


@rule("KS-BRE-06", "KS-MOV-18")
def _seen_open(play: Play, name: str, mark: Mark) -> None:
    """Who is near sees the breach, and can take its way through it."""
    for unit in list(play.on_map()):
        near_it = play.field.from_point(mark.at, unit) <= CROSSING_SEEN and in_view(play, unit, mark.at)
        if near_it and name not in unit.duty.knows:
            duty = replace(unit.duty, knows=unit.duty.knows | {name: "open"})
            play.change(unit, "knows", duty=duty)


@rule("KS-BRE-05")
def _breaks(play: Play, mark: Mark, battery: str) -> None:
    feature = replace(play.war.features[mark.id], state="broken")
    play.add(
        BridgeBroken(
            crossing=mark.id, by=battery, rules=cited("KS-BRE-05"), changes=Changes(features=(feature,))
        )
    )  # fmt: skip
    unit = play.unit(battery)
    duty = replace(unit.duty, knows=unit.duty.knows | {mark.id: "broken"})
    play.change(unit, "knows", duty=duty)
    play.note(battery, "bridge", f"crossing {mark.id}=broken")
