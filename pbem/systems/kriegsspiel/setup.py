"""Set-up: the empty field, who is there and what each is told, dispositions, and what is counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from pbem.ground.plane import Point, Shape, bearing, gap, shifted
from pbem.ground.way import at as way_at
from pbem.ground.way import heading, length, part
from pbem.kernel.dice import Dice
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.office import Option
from pbem.rules.contract import World
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.dispatches import OwnState, Person
from pbem.systems.kriegsspiel.fact import Fact, told_to
from pbem.systems.kriegsspiel.field import toward
from pbem.systems.kriegsspiel.forms import DEPLOYED, ROUTE, depth_of, front_of, is_column
from pbem.systems.kriegsspiel.mind import LISTED, Comrade, Known, Learned, Mind
from pbem.systems.kriegsspiel.options import Options, parse_options
from pbem.systems.kriegsspiel.outcomes import Kept, SetupPlaced
from pbem.systems.kriegsspiel.scene import Scene, UnitPlan
from pbem.systems.kriegsspiel.state import Changes, Clock, War
from pbem.systems.kriegsspiel.strengths import told_losses
from pbem.systems.kriegsspiel.tables_fire import GUNS, MAN_TW, ROUNDS
from pbem.systems.kriegsspiel.tables_formation import WAGON_BLOCKS
from pbem.systems.kriegsspiel.tables_knowledge import ONE_PLAYER
from pbem.systems.kriegsspiel.tidings import Briefed
from pbem.systems.kriegsspiel.troops import Chain, Place, Strength, Unit

OFF_GAP = 25
"""Paces between a tail and the head behind it (KS-MOV-17)."""


def blank(scene: Scene, options: Mapping[str, Option]) -> World[War, Mind]:
    """The empty field under these options.

    :raises Refused: on an option that the game does not have, or a value that it cannot take.
    """
    read = parse_options(scene.options, options)
    for side in scene.sides:
        players = [one for one in scene.commanders if scene.side_of(one.role) == side]
        if len(players) > read.max_players_per_side:
            raise Refused(f"{side} has {len(players)} players; at most {read.max_players_per_side} play a side.")
    clock = Clock(
        weather=scene.conditions.get("weather", "clear"),
        ground=scene.conditions.get("ground", "dry"),
        light=scene.conditions.get("light", "day"),
    )
    minds = {
        one.role: Mind(
            role=one.role,
            side=scene.side_of(one.role),
            options=read,
            person=one.role,
            weather=clock.weather,
            ground=clock.ground,
            light=clock.light,
        )
        for one in scene.commanders
    }
    return World(War(options=read, clock=clock), minds)


@rule("KS-GM-04")
def too_much(scene: Scene, options: Options) -> tuple[str, ...]:
    """Warnings for the umpire: sides whose players have more troops than one can well command."""
    found = []
    for side in scene.sides:
        players = sum(1 for one in scene.commanders if scene.side_of(one.role) == side)
        plans = [plan for plan in scene.units.values() if plan.side == side and not plan.parent]
        have = {
            "battalions": sum(1 for plan in plans if plan.size == "battalion"),
            "squadrons": sum(1 for plan in plans if plan.size == "squadron"),
            "batteries": sum(1 for plan in plans if plan.arm == "artillery"),
        }
        found += [
            f"{side}: {number} {what} for {players} players; the measure is {measure} a player"
            for what, number, measure in beyond_measure(have, players, options)
        ]
    return tuple(found)


@rule("KS-GM-04")
def beyond_measure(have: Mapping[str, int], players: int, options: Options) -> tuple[tuple[str, int, int], ...]:
    """Of what there is more than so many players can well command: what, how many, and the measure of one player."""
    measure = {**ONE_PLAYER, "batteries": options.warn_batteries}
    return tuple((what, number, measure[what]) for what, number in have.items() if number > measure[what] * players)


# ------------------------------------------------------------------ the troops


@rule("KS-MSG-02")
def riders_of(arm: str, size: str, options: Options, *, leads: bool = True) -> int:
    """The riders of a body: those of a unit by option, of a company, troop or post one of its own men.

    Those of a regiment of cavalry are with the squadron that *leads* it; each other squadron has one of its own men.
    """
    whole = leads and (arm in ("artillery", "train") or size in ("battalion", "half_battalion", "squadron"))
    return options.riders_per_unit if whole else 1


def _full_strength(plan: UnitPlan, options: Options) -> Strength:
    tw, riders = plan.men * MAN_TW, riders_of(plan.arm, plan.size, options, leads=plan.leads)
    match plan.arm:
        case "infantry" | "pioneers":
            blocks = 2 if plan.size == "battalion" else 1
            zugs = tuple([900] * plan.zugs_out)
            return Strength(
                tw=tw - sum(zugs),
                full_tw=tw,
                blocks=blocks,
                chain=Chain(zugs=zugs, ahead=0) if zugs else Chain(),
                ranks=2 if zugs else 3,
                powder=plan.powder_for,
                riders=riders,
            )
        case "cavalry":
            return Strength(tw=tw, full_tw=tw, riders=riders)
        case "artillery":
            return replace(_guns(plan), riders=riders)
        case "train":
            return Strength(
                tw=tw,
                full_tw=tw,
                pontoons=plan.pontoons,
                wagons=max(1, plan.pontoons // 4),
                powder=plan.powder_for,
                riders=riders,
            )


@rule("KS-ART-03", "KS-AMM-01", "KS-AMM-02", "KS-ORG-05")
def _guns(plan: UnitPlan) -> Strength:
    """A battery with its rounds pooled: limbers and wagons; half of all for a half battery."""
    cannon, howitzers = GUNS[plan.kind]
    halves = 2 if plan.guns > 4 else 1
    share = (cannon // 2, 0) if halves == 1 else (cannon // 2, cannon - cannon // 2)
    how = (howitzers // 2, 0) if halves == 1 else (howitzers // 2, howitzers - howitzers // 2)
    canister, shot = rounds_of(plan.kind, plan.guns)
    wagons = plan.wagons.blocks if plan.wagons else WAGON_BLOCKS.get(plan.kind, 0)
    return Strength(cannon=share, howitzers=how, canister=canister, shot=shot, wagons=wagons, blocks=halves, full_tw=0)


def rounds_of(kind: str, guns: int) -> tuple[int, int]:
    """Canister and shot that a battery of so many guns has with limbers and wagons (KS-AMM-01)."""
    cannon, howitzers = GUNS[kind]
    pieces = (cannon or howitzers) * guns // 8
    name = kind if cannon else "howitzer_7"
    found = ROUNDS[name]
    number, by = found.wagons
    wagons = number * (guns if by == 8 else pieces) // by
    return (
        pieces * found.limber_canister + wagons * found.wagon_canister,
        pieces * found.limber_shot + wagons * found.wagon_shot,
    )


def new_unit(plan: UnitPlan, options: Options) -> Unit:
    """A unit as the order of battle has it, before it has its place."""
    formation = plan.formation or (ROUTE if plan.entry and plan.at is None else DEPLOYED)[plan.arm]
    stand = "map" if plan.at is not None or (plan.behind and not plan.entry) else "off"
    at = plan.at or Point(0, 0)
    return Unit(
        side=plan.side,
        id=plan.id,
        name=plan.name,
        arm=plan.arm,
        kind=plan.kind,
        size=plan.size,
        place=Place(
            at=at,
            facing=plan.facing,
            formation=formation,
            stand="map" if stand == "map" else "off",
            holds=plan.occupies,
            held_since=plan.held_since,
            limbered=plan.arm == "artillery" and not formation.startswith(("battery_wide", "battery_narrow")),
        ),
        strength=_full_strength(plan, options),
        regiment=plan.regiment,
        commander=plan.commander,
        enters=plan.move,
        entry=plan.entry,
        behind=plan.behind,
    )


def all_units(scene: Scene, options: Options) -> dict[str, Unit]:
    """The troops of a scenario, those on the map in their places and their detachments taken from them."""
    units = {key: new_unit(plan, options) for key, plan in scene.units.items()}
    for key, plan in scene.units.items():
        if plan.parent:
            units = _apart(units, units[key], f"{plan.side}:{plan.parent}")
    for key, unit in units.items():
        if unit.place.stand == "map":
            units[key] = _standing(scene, units, unit, scene.units[key])
    return units


def _apart(units: dict[str, Unit], part_of: Unit, parent_key: str) -> dict[str, Unit]:
    """A detachment, with its men taken from its unit where they are counted among them."""
    parent = units[parent_key]
    strength = parent.strength
    if part_of.size == "half_battalion" and parent.size == "battalion":
        strength = replace(strength, tw=strength.tw - 5400, full_tw=strength.full_tw - 5400, blocks=1)
        parent = replace(parent, strength=strength, size="half_battalion")
    duty = replace(part_of.duty, parent=parent.id, purpose="order" if part_of.size == "half_battalion" else "post")
    strength = replace(parent.strength, detached=parent.strength.detached + 1)
    return units | {parent_key: replace(parent, strength=strength), part_of.key: replace(part_of, duty=duty)}


def _road_back(scene: Scene, plan: UnitPlan, head: Point, facing: int) -> tuple[Point, ...]:
    road = scene.chart.roads.get(plan.along)
    return road_behind(road.line, head, facing) if road is not None else ()


def road_behind(line: tuple[Point, ...], head: Point, facing: int) -> tuple[Point, ...]:
    """The road behind a head that stands on it, away from where it faces, to its end."""
    best = min(range(len(line) - 1), key=lambda i: (_off_leg(line[i], line[i + 1], head), i))
    one, other = line[best], line[best + 1]
    onward = bearing(one, other) if one != other else 0
    turned = abs((onward - facing + 18000) % 36000 - 18000)
    behind = line[: best + 1][::-1] if turned <= 9000 else line[best + 1 :]
    return (head, *(point for point in behind if point != head))


def _off_leg(a: Point, b: Point, at: Point) -> int:
    return gap(Shape((a, b)), Shape((at,))).far


def _standing(scene: Scene, units: Mapping[str, Unit], unit: Unit, plan: UnitPlan) -> Unit:
    """A unit in its place; one that is *behind* another takes its place behind that one's tail."""
    before = units.get(f"{unit.side}:{plan.behind}") if plan.behind else None
    if plan.at is None and before is None and plan.behind:
        group = scene.units_of(unit.side, plan.behind)
        before = units.get(f"{unit.side}:{group[-1]}")
    if plan.at is None and before is not None:
        return _after(scene, units, unit, before, plan)
    if is_column(unit) and plan.along:
        trail = _road_back(scene, plan, unit.place.at, unit.place.facing)
        return replace(unit, place=replace(unit.place, trail=part(trail, 0, depth_of(unit)), marched=5))
    return unit


