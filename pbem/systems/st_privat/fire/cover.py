"""What shelters a target: ground, buildings, walls towards the fire, the emplacement of the siege gun."""

from __future__ import annotations

from pbem.ground.square import Edge, Square, beyond, edge, offset
from pbem.kernel.names import RuleId
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.tables import charts
from pbem.systems.st_privat.world.fact import Modifier
from pbem.systems.st_privat.world.pieces import Place


@rule("SP-RIF-03", "SP-ART-05")
def facing_edges(start: Square, target: Square) -> tuple[Edge, ...]:
    """The sides of *target* through which fire from *start* enters it: one, or two on an exact diagonal.

    >>> facing_edges(Square("Q-12"), Square("P-9")), facing_edges(Square("P-8"), Square("O-7"))
    (('P-9|P-10',), ('O-7|O-8', 'O-7|P-7'))
    """
    east, north = offset(target, start)
    ways = []
    if abs(north) >= abs(east) and north:
        ways.append("n" if north > 0 else "s")
    if abs(east) >= abs(north) and east:
        ways.append("e" if east > 0 else "w")
    beside = (beyond(target, way) for way in ways)
    return tuple(edge(target, other) for other in beside if other is not None)


@rule("SP-RIF-03", "SP-TER-04")
def wall_towards(field: Field, start: Square, target: Square) -> Edge | None:
    """The standing wall on the side of fire; with `wall_cover_at_gap` off a gap for a road gives none."""
    stands = field.wall if field.options.wall_cover_at_gap else field.solid_wall
    return next((border for border in facing_edges(start, target) if stands(border)), None)


@rule("SP-SGE-04")
def is_emplacement(field: Field, at: Square) -> bool:
    """Whether the siege gun stands here, on the table."""
    return any(p.kind == "siege_gun" for p in field.visible(at))


@rule("SP-RIF-03", "SP-SGE-04")
def cover(field: Field, start: Square, target: Square, place: Place) -> tuple[Modifier, ...]:
    """What is added to the die of fire from *start* at those in a place of *target*.

    The largest alone, the building before the wall; all of them with `cover_modifiers_add`.
    """
    kinds = []
    if place == "inside" and field.building(target) is not None:
        kinds.append("building")
    if wall_towards(field, start, target) is not None:
        kinds.append("wall")
    if (terrain := field.ground(target).terrain) in charts.COVER:
        kinds.append(terrain)
    found = [Modifier(RuleId("SP-RIF-03"), charts.COVER[kind], kind) for kind in kinds]
    if is_emplacement(field, target):
        found.append(Modifier(RuleId("SP-SGE-04"), field.options.fortified_fire_modifier, "siege gun emplacement"))
    if field.options.cover_modifiers_add or not found:
        return tuple(found)
    return (max(found, key=lambda one: one.value),)


def total(modifiers: tuple[Modifier, ...]) -> int:
    """The sum of what is added to a die."""
    return sum(one.value for one in modifiers)
