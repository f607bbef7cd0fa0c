"""Orders and dice become facts; an order that breaks the engine is left out, and harms itself alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.seeds import Pair, thrown_with
from pbem.desk.worlds.worlds import AnyWorld, as_written, fold_facts
from pbem.kernel.dice import SeededDice
from pbem.kernel.errors import BadRuling, Refused
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import OrderFailed
from pbem.rules.contract import Resolution
from pbem.storage.secrets import Seeds

Orders = Mapping[Role, Sequence[Any]]
Line = tuple[Role, int]
"""An order: whose, and which of his, from 0."""


class Played(Struct, frozen=True):
    """A resolution with the orders that it was made of."""

    resolution: Resolution[Any]
    world: AnyWorld
    failed: tuple[OrderFailed, ...] = ()


class NotPlayed(Exception):
    """It was not played before, and is not to be played now."""


class Plays:
    """What was played of one run: whoever works it out again, for somebody wrote meanwhile, plays none of it twice."""

    def __init__(self) -> None:
        self.over = False
        """Whether nothing more is played: what was not played before is not there."""
        self._kept: list[tuple[tuple[object, ...], Played]] = []

    def play(
        self,
        dossier: Dossier,
        world: AnyWorld,
        orders: Orders,
        answers: Mapping[str, str],
        moment: Moment,
        seeds: Seeds,
    ) -> Played:
        """What `play` gives; if all that it rests on is as it was, what it gave before.

        :raises NotPlayed: if it gave nothing yet, and it is `over`.
        """
        # What a failed order said is in what its sheet says.
        sheets = {role: dossier.campaign.sheets.get((moment, role)) for role in orders}
        thrown, forced = _thrown(dossier, moment, seeds), dossier.campaign.forced
        rests_on = (moment, world, orders, dict(answers), thrown, forced, sheets)
        for before, played in self._kept:
            if before == rests_on:
                return played
        if self.over:
            raise NotPlayed
        played = play(dossier, world, orders, answers, moment, seeds)
        self._kept.append((rests_on, played))
        return played


def play(
    dossier: Dossier, world: AnyWorld, orders: Orders, answers: Mapping[str, str], moment: Moment, seeds: Seeds
) -> Played:
    """Resolve, leaving out what breaks the engine: one order if one is enough, else each that does.

    *moment* is the address of the sheets; of a halt, the dice are those of its exchange.

    :raises BadRuling: if the GM ruled dice that a throw does not have.
    :raises Refused: if the engine breaks without any order.
    """
    try:
        return _attempt(dossier, world, orders, answers, moment, seeds)
    except BadRuling:
        raise
    except Exception as error:
        broken = error
    each = [(role, place) for role in sorted(orders) for place in range(len(orders[role]))]

    def without(left_out: Sequence[Line]) -> Played:
        return _attempt(dossier, world, _without(orders, left_out), answers, moment, seeds)

    if found := _the_one(each, without):
        one, played, told = found
        failed = [_failure(dossier, moment, orders, one, told or broken)]
    else:
        played, lines = _those(dossier, each, without, moment)
        failed = [_failure(dossier, moment, orders, one, error) for one, error in lines]
    return Played(played.resolution, played.world, tuple(failed))


def _the_one(
    each: Sequence[Line], without: Callable[[Sequence[Line]], Played]
) -> tuple[Line, Played, Exception | None] | None:
    """The order without which all others can be played, what they come to, and how it broke; None: it is not one alone.

    It is looked for by halves: a game of hundreds of orders is not played hundreds of times.
    """
    suspects, broken = list(each), None
    played: Played | None = None
    while len(suspects) > 1 or (suspects and played is None):
        half = suspects[: (len(suspects) + 1) // 2]
        for some in (half, suspects[len(half) :]):
            try:
                played, suspects = without(some), some
            except Exception as error:
                broken = error
                continue
            break
        else:
            return None
    return (suspects[0], played, broken) if played else None


def _those(
    dossier: Dossier, each: Sequence[Line], without: Callable[[Sequence[Line]], Played], moment: Moment
) -> tuple[Played, list[tuple[Line, Exception]]]:
    """What the orders come to that can be played together, taken in their order, and how each other broke.

    :raises Refused: if the engine breaks without any order.
    """
    try:
        played = without(each)
    except Exception as error:
        raise Refused(
            f"the rules {dossier.system.name} {dossier.system.version} cannot play {moment}, whatever is ordered: "
            f"{type(error).__name__}: {error}.  Nothing was written."
        ) from error
    out, failed = list(each), list[tuple[Line, Exception]]()
    parts = [list(each)]
    while parts:
        part = parts.pop(0)
        try:
            played = without([one for one in out if one not in part])
        except Exception as error:
            if len(part) == 1:
                failed.append((part[0], error))
            else:
                parts[:0] = [part[: len(part) // 2], part[len(part) // 2 :]]
            continue
        out = [one for one in out if one not in part]
    return played, failed


def _attempt(
    dossier: Dossier, world: AnyWorld, orders: Orders, answers: Mapping[str, str], moment: Moment, seeds: Seeds
) -> Played:
    thrown = _thrown(dossier, moment, seeds)
    assert thrown.open, "the office's is known"
    assert thrown.closed, "the office's is known"
    forced = dossier.campaign.forced
    dice = SeededDice(moment.whole, open_seed=thrown.open, closed_seed=thrown.closed, forced=forced)
    resolution: Resolution[Any] = dossier.system.resolve(dossier.scene, world, orders, answers, dice, "pause")
    facts = as_written(dossier.system, resolution.facts)
    return Played(replace(resolution, facts=facts), fold_facts(dossier.system, world, facts))


def _thrown(dossier: Dossier, moment: Moment, seeds: Seeds) -> Pair:
    return thrown_with(dossier.campaign, moment.whole, Pair(seeds.open, seeds.closed))


def _without(orders: Orders, left_out: Sequence[Line]) -> Orders:
    return {
        role: [order for place, order in enumerate(lines) if (role, place) not in left_out]
        for role, lines in orders.items()
    }


def _failure(dossier: Dossier, moment: Moment, orders: Orders, one: Line, error: Exception) -> OrderFailed:
    role, place = one
    line: int = getattr(orders[role][place], "line", 0)
    text = dossier.campaign.sheets[moment, role].text.splitlines()
    said = text[line - 1].strip() if 0 < line <= len(text) else ""
    return OrderFailed(role=role, moment=moment, line=line, text=said, error=f"{type(error).__name__}: {error}")
