"""A log without a disk: what the log of an office does, said as plainly as can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.kernel.errors import StaleLog
from pbem.kernel.event import Event, Recorded
from pbem.kernel.names import CampaignId, Moment


class MemoryLog:
    """The events of each campaign, in a list."""

    def __init__(self) -> None:
        self._events: dict[CampaignId, list[Recorded]] = {}

    def read(self, campaign: CampaignId, *, after: int = 0) -> Iterator[Recorded]:
        """The events of *campaign* with a seq above *after*, in order."""
        return iter(self._events.get(campaign, [])[after:])

    def append(
        self,
        campaign: CampaignId,
        events: Sequence[tuple[Moment, Event]],
        *,
        expecting: int,
        at: int,
        actor: str,
    ) -> int:
        """Append all or nothing, if the log still ends at *expecting*; gives the new end.

        :raises StaleLog: if it does not.
        """
        stored = self._events.setdefault(campaign, [])
        if len(stored) != expecting:
            raise StaleLog(campaign, expecting, len(stored))
        for seq, (moment, event) in enumerate(events, start=expecting + 1):
            stored.append(Recorded(seq, at, actor, moment, event))
        return len(stored)
