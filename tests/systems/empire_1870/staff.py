"""What a staff knows of the enemy, and fears of him: from a mind alone."""

from __future__ import annotations

from functools import cache, cached_property
from random import Random

from pbem.ground import hexes
from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.systems.empire_1870.field.field import Field, status_value
from pbem.systems.empire_1870.melee.totals import terrain_column
from pbem.systems.empire_1870.play.picking import unspent
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.tables.charts import SIEGE_DRMS
from pbem.systems.empire_1870.tables.charts import VP_FRENCH_FORTRESS as FORTRESS_VP
from pbem.systems.empire_1870.turn.conditions import known_stack
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, GERMAN
from pbem.systems.empire_1870.world.stacks import count
from pbem.systems.empire_1870.world.state import War
from tests.systems.empire_1870.prospects import expected

distance = cache(hexes.distance)
"""The steps between two hexes; a staff measures the same ones all day."""

UNSEEN = {FRENCH: 8, GERMAN: 9}
"""What either side takes an enemy stack for that it has never looked into."""

NEARNESS = {FRENCH: (6, 6, 5, 4, 2), GERMAN: (6, 6, 3)}
"""Sixths of an enemy's strength that are to be reckoned with at each distance, 0, 1, ...: he may come and attack."""

LEAST_POST = 3
"""The smallest SR of a fortress that the French garrison: those below do not move the marker."""

POSTED = 6
"""Hexes from the enemy within which they do."""

HOPELESS = 3
"""How many times a full garrison with its walls the enemy must be near for them to give it up."""

IN_REACH = 3
"""Hexes within which a few SP by themselves are there for the enemy to take, walls or no walls."""

MOST_THREAT = {FRENCH: 100, GERMAN: 60}
"""SP of the enemy against one hex beyond which no more are feared: an army of his brings its corps from three hexes."""

CARE = {FRENCH: 2.0, GERMAN: 1.0}
"""How much more a loss is feared than a gain is sought."""


class Staff:
    """One side's staff at the beginning of an exchange."""

    def __init__(self, scene: Scene, mind: War, side: Role, random: Random) -> None:
        self.scene, self.mind, self.side, self.random = scene, mind, side, random
        self.field = Field(scene, mind)
        self.enemy = ENEMY[side]
        self.foes = {at: self._guess(at) for at in mind.occupied}
        self.here = {at: status_value(stack) for at, stack in mind.stacks.get(side, {}).items()}
        self.left = {at: count(unspent(stack)) for at, stack in mind.stacks.get(side, {}).items()}
        self.used: set[str] = set()
        self.claimed: dict[Hex, int] = {}

    # ------------------------------------------------------------ what is known

    def _guess(self, at: Hex) -> int:
        stack = known_stack(self.field, self.side, at)
        if stack is not None:
            return status_value(stack)
        seen = any(hq.hex == at for hq in self.mind.hqs.values() if hq.side == self.enemy and hq.state == "map")
        return 0 if seen else UNSEEN[self.side]

    def _far(self, at: Hex | None) -> int:
        return min((distance(at, one) for one in self.foes), default=99) if at is not None else 99

    @cached_property
    def _threats(self) -> dict[Hex, int]:
        """How much the enemy could bring against each hex in the next turn."""
        found: dict[Hex, int] = {}
        for foe, strength in self.foes.items():
            sixths = NEARNESS[self.side]
            for at in self.scene.board.within(foe, len(sixths) - 1):
                found[at] = found.get(at, 0) + strength * sixths[distance(at, foe)] // 6
        return found

    def _walls(self, at: Hex, side: Role) -> int:
        return self.field.sr(at) if self.field.fortress_of(at) == side else 0

    def _prize(self, at: Hex, side: Role) -> float:
        """What *side* gains by taking a hex."""
        cell, held = self.field.cell(at), self.field.controller(at) != side
        if not held:
            return 0.0
        return 1.0 if cell.town else 0.0

    def _siege(self, at: Hex, sp: int) -> float:
        """What a siege of a hex by so many SP promises this turn."""
        sr = self.field.sr(at)
        if self.field.fortress_of(at) != self.enemy:
            return 0.0
        inside = self.foes.get(at, 0)
        times = min(5, sp // max(1, sr + inside))
        if times < 2:
            return 0.05 if sp >= sr + inside else 0.0
        army = any(hq.hex == at and hq.rank == "army" for hq in self.mind.hqs.values() if hq.side == GERMAN)
        bonus = SIEGE_DRMS[times] + (1 if army and self.side == GERMAN else 0)
        chance = max(0, min(6, 6 + bonus - sr)) / 6
        worth = -FORTRESS_VP.get(sr, 0) if self.field.cell(at).country == "FR" else 2
        return chance * (worth + 0.3)

    def _danger(self, at: Hex, sp: int) -> float:
        """What an attack of the enemy on a hex that holds so many SP is feared to cost."""
        town = 1.0 if self.field.cell(at).town else 0.0
        return CARE[self.side] * self._loss(at, sp, self._threats.get(at, 0), town)

    def _loss(self, at: Hex, sp: int, threat: int, prize: float) -> float:
        if not threat or not sp:
            return 0.0
        bonus = (2 if self.enemy == GERMAN else -1) - (2 if sp > 4 and self.side == FRENCH else 1)
        column = terrain_column(self.field, at, self.side)
        total = sp + self._walls(at, self.side) // 2
        threat = min(threat, MOST_THREAT[self.side])
        return max(0.0, expected(self.enemy, threat, total, column, bonus, min(threat, 40), sp, prize))

    def _urgency(self, at: Hex | None) -> float:
        """How much is in danger in a hex, as it was when the sheet was begun."""
        if at is None:
            return 0.0
        sp = status_value(self.field.stack(self.side, at))
        beside = max(self.foes.get(one, 0) for one in self.scene.board.neighbours(at))
        return 2 * self._loss(at, sp, beside, 0.0) + self._danger(at, sp) / 4

    def _post(self, at: Hex) -> int:
        """How many SP the French leave in a fortress of theirs that the marker counts: as many as it holds."""
        walls = self._walls(at, FRENCH)
        if walls < LEAST_POST or self._far(at) > POSTED or self._threats.get(at, 0) >= HOPELESS * 2 * walls:
            return 0
        return walls

    def _garrison(self, at: Hex, sp: int) -> int:
        """What stays behind in a place of one's own when the rest goes: little."""
        cell = self.field.cell(at)
        others = self.field.sp(self.side, at) - sp
        wanted = self._post(at) if self.side == FRENCH else int(cell.town and self._far(at) <= 4)
        return max(0, min(wanted - others, sp - 4))

    def _astray(self, at: Hex) -> int:
        """That the French keep to their country unless they come as an army."""
        return 9 * (self.side == FRENCH and self.field.cell(at).country != "FR")

    def _rails_lead(self, start: Hex, goal: Hex) -> bool:
        """Whether a train runs from one hex to the other."""
        seen, edge = {start}, [start]
        while edge:
            for to in self.field.cell(edge.pop()).rail:
                open_way = self.field.controller(to) == self.side and not self.field.in_ezoc(self.side, to)
                if to not in seen and open_way and to not in self.foes:
                    seen.add(to)
                    edge.append(to)
        return goal in seen and not self.field.in_ezoc(self.side, start)
