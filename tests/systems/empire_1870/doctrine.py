"""How a sensible commander of either side might write his orders: for games that play themselves.

Knows nothing but a mind.  The Germans go for the nearest French, attack where the odds are known to be good, invest
fortresses and bring their troops to order; the French hold towns, strike at what is weak, and go back before what is
three times as strong.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pbem.ground.hexes import Hex, are_neighbours, distance
from pbem.ground.path import cheapest
from pbem.kernel.names import Role
from pbem.systems.empire_1870.administration import place_refused
from pbem.systems.empire_1870.conditions import known_stack
from pbem.systems.empire_1870.field import Field, count, status_value
from pbem.systems.empire_1870.force import command_limit
from pbem.systems.empire_1870.picking import unspent
from pbem.systems.empire_1870.scene import Scene
from pbem.systems.empire_1870.state import ENEMY, FRENCH, GERMAN, Hq, War
from pbem.systems.empire_1870.supply import has_loc
from pbem.systems.empire_1870.tables import MOBILIZATION, TERRAIN


class Commander:
    """One side's staff, thinking about one exchange."""

    def __init__(self, scene: Scene, mind: War, side: Role, random: Random) -> None:
        self.scene, self.mind, self.side, self.random = scene, mind, side, random
        self.field = Field(scene, mind)
        self.enemy = ENEMY[side]
        self.taken: dict[Hex, int] = {}
        self.named: set[str] = set()

    # ------------------------------------------------------------ the sheet

    def sheet(self) -> list[str]:
        """Order lines; a block is one of them."""
        if self.mind.phase.startswith("setup"):
            return []
        lines = [*self.mobilize()] if self.mind.phase == "administration" else []
        hqs = [hq for hq in self.mind.hqs.values() if hq.side == self.side and hq.state == "map" and not hq.spent]
        hqs.sort(key=lambda hq: (self._nearest_enemy(hq.hex)[1], hq.id))
        for hq in hqs:
            if hq.id not in self.named:
                lines += self.act(hq)
        return lines

    def mobilize(self) -> Iterator[str]:
        """Troops where they may be raised, as long as some RP are left for the guns."""
        chart = MOBILIZATION[self.side]
        left = self.mind.resource_points.get(self.side, 0) - 12
        pool = [hq.id for hq in self.mind.hqs.values() if hq.side == self.side and hq.state == "pool"]
        places = [*self.scene.fortresses, *(self.scene.towns if chart.towns else ())]
        good = [at for at in places if not place_refused(self.field, self.side, at)]
        good.sort(key=lambda at: (self._nearest_enemy(at)[1], at))
        for at in good:
            if left < chart.sp_rp:
                return
            if pool and left >= chart.hq_rp + 10:
                yield f"MOBILIZE HQ {pool.pop()} AT {at}"
                left -= chart.hq_rp
            number = min(chart.sp_per_hex, left // chart.sp_rp)
            yield f"MOBILIZE {number}SP AT {at}"
            left -= number * chart.sp_rp

    # ------------------------------------------------------------ what is known

    def _enemies(self) -> set[Hex]:
        return {*self.mind.occupied}

    def _nearest_enemy(self, at: Hex | None) -> tuple[Hex | None, int]:
        if at is None:
            return None, 99
        found = min(self._enemies(), key=lambda one: (distance(at, one), one), default=None)
        return found, distance(at, found) if found is not None else 99

    def _strength(self, at: Hex) -> int:
        """What the enemy in a hex counts for, or is guessed to."""
        stack = known_stack(self.field, self.side, at)
        walls = self.field.sr(at) if self.field.controller(at) == self.enemy else 0
        return max(1, status_value(stack) if stack is not None else 8) + walls

    def _free(self, at: Hex) -> int:
        return count(unspent(self.field.stack(self.side, at))) - self.taken.get(at, 0)

    # ------------------------------------------------------------ one HQ

    def act(self, hq: Hq) -> Iterator[str]:
        """What an HQ does with the SP in its hex."""
        if hq.hex is None:
            return
        limit = command_limit(self.side, hq.rank)
        sp = min(limit, self._free(hq.hex))
        if sp < 1:
            return
        stack = unspent(self.field.stack(self.side, hq.hex))
        broken = sum(one.count for one in stack if one.status != "good")
        near, far = self._nearest_enemy(hq.hex)
        if broken * 2 >= count(stack) and not self.field.in_ezoc(self.side, hq.hex):
            if has_loc(self.field, self.side, hq.hex):
                yield self._take(hq, sp, f"SELF {sp}SP RALLY")
            return
        if near is not None and far == 1:
            yield from self._close(hq, sp, near)
        elif self.side == GERMAN or (near is not None and far == 2 and self.random.random() < 0.2):
            yield from self._advance(hq, sp, near, far)

    def _take(self, hq: Hq, sp: int, line: str) -> str:
        assert hq.hex is not None, "it acts where it stands"
        self.taken[hq.hex] = self.taken.get(hq.hex, 0) + sp
        return f"ACT {hq.id}\n  {line}\nEND"

    def _close(self, hq: Hq, sp: int, target: Hex) -> Iterator[str]:
        """Face to face: attack if that is promising, else hold, or go if it is hopeless."""
        assert hq.hex is not None, "it acts where it stands"
        targets = [at for at in self.scene.board.neighbours(hq.hex) if at in self._enemies()]
        target = min(targets, key=lambda at: (self._strength(at), at), default=target)
        own = status_value(unspent(self.field.stack(self.side, hq.hex)))
        joins, more = self._joins(hq, target)
        total = own + more
        strength = self._strength(target)
        besieging = self.field.sr(target) and not self.field.sp(self.enemy, target)
        if besieging and self.side == GERMAN:
            yield self._take(hq, sp, f"SELF {sp}SP MARCH {target}")
        elif total >= (3 if self.side == FRENCH else 2) * strength and hq.rank != "division":
            yield self._take(hq, sp, f"SELF {sp}SP ASSAULT {target}{joins}")
        elif self.side == FRENCH and strength >= 3 * own and not self.field.sr(hq.hex):
            yield from self._withdraw(hq, sp)

    def _joins(self, hq: Hq, target: Hex) -> tuple[str, int]:
        """A lower HQ next to the target that can take part, and what it brings."""
        if hq.rank != "army" or hq.hex is None:
            return "", 0
        for other in self.mind.hqs.values():
            lower = other.side == self.side and other.rank != "army" and other.state == "map" and not other.spent
            if not lower or other.id in self.named or other.hex is None or not are_neighbours(other.hex, target):
                continue
            if other.hex == hq.hex or (are_neighbours(other.hex, hq.hex)):
                sp = min(command_limit(self.side, other.rank), self._free(other.hex))
                if sp > 0 and other.hex != hq.hex:
                    self.taken[other.hex] = self.taken.get(other.hex, 0) + sp
                    self.named.add(other.id)
                    return f" JOIN {other.id}", sp
        return "", 0

    def _way(self, start: Hex, ends: set[Hex], *, through_enemies: bool = False) -> tuple[Hex, ...]:
        def cost(_: Hex, to: Hex) -> int | None:
            if to in self._enemies() and to not in ends and not through_enemies:
                return None
            return TERRAIN[self.field.cell(to).terrain].mp

        return cheapest(start, ends, self.scene.board.neighbours, cost) or ()

    def _goals(self) -> set[Hex]:
        """Where the Germans want to be: enemies, towns and fortresses of France, the great ones above all."""
        held = {at for at in (*self.scene.towns, *self.scene.fortresses) if self.field.controller(at) == self.enemy}
        return held | self._enemies()

    def _advance(self, hq: Hq, sp: int, near: Hex | None, far: int) -> Iterator[str]:
        assert hq.hex is not None, "it acts where it stands"
        goals = self._goals()
        if not goals:
            return
        way = self._way(hq.hex, goals)
        if len(way) < 2:
            return
        # The last step into an enemy is an attack, which is another day's work.
        path = [at for at in way[1:] if at not in self._enemies()][: hq.ma]
        if not path:
            return
        keep = 1 if self.field.cell(hq.hex).town and self.side == GERMAN and sp > 4 else 0
        yield self._take(hq, sp - keep, f"SELF {sp - keep}SP MARCH {' '.join(path)}")

    def _withdraw(self, hq: Hq, sp: int) -> Iterator[str]:
        assert hq.hex is not None, "it acts where it stands"
        own = {at for at in self.scene.fortresses if self.field.controller(at) == self.side and at != hq.hex}
        safe = {at for at in own if self._nearest_enemy(at)[1] > 1}
        way = self._way(hq.hex, safe)
        if len(way) > 1:
            yield self._take(hq, sp, f"SELF {sp}SP MARCH {' '.join(way[1 : 1 + hq.ma])}")
