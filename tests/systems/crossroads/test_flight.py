"""A flight ends where nobody touches, or in surrender (GC-MOR-07, GC-CHG-06)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.bearing import DEGREE
from pbem.ground.plane import Point
from pbem.systems.crossroads.field.field import Field
from pbem.systems.crossroads.fire.flight import _escape
from pbem.systems.crossroads.march.gate import Gate
from pbem.systems.crossroads.scene.scene import grains
from tests.systems.crossroads.ground import field

STAND = {
    "FR-2": (Point(220, 275), 0, "line"),
    "PR-3": (Point(256, 304), 113, "column"),
    "PR-1": (Point(232, 333), 158, "line"),
}
"""In tenths of an inch: whose wing comes within a tenth of PR-3 when it turns about, and an inch from PR-1."""


def stood() -> Field:
    """These three alone on the ground of Golden Bremm."""
    there = field("golden-bremm")
    units = {
        name: replace(there.battle.units[name], pos=pos, facing=facing, formation=formation, status="good", arrive=0)
        for name, (pos, facing, formation) in STAND.items()
    }
    return Field(there.scene, replace(there.battle, units=units))


def test_a_wing_that_is_turned_onto_an_enemy_is_no_way_out() -> None:
    there = stood()
    routed = there.battle.units["FR-2"]
    run, caught = _escape(there, routed, 231 * DEGREE)
    gate = Gate(there, routed, within=100, clear=1000)

    assert not caught
    assert not gate.touched(gate.body(grains(run.to), run.facing))
    assert run.inches > 1
