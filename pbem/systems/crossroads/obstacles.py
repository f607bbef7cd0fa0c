"""Cavalry and guns at a linear obstacle: a die of activations to get across (GC-MOV-03)."""

from __future__ import annotations

from pbem.ground.plane import Point, cuts, dot, near, shifted
from pbem.kernel.event import Throw
from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.field import INCH, Field, footprint
from pbem.systems.crossroads.officers_follow import followed
from pbem.systems.crossroads.outcomes import ObstacleCrossed, ObstacleStarted
from pbem.systems.crossroads.play import Play
from pbem.systems.crossroads.scene import GRAIN, tenths
from pbem.systems.crossroads.state import Patch, Unit
from pbem.systems.crossroads.tables_move import CROSSING_DIE, OBSTACLES

_BEFORE = INCH + INCH // 2
"""How near the obstacle the front of a unit is that can begin to cross it."""


@rule("GC-MOV-03")
def before_obstacle(field: Field, unit: Unit) -> Point | None:
    """Where a unit will stand beyond the obstacle before its front; None: there is none, or no room behind it."""
    body = field.body(unit)
    front, far = body.at, shifted(body.at, body.facing, _BEFORE)
    for one in field.lines_of(*OBSTACLES):
        if not near(one.shape, dot(front), _BEFORE) or not cuts(one.shape, front, far):
            continue
        # The whole of it stands beyond, its rear a tenth from the line.
        share = min(cuts(one.shape, front, far))
        way = round(share * _BEFORE) + body.depth + GRAIN
        for more in range(0, 4 * INCH, GRAIN):
            to = tenths(shifted(body.at, body.facing, way + more))
            there = footprint(unit.type, unit.formation, to, unit.facing)
            if field.room(there, ignoring=unit.id):
                return to
    return None


@rule("GC-MOV-03")
def begin_crossing(play: Play, name: str, beyond: Point) -> None:
    """Begin to cross, or go on with it; on the last activation the unit stands beyond."""
    unit = play.unit(name)
    left = unit.crossing
    die: tuple[Throw, ...] = ()
    if left is None:
        thrown = play.throw("obstacle", name, "GC-MOV-03", sides=CROSSING_DIE)
        die, left = (thrown,), thrown.faces[0]
    left -= 1
    play.add(
        ObstacleStarted(
            rules=cited("GC-MOV-03"), dice=die, side=unit.side, unit=name, die=die[0].faces[0] if die else 0, left=left,
            changes={name: Patch(crossing=left)},
        )
    )  # fmt: skip
    if not left:
        play.add(
            ObstacleCrossed(
                rules=cited("GC-MOV-03"), side=unit.side, unit=name, to=beyond,
                changes={name: Patch(crossing=None, pos=beyond)}, officers=followed(play, unit, beyond, unit.facing),
            )
        )  # fmt: skip
