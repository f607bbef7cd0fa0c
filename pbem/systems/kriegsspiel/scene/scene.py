"""A scenario, parsed and never changed: the map (`chart`), who is there and who comes, clock, reports, objectives.

forces.toml   [side.red] c_in_c, line_of_retreat, succession; [[person]], [[unit]], [[regiment]] (its squadrons are
              units, and it is a group), [[detached]] (a part of a unit that stands apart), [[group]]
scenario.toml roles, [staff], [clock], [conditions], [zones], [general_idea], [separate_report], [[timed_messages]],
              [end], [secured] or [held], [[score]], [results], [options]
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from pbem.ground.bearing import parse_bearing
from pbem.ground.plane import Point
from pbem.kernel.errors import BadScenario
from pbem.kernel.numbers import whole
from pbem.orders.names import name_key
from pbem.rules.files import convert, need
from pbem.rules.scene import Setting, commanders, heading
from pbem.systems.kriegsspiel.scene.chart import Chart
from pbem.systems.kriegsspiel.scene.chart_file import parse_chart
from pbem.systems.kriegsspiel.scene.terrain import Terrain
from pbem.systems.kriegsspiel.tables.formation import GUNS_OF, MEN
from pbem.systems.kriegsspiel.world.troops import SIDES, Side


class PersonPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A commander at the opening."""

    id: str
    side: Side
    name: str
    rank: str
    superior: str = ""
    at: Point | None = None
    rides_with: str = ""


class Wagons(Struct, frozen=True, forbid_unknown_fields=True):
    """Munition wagons of a battery."""

    blocks: int
    behind: int


class UnitPlan(Struct, frozen=True, kw_only=True):
    """A unit at the opening, or as it comes."""

    id: str
    side: Side
    name: str
    arm: Literal["infantry", "cavalry", "artillery", "pioneers", "train"]
    kind: str
    size: str
    commander: str
    men: int = 0
    guns: int = 0
    wagons: Wagons | None = None
    pontoons: int = 0
    powder_for: int = 0
    regiment: str = ""
    leads: bool = True
    """False of all squadrons of a regiment but the first, with which its staff rides."""
    move: int = 0
    entry: str = ""
    or_by: tuple[str, ...] = ()
    or_move: int | None = None
    behind: str = ""
    at: Point | None = None
    along: str = ""
    facing: int = 0
    formation: str = ""
    zugs_out: int = 0
    occupies: str = ""
    held_since: int = 0
    tail_off_map: bool = False
    parent: str = ""
    """Of a detachment: the unit whose men it has."""
    half: str = ""


class GroupPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """Units under one name; a regiment of cavalry is one as well."""

    id: str
    side: Side
    kind: str
    units: tuple[str, ...]
    commander: str


class SidePlan(Struct, frozen=True, forbid_unknown_fields=True):
    """What belongs to a side as a whole."""

    c_in_c: str
    line_of_retreat: str
    base_entry: str
    succession: tuple[str, ...] = ()


class Timed(Struct, frozen=True, forbid_unknown_fields=True):
    """A message of the scenario (KS-GM-03)."""

    move: int
    to: str
    entry: str
    source: str
    text: str
    only_if_entered: str = ""


