"""What conformance cases may ask of the map and the charts of 1870.

Every answer is made of plain values, so that a case in TOML can be compared with it.  Hexes are written `2306`, SP as
orders have them (`8SP`, `2G+1D`), sides, HQs and terrain as the state has them; the war is the one that the case has
set up.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.ground import hexes
from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.contract import Ask, ask
from pbem.systems.empire_1870.field import supply
from pbem.systems.empire_1870.field.field import Field, status_value
from pbem.systems.empire_1870.gm.asks_combat import COMBAT_ASKS, stack_of, text_of
from pbem.systems.empire_1870.march.force import command_limit
from pbem.systems.empire_1870.march.steps import step_cost
from pbem.systems.empire_1870.melee.totals import cavalry_of
from pbem.systems.empire_1870.mind.fog import inspected
from pbem.systems.empire_1870.play import victory
from pbem.systems.empire_1870.play.pauses import awaits, setup_order
from pbem.systems.empire_1870.play.picking import pick
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.tables import charts
from pbem.systems.empire_1870.tables.headquarters import FRENCH_CAVALRY, HEADQUARTERS, Face
from pbem.systems.empire_1870.turn import administration, rail
from pbem.systems.empire_1870.turn.setup import default_placement, troops
from pbem.systems.empire_1870.world.orders import Amount
from pbem.systems.empire_1870.world.outcomes import Step
from pbem.systems.empire_1870.world.parts import Rank
from pbem.systems.empire_1870.world.stacks import count
from pbem.systems.empire_1870.world.state import War

# ------------------------------------------------------------------ map


def distance(_scene: Scene, _war: War, one: str, other: str) -> int:
    """Hexes from one to the other."""
    return hexes.distance(Hex(one), Hex(other))


def hex_data(scene: Scene, war: War, at: str) -> dict[str, object]:
    """What the map has in a hex: terrain, country, name, town, fortress (its SR), rail, rivers by their sides."""
    cell = Field(scene, war).cell(Hex(at))
    return {
        "terrain": cell.terrain,
        "country": cell.country,
        "name": cell.name,
        "town": cell.town,
        "fortress": cell.fortress,
        "rail": sorted(cell.rail),
        "rivers": sorted(cell.river),
    }


def places(scene: Scene, war: War, what: str, country: str) -> int:
    """How many `towns` or `fortresses` there are in a country."""
    cells = scene.ground(war.options.towns).values()
    return sum(cell.country == country and bool(cell.town if what == "towns" else cell.fortress) for cell in cells)


def controller(scene: Scene, war: War, at: str) -> str:
    """Who controls a hex; empty: nobody."""
    return Field(scene, war).controller(Hex(at)) or ""


def terrain_mp(_scene: Scene, _war: War, terrain: str) -> int:
    """MP to enter a terrain; 0: it is closed."""
    return charts.TERRAIN[terrain].mp or 0


def extra_mp(_scene: Scene, _war: War, name: str) -> int:
    """MP beside the terrain's."""
    return charts.EXTRA_MP[name]


def rail_mp(_scene: Scene, _war: War, name: str) -> int:
    """MP to `entrain`, `ride` or `detrain`."""
    return charts.RAIL_MP[name]


def rail_route(scene: Scene, war: War, side: str, start: str, end: str) -> list[str] | str:
    """The hexes of a ride, or the code of what forbids it."""
    way, why = rail.route(Field(scene, war), Role(side), Hex(start), Hex(end))
    return why or [*way]


def cost(scene: Scene, war: War, side: str, start: str, to: str, sp: str, leader: str = "") -> int:
    """MP of a step of so many SP of the hex (or of none that is there), led by an HQ."""
    return _step(scene, war, side, start, to, sp, leader).cost


def cost_parts(scene: Scene, war: War, side: str, start: str, to: str, sp: str, leader: str = "") -> list[str]:
    """Of what the cost of a step is made: `clear 1`, `river 1`."""
    return [f"{one.name} {one.value}" for one in _step(scene, war, side, start, to, sp, leader).modifiers]


def _step(scene: Scene, war: War, side: str, start: str, to: str, sp: str, leader: str) -> Step:
    field = Field(scene, war)
    there = field.stack(Role(side), Hex(start))
    wanted = stack_of(sp)
    taken = pick(there, Amount(count=count(wanted)), count(wanted)) if there else wanted
    return step_cost(field, Role(side), Hex(start), Hex(to), taken, cautious=bool(leader) and war.hqs[leader].cautious)


# ------------------------------------------------------------------ units, zones, command


def d3(_scene: Scene, _war: War, die: int) -> int:
    """A six-sided die as 1d3."""
    return charts.D3[die]


def sp(scene: Scene, war: War, side: str, at: str) -> str:
    """The SP of a side in a hex, by status."""
    return text_of(Field(scene, war).stack(Role(side), Hex(at)))


def command_value(_scene: Scene, _war: War, text: str) -> int:
    """What SP count for against command limits and on the rails."""
    return count(stack_of(text))


