"""Loss points: which SP are eliminated, and which fall in status (WE-CBT-10 to WE-CBT-12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.fitness import good
from pbem.systems.empire_1870.tables.charts import FEWEST_ELIMINATED, LOSER_SHARE, WINNER_SHARE
from pbem.systems.empire_1870.world import stacks as sp
from pbem.systems.empire_1870.world.orders import React
from pbem.systems.empire_1870.world.outcomes_combat import Losses, Share

Shares = Mapping[Hex, sp.Stack]
"""SP that take part, by the hex in which they stand."""

WORSE: Mapping[sp.Status, sp.Status | None] = {"good": "disrupted", "disrupted": "demoralized", "demoralized": None}
"""One level down; None: eliminated (WE-STA-01)."""


class Toll(Struct, frozen=True):
    """What became of the SP that took losses."""

    shares: dict[Hex, sp.Stack]
    eliminated: int = 0


def _first(shares: Shares, order: Iterable[sp.Status]) -> tuple[Hex, sp.Group] | None:
    """One SP of the first of these statuses that there is: from the hex with most SP, ties the lowest number."""
    for status in order:
        if hexes := [at for at, stack in shares.items() if sp.of_status(stack, status)]:
            at = min(hexes, key=lambda one: (-sp.count(shares[one]), one))
            return at, sp.of_status(shares[at], status)[0]
    return None


@rule("WE-STA-01")
def _down(shares: dict[Hex, sp.Stack], picked: tuple[Hex, sp.Group], *, gone: bool) -> int:
    """Take one SP a level down, or off; gives how many were eliminated."""
    at, group = picked
    worse = None if gone else WORSE[group.status]
    left = sp.without(shares[at], (replace(group, count=1),))
    shares[at] = left if worse is None else sp.together(left, [replace(group, count=1, status=worse)])
    return 0 if worse else 1


def _next(shares: Shares, policy: React) -> tuple[Hex, sp.Group] | None:
    """The SP that takes the next loss point under a policy."""
    order = sp.STATUSES[::-1] if policy.word == "concentrate" else sp.STATUSES
    if policy.word == "keep":
        kept = sum(map(good, shares.values()))
        order = sp.STATUSES if kept > policy.numbers[0] else sp.STATUSES[::-1]
    return _first(shares, order)


@rule("WE-CBT-12")
def take_losses(shares: Shares, eliminated: int, points: int, policy: React) -> Toll:
    """Eliminate SP, the worst status first, then degrade one level a loss point; what is too much is ignored."""
    now = {at: stack for at, stack in shares.items() if stack}
    gone = 0
    for _ in range(eliminated):
        worst = _first(now, sp.STATUSES[::-1])
        if worst is None:
            break
        gone += _down(now, worst, gone=True)
    for _ in range(points):
        chosen = _next(now, policy)
        if chosen is None:
            break
        gone += _down(now, chosen, gone=False)
    return Toll(now, gone)


@rule("WE-CBT-10")
def loser_losses(spread: int) -> tuple[int, int]:
    """SP eliminated at once, and loss points after that.

    >>> loser_losses(7), loser_losses(1), loser_losses(0), loser_losses(2)
    ((3, 4), (1, 0), (1, 0), (1, 1))
    """
    share, whole = LOSER_SHARE
    eliminated = max(FEWEST_ELIMINATED, spread * share // whole)
    return eliminated, max(0, spread - eliminated)


@rule("WE-CBT-11")
def winner_losses(spread: int) -> int:
    """Loss points of the winner."""
    share, whole = WINNER_SHARE
    return spread * share // whole


def strengths(shares: Shares) -> tuple[Share, ...]:
    """SP by hex, in figures."""
    return tuple(Share(at, sp.Strength.of(stack)) for at, stack in sorted(shares.items()))


def account(side: Role, points: int, before: Shares, toll: Toll) -> Losses:
    """What a side lost, as facts tell it."""
    return Losses(
        side=side, lp=points, eliminated=toll.eliminated, before=strengths(before), after=strengths(toll.shares)
    )


def after_losses(standing: Mapping[Hex, sp.Stack], before: Shares, toll: Toll) -> dict[Hex, sp.Stack]:
    """What the hexes hold, *standing* in them before, when some of it took losses."""
    return {
        at: sp.together(sp.without(standing.get(at, ()), share), toll.shares.get(at, ()))
        for at, share in before.items()
    }
