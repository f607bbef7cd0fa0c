"""Whom and what a unit comes upon on its way: mounted officers alone, and guns left behind (GC-OFF-01, GC-MOR-07)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from pbem.ground.plane import Point, Shape, between, distance, dot, near
from pbem.rules.ledger import cited, rule
from pbem.systems.crossroads.field.able import steady
from pbem.systems.crossroads.field.field import TOLERANCE, Field, footprint
from pbem.systems.crossroads.march.riders import ride_off
from pbem.systems.crossroads.play.play import Play
from pbem.systems.crossroads.scene.scene import GRAIN, grains
from pbem.systems.crossroads.tables.move import CHARGE_GAP, ENEMY_GAP
from pbem.systems.crossroads.world.fact import Fact
from pbem.systems.crossroads.world.outcomes import UnitMoved
from pbem.systems.crossroads.world.outcomes_combat import AdvancedIntoSpace, ChargeEnded, GunsCaptured
from pbem.systems.crossroads.world.patches import Patch
from pbem.systems.crossroads.world.state import Unit

_TOUCHED = int(CHARGE_GAP * 10) * GRAIN + TOLERANCE
"""How near an officer is touched."""
_REACHED = int(ENEMY_GAP * 10) * GRAIN + TOLERANCE
"""How near guns are reached."""
_STRIDE = 5
"""Tenths of an inch between the places of a way that are looked at."""


def _ways(facts: list[Fact]) -> Iterator[tuple[str, tuple[Point, ...]]]:
    """Who went in some facts, and by what corners."""
    for fact in facts:
        if isinstance(fact, UnitMoved):
            yield fact.unit, fact.path
        elif isinstance(fact, ChargeEnded | AdvancedIntoSpace) and fact.start is not None and fact.to is not None:
            yield fact.unit, (fact.start, fact.to)


@rule("GC-MOR-07", "GC-OFF-01")
def comes_upon(field: Field, unit: Unit, facts: list[Fact], other: Shape, within: int) -> bool:
    """Whether a unit stands within so much of something, or came by it on its way in *facts*."""
    if near(field.shape(unit), other, within):
        return True
    return any(
        near(footprint(unit.type, unit.formation, at, unit.facing).shape, other, within)
        for name, corners in _ways(facts)
        if name == unit.id
        for start, end in pairwise(corners)
        for far in range(0, distance(start, end), _STRIDE)
        for at in (between(start, end, far, distance(start, end)),)
    )


@rule("GC-OFF-01")
def ride_down(play: Play, name: str, since: int = 0) -> None:
    """A unit has ended its action: lone officers of the enemy whom it touched ride to friends or fall."""
    unit = play.unit(name)
    if not unit.stands:
        return
    field, facts = play.field, play.facts[since:]
    for officer in field.officers(play.battle.enemy(unit.side)):
        alone = field.unit_of(officer) is None and officer.pos is not None
        if alone and officer.pos is not None and comes_upon(field, unit, facts, dot(grains(officer.pos)), _TOUCHED):
            ride_off(play, officer, None)


@rule("GC-MOR-07")
def take_guns(play: Play, since: int) -> None:
    """Guns left behind are taken by the first enemy who has reached them since there were *since* facts."""
    for name, lost in sorted(play.battle.units.items()):
        if lost.guns != "left" or lost.pos is None:
            continue
        field, facts = play.field, play.facts[since:]
        near_by = [one for one in field.own(play.battle.enemy(lost.side)) if steady(one)]
        guns = field.shape(lost)
        taker = next((one for one in near_by if comes_upon(field, one, facts, guns, _REACHED)), None)
        if taker is not None:
            play.add(
                GunsCaptured(
                    rules=cited("GC-MOR-07"), side=taker.side, unit=name, by=taker.id, by_side=taker.side,
                    changes={name: Patch(guns="captured")},
                )
            )  # fmt: skip