def combat_value(_scene: Scene, _war: War, text: str) -> int:
    """What SP of one hex count for in combat, before other halvings."""
    return status_value(stack_of(text))


def zoc(scene: Scene, war: War, side: str, at: str) -> list[str]:
    """The hexes into which what a side has in a hex projects a ZOC, in the order of their numbers."""
    return sorted(Field(scene, war).projects(Role(side), Hex(at)))


def in_ezoc(scene: Scene, war: War, side: str, at: str) -> bool:
    """Whether a hex is in the ZOC of the enemy of *side*."""
    return Field(scene, war).in_ezoc(Role(side), Hex(at))


def cavalry(scene: Scene, war: War, side: str, at: str) -> str:
    """The SP of a hex that are cavalry."""
    field = Field(scene, war)
    return text_of(cavalry_of(field.stack(Role(side), Hex(at)), field.hqs(Role(side), Hex(at))))


def limit(_scene: Scene, _war: War, side: str, rank: str) -> int:
    """The command limit of a rank; `inherent` is one too."""
    ranks: dict[str, Rank | None] = {"army": "army", "corps": "corps", "division": "division", "inherent": None}
    return command_limit(Role(side), ranks[rank])


def inherent(_scene: Scene, _war: War, side: str) -> dict[str, int]:
    """The inherent division HQ of a side."""
    ratings = charts.INHERENT[side]
    return {"ab": ratings.ab, "db": ratings.db, "ma": ratings.ma, "sp": charts.INHERENT_LIMIT[side]}


def _ratings(face: Face) -> str:
    made = face.ratings
    return f"{made.ab}/{made.db}/{made.ma}{'c' if face.cautious else ''}"


def hq(_scene: Scene, _war: War, name: str) -> dict[str, object]:
    """An HQ as printed: rank, ratings AB/DB/MA of both faces (`c`: cautious), whether it is cavalry."""
    piece = {**HEADQUARTERS, **FRENCH_CAVALRY}[name]
    return {
        "rank": piece.rank,
        "front": _ratings(piece.front),
        "replacement": _ratings(piece.back),
        "cavalry": piece.cavalry,
    }


# ------------------------------------------------------------------ supply, resources


def loc(scene: Scene, war: War, side: str, at: str) -> bool:
    """Whether what a side has in a hex has a LOC."""
    return supply.has_loc(Field(scene, war), Role(side), Hex(at))


def loc_path(scene: Scene, war: War, side: str, at: str) -> list[str]:
    """The hexes from a hex to what supplies it, both included."""
    return [*supply.loc_path(Field(scene, war), Role(side), Hex(at))]


def loc_hexes(scene: Scene, war: War, side: str, at: str) -> int:
    """How many hexes it is from a hex to what supplies it; -1: there is no LOC."""
    field = Field(scene, war)
    if not supply.has_loc(field, Role(side), Hex(at)):
        return -1
    return max(0, len(supply.loc_path(field, Role(side), Hex(at))) - 1)


def source(scene: Scene, war: War, side: str, at: str) -> bool:
    """Whether a hex is a friendly source of a side."""
    return Hex(at) in supply.sources(Field(scene, war), Role(side))


def rail_loc(scene: Scene, war: War, side: str, at: str) -> bool:
    """Whether a rail line runs from a hex to a source."""
    return Hex(at) in supply.supply(Field(scene, war), Role(side)).by_rail


def siege_lines(scene: Scene, war: War, side: str, at: str) -> bool:
    """Whether a side stands round a fortress strongly enough for its hex to count as friendly for a LOC."""
    return supply.holds_siege_lines(Field(scene, war), Role(side), Hex(at))


def collection(_scene: Scene, _war: War, side: str) -> int:
    """RP of a turn."""
    return charts.RP_COLLECTED[side]


def mobilization(_scene: Scene, _war: War, side: str) -> dict[str, int]:
    """What SP and HQs cost, and how many of each a hex can raise in a turn."""
    chart = charts.MOBILIZATION[side]
    return {"sp_rp": chart.sp_rp, "hq_rp": chart.hq_rp, "sp_per_hex": chart.sp_per_hex, "hq_per_hex": chart.hq_per_hex}


def mobilization_refused(scene: Scene, war: War, side: str, at: str) -> str:
    """Why a side cannot mobilize in a hex; empty: it can."""
    return administration.place_refused(Field(scene, war), Role(side), Hex(at))


def forced_march_disrupts(_scene: Scene, _war: War, n: int, first: int, second: int) -> bool:
    """Whether a forced march of n extra MP disrupts the force at these dice."""
    return n + first + second > charts.FORCED_MARCH_HOLDS


# ------------------------------------------------------------------ sight, victory, set-up


def inspects(scene: Scene, war: War, side: str, at: str) -> bool:
    """Whether a side can look into a hex."""
    return Hex(at) in inspected(Field(scene, war), Role(side))


def vp(_scene: Scene, _war: War, event: str) -> int:
    """What an event moves the marker."""
    return charts.VP[event]


