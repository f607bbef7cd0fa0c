"""The reel of a campaign: its history as one reader may see it, cut into beats.

It is made from the log, fact by fact, from the minds of the eyes that are asked for and from nothing else: what none of
them learns of is not in it, counts for nothing in it, and cuts nothing in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from pbem.desk.books.dossiers import Dossier
from pbem.desk.worlds import telling
from pbem.desk.worlds.telling import Untold
from pbem.desk.worlds.walk import Walk
from pbem.desk.worlds.worlds import AnyWorld
from pbem.kernel.errors import Refused
from pbem.kernel.event import Outcome, Recorded
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import ExchangeAnnulled, ReportIssued
from pbem.rules.contract import apply, form
from pbem.rules.past import AnyPast
from pbem.rules.reel import TRUTH, Reel
from pbem.rules.reeling import Here, beats
from pbem.rules.view import Told


class _Stretch(NamedTuple):
    """Facts of one exchange that stand together in the log."""

    facts: tuple[Recorded, ...]
    voided: int
    """By which event they were annulled; 0: they stand."""


def eyes_of(dossier: Dossier, names: Sequence[str]) -> tuple[str, ...]:
    """The eyes that *names* say: `truth`, or roles of the game; none: the truth.

    :raises UnknownRole: if there is no such role.
    """
    return tuple(dict.fromkeys(TRUTH if one == TRUTH else dossier.role(one) for one in names)) or (TRUTH,)


def reel(dossier: Dossier, names: Sequence[str] = ()) -> Reel:
    """The game as *names* see it, `truth` or roles: up to its end, of a role up to the newest report that it had.

    :raises Refused: if the rules have no past to show.
    :raises UnknownRole: if there is no such role.
    """
    past = past_of(dossier)
    eyes = eyes_of(dossier, names)
    seen = list(_seen(dossier, eyes))
    verdict = dossier.system.verdict(seen[-1].after.truth) if seen and TRUTH in eyes else None
    return Reel(
        campaign=dossier.id,
        title=dossier.opened.title,
        system=dossier.system.name,
        game=dossier.system.title,
        rules=dossier.campaign.rules.version if dossier.campaign.rules else dossier.system.version,
        sides=tuple(past.sides(dossier.scene)),
        eyes=eyes,
        called={one: "the umpire" if one == TRUTH else past.called(dossier.scene, Role(one)) for one in eyes},
        over=verdict.how if verdict is not None else "",
        beats=tuple(beats(past, dossier.scene, eyes, seen)),
    )


def past_of(dossier: Dossier) -> AnyPast:
    """How its system is looked back on.

    :raises Refused: if it is not.
    """
    past: AnyPast | None = dossier.system.past
    if past is None:
        raise Refused(f"the rules {dossier.system.name} do not say how a game is looked back on.")
    return past


# ------------------------------------------------------------------ what these eyes have of each fact


def _seen(dossier: Dossier, eyes: Sequence[str]) -> Iterator[Here]:
    walk, runs = Walk(dossier), Counter[Moment]()
    for stretch in _stretches(dossier):
        walk.to(stretch.facts[0].seq - 1)
        world, moment, seen = walk.world(), stretch.facts[0].moment.whole, False
        upto = {one: _horizon(dossier, one, stretch) for one in eyes}
        for recorded in stretch.facts:
            fact = recorded.event
            assert isinstance(fact, Outcome)
            after = apply(dossier.system, world, fact)
            by_now = [one for one in eyes if recorded.seq <= upto[one]]
            forms = {one: shown for one in by_now if (shown := _form(dossier, fact, one)) is not None}
            if forms:
                seen = True
                told = {one: _told(dossier, recorded, world, one) for one in forms}
                yield Here(
                    moment,
                    run=runs[moment] + 1,
                    annulled=stretch.voided > 0,
                    forms=forms,
                    told={one: tuple(line for line in some if not line.line) for one, some in told.items()},
                    lines={one: _lines(dossier, recorded, world, one, some) for one, some in told.items()},
                    after=after,
                    still=TRUTH in eyes and _is_still(fact, world, after),
                )
            world = after
        # Of a run that none of these eyes was told of, none may know that there was one.
        runs[moment] += seen and stretch.voided > 0


def _is_still(fact: Outcome, before: AnyWorld, after: AnyWorld) -> bool:
    return not fact.dice and len(fact.known) < len(before.minds) and after.truth == before.truth


def _stretches(dossier: Dossier) -> Iterator[_Stretch]:
    """The facts of the log, run by run: those that were annulled as well, each before the run that took its place."""
    voided = [(one.event.since, one.seq) for one in dossier.annulments if isinstance(one.event, ExchangeAnnulled)]

    def place(one: Recorded) -> tuple[Moment, int]:
        return one.moment.whole, next((by for since, by in voided if since <= one.seq < by), 0)

    facts = (one for one in dossier.log if isinstance(one.event, Outcome))
    for (_, by), some in groupby(facts, key=place):
        yield _Stretch(tuple(some), by)


def _horizon(dossier: Dossier, eyes: str, stretch: _Stretch) -> int:
    """Up to which event those eyes may see: a role up to the newest report that it had, before an annulment or now."""
    if eyes == TRUTH:
        return dossier.seq
    told = (
        one.event.upto
        for one in dossier.log.own
        if isinstance(one.event, ReportIssued) and one.event.role == eyes and not 0 < stretch.voided <= one.seq
    )
    return max(told, default=0) if stretch.voided else dossier.campaign.horizon(Role(eyes))


def _form(dossier: Dossier, fact: Outcome, eyes: str) -> Outcome | None:
    return fact if eyes == TRUTH else form(dossier.system, fact, Role(eyes))


def _told(dossier: Dossier, recorded: Recorded, world: AnyWorld, eyes: str) -> tuple[Told, ...]:
    system, fact = dossier.system, recorded.event
    if eyes == TRUTH:
        try:
            return tuple(system.recount(dossier.scene, fact, world.truth)) if system.recount else ()
        except Exception:
            return (telling.without_words(recorded.moment),)
    said = telling.words(dossier, recorded, world, Role(eyes))
    return (telling.without_words(recorded.moment),) if isinstance(said, Untold) else tuple(said)


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