class Information(Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of the enemy at the start, and from whom."""

    source: str
    text: str
    at: str = ""


class SeparateReport(Struct, frozen=True, forbid_unknown_fields=True):
    """The report to one side."""

    to: str
    orders: str
    information: tuple[Information, ...] = ()


class Zone(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a side may set up."""

    north_of: int | None = None
    south_of: int | None = None
    listed_only_north_of: str = ""
    near_listed: dict[str, int] = {}


Counts = Literal[
    "held", "held_area", "first_secured", "further_secured", "secured", "none_secured", "unsecured", "men_over",
    "hours_without", "own_bridges", "batteries", "destroyed", "over_third",
]  # fmt: skip
"""What an item of the reckoning counts."""

COUNTED_AT: Mapping[str, tuple[str, ...]] = {
    "held": ("place", "crossing"), "held_area": ("area",), "secured": ("crossing",), "unsecured": ("crossing",),
}  # fmt: skip
"""Items that are counted at a thing of the map, and of which kinds it may be."""

ANY_NUMBER = 99


class Prize(Struct, frozen=True, forbid_unknown_fields=True):
    """An item of the reckoning."""

    item: str
    """In words, as players read it."""
    counts: Counts
    at: str = ""
    """The place, area or crossing that it is counted at."""
    after: int = 0
    """Of hours: the minute of the day after which they count."""
    red: int = 0
    blue: int = 0
    most: int = ANY_NUMBER


class Roll(NamedTuple):
    """The names of a side's order of battle, by their keys, and how names are written."""

    ids: dict[str, str]
    """Units and groups, by the keys of their ids."""
    called: tuple[tuple[str, str], ...]
    """Further keys of units, each with its unit: what it or its major is called."""
    persons: dict[str, str]
    written: tuple[str, ...]
    """The ids of units and groups."""
    people: dict[str, str]
    """The ids of persons, by their names."""


class Scene(Setting, frozen=True, kw_only=True, dict=True):
    """A scenario of the war game."""

    chart: Chart
    persons: dict[str, PersonPlan]
    units: dict[str, UnitPlan]
    """By key, in the order of the order of battle; squadrons of regiments one by one."""
    groups: dict[str, GroupPlan]
    """By key; regiments of cavalry among them."""
    sides: dict[Side, SidePlan]
    staff: tuple[str, ...]
    """Roles that may be without a player."""
    opens: int
    """Minutes after midnight of move 0."""
    last_move: int
    sunrise: int
    sunset: int
    conditions: dict[str, str]
    zones: dict[Side, Zone]
    general_idea: str
    separate: dict[Side, SeparateReport]
    timed: tuple[Timed, ...]
    ends: dict[str, Any]
    secured: dict[str, Any]
    held: dict[str, Any]
    prizes: tuple[Prize, ...]
    results: dict[str, int]

    @cached_property
    def terrain(self) -> Terrain:
        """The ground of its map, worked out once."""
        return Terrain(self.chart)

    @cached_property
    def rolls(self) -> dict[Side, Roll]:
        """The names of each side, brought into order once."""
        return {side: self._roll(side) for side in SIDES}

    def _roll(self, side: Side) -> Roll:
        plans = [plan for plan in self.units.values() if plan.side == side]
        people = [person for person in self.persons.values() if person.side == side]
        written = (*(plan.id for plan in plans), *(group.id for group in self.groups.values() if group.side == side))
        ids: dict[str, str] = {}
        for unit in written:
            ids.setdefault(name_key(unit), unit)
        majors = [(name, plan.id) for plan in plans
                  for name in (plan.name, f"major of {plan.id}", f"the major of {plan.id}")]  # fmt: skip
        persons: dict[str, str] = {}
        for person in people:
            for name in (person.id, person.name, f"von {person.name}", f"{person.rank} {person.name}"):
                persons.setdefault(name_key(name), person.id)
        for one in self.commanders:
            if self.persons[one.role].side == side:
                persons.setdefault(name_key(one.commander), str(one.role))
        called = tuple((name_key(name), unit) for name, unit in majors)
        return Roll(ids, called, persons, written, {person.name: person.id for person in people})

    def side_of(self, role: str) -> Side:
        """The side of the person that a role plays at first."""
        return self.persons[role].side

    def clock(self, move: int) -> str:
        """The time at the end of a move.

        >>> # move 32 of a game that opens at 06:00 is 07:04
        """
        minutes = (self.opens + 2 * move) % 1440
        return f"{minutes // 60:02d}:{minutes % 60:02d}"

    def units_of(self, side: Side, name: str) -> tuple[str, ...]:
        """The ids of the units that a name of *side* stands for: a unit itself, or those of a group."""
        key = f"{side}:{name}"
        if key in self.groups:
            return tuple(one for part in self.groups[key].units for one in self.units_of(side, part))
        return (name,)

    def group_of(self, side: Side, unit: str) -> tuple[GroupPlan, ...]:
        """The groups that a unit belongs to, the smallest first."""
        found = [one for one in self.groups.values() if one.side == side and unit in self.units_of(side, one.id)]
        return tuple(sorted(found, key=lambda one: (len(self.units_of(side, one.id)), one.id)))


def minutes(text: str, where: str) -> int:
    """`06:30` as minutes after midnight.

    :raises BadScenario: if it is no time.
    """
    hours, _, rest = text.partition(":")
    hour, minute = whole(hours), whole(rest)
    if hour is None or minute is None or hour > 23 or minute > 59:
        raise BadScenario(where, f'"{text}" is no time such as 06:30')
    return hour * 60 + minute


def _facing(table: dict[str, Any], where: str) -> int:
    text = table.get("facing", "N")
    bearing = parse_bearing(str(text))
    if bearing is None:
        raise BadScenario(where, f'"{text}" is no direction')
    return bearing


def _plan(table: dict[str, Any], where: str) -> UnitPlan:
    return convert({**table, "facing": _facing(table, where)}, UnitPlan, where)


def _squadrons(table: dict[str, Any], where: str) -> list[UnitPlan]:
    """The squadrons of a regiment, each where its part of the regiment stands, one behind another or side by side."""
    names = tuple(table["squadrons"])
    parts = table.get("part", [{**table, "squadrons": names}])
    plans = []
    for part in parts:
        before = ""
        for name in part["squadrons"]:
            own = {key: part[key] for key in ("at", "along", "facing", "formation") if key in part}
            if before and "at" in own:
                own.pop("at")
            plans.append(
                _plan(
                    {
                        "id": name,
                        "side": table["side"],
                        "name": f"{table['name']}, squadron {names.index(name) + 1}",
                        "arm": "cavalry",
                        "kind": table["kind"],
                        "size": "squadron",
                        "men": part.get("men", MEN["squadron"]),
                        "commander": table["commander"],
                        "regiment": table["id"],
                        "leads": name == names[0],
                        "behind": before or table.get("behind", ""),
                        **{key: table[key] for key in ("move", "entry", "or_by", "or_move") if key in table},
                        **own,
                    },
                    where,
                )
            )
            before = name
    return plans


def _part_words(size: str) -> str:
    """What a part of a unit is called from outside, where nobody counts its men."""
    return "post" if size in ("picket10", "picket25", "troop10", "troop21", "vedette") else size.replace("_", " ")


def _detached(table: dict[str, Any], units: Mapping[str, UnitPlan], where: str) -> UnitPlan:
    parent = units.get(f"{table['side']}:{table['parent']}")
    if parent is None:
        raise BadScenario(where, f'there is no unit "{table["parent"]}" of that side')
    size = table["size"]
    men = MEN.get(size, parent.men)
    return _plan(
        {
            "name": f"{parent.name}, {_part_words(size)}",
            "arm": parent.arm,
            "kind": parent.kind,
            "commander": parent.commander,
            "men": men,
            "formation": "line" if parent.arm == "infantry" else "cav_line",
            **table,
        },
        where,
    )


def _units(forces: Mapping[str, Any]) -> tuple[dict[str, UnitPlan], dict[str, GroupPlan]]:
    units: dict[str, UnitPlan] = {}
    groups: dict[str, GroupPlan] = {}

    def put(plan: UnitPlan, where: str) -> None:
        key = f"{plan.side}:{plan.id}"
        if key in units:
            raise BadScenario(where, "stands twice")
        units[key] = plan

    for table in forces.get("regiment", []):
        where = f'forces.toml, regiment "{table.get("id", "?")}"'
        for plan in _squadrons(table, where):
            put(plan, where)
        groups[f"{table['side']}:{table['id']}"] = GroupPlan(
            table["id"], table["side"], "regiment", tuple(table["squadrons"]), table["commander"]
        )
    for table in forces.get("unit", []):
        where = f'forces.toml, unit "{table.get("id", "?")}"'
        guns = table.get("guns", GUNS_OF.get(table.get("size", ""), 0) if table.get("arm") == "artillery" else 0)
        put(_plan({**table, "guns": guns}, where), where)
    for table in forces.get("detached", []):
        where = f'forces.toml, detached "{table.get("id", "?")}"'
        put(_detached(table, units, where), where)
    for table in forces.get("group", []):
        group = convert(table, GroupPlan, f'forces.toml, group "{table.get("id", "?")}"')
        groups[f"{group.side}:{group.id}"] = group
    return units, groups


def parse_scene(files: Mapping[str, Any]) -> Scene:
    """Parse a scenario: `{"scenario": …, "map": …, "forces": …}` as its TOML files say.

    :raises BadScenario: naming the file, the table and what is wrong there.
    """
    scenario, chart, forces = (need(files, name, "scenario") for name in ("scenario", "map", "forces"))
    clock = need(scenario, "clock", "scenario.toml")
    units, groups = _units(forces)
    persons = {
        table["id"]: convert(table, PersonPlan, f'forces.toml, person "{table["id"]}"')
        for table in need(forces, "person", "forces.toml")
    }
    for plan in units.values():
        if plan.commander not in persons:
            raise BadScenario(f'forces.toml, unit "{plan.id}"', f'there is no person "{plan.commander}"')
    separate = {
        side: convert(table, SeparateReport, f"scenario.toml, separate_report.{side}")
        for side, table in scenario.get("separate_report", {}).items()
    }
    plan_of_map = parse_chart(chart)
    _check_ends(scenario, plan_of_map, persons)
    return Scene(
        **heading(scenario),
        chart=plan_of_map,
        persons=persons,
        units=units,
        groups=groups,
        sides={
            side: convert(need(forces["side"], side, "forces.toml, side"), SidePlan, f"forces.toml, side.{side}")
            for side in SIDES
        },
        commanders=commanders(scenario),
        staff=_staff(scenario),
        opens=minutes(need(clock, "opens", "scenario.toml, clock"), "scenario.toml, clock, opens"),
        last_move=need(clock, "last_move", "scenario.toml, clock"),
        sunrise=minutes(clock.get("sunrise", "05:00"), "scenario.toml, clock, sunrise"),
        sunset=minutes(clock.get("sunset", "19:00"), "scenario.toml, clock, sunset"),
        conditions=dict(scenario.get("conditions", {})),
        zones={
            side: convert(scenario.get("zones", {}).get(side, {}), Zone, f"scenario.toml, zones.{side}")
            for side in SIDES
        },
        general_idea=scenario.get("general_idea", {}).get("text", ""),
        separate=separate,
        timed=convert(scenario.get("timed_messages", []), tuple[Timed, ...], "scenario.toml, timed_messages"),
        ends=dict(scenario.get("end", {})),
        secured=dict(scenario.get("secured", {})),
        held=dict(scenario.get("held", {})),
        prizes=_prizes(scenario, plan_of_map),
        results=dict(scenario.get("results", {})),
    )


def _staff(scenario: Mapping[str, Any]) -> tuple[str, ...]:
    """The roles that may be without a player (KS-CMD-06)."""
    names = convert(scenario.get("staff", {}).get("roles", ()), tuple[str, ...], "scenario.toml, staff, roles")
    roles = [one.role for one in commanders(scenario)]
    for name in names:
        if name not in roles:
            raise BadScenario("scenario.toml, staff, roles", f'there is no role "{name}"')
    return names


def _prizes(scenario: Mapping[str, Any], chart: Chart) -> tuple[Prize, ...]:
    """The items of the reckoning, each with a counter and, where it needs one, a thing of the map."""
    found = []
    for number, table in enumerate(scenario.get("score", []), start=1):
        where = f'scenario.toml, score {number} ("{table.get("item", "")}")'
        after = table.get("after")
        timed = {"after": minutes(after, f"{where}, after")} if after is not None else {}
        prize = convert({**table, **timed}, Prize, where)
        kinds = COUNTED_AT.get(prize.counts, ("crossing",) if prize.at else ())
        tables: Mapping[str, Mapping[str, object]] = {
            "place": chart.places, "crossing": chart.crossings, "area": chart.area_of,
        }  # fmt: skip
        if kinds and not any(prize.at in tables[kind] for kind in kinds):
            raise BadScenario(where, f'at = "{prize.at}" is no {" or ".join(kinds)} of the map')
        found.append(prize)
    return tuple(found)


def _check_ends(scenario: Mapping[str, Any], chart: Chart, persons: Mapping[str, PersonPlan]) -> None:
    """That what `[end]` and `[secured]` name is there."""
    end, table = scenario.get("end", {}), scenario.get("secured", {})
    for name in end.get("offers", []):
        if name not in persons:
            raise BadScenario("scenario.toml, end, offers", f'there is no person "{name}"')
    crossing = end.get("secured", {}).get("crossing")
    if crossing is not None and crossing not in chart.crossings:
        raise BadScenario("scenario.toml, end, secured", f'there is no crossing "{crossing}"')
    if table and table.get("bank") not in ("north", "south", "east", "west"):
        raise BadScenario("scenario.toml, secured", "bank must be north, south, east or west")
