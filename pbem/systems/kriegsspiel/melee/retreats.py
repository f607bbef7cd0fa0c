"""The beaten: their state, how they go back, and where they find cover (KS-ATK-07, KS-RET).

`beaten` puts a body into its state and turns it about; `go_back` sets its march for a move; `after_move` ends flights
and tells of refuges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from pbem.ground.bearing import off, opposite
from pbem.ground.plane import Point, bearing, between, cuts, distance, line, shifted
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import comes_within, terrain_of
from pbem.systems.kriegsspiel.field.works_standing import true_terrain
from pbem.systems.kriegsspiel.march.carrying_out import set_way, way_for
from pbem.systems.kriegsspiel.march.gate import bounded, meets, pushed, swung
from pbem.systems.kriegsspiel.melee.letters import worse
from pbem.systems.kriegsspiel.melee.prisoners import rear_of
from pbem.systems.kriegsspiel.melee.second_line import free_to_help
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.scene.terrain import Terrain, cell
from pbem.systems.kriegsspiel.scene.ways import toll_of
from pbem.systems.kriegsspiel.tables import march as of_march
from pbem.systems.kriegsspiel.tables.attack import REFUGE_MOVES, STATES, SURPRISE
from pbem.systems.kriegsspiel.world.bodies import is_beaten, is_retiring, is_totally_defeated, is_worn_out, may_attack
from pbem.systems.kriegsspiel.world.forms import all_skirmish, depth_of, rate_class
from pbem.systems.kriegsspiel.world.options import Options
from pbem.systems.kriegsspiel.world.orders import reaction_place
from pbem.systems.kriegsspiel.world.outcomes_attack import RefugeReached, RetreatStarted, StateChanged
from pbem.systems.kriegsspiel.world.troops import ENEMY, BodyState, March, Place, Unit, UnitPatch

STATE_OF: dict[str, BodyState] = {"R": "repulsed", "D": "defeated", "T": "totally_defeated"}
LETTER_OF = {state: letter for letter, state in STATE_OF.items()}
OF_STATE = {"repulsed": "repulsed", "defeated": "defeated", "totally_defeated": "totally defeated"}
ROOM = 15
"""Paces more than contact that the beaten are clear of the enemy when the fight is over."""

FAR = 2500
"""Paces of a flight that nobody ends."""

OBLIQUE = 6000
"""Hundredths of a degree by which a retreat of their own may lead aside from straight away from the enemy."""

REFUGE_LINES: Mapping[str, tuple[str, ...]] = {"infantry": ("ditch", "earthwork"), "cavalry": ("ditch",)}
"""Lines behind which the beaten find cover: a trench or work for infantry, a small ditch for cavalry too."""

WATER_STEP = 20
"""Paces at which a way is looked at for deep water."""

THROUGH = 50
"""Paces from the way of fugitives within which a body is shaken by them."""

FIGHTING = ("attack", "charge", "pursue", "hold", "hold_concealed", "occupy", "demonstrate")
"""Orders that end with a defeat."""


# ------------------------------------------------------------------ states


@rule("KS-ATK-07")
def recovery(letter: str, move: int, options: Options) -> tuple[int, int]:
    """The first moves in which the beaten of a move can defend themselves, and attack.

    >>> recovery("D", 40, Options()), recovery("R", 40, Options(recovery="cumulative"))
    ((44, 47), (43, 46))
    """
    state = STATES[letter]
    attack = state.cannot_attack + (state.cannot_defend if options.recovery == "cumulative" else 0)
    return move + 1 + state.cannot_defend, move + 1 + attack


@rule("KS-ATK-07", "KS-RET-05", "KS-RET-07")
def beaten(
    play: Play, key: str, letter: str, away: int, clear: int, *rules: str, mass: bool = False, moves: int | None = None
) -> None:
    """A body is beaten: its state, its flight, turned about and *clear* paces away; its fighting order is over."""
    unit = play.unit(key)
    if is_worn_out(unit):
        return
    defend, attack = recovery(letter, play.move, play.war.options)
    old = unit.trial.kept if is_retiring(unit) else unit.trial.state
    before = LETTER_OF.get(old, "") if not may_attack(unit, play.move) else ""
    state = STATE_OF[max((one_ for one_ in (before, letter) if one_), key="RDT".index)]
    if 0 < play.move - unit.trial.surprised <= SURPRISE["doubled_moves"]:
        # Surprised troops that are beaten need five quiet moves before they may form.
        defend = max(defend, play.move + 1 + SURPRISE["unattacked_moves"])
        attack = max(attack, defend)
    to = retreat_to(play, unit, away)
    trial = replace(
        unit.trial, state=state, kept="fresh", defend_from=max(defend, unit.trial.defend_from),
        attack_from=max(attack, unit.trial.attack_from), beaten=play.move, letter=f"{letter} mass" if mass else letter,
        flight=of_march.RETREAT_MOVES[letter] if moves is None else moves, flight_to=to, attacks="", declared=-100,
        answer="",
        hit_advancing=False, canister_from=(), pursuing=0, half_follows=False, refuge=-100, forced=play.move,
        rested=0, trapped=0,
    )  # fmt: skip
    place = turned_about(play, unit, away, clear)
    queue = unit.duty.queue[1:] if unit.duty.queue and unit.duty.queue[0].verb in FIGHTING else unit.duty.queue
    duty = replace(unit.duty, queue=queue, begun=-1, stage="", count=0)
    patch = UnitPatch(trial=trial, place=place, duty=duty, march=March(fast=unit.march.fast), change=None)
    play.add(
        StateChanged(
            unit=key, start=unit.trial.state, to=state, recover_defend=trial.defend_from,
            recover_attack=trial.attack_from, rules=cited("KS-ATK-07", *rules), changes=one(unit, patch),
        ),
        RetreatStarted(
            unit=key, letter=letter, to=to, moves=trial.flight, rules=cited("KS-RET-05", "KS-ATK-07"),
        ),
    )  # fmt: skip
    play.note(key, "beaten", f"We are {OF_STATE[state]} and go back.")


@rule("KS-TUR-04", "KS-ATK-07")
def turned_about(play: Play, unit: Unit, away: int, clear: int) -> Place:
    """The place of a body that has turned away from the enemy, with its rear *clear* paces from where its front was."""
    place = replace(thrown_on(play, unit, away, clear + depth_of(unit)), trail=(), holds="", held_since=0)
    place = replace(place, concealed=False)
    enemies = list(play.field.enemies(unit.side))
    # A long line that was struck in flank has no room to wheel: it goes about, or as it stands.
    ways = (away, opposite(unit.place.facing), unit.place.facing)
    free = (way for way in ways if not meets(unit, replace(unit, place=replace(place, facing=way)), enemies))
    return replace(place, facing=next(free, away))


@rule("KS-TUR-04", "KS-ATK-11", "KS-ATK-07")
def thrown_on(play: Play, unit: Unit, way: int, far: int) -> Place:
    """Where a fight throws a body: straight on for up to *far* paces, as far as ground and enemies let it."""
    at = unit.place.at
    while far > 0 and not passable(play, unit, at, shifted(at, way, far)):
        far -= 10
    return pushed(unit, way, far, play.field.enemies(unit.side, formed=True))


@rule("KS-RET-04", "KS-RET-02", "KS-ODD-09", "KS-SEC-04")
def lowered(play: Play, key: str, *rules: str, to: str = "") -> None:
    """A state one lower, or *to*: the moves are counted anew from the defeat, and it goes back the longer."""
    unit = play.unit(key)
    letter = LETTER_OF.get(unit.trial.state, "")
    if not letter:
        return
    new = to or worse(letter)
    if new == letter:
        return
    defend, attack = recovery(new, unit.trial.beaten, play.war.options)
    longer = of_march.RETREAT_MOVES[new] - of_march.RETREAT_MOVES[letter]
    trial = replace(
        unit.trial, state=STATE_OF[new], defend_from=max(defend, unit.trial.defend_from),
        attack_from=max(attack, unit.trial.attack_from),
        flight=unit.trial.flight + longer if unit.trial.flight else 0,
    )  # fmt: skip
    play.add(
        StateChanged(
            unit=key, start=unit.trial.state, to=STATE_OF[new], recover_defend=trial.defend_from,
            recover_attack=trial.attack_from, rules=cited(*rules, "KS-ATK-07"),
            changes=one(unit, UnitPatch(trial=trial)),
        )
    )  # fmt: skip
    play.note(key, "beaten", f"We are {OF_STATE[STATE_OF[new]]}.")


# ------------------------------------------------------------------ where to


@rule("KS-RET-05")
def retreat_to(play: Play, unit: Unit, away: int) -> Point:
    """As ordered; else to the own reserve within 800; else the way it came; else the side's line of retreat.

    What does not lead away from the enemy is not gone: the beaten go straight from him.  Where nobody comes to beyond
    the reserve, as among houses off the street, they go to the reserve itself.
    """
    ordered = reaction_place(unit.duty.reactions.get("defeat", ""))
    if ordered is not None:
        return ordered
    reserve = reserve_of(play, unit, away)
    if reserve is not None:
        beyond = shifted(reserve.place.at, bearing(unit.place.at, reserve.place.at), of_march.RETREAT_RESERVE[1])
        there = passable(play, unit, unit.place.at, beyond) or way_for(play, unit, beyond) is not None
        return beyond if there else reserve.place.at
    if unit.trial.attacks or unit.march.way:
        return bounded(play, unit.place.at, shifted(unit.place.at, away, FAR))
    at = rear_of(play, unit.side)
    if at != unit.place.at and off(bearing(unit.place.at, at), away) <= OBLIQUE:
        return at
    return bounded(play, unit.place.at, shifted(unit.place.at, away, FAR))


@rule("KS-RET-05", "KS-SUR-02")
def reserve_of(play: Play, unit: Unit, away: int) -> Unit | None:
    """The nearest own body within 800 paces to the rear that can help."""
    found = [
        (far, other.key, other)
        for other in play.field.units(unit.side, formed=True)
        if other.key != unit.key
        and other.arm in ("infantry", "cavalry")
        and free_to_help(play, other)
        and 100 < (far := distance(unit.place.at, other.place.at)) <= of_march.RETREAT_RESERVE[0]
        and off(bearing(unit.place.at, other.place.at), away) <= OBLIQUE
    ]
    return min(found, key=lambda one_: one_[:2])[2] if found else None


@rule("KS-RET-08")
def passable(play: Play, unit: Unit, start: Point, end: Point) -> bool:
    """Whether a body can go straight from one place to another."""
    terrain: Terrain = terrain_of(play.scene)
    if start == end:
        return True
    if not terrain.on_board(end):
        return False
    rows = (flight_row(unit), *((of_march.BROKEN,) if unit.arm in ("infantry", "pioneers") else ()))
    way = (start, end)
    if not all(any(cell(row, piece) for row in rows) for piece in terrain.pieces(way)):
        return False
    if not all(toll_of(met, unit.arm, 250, terrain) is not None for met in terrain.met(way)):
        return False
    return _in_deep(terrain, start) or not any(_in_deep(terrain, at) for at in _along(start, end))


@rule("KS-MOV-18", "KS-RET-08")
def _in_deep(terrain: Terrain, at: Point) -> bool:
    """Whether a place lies in a river or a lake that nobody wades, and on no crossing."""
    water = terrain.water_at(at)
    return water is not None and water.crossing in ("swim", "none") and terrain.crossing_over(water, at) is None


def _along(start: Point, end: Point) -> Iterator[Point]:
    """Places of a way, step by step, and its end."""
    far = distance(start, end)
    for at in range(WATER_STEP, far, WATER_STEP):
        yield between(start, end, at, far)
    yield end


# ------------------------------------------------------------------ going back, move by move


def flight_row(unit: Unit) -> str:
    """The row by which the ground slows the beaten: infantry as it goes in attack and retreat."""
    if unit.arm == "cavalry":
        return {"heavy_cavalry": "hcav_retreat", "light_cavalry": "lcav_pursuit"}[rate_class(unit)]
    if all_skirmish(unit):
        return "skirm_run"
    return {"infantry": "inf_action", "foot_6": "a6_fast", "foot_12": "a12_fast", "horse_artillery": "horse_fast"}.get(
        rate_class(unit), "wagons"
    )


@rule("KS-RET-02", "KS-RET-04", "KS-MOV-06")
def flight_paces(unit: Unit, number: int, *, fast: bool = False) -> tuple[str, int]:
    """The row and the most paces of the beaten in that move of their flight."""
    if unit.arm == "cavalry":
        table = of_march.CAVALRY_RETREAT[rate_class(unit)]
        return flight_row(unit), table[0] if fast else table[min(number, len(table)) - 1]
    if all_skirmish(unit):
        return "skirm_run", of_march.SKIRMISHERS_RETREAT[min(number, len(of_march.SKIRMISHERS_RETREAT)) - 1]
    if unit.arm in ("infantry", "pioneers"):
        return (of_march.BROKEN, of_march.INFANTRY_FLIGHT) if fast else ("inf_action", of_march.INFANTRY_RETREAT)
    return flight_row(unit), 0


@rule("KS-RET-02", "KS-RET-04", "KS-RET-05")
def go_back(play: Play) -> None:
    """Before movement: those in flight are put on their way."""
    for key in [unit.key for unit in play.on_map()]:
        unit = play.unit(key)
        if unit.trial.flight <= 0:
            continue
        number = max(play.move - unit.trial.beaten, 1)
        hurries = runs(unit)
        if hurries and (unit.arm != "cavalry" or number > 2) and unit.trial.letter[-1:] != "!":
            lowered(play, key, "KS-RET-02" if unit.arm == "cavalry" else "KS-RET-04")
            unit = play.unit(key)
            trial = replace(unit.trial, letter=f"{unit.trial.letter}!")
            play.change(unit, "hurries", trial=trial)
            unit = play.unit(key)
        row, most = flight_paces(unit, number, fast=hurries)
        way = unit.march.way or flight_way(play, unit)
        if len(way) < 2:
            continue
        if not unit.march.way:
            set_way(play, unit, way, row, most)
        elif (unit.march.row, unit.march.most) != (row, most):
            play.change(unit, "flight", march=replace(unit.march, row=row, most=most))


@rule("KS-RET-02", "KS-RET-04")
def runs(unit: Unit) -> bool:
    """Whether it has been told to go back faster than its state allows: `retire … fast`."""
    order = unit.duty.order
    return order is not None and order.verb == "retire" and "fast" in order.manner


def flight_way(play: Play, unit: Unit) -> tuple[Point, ...]:
    """Straight to where it flees, or by the way that the ground leaves it; empty: there is none."""
    to = unit.trial.flight_to or bounded(play, unit.place.at, shifted(unit.place.at, unit.place.facing, FAR))
    if passable(play, unit, unit.place.at, to):
        return (unit.place.at, to) if to != unit.place.at else ()
    way = None if _in_deep(terrain_of(play.scene), to) else way_for(play, unit, to)
    if way is not None and len(way) > 1 and off(bearing(way[0], way[1]), unit.place.facing) <= 9000:
        return way
    last = unit.place.at
    for far in range(50, FAR, 50):
        there = shifted(unit.place.at, bearing(unit.place.at, to), far)
        if not passable(play, unit, last, there):
            break
        last = there
    return (unit.place.at, last) if last != unit.place.at else ()


# ------------------------------------------------------------------ after the move


@rule("KS-ATK-07", "KS-RET-04", "KS-RET-05", "KS-RET-06", "KS-RET-09")
def after_move(play: Play) -> None:
    """Step 8: flights go on or end, and refuges are found."""
    for key in [unit.key for unit in play.on_map()]:
        unit = play.unit(key)
        if unit.trial.flight > 0 and unit.trial.beaten < play.move:
            _through_reserve(play, unit)
            _under_canister(play, key)
            if not _refuge(play, key):
                _goes_on(play, key)


@rule("KS-RET-06")
def _through_reserve(play: Play, unit: Unit) -> None:
    """Totally defeated troops that go through their own reserve leave it shaken."""
    if not is_totally_defeated(unit):
        return
    gone = line((shifted(unit.place.at, opposite(unit.place.facing), unit.place.moved), unit.place.at))
    for other in play.field.units(unit.side, formed=True):
        if other.key != unit.key and not other.trial.flight and comes_within(gone, play.field.shape(other), THROUGH):
            trial = replace(other.trial, through=play.move)
            play.change(other, "fugitives pass", trial=trial)


@rule("KS-RET-04")
def _under_canister(play: Play, key: str) -> None:
    unit = play.unit(key)
    since = [move for move in unit.trial.canister if move > unit.trial.beaten]
    if unit.arm == "infantry" and since == [play.move]:
        lowered(play, key, "KS-RET-04")


@rule("KS-RET-09")
def _refuge(play: Play, key: str) -> bool:
    """Repulsed or defeated troops that reach a refuge within two moves stop there."""
    unit = play.unit(key)
    gone = play.move - unit.trial.beaten
    if gone > REFUGE_MOVES or not is_beaten(unit) or is_totally_defeated(unit):
        return False
    place = refuge_at(play, unit)
    if not place:
        return False
    trial = replace(unit.trial, refuge=play.move, flight=0, flight_to=None)
    play.add(
        RefugeReached(
            unit=key, place=place, moves_after_fight=gone, rules=cited("KS-RET-09"),
            changes=one(unit, UnitPatch(trial=trial, march=March(fast=unit.march.fast), place=fronting(play, unit))),
        )
    )  # fmt: skip
    return True


@rule("KS-RET-09")
def refuge_at(play: Play, unit: Unit) -> str:
    """The refuge in which a body stands: wood, village, a stream or trench behind it, a height of guns; empty: none."""
    terrain = terrain_of(play.scene)
    at = unit.place.at
    area = terrain.area(at)
    if area is not None and not _enemy_in(play, unit, area.id):
        if unit.arm == "infantry" and (area.built or area.kind.startswith("wood")):
            return area.id
        if unit.arm == "cavalry" and area.kind == "wood_light" and _skirmishers_in(play, unit, area.id):
            return area.id
    back = shifted(at, opposite(unit.place.facing), max(unit.place.moved, 1))
    kinds = ("wade", "step") if unit.arm == "infantry" else ("step",)
    for water in play.scene.chart.waters.values():
        if water.crossing in kinds and cuts(water.shape, back, at):
            return water.id
    lines = REFUGE_LINES["infantry" if unit.arm == "infantry" else "cavalry"]
    for barrier in true_terrain(play.scene, play.war).chart.lines.values():
        if barrier.kind in lines and cuts(barrier.shape, back, at):
            return barrier.id
    for guns in play.field.near(at, 200, unit.side, formed=True):
        if guns.arm == "artillery" and not guns.place.limbered and terrain.height(at) > terrain.height(back) + 500:
            return guns.id
    return ""


@rule("KS-RET-09")
def _enemy_in(play: Play, unit: Unit, area: str) -> bool:
    """Whether the enemy has come into the same wood or village."""
    terrain = terrain_of(play.scene)
    near = play.field.near(unit.place.at, of_march.RETREAT_RESERVE[0], ENEMY[unit.side], formed=True)
    return any((found := terrain.area(enemy.place.at)) is not None and found.id == area for enemy in near)


@rule("KS-RET-09")
def _skirmishers_in(play: Play, unit: Unit, area: str) -> bool:
    terrain = terrain_of(play.scene)
    for friend in play.field.near(unit.place.at, 400, unit.side):
        found = terrain.area(friend.place.at)
        out = friend.strength.chain.zugs or all_skirmish(friend)
        if found is not None and found.id == area and out and friend.key != unit.key:
            return True
    return False


@rule("KS-RET-05", "KS-TUR-04")
def fronting(play: Play, unit: Unit) -> Place:
    """The place of the beaten that halt and face the enemy, if nobody stands where they would turn."""
    place = replace(unit.place, facing=opposite(unit.place.facing), trail=())
    return swung(unit, place, play.field.enemies(unit.side))


@rule("KS-RET-05")
def _goes_on(play: Play, key: str) -> None:
    """A move of flight less; at its end, or when the reserve is passed by 200, it halts and faces the enemy."""
    unit = play.unit(key)
    if unit.trial.trapped:
        return
    left = unit.trial.flight - 1
    if not unit.march.way or (unit.trial.flight_to is not None and distance(unit.place.at, unit.trial.flight_to) <= 3):
        left = 0
    trial = replace(unit.trial, flight=left, flight_to=unit.trial.flight_to if left else None)
    if left:
        play.change(unit, "goes back", trial=trial)
        return
    patch = UnitPatch(trial=trial, march=March(fast=unit.march.fast), place=fronting(play, unit))
    play.keep("halts in flight", one(unit, patch))
