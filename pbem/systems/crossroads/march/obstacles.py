"""Cavalry and guns at a linear obstacle: a die of activations to get across (GC-MOV-03)."""

from __future__ import annotations

from pbem.ground.plane import Point, cuts, distance, shifted
from pbem.kernel.event import Throw
from pbem.rules.ledger import rule
from pbem.systems.crossroads.field.field import INCH, Field
from pbem.systems.crossroads.march.gate import Gate
from pbem.systems.crossroads.march.riders import going
from pbem.systems.crossroads.play.play import Play, about
from pbem.systems.crossroads.scene.scene import GRAIN, tenths
from pbem.systems.crossroads.tables.move import CROSSING_DIE, OBSTACLES
from pbem.systems.crossroads.world.outcomes import ObstacleCrossed, ObstacleStarted
from pbem.systems.crossroads.world.patches import Patch, placed
from pbem.systems.crossroads.world.state import Unit

_BEFORE = INCH + INCH // 2
"""How near the obstacle the front of a unit is that can begin to cross it."""
_FARTHER = 4 * INCH
"""How far behind the obstacle friends may stand in its way."""


@rule("GC-MOV-03")
def beyond_obstacle(field: Field, unit: Unit) -> Point | str:
    """Where a unit will stand beyond the obstacle before its front, or the code of why it cannot be crossed.

    The whole of it stands there, a tenth from the line, or behind friends; if something bars the way, at least the
    middle of its front.
    """
    gate = Gate(field, unit)
    body, far = gate.start, shifted(gate.start.at, gate.start.facing, _BEFORE)
    ahead = [
        (min(cuts(one.shape, body.at, far)), one) for one in field.lines_of(*OBSTACLES) if cuts(one.shape, body.at, far)
    ]
    if not ahead:
        return "no_obstacle"
    share, line = min(ahead, key=lambda found: found[0])
    whole = round(share * _BEFORE) + body.depth + GRAIN
    way = gate.straight(shifted(body.at, body.facing, whole + _FARTHER), line)
    over = [one for one in way.bodies if distance(body.at, one.at) > round(share * _BEFORE) and gate.free(one)]
    beyond = next((one for one in over if distance(body.at, one.at) >= whole), over[-1] if over else None)
    return tenths(beyond.at) if beyond is not None else way.barred or "room"


@rule("GC-MOV-03")
def begin_crossing(play: Play, name: str) -> None:
    """Begin to cross, or go on with it; on the last activation the unit stands beyond, or waits till it can."""
    unit = play.unit(name)
    left = unit.crossing
    die: tuple[Throw, ...] = ()
    if left is None:
        thrown = play.throw("obstacle", name, "GC-MOV-03", sides=CROSSING_DIE)
        die, left = (thrown,), thrown.faces[0]
    beyond = beyond_obstacle(play.field, unit)
    left = max(left - 1, int(isinstance(beyond, str)))
    face, changes = die[0].faces[0] if die else 0, {name: Patch(crossing=left)}
    play.add(ObstacleStarted(**about(unit, "GC-MOV-03"), dice=die, die=face, left=left, changes=changes))
    if not left and isinstance(beyond, Point):
        play.add(ObstacleCrossed(**about(unit, "GC-MOV-03"), to=beyond, **going(play, unit, placed(beyond))))
