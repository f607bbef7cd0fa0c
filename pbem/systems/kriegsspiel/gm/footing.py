"""Whether a body can stand where the umpire puts it: on the map, on dry land, on ground that its arm can tread."""

from __future__ import annotations

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene.terrain import Piece, Terrain, cell
from pbem.systems.kriegsspiel.scene.words import ARM_WORDS
from pbem.systems.kriegsspiel.tables.march import ACTIVITY_ROWS
from pbem.systems.kriegsspiel.world.forms import rate_class
from pbem.systems.kriegsspiel.world.troops import Unit

ANYHOW = "anyhow"
"""The last word of a directive by which the umpire puts a body where none can stand."""


@rule("KS-GM-02", "KS-MAP-02", "KS-MAP-06")
def no_footing(terrain: Terrain, unit: Unit) -> str:
    """Why a unit cannot stand at its place; empty: it can."""
    at = unit.place.at
    here = f"{at.x},{at.y}"
    if not terrain.on_board(at):
        return f"{here} is not on the map"
    if water := terrain.open_water(at):
        return f"{here} lies in the water of {water.name}"
    area = terrain.area(at)
    if area is None or area.built or terrain.road_at(at) is not None:
        return ""
    edge, troops = terrain.in_edge(area, at), rate_class(unit)
    piece = Piece(0, 1, area.kind, 0, "", "", edge=edge)
    if troops == "infantry":
        barred = area.kind == "swamp" or (area.kind == "wood_thick" and not edge)
    else:
        barred = not any(cell(rows[troops], piece) for rows in ACTIVITY_ROWS.values() if troops in rows)
    if not barred:
        return ""
    return f"{ARM_WORDS[unit.arm]} cannot stand at {here}, in {area.name}"
