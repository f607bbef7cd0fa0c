"""What was decided is decided again, from the sheets, rulings and seeds in the log, and compared fact by fact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.seeds import Pair, thrown_with
from pbem.desk.gm.ruling import parted
from pbem.desk.pages import pages
from pbem.desk.sheets.sheets import standing_orders
from pbem.desk.turns.playing import play
from pbem.desk.worlds.walk import Decision, Walk
from pbem.kernel.dice import SeededDice
from pbem.kernel.errors import PbemError
from pbem.kernel.event import Event, Outcome, kind_of
from pbem.kernel.names import Moment, Role, RuleId
from pbem.kernel.office import (
    CampaignStarted,
    ExchangeResolved,
    HaltReached,
    OrderFailed,
    QueryAnswered,
    RulingMade,
)
from pbem.storage.blobs import digest_of
from pbem.storage.secrets import Seeds

MOST = 6
"""Fields named of one difference."""


class Difference(Struct, frozen=True, kw_only=True):
    """Where the log is not what it should be: the event, what is wrong, and the fields that differ."""

    seq: int = 0
    kind: str = ""
    why: str
    moment: Moment | None = None
    rules: tuple[RuleId, ...] = ()
    fields: tuple[tuple[str, str, str], ...] = ()
    """Name, as logged, and as it should be."""


def decide(walk: Walk, decision: Decision, seeds: Pair) -> list[Event]:
    """The facts of *decision*, decided anew; *walk* stands before it.

    :raises PbemError: if the rules, as they are installed, cannot decide it.
    """
    try:
        match decision.by:
            case CampaignStarted():
                return _muster(walk, seeds)
            case RulingMade() as ruling:
                return _ruling(walk, ruling)
            case ExchangeResolved() | HaltReached() as run:
                return _run(walk, decision, run.moment.whole, seeds)
    except PbemError:
        raise
    except Exception as error:
        raise PbemError(f"the rules break: {type(error).__name__}: {error}") from error


def logged(walk: Walk, decision: Decision) -> list[tuple[int, Event]]:
    """What *decide* should give, as the log has it, with its seqs: orders that failed, and facts."""
    log = walk.whole.log
    failed = [log[seq - 1] for seq in range(decision.first, decision.facts.start)]
    facts = [log[seq - 1] for seq in decision.facts]
    return [(one.seq, one.event) for one in (*failed, *facts) if isinstance(one.event, OrderFailed | Outcome)]


def first_difference(
    then: Sequence[tuple[int, Event]], now: Sequence[Event], moment: Moment, after: int
) -> Difference | None:
    """Where what the log has (*then*) and what is decided *now* part; *after* is the seq where the log goes on."""
    for there, new in zip_longest(then, now):
        if there is None:
            why = "the rules decide more than stands in the log"
            return Difference(seq=after, kind=kind_of(new), why=why, moment=moment, rules=_rules(new))
        seq, old = there
        if new is None:
            why = "the rules do not decide this"
            return Difference(seq=seq, kind=kind_of(old), why=why, moment=moment, rules=_rules(old))
        if fields := unlike(old, new):
            return Difference(
                seq=seq,
                kind=kind_of(old),
                why="the rules decide it otherwise",
                moment=moment,
                rules=_rules(old),
                fields=fields,
            )
    return None


def unlike(old: Event, new: Event) -> tuple[tuple[str, str, str], ...]:
    """The fields in which two events differ, each with both values in words."""
    if kind_of(old) != kind_of(new):
        return (("kind", kind_of(old), kind_of(new)),)
    if isinstance(old, OrderFailed) and isinstance(new, OrderFailed):
        new = replace(new, error=old.error)  # in the words of the engine, not a thing of the game
    before, after = _plain(old), _plain(new)
    differing = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return tuple((name, in_words(before.get(name)), in_words(after.get(name))) for name in differing[:MOST])


def in_words(value: Any) -> str:
    """A value of a field in one line.

    >>> in_words(["p1", "p2"]), in_words({"men": 2}), in_words(None), in_words(True)
    ('p1 p2', 'men 2', 'nothing', 'yes')
    """
    match value:
        case None | [] | "":
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case {"name": name, "seed": _, "faces": faces}:
            return f"{name} fell {in_words(faces)}"
        case dict():
            return ", ".join(f"{key} {in_words(one)}" for key, one in value.items())
        case list():
            return (", " if any(isinstance(one, dict) for one in value) else " ").join(map(in_words, value))
        case _:  # a number or a text
            return str(value)


def view_digests(walk: Walk, moment: Moment, roles: Sequence[Role] | None = None) -> Mapping[Role, str]:
    """The digest of the page of *moment* of each of *roles* (None: of all), made anew.

    *walk* stands after its last fact.
    """
    made = pages.views_of(walk.now, moment, walk.world(), walk.world, roles)
    return {role: digest_of(pages.written(view)) for role, view in made.views.items()}


def _muster(walk: Walk, seeds: Pair) -> list[Event]:
    whole = walk.whole
    open_seed, closed_seed = _both(thrown_with(walk.now.campaign, pages.SET_UP, seeds))
    dice = SeededDice(pages.SET_UP, open_seed=open_seed, closed_seed=closed_seed, forced={})
    return list(whole.system.muster(whole.scene, whole.blank, dice))


def _ruling(walk: Walk, ruling: RulingMade) -> list[Event]:
    whole = walk.whole
    lines, forced = parted(ruling.directives)
    if dict(forced) != ruling.forced:
        raise PbemError("the dice that it forces are not those of its directives")
    reading = whole.system.direct(whole.scene, walk.world(), lines, ruling.known)
    if reading.complaints:
        raise PbemError(f"the directives are not understood: {reading.complaints[0].why}")
    return list(reading.items)


def _run(walk: Walk, decision: Decision, moment: Moment, seeds: Pair) -> list[Event]:
    before = walk.now
    address = before.exchange(moment).address
    open_seed, closed_seed = _both(seeds)
    settled = [walk.whole.log[seq - 1].event for seq in range(decision.first, decision.facts.start)]
    defaults = {one.key: one.answer for one in settled if isinstance(one, QueryAnswered)}
    answers = {**before.campaign.answers, **defaults}
    kept = Seeds(str(moment), open_seed, closed_seed, 0)
    played = play(before, walk.world(), standing_orders(before, address), answers, address, kept)
    if played.resolution.asks:
        raise PbemError(f"the rules ask: {played.resolution.asks[0].asks}")
    return [*played.failed, *played.resolution.facts]


def _both(seeds: Pair) -> tuple[bytes, bytes]:
    if seeds.open is None or seeds.closed is None:
        raise PbemError("its seeds are not here")
    return seeds.open, seeds.closed


def _plain(event: Event) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(event, order="deterministic"))
    return plain


def _rules(event: Event) -> tuple[RuleId, ...]:
    return event.rules if isinstance(event, Outcome) else ()
