"""The reel of a game that is played without an office."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.kernel.event import Outcome
from pbem.kernel.names import Role
from pbem.rules.contract import apply, form
from pbem.rules.reel import TRUTH, Beat, Reel
from pbem.rules.reeling import Here, Making
from pbem.rules.view import Told
from pbem.suite.play import Game


def reel_of(game: Game, eyes: Sequence[str]) -> Reel:
    """What those *eyes* have seen of *game*."""
    past = game.system.past
    assert past is not None
    made: tuple[Beat, ...] = tuple(Making(past, game.scene, eyes).beats(list(seen_by(game, eyes))))
    return Reel(
        campaign="", title="", system=game.system.name, game="", rules="", sides=tuple(past.sides(game.scene)),
        eyes=tuple(eyes), called={}, beats=made,
    )  # fmt: skip


def seen_by(game: Game, eyes: Sequence[str]) -> Iterator[Here]:
    """All that those *eyes* saw of *game*."""
    world = game.blank
    for number, (moment, fact) in enumerate(zip(game.moments, game.facts, strict=True), start=1):
        after = apply(game.system, world, fact)
        forms: dict[str, Outcome] = {}
        told: dict[str, tuple[Told, ...]] = {}
        lines: dict[str, dict[Role, tuple[Told, ...]]] = {}
        for one in eyes:
            shown = fact if one == TRUTH else form(game.system, fact, Role(one))
            if shown is None:
                continue
            forms[one] = shown
            if one != TRUTH:
                said = game.system.tell(game.scene, shown, world.minds[Role(one)], Role(one))
            else:
                said = game.system.recount(game.scene, fact, world.truth) if game.system.recount else ()
            told[one] = tuple(line for line in said if not line.line)
            if one != TRUTH:
                lines[one] = {Role(one): tuple(line for line in said if line.line)}
        if forms:
            still = TRUTH in eyes and not fact.dice and len(fact.known) < len(eyes) - 1 and after.truth == world.truth
            yield Here(
                moment, run=1, annulled=False, forms=forms, told=told, lines=lines, after=after, still=still,
                before=world, seq=number,
            )  # fmt: skip
        world = after
