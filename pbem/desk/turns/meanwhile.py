"""What others do while a campaign is run: nobody else runs it, and whoever writes keeps it from nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.office import Office
from pbem.desk.post.entries import ATTEMPTS, Entry, commit
from pbem.desk.turns.playing import NotPlayed, Plays
from pbem.kernel.errors import Busy, StaleLog, TryAgain
from pbem.kernel.exchange import Exchange
from pbem.kernel.names import CampaignId
from pbem.storage.claims import RUN, claimed, number_of
from pbem.storage.database import Connection

T = TypeVar("T")


@contextmanager
def alone(office: Office, campaign: CampaignId) -> Iterator[None]:
    """While it lasts, no other run of *campaign* begins.

    :raises Busy: if one goes on.
    """
    with claimed(office.engine, RUN, number_of(campaign)) as ours:
        if not ours:
            raise Busy(f"{campaign} is being run at this moment by another process.  Wait for it.")
        yield


def see_as_found(dossier: Dossier, found: Exchange | None) -> None:
    """See that the exchange opened last stands as it did when it was *found* to need something; None: no matter.

    Who looked, and stood still while another did it, would do it to what comes next.

    :raises Busy: if it does not.
    """
    if found is not None and dossier.exchange() != found:
        raise Busy(f"{dossier.id} has gone on from {found.moment} meanwhile.")


def entered(office: Office, worked_out: Callable[[Connection], tuple[Entry, T]], plays: Plays) -> tuple[Entry, T]:
    """Enter a run; worked out again, if somebody wrote meanwhile.

    Every other time nobody can write meanwhile: but then nothing is played, only what was played before is entered.
    So nobody keeps a game from going on by writing without end, and nobody waits for the lock while it is played.

    :raises StaleLog: if each time somebody wrote on which it rests.
    """
    stale: StaleLog | TryAgain | None = None
    for attempt in range(1, ATTEMPTS + 1):
        plays.over = attempt > 1 and attempt % 2 == 1
        try:
            if plays.over:
                with office.write() as connection:
                    found = worked_out(connection)
                    commit(office, connection, found[0])
            else:
                with office.read() as connection:
                    found = worked_out(connection)
                with office.write() as connection:
                    commit(office, connection, found[0])
        except (StaleLog, TryAgain) as error:
            stale = error
        except NotPlayed:
            pass  # something has changed: it is played again
        else:
            return found
    assert stale is not None, "at first all of it is played"
    raise stale
