"""A log walked through: how the campaign stood at each event, and what was decided where.

From its beginning, nothing kept beside the log is used, no snapshot and no cache: what is checked is the log itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any, Literal

from msgspec import Struct

from pbem.desk.books.dossiers import Dossier, extended
from pbem.desk.worlds.worlds import AnyWorld, fold
from pbem.kernel.event import Outcome, Recorded
from pbem.kernel.names import Role
from pbem.kernel.office import (
    CampaignStarted,
    ExchangeAnnulled,
    ExchangeResolved,
    HaltReached,
    OrderFailed,
    QueryAnswered,
    QueryPut,
    RulingMade,
)


class Decision(Struct, frozen=True):
    """A stretch of the log in which something was decided: events *first* to *last*, both of them in it."""

    how: Literal["muster", "ruling", "run"]
    by: CampaignStarted | RulingMade | ExchangeResolved | HaltReached
    """The event that says so."""
    seq: int
    """Of that event."""
    first: int
    last: int
    facts: range
    """The seqs at which its facts should stand."""


class Walk:
    """A walk along the log of *whole*; `now` is the campaign as it stood after the last event passed.

    It goes from the beginning, or from an event after which the *world* is known.
    """

    def __init__(self, whole: Dossier, after: int = 0, world: AnyWorld | None = None) -> None:
        self.whole = whole
        self.now = whole.upto(after)
        self._worlds: list[tuple[int, AnyWorld]] = [(0, whole.blank)]
        if world is not None:
            self._worlds.append((after, world))

    def to(self, seq: int) -> None:
        """Pass all events up to *seq*."""
        new = self.whole.log[self.now.seq : seq]
        if not new:
            return
        self.now = extended(self.now, new)
        if voided := [one.event.since for one in new if isinstance(one.event, ExchangeAnnulled)]:
            self._worlds = [one for one in self._worlds if one[0] < min(voided)] or [(0, self.whole.blank)]

    def world(self, upto: int | None = None) -> AnyWorld:
        """The world as it stands, or as it stood after event *upto*, without what has been annulled by now."""
        end = self.now.seq if upto is None else min(upto, self.now.seq)
        place = bisect_right(self._worlds, end, key=itemgetter(0))
        start, world = self._worlds[place - 1]
        if start < end:
            world = fold(self.now, world, after=start, upto=end)
            self._worlds.insert(place, (end, world))
        return world

    def knows(self, world: AnyWorld) -> None:
        """As it stands, the world is *world*: who walks has let the facts come to pass himself."""
        if self._worlds[-1][0] < self.now.seq:
            self._worlds.append((self.now.seq, world))

    def mind(self, role: Role) -> Any:
        """What *role* may know by now."""
        return self.world(self.now.campaign.horizon(role)).minds[role]


def decisions(log: Sequence[Recorded]) -> Iterator[Decision]:
    """Every decision of a log, those annulled later with them, in order."""
    events, taken = tuple(log), 0
    for recorded in events:
        decision = _decision(events, recorded)
        if decision and decision.last > taken:
            taken = decision.last
            yield decision


def strays(log: Sequence[Recorded]) -> list[Recorded]:
    """Facts that stand where nobody decided anything."""
    decided = {seq for decision in decisions(log) for seq in decision.facts}
    return [one for one in log if isinstance(one.event, Outcome) and one.seq not in decided]


def _decision(log: tuple[Recorded, ...], recorded: Recorded) -> Decision | None:
    event, seq = recorded.event, recorded.seq
    match event:
        case CampaignStarted():
            last = seq
            while last < len(log) and isinstance(log[last].event, Outcome):
                last += 1
            return Decision("muster", event, seq, seq, last, range(seq + 1, last + 1))
        case RulingMade(facts=count):
            last = min(seq + count, len(log))
            facts = range(seq + 1, last + 1)
            if last < len(log) and _together(log[last], recorded) and isinstance(log[last].event, ExchangeResolved):
                last += 1  # it was made on what waits for its release: the pages were made anew
            return Decision("ruling", event, seq, seq, last, facts)
        case ExchangeResolved(facts=count) | HaltReached(facts=count):
            first = begins = max(seq - count, 1)
            while first > 1 and _together(log[first - 2], recorded) and isinstance(log[first - 2].event, _BEFORE_FACTS):
                first -= 1
            return Decision("run", event, seq, first, seq, range(begins, seq))
        case _:  # any other event, those of the game as well, decides nothing
            return None


_BEFORE_FACTS = (OrderFailed, QueryPut, QueryAnswered)


def _together(one: Recorded, other: Recorded) -> bool:
    """Whether two events were entered at one time."""
    return (one.at, one.actor) == (other.at, other.actor)
