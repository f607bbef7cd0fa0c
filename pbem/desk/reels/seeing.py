"""What some eyes have of each fact of a log, in chapters of whole turns.

It is asked of the minds of those eyes and of nothing else: what none of them learns of is not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from pbem.desk.books.dossiers import Dossier
from pbem.desk.worlds import telling
from pbem.desk.worlds.telling import Untold
from pbem.desk.worlds.walk import Walk
from pbem.desk.worlds.worlds import AnyWorld
from pbem.kernel.event import Outcome, Recorded
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import ReportIssued
from pbem.rules.contract import apply, form
from pbem.rules.reel import TRUTH, Beat
from pbem.rules.reeling import Here
from pbem.rules.view import Told


class Chapter(NamedTuple):
    """A turn, and whatever of it and of earlier ones was run again before the next began."""

    seen: tuple[Here, ...]
    upto: int
    """Its last fact."""
    world: AnyWorld
    """After that."""
    closed: bool
    """Nothing will come to it any more that these eyes do not see by now, unless something is annulled."""


class Stretch(NamedTuple):
    """Facts of one exchange that stand together in the log."""

    facts: tuple[Recorded, ...]
    voided: int
    """By which event they were annulled; 0: they stand."""


def chapters(
    dossier: Dossier,
    eyes: Sequence[str],
    *,
    after: int = 0,
    world: AnyWorld | None = None,
    before: Iterable[Beat] = (),
) -> Iterator[Chapter]:
    """What *eyes* have of the facts of the log: of all, or of those *after* the last of a chapter.

    Then there was the *world*, and the beats *before* had been made.
    """
    walk = Walk(dossier, after, world)
    runs = Counter({beat.moment: beat.run for beat in before if beat.annulled})
    told = min((dossier.campaign.horizon(Role(one)) for one in eyes if one != TRUTH), default=dossier.seq)
    over = dossier.campaign.ended is not None
    every = list(_by_turns(stretches(dossier, after)))
    for some in every:
        seen = [here for stretch in some for here in _seen(walk, eyes, stretch, runs)]
        upto = some[-1].facts[-1].seq
        yield Chapter(tuple(seen), upto, walk.world(), (some is not every[-1] or over) and upto <= told)


def _by_turns(stretches: Iterator[Stretch]) -> Iterator[list[Stretch]]:
    """A new chapter begins with each turn that is later than all before."""
    found: list[Stretch] = []
    for one in stretches:
        if found and one.facts[0].moment.turn > max(before.facts[0].moment.turn for before in found):
            yield found
            found = []
        found.append(one)
    if found:
        yield found


def _seen(walk: Walk, eyes: Sequence[str], stretch: Stretch, runs: Counter[Moment]) -> Iterator[Here]:
    dossier, moment, noticed = walk.whole, stretch.facts[0].moment.whole, False
    walk.to(stretch.facts[0].seq - 1)
    world, upto = walk.world(), {one: horizon(dossier, one, stretch) for one in eyes}
    for recorded in stretch.facts:
        fact = recorded.event
        assert isinstance(fact, Outcome)
        after = apply(dossier.system, world, fact)
        by_now = [one for one in eyes if recorded.seq <= upto[one]]
        forms = {one: shown for one in by_now if (shown := form_to(dossier, fact, one)) is not None}
        if forms:
            noticed = True
            told = {one: _told(dossier, recorded, world, one) for one in forms}
            yield Here(
                moment,
                run=runs[moment] + 1,
                annulled=stretch.voided > 0,
                forms=forms,
                told={one: tuple(line for line in some if not line.line) for one, some in told.items()},
                lines={one: _lines(dossier, recorded, world, one, some) for one, some in told.items()},
                before=world,
                after=after,
                seq=recorded.seq,
                still=TRUTH in eyes and _is_still(fact, world, after),
            )
        world = after
    walk.to(stretch.facts[-1].seq)
    walk.knows(world)
    # Of a run that none of these eyes was told of, none may know that there was one.
    runs[moment] += noticed and stretch.voided > 0


def _is_still(fact: Outcome, before: AnyWorld, after: AnyWorld) -> bool:
    return not fact.dice and len(fact.known) < len(before.minds) and after.truth == before.truth


def stretches(dossier: Dossier, after: int) -> Iterator[Stretch]:
    """The facts of the log *after* an event, run by run, those annulled as well, each before what took its place."""

    def place(one: Recorded) -> tuple[Moment, int]:
        return one.moment.whole, dossier.voided_by(one.seq)

    for (_, by), some in groupby(dossier.log.facts(after, dossier.seq), key=place):
        yield Stretch(tuple(some), by)


def horizon(dossier: Dossier, eyes: str, stretch: Stretch) -> int:
    """Up to which event those eyes may see: a role up to the newest report that it had, before an annulment or now."""
    if eyes == TRUTH:
        return dossier.seq
    told = (
        one.event.upto
        for one in dossier.log.own
        if isinstance(one.event, ReportIssued) and one.event.role == eyes and not 0 < stretch.voided <= one.seq
    )
    return max(told, default=0) if stretch.voided else dossier.campaign.horizon(Role(eyes))


def form_to(dossier: Dossier, fact: Outcome, eyes: str) -> Outcome | None:
    """A fact as those eyes have it; None, if they learn nothing of it."""
    return fact if eyes == TRUTH else form(dossier.system, fact, Role(eyes))


def _told(dossier: Dossier, recorded: Recorded, world: AnyWorld, eyes: str) -> tuple[Told, ...]:
    system, fact = dossier.system, recorded.event
    if eyes == TRUTH and system.recount is not None:
        try:
            return tuple(system.recount(dossier.scene, fact, world.truth))
        except Exception:
            return (telling.without_words(recorded.moment),)
    if eyes == TRUTH:
        return _as_told(dossier, recorded, world)
    said = telling.words(dossier, recorded, world, Role(eyes))
    return (telling.without_words(recorded.moment),) if isinstance(said, Untold) else tuple(said)


def _as_told(dossier: Dossier, recorded: Recorded, world: AnyWorld) -> tuple[Told, ...]:
    """What the first of the roles is told of a fact: for rules that do not tell the truth."""
    assert isinstance(recorded.event, Outcome)
    for role in dossier.roles:
        if role in recorded.event.known:
            said = telling.words(dossier, recorded, world, role)
            if not isinstance(said, Untold) and (told := tuple(one for one in said if not one.line)):
                return told
    return ()


def _lines(
    dossier: Dossier, recorded: Recorded, world: AnyWorld, eyes: str, told: Sequence[Told]
) -> Mapping[Role, tuple[Told, ...]]:
    """What became of lines of sheets: who sees all has those of every role."""
    if eyes != TRUTH:
        own = tuple(line for line in told if line.line)
        return {Role(eyes): own} if own else {}
    found = {}
    assert isinstance(recorded.event, Outcome)
    for role in recorded.event.known:
        if role in dossier.roles:
            said = telling.words(dossier, recorded, world, role)
            if not isinstance(said, Untold) and (own := tuple(line for line in said if line.line)):
                found[role] = own
    return found
