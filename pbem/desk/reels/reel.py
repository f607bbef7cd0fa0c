"""The reel of a campaign: its history as one reader may see it, cut into beats.

It is made from the log, fact by fact, from the minds of the eyes that are asked for and from nothing else: what none of
them learns of is not in it, counts for nothing in it, and cuts nothing in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.desk.books.dossiers import Dossier
from pbem.desk.worlds import telling
from pbem.desk.worlds.telling import Untold
from pbem.desk.worlds.walk import Walk
from pbem.desk.worlds.worlds import AnyWorld
from pbem.kernel.errors import Refused
from pbem.kernel.event import Outcome, Recorded
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import ExchangeAnnulled, ExchangeResolved, ReportIssued
from pbem.rules.contract import apply, form
from pbem.rules.past import AnyPast
from pbem.rules.reel import TRUTH, Reel
from pbem.rules.reeling import Here, beats
from pbem.rules.view import Told


class _Stretch(NamedTuple):
    """Facts of one run of an exchange, or of what came to pass outside of any."""

    run: int
    annulled: bool
    facts: tuple[Recorded, ...]


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
    walk = Walk(dossier)
    horizon = {one: dossier.seq if one == TRUTH else dossier.campaign.horizon(Role(one)) for one in eyes}
    for stretch in _stretches(dossier):
        walk.to(stretch.facts[0].seq - 1)
        world = walk.world()
        may = [one for one in eyes if not stretch.annulled or _was_told(dossier, one, stretch)]
        for recorded in stretch.facts:
            fact = recorded.event
            assert isinstance(fact, Outcome)
            after = apply(dossier.system, world, fact)
            by_now = [one for one in may if stretch.annulled or recorded.seq <= horizon[one]]
            forms = {one: shown for one in by_now if (shown := _form(dossier, fact, one)) is not None}
            if forms:
                told = {one: _told(dossier, recorded, world, one) for one in forms}
                yield Here(
                    recorded.moment.whole,
                    stretch.run,
                    stretch.annulled,
                    forms,
                    {one: tuple(line for line in some if not line.line) for one, some in told.items()},
                    {one: _lines(dossier, recorded, world, one, some) for one, some in told.items()},
                    after,
                    TRUTH in eyes
                    and not fact.dice
                    and len(fact.known) < len(world.minds)
                    and after.truth == world.truth,
                )
            world = after


def _is_still(fact: Outcome, before: AnyWorld, after: AnyWorld) -> bool:
    return not fact.dice and len(fact.known) < len(before.minds) and after.truth == before.truth


def _stretches(dossier: Dossier) -> Iterator[_Stretch]:
    """The facts of the log, run by run: those that were annulled as well, each before the run that took its place."""
    voided = [(one.event.since, one.seq) for one in dossier.annulments if isinstance(one.event, ExchangeAnnulled)]
    runs: Counter[Moment] = Counter()
    gathered: list[Recorded] = []
    for one in dossier.log:
        if isinstance(one.event, Outcome):
            if gathered and gathered[-1].moment.whole != one.moment.whole:
                yield _stretch(gathered, runs, voided)
                gathered = []
            gathered.append(one)
        elif isinstance(one.event, ExchangeResolved | ExchangeAnnulled) and gathered:
            yield _stretch(gathered, runs, voided)
            gathered = []
    if gathered:
        yield _stretch(gathered, runs, voided)


def _stretch(facts: list[Recorded], runs: Counter[Moment], voided: Sequence[tuple[int, int]]) -> _Stretch:
    annulled = any(since <= facts[0].seq < by for since, by in voided)
    moment = facts[0].moment.whole
    run = runs[moment] + 1
    runs[moment] += annulled
    return _Stretch(run, annulled, tuple(facts))


def _was_told(dossier: Dossier, eyes: str, stretch: _Stretch) -> bool:
    """Whether those eyes have what was annulled since: a role that had a report of it does."""
    if eyes == TRUTH:
        return True
    annulled = next(one.seq for one in dossier.annulments if one.seq > stretch.facts[-1].seq)
    issued = (one.event for one in dossier.log.own if stretch.facts[-1].seq < one.seq < annulled)
    return any(isinstance(one, ReportIssued) and one.role == eyes for one in issued)


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
