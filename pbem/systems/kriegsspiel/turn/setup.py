"""Set-up: the empty field, who is there and what each is told, and what is counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from pbem.ground.plane import Point
from pbem.kernel.dice import Dice
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.office import Option
from pbem.rules.contract import World
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import toward
from pbem.systems.kriegsspiel.field.hierarchy import command_of, under
from pbem.systems.kriegsspiel.mind.own_units import own_state
from pbem.systems.kriegsspiel.scene.forces import all_units
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.tables.fire import MAN_TW
from pbem.systems.kriegsspiel.tables.knowledge import ONE_PLAYER
from pbem.systems.kriegsspiel.world.bodies import is_on_map, is_to_come
from pbem.systems.kriegsspiel.world.dispatches import Person
from pbem.systems.kriegsspiel.world.fact import Fact, told_to
from pbem.systems.kriegsspiel.world.mind import LISTED, Comrade, Known, Learned, Mind
from pbem.systems.kriegsspiel.world.options import Options, parse_options
from pbem.systems.kriegsspiel.world.outcomes import Kept, SetupPlaced
from pbem.systems.kriegsspiel.world.outcomes_knowledge import Briefed
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.state import Clock, War
from pbem.systems.kriegsspiel.world.troops import Unit


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
        off = leader is not None and is_to_come(leader) and plan.at is None
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


@rule("KS-GM-03", "KS-SIT-01", "KS-GM-05")
def _briefing(scene: Scene, units: Mapping[str, Unit], persons: Mapping[str, Person], role: Role) -> Fact:
    """What a commander knows before the first move: his side's order of battle and where its troops begin."""
    person = persons[role]
    report = scene.separate.get(person.side)
    mine = report is not None and report.to == person.id
    own = {
        unit.id: Known(own_state(unit, 0, LISTED), 0)
        for unit in units.values()
        if unit.side == person.side and is_on_map(unit)
    }
    coming = {
        unit.id: (unit.enters, unit.entry) for unit in units.values() if unit.side == person.side and is_to_come(unit)
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
        found[f"{side} men"] = Fraction(sum(unit.strength.men_tw for unit in units), MAN_TW)
        found[f"{side} guns"] = sum(unit.strength.guns for unit in units)
        for what, by in (("men lost", MAN_TW), ("men captured", MAN_TW), ("guns lost", 1)):
            found[f"{side} {what}"] = Fraction(war.losses.get(f"{side} {what}", 0), by)
    return found


def setup_fact(unit: Unit, by: str) -> Fact:
    """That a unit takes its place."""
    return SetupPlaced(
        unit=unit.key,
        place=unit.place.at if is_on_map(unit) else None,
        facing=unit.place.facing,
        formation=unit.place.formation,
        by="order" if by == "order" else "default",
    )