def _after(scene: Scene, units: Mapping[str, Unit], unit: Unit, before: Unit, plan: UnitPlan) -> Unit:
    ahead = _standing(scene, units, before, scene.units[before.key])
    if is_column(unit):
        chain = _road_back(
            scene, replace(plan, along=plan.along or scene.units[before.key].along), ahead.place.at, ahead.place.facing
        )
        if len(chain) > 1:
            start = depth_of(ahead) + OFF_GAP
            head = way_at(chain, min(start, length(chain)))
            back = part(chain, start, start + depth_of(unit))
            facing = (heading(chain, min(start, length(chain))) + 18000) % 36000
            stand = "map" if start < length(chain) else "off"
            return replace(
                unit,
                place=replace(unit.place, at=head, facing=facing, trail=back, marched=5, stand=stand),
                entry=unit.entry if stand == "map" else scene.sides[unit.side].base_entry,
            )
    # Beside the one before, to its left.
    way = ahead.place.facing - 9000
    step = (front_of(ahead) + front_of(unit)) // 2 + (0 if unit.regiment == ahead.regiment else OFF_GAP)
    return replace(
        unit, place=replace(unit.place, at=shifted(ahead.place.at, way % 36000, step), facing=ahead.place.facing)
    )


# ------------------------------------------------------------------ the muster


