"""The log of a campaign as the desk holds it: what the office entered is at hand, facts are read when asked for.

Most of a log is facts of the game, and most of what the office does asks for none of them but those since the
newest fold.  So the cost of a letter does not grow with the log.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from typing import overload

from pbem.desk.office.office import Office
from pbem.kernel.errors import BrokenLog
from pbem.kernel.event import Outcome, Recorded
from pbem.kernel.log import valid
from pbem.kernel.names import CampaignId
from pbem.storage.codec import Codec
from pbem.storage.log import SqlLog, Which

Events = tuple[Recorded, ...]


class Stored:
    """The log of one campaign in the database; what was read of it is held, for it never changes."""

    def __init__(self, office: Office, campaign: CampaignId, codec: Callable[[], Codec]) -> None:
        self._office, self._campaign, self._codec = office, campaign, codec
        self._whole: Events = ()
        self._facts: Events = ()
        self._after = self._upto = 0
        """Where the facts held begin and end."""

    def whole(self, upto: int) -> Events:
        """All events up to *upto*."""
        if len(self._whole) < upto:
            self._whole += self.between(len(self._whole), upto)
        return self._whole[:upto]

    def between(self, after: int, upto: int) -> Events:
        """All events with a seq above *after* and not above *upto*.

        :raises BrokenLog: if one of them is missing or cannot be read.
        """
        if upto <= len(self._whole):
            return self._whole[after:upto]
        found = self._read(after, upto, "all")
        if len(found) != upto - after:
            where = f"events {after + 1} to {upto} of {self._campaign}"
            raise BrokenLog(f"{where} are not all there: pbem verify names them")
        return found

    def facts(self, after: int, upto: int) -> Events:
        """The facts with a seq above *after* and not above *upto*."""
        if upto <= len(self._whole):
            return tuple(one for one in self._whole[after:upto] if isinstance(one.event, Outcome))
        if self._after == self._upto:
            self._after = self._upto = after
        if after < self._after:
            self._facts, self._after = (*self._read(after, self._after, "facts"), *self._facts), after
        if upto > self._upto:
            self._facts, self._upto = (*self._facts, *self._read(self._upto, upto, "facts")), upto
        first = bisect_right(self._facts, after, key=attrgetter("seq"))
        return self._facts[first : bisect_right(self._facts, upto, key=attrgetter("seq"))]

    def _read(self, after: int, upto: int, which: Which) -> Events:
        # A look of its own: who asks may have left the transaction in which he was told where the log ends.
        with self._office.read() as connection:
            return tuple(SqlLog(connection, self._codec()).read(self._campaign, after=after, upto=upto, which=which))


class Record(Sequence[Recorded]):
    """The events of a campaign up to one of them: those *kept* in the database, and *new* ones after them."""

    def __init__(self, stored: Stored, kept: int, own: Events, new: Events = ()) -> None:
        self._stored, self._kept, self._new = stored, kept, new
        self.own = own
        """What is no fact of the game, in order."""

    def __len__(self) -> int:
        return self._kept + len(self._new)

    def __iter__(self) -> Iterator[Recorded]:
        return iter(self._whole)

    def __reversed__(self) -> Iterator[Recorded]:
        return reversed(self._whole)

    def __repr__(self) -> str:
        return f"Record{self._whole!r}"

    @overload
    def __getitem__(self, place: int) -> Recorded: ...
    @overload
    def __getitem__(self, place: slice) -> Events: ...
    def __getitem__(self, place: int | slice) -> Recorded | Events:
        if isinstance(place, slice):
            first, last, step = place.indices(len(self))
            return self._between(first, last)[::step] if step > 0 else self._whole[place]
        index = range(len(self))[place]
        own = bisect_left(self.own, index + 1, key=attrgetter("seq"))
        if own < len(self.own) and self.own[own].seq == index + 1:
            return self.own[own]
        return self._between(index, index + 1)[0]

    @cached_property
    def valid(self) -> Events:
        """Without what was annulled."""
        return tuple(valid(self._whole))

    def facts(self, after: int, upto: int) -> Events:
        """The facts with a seq above *after* and not above *upto*, those annulled with them."""
        kept = self._stored.facts(after, min(upto, self._kept)) if after < min(upto, self._kept) else ()
        return (*kept, *(one for one in self._new if after < one.seq <= upto and isinstance(one.event, Outcome)))

    def upto(self, seq: int) -> Record:
        """The log as it stood after event *seq*."""
        own = self.own[: bisect_right(self.own, seq, key=attrgetter("seq"))]
        return Record(self._stored, min(seq, self._kept), own, self._new[: max(seq - self._kept, 0)])

    def then(self, new: Sequence[Recorded]) -> Record:
        """The log with the events *new* at its end."""
        return Record(self._stored, self._kept, (*self.own, *owned(new)), (*self._new, *new))

    def grown(self, kept: int, own: Events) -> Record:
        """The log of the database, which ends at *kept* by now and has *own* more that is no fact."""
        return Record(self._stored, kept, (*self.own, *own))

    @cached_property
    def _whole(self) -> Events:
        return (*self._stored.whole(self._kept), *self._new)

    def _between(self, first: int, last: int) -> Events:
        kept = self._stored.between(first, min(last, self._kept)) if first < min(last, self._kept) else ()
        return (*kept, *self._new[max(first - self._kept, 0) : max(last - self._kept, 0)])


def owned(log: Sequence[Recorded]) -> Events:
    """The events of the office among those of *log*."""
    return tuple(one for one in log if not isinstance(one.event, Outcome))
