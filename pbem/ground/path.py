"""Ways over a board of any kind: the cheapest path, and all that can be reached, with limits and with renewals.

A place is a name: a hex, a square.  What a step costs is a whole number, 0 or more; None means that it is closed.
Of several cheapest ways the one with the fewest steps is taken, and of these the one that comes to each of its places
from the lowest name: the same on every run, in whatever order neighbours are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from heapq import heappop, heappush
from typing import Generic, TypeVar

At = TypeVar("At", bound=str)
Around = Callable[[At], Iterable[At]]
"""The places next to a place."""
Cost = Callable[[At, At], int | None]
"""What a step costs from the first place to the second; None if it is closed."""


class Flood(Generic[At]):
    """What was reached from some sources: for each place the least cost to it, and a way there."""

    def __init__(self) -> None:
        self.costs: dict[At, int] = {}
        """The least cost of each place, counted from the last source or renewal on the way."""
        self._waves: list[dict[At, At | None]] = []
        self._first: dict[At, int] = {}

    def __contains__(self, at: object) -> bool:
        return at in self.costs

    def path(self, end: At) -> tuple[At, ...]:
        """The way to *end* from the source that it was reached from, both included.

        :raises KeyError: *end* was not reached.
        """
        wave, way = self._first[end], [end]
        while True:
            before = self._waves[wave][way[-1]]
            if before is not None:
                way.append(before)
            elif self._first[way[-1]] < wave:
                # A renewal begins a new wave: an earlier one has reached it.
                wave = self._first[way[-1]]
            else:
                return tuple(reversed(way))

    def spread(
        self, bases: Collection[At], around: Around[At], cost: Cost[At], limit: int | None, until: Collection[At]
    ) -> list[At]:
        """One wave from *bases*: the places that it has reached at less cost than before, the cheapest first."""
        before: dict[At, At | None] = dict.fromkeys(bases)
        least: dict[At, tuple[int, int]] = dict.fromkeys(bases, (0, 0))
        heap = [(0, 0, at) for at in sorted(bases)]
        bettered: list[At] = []
        self._waves.append(before)
        while heap:
            spent, steps, at = heappop(heap)
            known = self.costs.get(at)
            if (spent, steps) != least[at] or (known is not None and known <= spent and steps):
                continue
            self.costs[at] = spent
            self._first.setdefault(at, len(self._waves) - 1)
            bettered.append(at)
            if at in until:
                break
            soonest = (spent, steps + 1)
            for to in around(at):
                if to in least and least[to] < soonest:
                    continue
                price = cost(at, to)
                if price is None or (limit is not None and spent + price > limit):
                    continue
                way = (spent + price, steps + 1)
                if to not in least or way < least[to]:
                    least[to], before[to] = way, at
                    heappush(heap, (*way, to))
                elif way == least[to] and (came := before[to]) is not None and at < came:
                    before[to] = at
        return bettered

    def spread_evenly(self, bases: Collection[At], around: Around[At], price: int, limit: int | None) -> list[At]:
        """As `spread`, where every step costs the same: ring after ring."""
        before: dict[At, At | None] = dict.fromkeys(bases)
        bettered: list[At] = []
        self._waves.append(before)
        wave, spent, ring = len(self._waves) - 1, 0, sorted(bases)
        first = True
        while ring:
            farther = limit is None or spent + price <= limit
            following: list[At] = []
            for at in ring:
                known = self.costs.get(at)
                if known is not None and known <= spent and not first:
                    continue
                self.costs[at] = spent
                self._first.setdefault(at, wave)
                bettered.append(at)
                for to in around(at) if farther else ():
                    if to not in before:
                        before[to] = at
                        following.append(to)
            following.sort()
            ring, spent, first = following, spent + price, False
        return bettered


def flood_evenly(
    sources: Iterable[At], around: Around[At], *, price: int = 1, limit: int | None = None, renewed: Collection[At] = ()
) -> Flood[At]:
    """As `flood`, where every step to a place *around* costs the same."""
    found = Flood[At]()
    bases = set(sources)
    while bases:
        reached = found.spread_evenly(bases, around, price, limit)
        bases = {at for at in reached if found.costs[at] and at in renewed}
    return found


def flood(
    sources: Iterable[At],
    around: Around[At],
    cost: Cost[At],
    *,
    limit: int | None = None,
    renewed: Collection[At] = (),
) -> Flood[At]:
    """All that can be reached from *sources* at a cost of at most *limit*.

    A place of *renewed* that is reached becomes a source in its turn, as a depot does in a chain of supply: one
    flood finds the supply of a whole side.
    """
    found = Flood[At]()
    bases = set(sources)
    while bases:
        reached = found.spread(bases, around, cost, limit, ())
        bases = {at for at in reached if found.costs[at] and at in renewed}
    return found


def cheapest(
    start: At, ends: Collection[At], around: Around[At], cost: Cost[At], *, limit: int | None = None
) -> tuple[At, ...] | None:
    """The cheapest way from *start* to the nearest of *ends*, both included; None if all cost more than *limit*."""
    found = Flood[At]()
    *_, last = found.spread({start}, around, cost, limit, ends)
    return found.path(last) if last in ends else None