@rule("KS-GM-03", "KS-GM-04", "KS-CMD-01", "KS-MSG-02", "KS-ORG-01")
def muster(scene: Scene, world: World[War, Mind], dice: Dice) -> Sequence[Fact]:
    """The order of battle takes the field, and each commander is told what he may know."""
    del dice
    war = world.truth
    units = all_units(scene, war.options)
    persons = []
    for plan in scene.persons.values():
        leader = units.get(f"{plan.side}:{plan.rides_with}") if plan.rides_with else None
        off = leader is not None and leader.place.stand == "off" and plan.at is None
        entry = scene.chart.entries.get(leader.entry) if leader is not None and off else None
        at = plan.at or (entry.at if entry else leader.place.at if leader else Point(0, 0))
        persons.append(
            Person(
                id=plan.id,
                side=plan.side,
                name=plan.name,
                rank=plan.rank,
                at=at,
                role=plan.id if Role(plan.id) in world.minds else "",
                superior=plan.superior,
                facing=toward(at, Point(scene.chart.width // 2, scene.chart.height // 2)),
                stand="off" if off else "map",
                rides_with=plan.rides_with,
                riders=war.options.riders_per_commander,
                staff=war.options.staff_officers,
            )
        )
    facts: list[Fact] = [
        Kept(
            what="; ".join(("muster", *too_much(scene, war.options))),
            rules=cited("KS-ORG-01", "KS-GM-04"),
            changes=Changes(new_units=tuple(units.values()), persons=tuple(persons)),
        )
    ]
    by_id = {person.id: person for person in persons}
    facts += [_briefing(scene, units, by_id, role) for role in sorted(world.minds)]
    return facts


def own_state(unit: Unit, seen: int, source: str) -> OwnState:
    """What a unit says of itself now (KS-SIT-09, KS-LOS-07)."""
    queue = unit.duty.queue
    return OwnState(
        unit=unit.id,
        seen=seen,
        at=unit.place.at,
        source=source,
        facing=unit.place.facing,
        formation=unit.place.formation,
        body=unit.trial.state,
        losses=told_losses(unit),
        zugs_out=len(unit.strength.chain.zugs),
        guns=sum(unit.strength.cannon) + sum(unit.strength.howitzers),
        doing=queue[0].text if queue else "",
        stand=unit.place.stand,
        trail=unit.place.trail,
        limbered=unit.place.limbered,
        size=unit.size,
    )


def command_of(units: Mapping[str, Unit], persons: Mapping[str, Person], person: str) -> tuple[str, ...]:
    """The ids of the units under a person and the persons below him, in the order of the order of battle."""
    below = under(persons, person)
    side = persons[person].side
    return tuple(unit.id for unit in units.values() if unit.side == side and unit.commander in (person, *below))


def under(persons: Mapping[str, Person], person: str) -> tuple[str, ...]:
    """The ids of all persons below one in the chain of command."""
    direct = [one.id for one in persons.values() if one.superior == person]
    return tuple(name for one in direct for name in (one, *under(persons, one)))


@rule("KS-GM-03", "KS-SIT-01", "KS-GM-05")
def _briefing(scene: Scene, units: Mapping[str, Unit], persons: Mapping[str, Person], role: Role) -> Fact:
    """What a commander knows before the first move: his side's order of battle and where its troops begin."""
    person = persons[role]
    report = scene.separate.get(person.side)
    mine = report is not None and report.to == person.id
    own = {
        unit.id: Known(own_state(unit, 0, LISTED), 0)
        for unit in units.values()
        if unit.side == person.side and unit.place.stand == "map"
    }
    coming = {
        unit.id: (unit.enters, unit.entry)
        for unit in units.values()
        if unit.side == person.side and unit.place.stand == "off"
    }
    comrades = {
        one.id: Comrade(one.id, one.at, 0, LISTED)
        for one in persons.values()
        if one.side == person.side and one.id != person.id
    }
    return Briefed(
        rules=cited("KS-GM-03", "KS-GM-05"),
        known=told_to(role),
        general_idea=scene.general_idea.strip(),
        separate_report=report.orders.strip() if report is not None and mine else "",
        information=tuple(f"{one.source}{f', {one.at}' if one.at else ''}: {one.text}" for one in report.information)
        if report is not None and mine
        else (),
        learned=Learned(
            own=own,
            comrades=comrades,
            entry_of=coming,
            person=person.id,
            at=person.at,
            facing=person.facing,
            on_map=person.stand == "map",
            rides_with=person.rides_with,
            command=command_of(units, persons, person.id),
            superior=person.superior,
            below=under(persons, person.id),
            players=tuple(
                one.id for one in persons.values() if one.side == person.side and one.role and one.id != role
            ),
            riders=person.riders,
            staff=person.staff,
        ),
    )


# ------------------------------------------------------------------ what is conserved


@rule("KS-LOS-01")
def counts(war: War) -> Mapping[str, int | Fraction]:
    """Men, of whom a point can take a part, and guns: on the field, captured, and lost; the sum never changes."""
    found: dict[str, int | Fraction] = {}
    for side in ("red", "blue"):
        units = [unit for unit in war.units.values() if unit.side == side]
        found[f"{side} men"] = Fraction(sum(unit.strength.tw + sum(unit.strength.chain.zugs) for unit in units), MAN_TW)
        found[f"{side} guns"] = sum(sum(unit.strength.cannon) + sum(unit.strength.howitzers) for unit in units)
        for what, by in (("men lost", MAN_TW), ("men captured", MAN_TW), ("guns lost", 1)):
            found[f"{side} {what}"] = Fraction(war.losses.get(f"{side} {what}", 0), by)
    return found


def setup_fact(unit: Unit, by: str) -> Fact:
    """That a unit takes its place."""
    return SetupPlaced(
        unit=unit.key,
        place=unit.place.at if unit.place.stand == "map" else None,
        facing=unit.place.facing,
        formation=unit.place.formation,
        by="order" if by == "order" else "default",
    )
