"""What conformance cases may ask of the map and the tables: plain values, comparable to TOML.

Points are written `3700,2900`, lengths paces, times moves; fractions `5/6`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

import msgspec

from pbem.ground.plane import distance as paces
from pbem.rules.contract import Ask, ask
from pbem.systems.kriegsspiel.command.papers import ride_moves, ride_table, rider_way, writing_moves
from pbem.systems.kriegsspiel.field.eyes import sights_of
from pbem.systems.kriegsspiel.field.field import terrain_of
from pbem.systems.kriegsspiel.gm.asks_attack import ATTACK_ASKS
from pbem.systems.kriegsspiel.gm.asks_fire import FIRE_ASKS
from pbem.systems.kriegsspiel.gm.asks_knowledge import KNOWLEDGE_ASKS
from pbem.systems.kriegsspiel.gm.asks_march import MARCH_ASKS
from pbem.systems.kriegsspiel.gm.asks_works import WORKS_ASKS
from pbem.systems.kriegsspiel.gm.values import lookup, point, reckoned
from pbem.systems.kriegsspiel.scene.chart import ZED
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.terrain import Piece, cell, weathered
from pbem.systems.kriegsspiel.scene.ways import Traveller, find, time_of
from pbem.systems.kriegsspiel.tables import formation as of_forms
from pbem.systems.kriegsspiel.tables import knowledge as of_knowledge
from pbem.systems.kriegsspiel.tables.march import GAITS, GROUND, MARCH, RUN_LIMITS, WIDTHS
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.strengths import step_of

# ------------------------------------------------------------------ ground


def distance(_scene: Scene, _war: War, one: str, other: str) -> int:
    """Paces from one place to another."""
    return paces(point(one), point(other))


def height(scene: Scene, _war: War, at: str) -> str:
    """The height of a place, in paces."""
    return str(Fraction(scene.chart.heights.at(point(at)), ZED))


def slope(scene: Scene, _war: War, start: str, end: str) -> str:
    """The slope between two places in tenths of a degree."""
    steep = abs(terrain_of(scene).slope(point(start), point(end)))
    return str(Fraction((steep + 5) // 10, 10))


def area(scene: Scene, _war: War, at: str) -> str:
    """The id of the area in which a place lies; empty: open ground."""
    found = terrain_of(scene).area(point(at))
    return found.id if found is not None else ""


def sees(scene: Scene, _war: War, eye: str, target: str, up: int = 3, top: int = 2) -> bool:
    """Whether one place can be seen from another."""
    return sights_of(terrain_of(scene)).clear(point(eye), up, point(target), top)


def zoll(_scene: Scene, _war: War, inches: int) -> int:
    """Paces of so many decimal Zoll on the map."""
    return inches * of_knowledge.DECIMAL_ZOLL


def feet(_scene: Scene, _war: War, count: int) -> str:
    """Paces of so many feet, 2.4 to the pace, to two decimals."""
    hundredths = (count * 1000 + 12) // 24
    return f"{hundredths // 100}.{hundredths % 100:02d}"


# ------------------------------------------------------------------ marches


class On(NamedTuple):
    """The ground that a rate is asked for, and who goes there."""

    area: str = ""
    degrees: int = 0
    """In tenths, below 0 downhill."""
    road: str = ""
    ground: str = "dry"
    arm: str = ""
    how: str = ""
    """`on foot` for those who climb what is steeper than the table, `edge` in the outer belt of a thick wood."""


def rate(_scene: Scene, _war: War, row: str, *there: str | int) -> str:
    """Paces of a move in a row of the march table on such ground; *there*: what `On` has, in its order."""
    on = msgspec.convert(there, On)
    piece = Piece(0, 1, on.area, on.degrees * 10, on.road, "", edge=on.how == "edge")
    found = cell(row, piece, on_foot=on.how == "on foot")
    wheels = on.arm in ("artillery", "train")
    return str(Fraction(*weathered(found, on.ground, piece, wheels=wheels, night=False)))


def march_cell(_scene: Scene, _war: War, row: str, column: str) -> int | str:
    """A cell of the march table as it stands; `-`: none."""
    found = MARCH[row][column]
    return "-" if found is None else found


def gait(_scene: Scene, _war: War, troops: str, word: str) -> str:
    """The row, and the cap behind a blank, that a word of rate means for a class of troops; `-`: it has none."""
    found = GAITS[troops].get(word)
    if found is None:
        return "-"
    return found.row if found.most is None else f"{found.row} {found.most}"


def run_limit(_scene: Scene, _war: War, row: str) -> str:
    """How often a fast row may be used: `2 in 5`."""
    number, of = RUN_LIMITS[row]
    return f"{number} in {of}"


def moves_for(scene: Scene, war: War, row: str, arm: str, way: str) -> str:
    """Moves that a way takes in a row, tolls included; `-`: it cannot be gone."""
    points = tuple(point(one) for one in way.split())
    cost = time_of(terrain_of(scene), points, Traveller(row, arm, table=war.options.march_table))
    return "-" if cost is None else str(Fraction(round(Fraction(cost, 120)), 100))


def way(scene: Scene, war: War, row: str, arm: str, start: str, end: str, closed: str = "") -> list[str]:
    """The crossings that the fastest way leads over."""
    who = Traveller(row, arm, frozenset(closed.split()), table=war.options.march_table)
    found = find(terrain_of(scene), point(start), point(end), who)
    return ["-"] if found is None else [name for _, name in terrain_of(scene).crossings_on(found)]


def ride(scene: Scene, war: War, start: str, end: str) -> dict[str, object]:
    """A ride: the moves it takes, to three decimals, and the move of it in which one is there."""
    terrain = terrain_of(scene)
    table = war.options.march_table
    found = rider_way(terrain, point(start), point(end), table=table)
    whole = ride_table(terrain, found, table)[-1][1]
    return {"moves": str(Fraction(round(whole * 1000), 1000)), "there": ride_moves(terrain, found, table)}


def line_delay(_scene: Scene, _war: War, kind: str, arm: str) -> str:
    """Moves to cross a line or step over a water; `-`: it cannot be crossed."""
    found: tuple[int, int] | None = getattr(of_knowledge.STEPPING if kind == "step" else of_knowledge.LINES[kind], arm)
    return "-" if found is None else str(Fraction(*found))


def ground_factor(_scene: Scene, _war: War, state: str, what: str) -> str:
    """What the state of the ground leaves of a rate."""
    return str(Fraction(*GROUND[state][what]))


def length_in_moves(_scene: Scene, _war: War, paces_: int, rate_: int) -> str:
    """Moves for so many paces at a rate."""
    return str(Fraction(paces_, rate_))


# ------------------------------------------------------------------ troops


def formation(_scene: Scene, _war: War, name: str) -> dict[str, object]:
    """A formation as the table has it."""
    form = of_forms.FORMATIONS[name]
    return {"arm": form.arm, "of": form.of, "front": list(form.front), "depth": list(form.depth), "wheels": form.wheels}


def zugs_out(_scene: Scene, _war: War, zugs: int) -> dict[str, object]:
    """A battalion with so many zugs out."""
    row = of_forms.ZUGS_OUT[zugs]
    return {"half_battalions": row.half_battalions, "ranks": row.ranks, "men": row.men, "front": row.front}


def exchange(_scene: Scene, _war: War, blocks: int, points: int) -> dict[str, object]:
    """A body of infantry after so many points: blocks left, share, front."""
    step = step_of(blocks, points)
    return {"blocks": step.blocks, "share": str(Fraction(*step.share)), "front": step.front}


def organisation(_scene: Scene, _war: War, what: str) -> dict[str, object]:
    """A template of the organisation: from and to."""
    tables: Mapping[str, Mapping[str, tuple[int, int] | int]] = {
        "corps": of_forms.CORPS, "infantry_division": of_forms.INFANTRY_DIVISION,
        "cavalry_division": of_forms.CAVALRY_DIVISION,
        "artillery_brigade": of_forms.ARTILLERY_BRIGADE, "regiment": of_forms.REGIMENT, "battalion": of_forms.BATTALION,
    }  # fmt: skip
    return {name: list(value) if isinstance(value, tuple) else value for name, value in tables[what].items()}


# ------------------------------------------------------------------ knowledge


def interrupt(_scene: Scene, _war: War, code: str) -> dict[str, object]:
    """An interrupt as the table has it."""
    found = of_knowledge.INTERRUPTS[code]
    return {"name": found.name, "urgent": found.urgent, "can_be_switched": found.can_be_switched}


def clock(scene: Scene, _war: War, move: int) -> str:
    """The time at the end of a move."""
    return scene.clock(move)


ASKS: Mapping[str, Ask] = {
    "distance": ask(distance, "KS-CMD-05", "KS-MAP-02"),
    "height": ask(height, "KS-MAP-04"),
    "slope": ask(slope, "KS-MAP-04"),
    "area": ask(area, "KS-MAP-02"),
    "sees": ask(sees, "KS-SIT-03"),
    "zoll": ask(zoll, "KS-MAP-01"),
    "feet": ask(feet, "KS-MAP-01"),
    "rate": ask(
        rate, "KS-MOV-01", "KS-MOV-02", "KS-MOV-03", "KS-MOV-07", "KS-MOV-12", "KS-MOV-13", "KS-MOV-15", "KS-MOV-16"
    ),
    "march_cell": ask(march_cell, "KS-MOV-01"),
    "gait": ask(gait, "KS-MOV-07", "KS-ORD-03"),
    "run_limit": ask(run_limit, "KS-MOV-05"),
    "moves_for": ask(moves_for, "KS-MOV-04", "KS-MAP-05", "KS-MAP-06", "KS-MAP-07"),
    "way": ask(way, "KS-MOV-18", "KS-ORD-09"),
    "ride": ask(ride, "KS-MSG-03", "KS-CMD-01"),
    "writing": reckoned(writing_moves, "KS-MSG-05"),
    "width": lookup(WIDTHS, "KS-MOV-08"),
    "line_delay": ask(line_delay, "KS-MAP-05", "KS-MAP-06"),
    "ground_factor": ask(ground_factor, "KS-MOV-15"),
    "length_in_moves": ask(length_in_moves, "KS-TUR-01"),
    "formation": ask(formation, "KS-FRM-02", "KS-FRM-01"),
    "zugs_out": ask(zugs_out, "KS-FRM-08"),
    "exchange": ask(exchange, "KS-LOS-03"),
    "organisation": ask(organisation, "KS-ORG-01", "KS-ORG-02", "KS-ORG-03"),
    "column_fronts": lookup(of_forms.COLUMN_FRONTS, "KS-ORG-04"),
    "sighting": lookup(of_knowledge.SIGHTING, "KS-SIT-02"),
    "noise": lookup(of_knowledge.NOISES, "KS-SIT-05"),
    "interrupt": ask(interrupt, "KS-TUR-08"),
    "report_priority": lookup(of_knowledge.REPORTS, "KS-MSG-08"),
    "clock": ask(clock, "KS-TUR-01"),
    **MARCH_ASKS,
    **KNOWLEDGE_ASKS,
    **FIRE_ASKS,
    **ATTACK_ASKS,
    **WORKS_ASKS,
}
"""What cases may ask, by name."""
