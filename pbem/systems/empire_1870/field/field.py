"""The theatre of war as it is at one instant, with what follows from it: who stands where, zones of control, values.

Works on the truth and on a mind alike: of a mind it tells what that side knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from pbem.ground.hexes import Hex, distance, hexside
from pbem.kernel.names import Role
from pbem.rules.lately import lately
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.fitness import holds_zone, on_map
from pbem.systems.empire_1870.scene.scene import Cell, Scene
from pbem.systems.empire_1870.world.parts import ENEMY, SIDES, Fortress, Hq
from pbem.systems.empire_1870.world.stacks import Group, Stack, count
from pbem.systems.empire_1870.world.state import War

NOTHING: Stack = ()
Memo = dict[object, Any]  # type: ignore[explicit-any] # what each key stands for, its module alone knows
_WHOLE = Fortress()
_GROUND = ("stacks", "control", "fortresses", "options")
"""What zones of control, supply and ways depend on."""


@rule("WE-STA-02")
def status_value(stack: Iterable[Group]) -> int:
    """What SP of one hex count for in combat, before other halvings.

    >>> status_value((Group("good", 2), Group("disrupted", 3), Group("demoralized", 4)))
    4
    """
    of = dict.fromkeys(("good", "disrupted", "demoralized"), 0)
    for one in stack:
        of[one.status] += one.count
    disrupted = 1 if of["disrupted"] == 1 else of["disrupted"] // 2
    return of["good"] + disrupted + (1 if of["demoralized"] else 0)


class Field:
    """A `War` on its map."""

    def __init__(self, scene: Scene, war: War, before: Field | None = None) -> None:
        self.scene, self.war = scene, war
        self._cells = scene.ground(war.options.towns)
        same = {name for name in _GROUND if before is not None and getattr(war, name) is getattr(before.war, name)}
        self._reaches: dict[tuple[Hex, bool], tuple[Hex, ...]] = {}
        self._walls: dict[Hex, Role | None] = {}
        if before is not None and same >= {"fortresses", "options"}:
            self._reaches, self._walls = before._reaches, before._walls
        self.memo: Memo = before.memo if before is not None and len(same) == len(_GROUND) else {}
        """What was worked out from this map; that of *before* if SP, fortresses and control are as they were."""

    # -------------------------------------------------------------- who stands where

    def cell(self, at: Hex) -> Cell:
        """What the map has there; a small town only by the option `towns` (WE-VIC-01)."""
        return self._cells[at]

    def stack(self, side: Role, at: Hex) -> Stack:
        """The SP of a side in a hex."""
        return self.war.stacks.get(side, {}).get(at, NOTHING)

    def sp(self, side: Role, at: Hex) -> int:
        """How many."""
        return count(self.stack(side, at))

    @cached_property
    def _hqs(self) -> dict[tuple[Role, Hex], list[Hq]]:
        found: dict[tuple[Role, Hex], list[Hq]] = {}
        for hq in self.war.hqs.values():
            if on_map(hq) and hq.hex is not None:
                found.setdefault((hq.side, hq.hex), []).append(hq)
        return found

    def hqs(self, side: Role, at: Hex) -> tuple[Hq, ...]:
        """The HQs of a side in a hex, in the order of the HQ tables."""
        return tuple(self._hqs.get((side, at), ()))

    def holding(self, side: Role) -> set[Hex]:
        """The hexes that hold pieces of a side, SP or HQs."""
        return {*self.war.stacks.get(side, {}), *(at for whose, at in self._hqs if whose == side)}

    def hq(self, name: str) -> Hq:
        """An HQ as it now is."""
        return self.war.hqs[name]

    def occupied(self, side: Role) -> tuple[Hex, ...]:
        """Hexes in which a side has SP, the lowest number first."""
        return tuple(sorted(self.war.stacks.get(side, {})))

    # -------------------------------------------------------------- fortresses, control

    def sr(self, at: Hex) -> int:
        """The SR of an undestroyed fortress; 0: there is none."""
        sr = self.cell(at).fortress
        return 0 if sr and self.war.fortresses.get(at, _WHOLE).destroyed else sr

    @rule("WE-CTL-01")
    def fortress_of(self, at: Hex) -> Role | None:
        """The side whose fortress stands undestroyed in a hex: its country's, whoever controls the hex; None: none.

        Its SR, its ZOC, its column, its shift and its VP go by this; what goes by `controller` is the hex.
        """
        if at not in self._walls:
            self._walls[at] = self.cell(at).owner if self.sr(at) else None
        return self._walls[at]

    @rule("WE-SIE-02")
    def besieged(self, at: Hex) -> bool:
        """Whether a fortress is under siege (WE-SIE-02)."""
        return self.war.fortresses.get(at, _WHOLE).besieged

    def controller(self, at: Hex) -> Role | None:
        """Who controls a hex (WE-CTL-01)."""
        return self.war.control.get(at)

    def garrison(self, at: Hex) -> Stack:
        """The SP shut inside the fortress of a hex."""
        return tuple(one for side in SIDES for one in self.stack(side, at) if one.inside)

    # -------------------------------------------------------------- zones of control

    @rule("WE-ZOC-01")
    def projects(self, side: Role, at: Hex) -> tuple[Hex, ...]:
        """The hexes into which what a side has in a hex projects a ZOC, clockwise from north."""
        stack = self.war.stacks.get(side, {}).get(at, NOTHING)
        walls = self.fortress_of(at) == side
        return self._reach(at, walls=walls) if walls or holds_zone(stack) else ()

    def _reach(self, at: Hex, *, walls: bool) -> tuple[Hex, ...]:
        """Into which neighbours there is a ZOC, from SP or, across rivers too, from the *walls* of a fortress."""
        if (at, walls) not in self._reaches:
            rivers = self.scene.rivers
            self._reaches[at, walls] = tuple(
                to
                for to in self.scene.board.neighbours(at)
                if self.cell(to).terrain != "neutral" and not self.cell(to).town and not self.sr(to)
                if walls or hexside(at, to) not in rivers
            )
        return self._reaches[at, walls]

    @property
    def _zocs(self) -> dict[Role, dict[Hex, tuple[Hex, ...]]]:
        if "zocs" not in self.memo:
            self.memo["zocs"] = self._projected()
        zocs: dict[Role, dict[Hex, tuple[Hex, ...]]] = self.memo["zocs"]
        return zocs

    def _projected(self) -> dict[Role, dict[Hex, tuple[Hex, ...]]]:
        found: dict[Role, dict[Hex, tuple[Hex, ...]]] = {}
        for side in SIDES:
            forts = (at for at in self.scene.fortresses if self.fortress_of(at) == side)
            into: dict[Hex, list[Hex]] = {}
            for at in sorted({*self.war.stacks.get(side, {}), *forts}):
                for to in self.projects(side, at):
                    into.setdefault(to, []).append(at)
            found[side] = {to: tuple(froms) for to, froms in into.items()}
        return found

    def zoc(self, side: Role) -> dict[Hex, tuple[Hex, ...]]:
        """The hexes in ZOC of a side, each with the hexes that it comes from."""
        return self._zocs[side]

    @rule("WE-ZOC-01")
    def in_ezoc(self, side: Role, at: Hex, ignoring: Iterable[Hex] = ()) -> bool:
        """Whether a hex is in the enemy's ZOC, as *side* sees it; not counting what comes from hexes of *ignoring*."""
        froms = self._zocs[ENEMY[side]].get(at, ())
        return bool(froms) and not set(froms) <= set(ignoring)

    # -------------------------------------------------------------- around

    def adjacent(self, side: Role, at: Hex) -> tuple[Hex, ...]:
        """The hexes next to *at* in which *side* has SP, clockwise from north."""
        stacks = self.war.stacks.get(side, {})
        return tuple(one for one in self.scene.board.neighbours(at) if one in stacks)

    def nearest_own(self, side: Role, at: Hex, far: int) -> Hex | None:
        """The nearest hex at most *far* away in which *side* has SP and the enemy none; ties the lowest number."""
        enemy = self.war.stacks.get(ENEMY[side], {})
        found = [one for one in self.war.stacks.get(side, {}) if one not in enemy and distance(at, one) <= far]
        return min(found, key=lambda one: (distance(at, one), one), default=None)


field_of = lately(8)(Field)
"""The field of a state.  One state is asked for by whoever reads, tells, draws and judges, one after the other."""