def vp_fortress(scene: Scene, _war: War, at: str) -> int:
    """What the fall of a fortress moves the marker."""
    cell = scene.cells[Hex(at)]
    return charts.VP["german_fortress_destroyed"] if cell.country == "DE" else charts.VP_FRENCH_FORTRESS[cell.fortress]


def verdict(_scene: Scene, war: War) -> str:
    """Who has won, and how: `french major`; empty while play goes on."""
    if war.ended is None or victory.verdict(war) is None:
        return ""
    return f"{war.ended.winner} {war.ended.kind}"


def area(scene: Scene, war: War, side: str, name: str) -> list[str]:
    """Where a group, by the name of one of its HQs, may be set up."""
    return sorted(next(group.area for group in troops(scene, war.options, Role(side)) if name in group.hqs))


def set_up_by_default(scene: Scene, war: War, side: str, name: str) -> dict[str, object]:
    """Where a group, by the name of one of its HQs, stands by default: its HQs, and its SP by hex."""
    group = next(group for group in troops(scene, war.options, Role(side)) if name in group.hqs)
    where = default_placement(group)
    return {"hqs": dict(where.hqs), "sp": dict(where.sp), "total": group.sp}


def all_sp(scene: Scene, war: War, side: str) -> int:
    """How many SP a side sets up."""
    return sum(group.sp for group in troops(scene, war.options, Role(side)))


def sets_up_first(_scene: Scene, war: War) -> str:
    """The side that sets up first."""
    return setup_order(war)[0].removeprefix("setup_")


def first_sheet_stands(_scene: Scene, war: War, side: str) -> bool:
    """Whether the first sheet that a side sends where play stands cannot be taken back."""
    call = awaits(war).call(Role(side))
    return call is not None and call.final


ASKS: Mapping[str, Ask] = {
    "distance": ask(distance, "WE-ADM-02"),
    "hex": ask(hex_data, "WE-CTL-01"),
    "places": ask(places, "WE-CTL-01"),
    "controller": ask(controller, "WE-CTL-01"),
    "terrain_mp": ask(terrain_mp, "WE-MOV-02"),
    "extra_mp": ask(extra_mp, "WE-MOV-02", "WE-MOV-03", "WE-MOV-04", "WE-OPT-01"),
    "rail_mp": ask(rail_mp, "WE-RAI-01"),
    "rail_route": ask(rail_route, "WE-RAI-01", "WE-RAI-02"),
    "cost": ask(cost, "WE-MOV-02", "WE-MOV-03", "WE-ZOC-02", "WE-OPT-01", "WE-OPT-04"),
    "cost_parts": ask(cost_parts, "WE-MOV-02", "WE-MOV-03", "WE-ZOC-02", "WE-OPT-01", "WE-OPT-04"),
    "d3": ask(d3, "WE-UNI-02"),
    "sp": ask(sp, "WE-UNI-01", "WE-STK-01", "WE-STA-01"),
    "command_value": ask(command_value, "WE-STA-02"),
    "combat_value": ask(combat_value, "WE-STA-02"),
    "zoc": ask(zoc, "WE-ZOC-01"),
    "in_ezoc": ask(in_ezoc, "WE-ZOC-01"),
    "cavalry": ask(cavalry, "WE-UNI-03"),
    "limit": ask(limit, "WE-HQ-03", "WE-HQ-02"),
    "inherent": ask(inherent, "WE-HQ-02"),
    "hq": ask(hq, "WE-HQ-01"),
    "loc": ask(loc, "WE-LOC-02", "WE-LOC-05", "WE-LOC-06"),
    "loc_path": ask(loc_path, "WE-LOC-02", "WE-LOC-05"),
    "loc_hexes": ask(loc_hexes, "WE-LOC-02", "WE-LOC-05"),
    "source": ask(source, "WE-LOC-01"),
    "rail_loc": ask(rail_loc, "WE-LOC-03"),
    "siege_lines": ask(siege_lines, "WE-SIE-05"),
    "collection": ask(collection, "WE-RP-01"),
    "mobilization": ask(mobilization, "WE-ADM-01"),
    "mobilization_refused": ask(mobilization_refused, "WE-ADM-02"),
    "forced_march_disrupts": ask(forced_march_disrupts, "WE-FRC-01"),
    "inspects": ask(inspects, "WE-OPT-02"),
    "vp": ask(vp, "WE-VIC-01"),
    "vp_fortress": ask(vp_fortress, "WE-VIC-01", "WE-SIE-03"),
    "verdict": ask(verdict, "WE-VIC-04", "WE-VIC-06", "WE-VIC-07", "WE-VIC-08"),
    "area": ask(area, "WE-SET-04"),
    "set_up_by_default": ask(set_up_by_default, "WE-SET-01", "WE-SET-04"),
    "all_sp": ask(all_sp, "WE-SET-01"),
    "sets_up_first": ask(sets_up_first, "WE-SET-01", "WE-SET-03"),
    "first_sheet_stands": ask(first_sheet_stands, "WE-SEQ-05"),
    **COMBAT_ASKS,
}
"""The questions, by name, and the rules that answer them."""
