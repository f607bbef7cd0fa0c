"""Whole games that play themselves: of likely orders, under options drawn by lot, or of silence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from pbem.kernel.names import Moment
from pbem.kernel.office import Option
from pbem.rules import registry
from pbem.rules.contract import apply
from pbem.suite.play import Game
from pbem.suite.secret import plug, sheet

LONGEST = 200
"""Exchanges after which a game is called endless."""


class Fault(Exception):
    """A game that went wrong, and how to play it again."""


class Plan(NamedTuple):
    """A game to be played: all of it follows from these."""

    system: str
    scenario: str
    seed: int
    silent: bool = False
    lots: bool = False
    """Its options are drawn by lot."""

    def __str__(self) -> str:
        how = "silence" if self.silent else "options by lot" if self.lots else "likely orders"
        return f"{self.system}/{self.scenario}, seed {self.seed}, {how}"


class Played(NamedTuple):
    """What a game came to."""

    game: Game
    exchanges: int
    orders: int
    templates: int
    """Pages that had one."""


def options(plan: Plan, random: Random) -> Mapping[str, Option]:
    """Some options of the system, each with one of its values."""
    if not plan.lots:
        return {}
    choices = registry.ledger_of(plan.system).options.values()
    listed = [choice for choice in choices if isinstance(choice.values, tuple)]
    drawn = random.sample(listed, random.randint(min(1, len(listed)), min(6, len(listed))))
    return {
        choice.name: value
        for choice in drawn
        for value in [random.choice(choice.values)]
        if isinstance(value, str | int | bool)
    }


def play(plan: Plan) -> Played:
    """Play a game to its end.

    :raises Fault: if something breaks, if it does not end, if anything comes or goes that should not, or if a page
        holds a template that is refused.
    """
    random = Random(f"{plan}")
    chosen = options(plan, random)
    try:
        return _play(plan, chosen, random)
    except Fault as fault:
        raise Fault(f"{plan}, {dict(chosen)}: {fault}") from None
    except Exception as error:
        raise Fault(f"{plan}, {dict(chosen)}: {type(error).__name__}: {error}") from error


def _play(plan: Plan, chosen: Mapping[str, Option], random: Random) -> Played:
    game = Game(registry.load(plan.system), plan.scenario, options=chosen, luck=f"{plan.seed}")
    mustered, exchanges, ordered, templates = len(game.facts), 0, 0, _see_pages(game)
    while not game.over:
        pause = game.pause
        if exchanges == LONGEST:
            raise Fault(f"it has not ended after {LONGEST} exchanges")
        orders = {}
        for call in () if plan.silent else pause.calls:
            orders[call.role], _ = game.read(call.role, sheet(game, call.role, plug(plan.system), random))
        game.resolve(orders)
        _see_clock(game, pause.moment)
        templates += _see_pages(game)
        exchanges, ordered = exchanges + 1, ordered + sum(map(len, orders.values()))
    _see_replay(game, mustered)
    return Played(game, exchanges, ordered, templates)


def _see_clock(game: Game, before: Moment) -> None:
    """See that time goes on."""
    if not game.over and game.pause.moment <= before:
        raise Fault(f"after {before} comes {game.pause.moment}")


def _see_pages(game: Game) -> int:
    """See that every role has a page, and that its template is not refused; says how many have one."""
    found = 0
    for role in game.roles:
        template = game.page(role).template
        if game.over or not template:
            continue
        found += 1
        refused = [one for one in game.read(role, "\n".join(template))[1] if one.judgement.refuses]
        if refused:
            line = template[refused[0].line - 1] if refused[0].line else ""
            raise Fault(f"{game.pause.moment}, {role}: its template has `{line}`: {refused[0].why}")
    return found


def _see_replay(game: Game, mustered: int) -> None:
    """See that the facts alone give the same world, and that none after the muster makes anything come or go."""
    world, total = game.blank, None
    for number, fact in enumerate(game.facts, start=1):
        world = apply(game.system, world, fact)
        if number < mustered:
            continue
        now = sum(game.system.counts(world.truth).values())
        if total is not None and now != total:
            raise Fault(f"at {game.moments[number - 1]} {total} figures became {now}: {fact}")
        total = now
    if world != game.world:
        raise Fault("the facts do not fold to the world in which it ended")


def plans(system: str, scenario: str, count: int, seed: int) -> Iterator[Plan]:
    """So many games of one scenario: a tenth of them silent, half of the others with options by lot."""
    for number in range(seed, seed + count):
        silent = number % 10 == 9
        yield Plan(system, scenario, number, silent=silent, lots=number % 2 == 1 and not silent)
