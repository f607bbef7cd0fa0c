"""What a commander's orders are judged by: his order of battle, the printed map and his own page, and nothing else.

Nothing here knows where anything truly is (KS-ORD-01, KS-ORD-02, KS-SIT-10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, between, distance, dot, holds, near, nearest
from pbem.kernel.names import Role
from pbem.orders.sheet import Judgement
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.works_standing import mind_terrain
from pbem.systems.kriegsspiel.mind.beliefs import CLOSED, believed
from pbem.systems.kriegsspiel.scene.chart import Area
from pbem.systems.kriegsspiel.scene.scene import Scene, UnitPlan
from pbem.systems.kriegsspiel.scene.terrain import closed_line
from pbem.systems.kriegsspiel.sheets.lexicon import Lexicon, ordered
from pbem.systems.kriegsspiel.tables.march import WOOD_EDGE
from pbem.systems.kriegsspiel.world.mind import LISTED, Mind
from pbem.systems.kriegsspiel.world.troops import key_of

HALVES: Mapping[str, str] = {"battalion": "half_battalion", "battery": "half_battery", "regiment": "squadron"}
"""What a half of a body is."""


class Wrong(NamedTuple):
    """What stands in the way of an order: words, the rule, what would do, and how grave it is."""

    why: str
    rule: str = "KS-ORD-01"
    instead: str = ""
    judgement: Judgement = Judgement.NOT_ALLOWED
    word: str = ""
    """The word of the line that is meant, if it is one."""
    example: str = ""
    """An order of its form."""


def doubt(why: str, rule_id: str) -> Wrong:
    """A warning: the line stands."""
    return Wrong(why, rule_id, judgement=Judgement.DOUBTFUL)


class Bench:
    """A mind, laid open for judging."""

    def __init__(self, scene: Scene, mind: Mind, role: Role) -> None:
        self.scene, self.mind, self.role, self.side = scene, mind, role, mind.side
        self.chart, self.terrain = scene.chart, mind_terrain(scene, mind)
        self.lexicon = Lexicon(scene, mind)
        self._places: dict[str, Point | None] = {}
        """Where units are, of which it was asked."""
        self.parents = ordered(mind)
        """The detachments ordered, and the units that they are of; those of the sheet are added as it is read."""

    # ------------------------------------------------------------ units

    def is_group(self, name: str) -> bool:
        """Whether a name is that of a group or regiment."""
        return key_of(self.side, name) in self.scene.groups

    def members(self, name: str) -> tuple[str, ...]:
        """The units that a name stands for."""
        return self.scene.units_of(self.side, name)

    def plan(self, unit: str) -> UnitPlan | None:
        """A unit as the order of battle has it; a part that was detached as its parent, smaller."""
        found = self.scene.units.get(key_of(self.side, unit))
        if found is not None:
            return found
        known = self.mind.own.get(unit)
        parent = self.parents.get(unit) or next(
            (
                plan.id
                for plan in reversed(self.scene.units.values())
                if plan.side == self.side and unit.startswith(plan.id)
            ),
            "",
        )
        whole = self.plan(parent) if parent and parent != unit else None
        if whole is None:
            return None
        size = known.state.size if known is not None and known.state.size else HALVES.get(whole.size, whole.size)
        guns = known.state.guns if known is not None and whole.guns else whole.guns // 2
        return replace(whole, id=unit, size=size, guns=guns)

    def plans(self, name: str) -> tuple[UnitPlan, ...]:
        """The units that a name stands for, as the order of battle has them."""
        return tuple(plan for unit in self.members(name) if (plan := self.plan(unit)) is not None)

    def size(self, unit: str) -> str:
        """The size of a unit as last known."""
        known = self.mind.own.get(unit)
        plan = self.plan(unit)
        return known.state.size if known is not None and known.state.size else plan.size if plan is not None else ""

    def guns(self, unit: str) -> int:
        """The guns of a unit as last known."""
        known = self.mind.own.get(unit)
        plan = self.plan(unit)
        return known.state.guns if known is not None and known.state.guns else plan.guns if plan is not None else 0

    @rule("KS-SIT-09", "KS-CMD-02")
    def at(self, name: str) -> Point | None:
        """Where a unit is, as he knows: of a group the first that he knows of; None: he does not, or it is to come."""
        if name not in self._places:
            self._places[name] = self._at(name)
        return self._places[name]

    def _at(self, name: str) -> Point | None:
        for unit in self.members(name):
            found = believed(self.scene, self.mind, unit, self.mind.move)
            known = self.mind.own.get(unit)
            if found is not None and (known is None or known.state.stand == "map"):
                return found[0]
        return None

    def start(self, name: str) -> Point | None:
        """Where a unit begins its orders: where it is, or the entry by which it comes."""
        at = self.at(name)
        if at is not None:
            return at
        for unit in self.members(name):
            plan = self.plan(unit)
            entry = self.mind.entry_of.get(unit, (0, plan.entry if plan is not None else ""))[1]
            if entry in self.chart.entries:
                return self.chart.entries[entry].at
        return None

    def person_at(self, person: str) -> Point | None:
        """Where a comrade is, as he knows: of one who comes with a unit, that unit's entry."""
        comrade, plan = self.mind.comrades.get(person), self.scene.persons.get(person)
        if comrade is None:
            return None
        rides = plan.rides_with if plan is not None and comrade.source == LISTED else ""
        return self.start(rides) if rides in self.mind.entry_of else comrade.at

    def commander(self, unit: str) -> str:
        """Who commands a unit, by the order of battle."""
        plan = self.plan(unit)
        return plan.commander if plan is not None else ""

    def own(self) -> list[str]:
        """The units that are his own, as the order of battle has them."""
        mine = [unit for unit in self.mind.command if self.commander(unit) in ("", self.mind.person)]
        return mine or list(self.mind.command)

    @rule("KS-CMD-04")
    def commands(self, name: str) -> bool:
        """Whether all units of that name are under him or persons below him (KS-CMD-04)."""
        chain = (self.mind.person, *self.mind.below)
        return all(unit in self.mind.command or self.commander(unit) in chain for unit in self.members(name))

    def gathered(self, units: Sequence[str]) -> list[str]:
        """Units, and in the place of all squadrons of a regiment the regiment."""
        found: list[str] = []
        for unit in units:
            plan = self.plan(unit)
            whole = plan.regiment if plan is not None and not plan.parent else ""
            name = whole if whole and set(self.members(whole)) <= set(units) else unit
            if name not in found:
                found.append(name)
        return found

    # ------------------------------------------------------------ the map

    @rule("KS-ORD-04")
    def on_map(self, at: Point) -> bool:
        """Whether a place lies on the map (KS-ORD-04)."""
        return self.terrain.on_board(at)

    @rule("KS-ORD-04")
    def impassable(self, at: Point) -> str:
        """What keeps bodies from a place: water, swamp or deep thick wood; empty: nothing."""
        if water := self.terrain.open_water(at):
            return f"in the water of {water.name}"
        if self.terrain.road_at(at) is not None:
            return ""
        area = self.terrain.area(at)
        if area is not None and area.kind == "swamp":
            return f"in the swamp {area.name}"
        if area is not None and area.kind == "wood_thick" and self._deep(area, at):
            return f"more than {WOOD_EDGE} paces inside the thick wood {area.name}"
        return ""

    def _deep(self, area: Area, at: Point) -> bool:
        return not near(dot(at), closed_line(area.shape), WOOD_EDGE)

    def middle_of(self, area: Area) -> Point:
        """Where a body goes that is sent to an area: its middle, or a place near it where a body can come.

        Among houses and in gardens that is on a road, or at the edge; of a wood with a thick core outside that core.
        """
        middle = self.chart.point_of("area", area.id)
        if area.built or area.kind == "garden":
            roads = [at for road in self.terrain.roads if holds(area.shape, at := nearest(road.shape, middle))]
            return min(roads or [nearest(closed_line(area.shape), middle)], key=lambda at: (distance(at, middle), at))
        if area.kind != "wood_light":
            return middle
        tries = [between(middle, corner, part, 10) for part in range(10) for corner in area.polygon]
        return next((at for at in tries if self.terrain.area(at) is area), middle)

    def crossing_state(self, name: str) -> str:
        """The state of a crossing as his page has it."""
        known = self.mind.crossings.get(name)
        if known is not None:
            return known[0]
        crossing = self.chart.crossings.get(name)
        return crossing.state if crossing is not None else ""

    @property
    def closed(self) -> frozenset[str]:
        """Crossings that he believes cannot be passed."""
        return frozenset(
            name for name in {*self.chart.crossings, *self.mind.crossings} if self.crossing_state(name) in CLOSED
        )

    def nearest_enemy(self, at: Point) -> Point | None:
        """The nearest enemy body of his page."""
        found = [one.tiding.at for one in self.mind.entries.values() if not one.dropped and not one.tiding.gone]
        return min(found, key=lambda there: (distance(at, there), there), default=None)
