"""Orders and dice become facts; an order that breaks the engine is left out, and harms itself alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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


class Played(Struct, frozen=True):
    """A resolution with the orders that it was made of."""

    resolution: Resolution[Any]
    world: AnyWorld
    failed: tuple[OrderFailed, ...] = ()


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
    for one in each:
        try:
            played = _attempt(dossier, world, _without(orders, [one]), answers, moment, seeds)
        except Exception as error:
            broken = error
            continue
        return Played(played.resolution, played.world, (_failure(dossier, moment, orders, one, broken),))
    left_out = list(each)
    failed: list[OrderFailed] = []
    for one in each:
        left_out.remove(one)
        try:
            _attempt(dossier, world, _without(orders, left_out), answers, moment, seeds)
        except Exception as error:
            left_out.append(one)
            failed.append(_failure(dossier, moment, orders, one, error))
    try:
        played = _attempt(dossier, world, _without(orders, left_out), answers, moment, seeds)
    except Exception as error:
        raise Refused(
            f"the rules {dossier.system.name} {dossier.system.version} cannot play {moment}, whatever is ordered: "
            f"{type(error).__name__}: {error}.  Nothing was written."
        ) from error
    return Played(played.resolution, played.world, tuple(failed))


def _attempt(
    dossier: Dossier, world: AnyWorld, orders: Orders, answers: Mapping[str, str], moment: Moment, seeds: Seeds
) -> Played:
    thrown = thrown_with(dossier.campaign, moment.whole, Pair(seeds.open, seeds.closed))
    assert thrown.open, "the office's is known"
    assert thrown.closed, "the office's is known"
    forced = dossier.campaign.forced
    dice = SeededDice(moment.whole, open_seed=thrown.open, closed_seed=thrown.closed, forced=forced)
    resolution: Resolution[Any] = dossier.system.resolve(dossier.scene, world, orders, answers, dice, "pause")
    facts = as_written(dossier.system, resolution.facts)
    return Played(replace(resolution, facts=facts), fold_facts(dossier.system, world, facts))


def _without(orders: Orders, left_out: Sequence[tuple[Role, int]]) -> Orders:
    return {
        role: [order for place, order in enumerate(lines) if (role, place) not in left_out]
        for role, lines in orders.items()
    }


def _failure(dossier: Dossier, moment: Moment, orders: Orders, one: tuple[Role, int], error: Exception) -> OrderFailed:
    role, place = one
    line: int = getattr(orders[role][place], "line", 0)
    text = dossier.campaign.sheets[moment, role].text.splitlines()
    said = text[line - 1].strip() if 0 < line <= len(text) else ""
    return OrderFailed(role=role, moment=moment, line=line, text=said, error=f"{type(error).__name__}: {error}")
