"""What a planned attack promises, and which are ordered: from a mind alone."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.ground.hexes import Hex, are_neighbours
from pbem.systems.empire_1870.field.supply import has_loc
from pbem.systems.empire_1870.march.force import command_limit
from pbem.systems.empire_1870.melee.totals import terrain_column
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN, RANKS_ORDER, Hq
from tests.systems.empire_1870.prospects import expected
from tests.systems.empire_1870.staff import Staff

ARMY_RISK = 0.4
"""VP that a German army HQ in a fight or under fire is reckoned at: each time a chance in thirty-six, or in seventy."""

LEAST_GAIN = {FRENCH: 0.7, GERMAN: 0.35}
"""VP that an attack must promise; a French stack that has struck stands alone before all that come up."""


class Attacks(Staff):
    """A staff that weighs its attacks."""

    def attacks(self, hqs: list[Hq]) -> Iterator[str]:
        """One planned attack on each enemy that promises enough, the best first."""
        offers = []
        for target in self.foes:
            if not self._touched(target) or self.foes[target] < 1:
                continue
            for hq in hqs:
                if hq.hex is not None and are_neighbours(hq.hex, target) and self._can_lead(hq):
                    offers.append((*self._offer(hq, target, hqs), target))
        offers.sort(key=lambda offer: (-offer[0], offer[1].id, offer[4]))
        done: set[Hex] = set()
        for gain, hq, joins, sp, target in offers:
            names = {hq.id, *(other.id for other, _ in joins)}
            if gain < LEAST_GAIN[self.side] or target in done or names & self.used:
                continue
            done.add(target)
            self.used |= names
            self._spend(hq, sp)
            for other, number in joins:
                self._spend(other, number)
            brought = "".join(f" JOIN {other.id}={number}SP" for other, number in joins)
            yield f"ACT {hq.id}\n  SELF {sp}SP ASSAULT {target}{brought}\nEND"

    def _touched(self, target: Hex) -> bool:
        return any(at in self.left for at in self.scene.board.neighbours(target))

    def _can_lead(self, hq: Hq) -> bool:
        assert hq.hex is not None, "it is on the map"
        return self.left.get(hq.hex, 0) > 0 and not (hq.napoleon and hq.casualties)

    def _spend(self, hq: Hq, sp: int) -> None:
        assert hq.hex is not None, "it acts where it stands"
        self.left[hq.hex] -= sp

    def _offer(self, hq: Hq, target: Hex, hqs: list[Hq]) -> tuple[float, Hq, list[tuple[Hq, int]], int]:
        """What an attack led by an HQ promises, who joins, and how many SP it takes itself."""
        assert hq.hex is not None, "it is on the map"
        left, start = dict(self.left), hq.hex
        sp = min(command_limit(self.side, hq.rank), left[hq.hex])
        left[hq.hex] -= sp
        hexes, force, joins = {hq.hex}, {hq.hex: sp}, []
        lower = [one for one in hqs if RANKS_ORDER[one.rank] < RANKS_ORDER[hq.rank] and one.id not in self.used]
        most = 2 if self.side == FRENCH else 3
        for other in sorted(lower, key=lambda one: (one.hex not in hexes, -left.get(one.hex or start, 0), one.id)):
            at = other.hex
            if at is None or not are_neighbours(at, target) or not (at == hq.hex or are_neighbours(at, hq.hex)):
                continue
            if at not in hexes and len(hexes) >= most:
                continue
            number = min(command_limit(self.side, other.rank), left.get(at, 0))
            if number > 0:
                left[at] -= number
                hexes.add(at)
                force[at] = force.get(at, 0) + number
                joins.append((other, number))
        total = 0
        for at, number in force.items():
            value = min(number, self.here.get(at, 0))
            total += value if has_loc(self.field, self.side, at) else value // 2
        gain = self._gain(hq, target, [other for other, _ in joins], total, sum(force.values()))
        if self.side == GERMAN:
            gain -= ARMY_RISK * sum(self._armies(at) for at in force)
        return gain, hq, joins, sp

    def _armies(self, at: Hex) -> int:
        """The army HQs in a hex: all who stand with those who fight may be struck."""
        return sum((hq.side, hq.rank, hq.hex, hq.state) == (GERMAN, "army", at, "map") for hq in self.mind.hqs.values())

    def _gain(self, hq: Hq, target: Hex, others: list[Hq], total: int, sp: int) -> float:
        there = [one for one in self.mind.hqs.values() if (one.side, one.state, one.hex) == (self.enemy, "map", target)]
        bonus = self._bonus([hq, *others], attacks=True) - (
            self._bonus(there, attacks=False) if there else (1 if self.enemy == GERMAN else 2)
        )
        strength = self.foes[target] + self._walls(target, self.enemy)
        column = terrain_column(self.field, target, self.enemy)
        prize = self._prize(target, self.side)
        gain = expected(self.side, total, strength, column, bonus, sp, self.foes[target], prize)
        return gain - (0.3 if any(one.napoleon for one in (hq, *others)) else 0.0)

    def _bonus(self, hqs: list[Hq], *, attacks: bool) -> int:
        ratings = [(one.rank, one.ab if attacks else one.db) for one in hqs]
        army = max((value for rank, value in ratings if rank == "army"), default=0)
        corps = max((value for rank, value in ratings if rank == "corps"), default=0)
        return army + corps + sum(value for rank, value in ratings if rank == "division")
