"""Only one process resolves a campaign at a time.

The row is written in a transaction of its own before the work begins and deleted after it.  That of a process
which has died, or that is older than `LONGEST`, binds nobody.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from pbem.kernel.errors import Busy
from pbem.kernel.names import CampaignId
from pbem.storage.databases.connection import Connection

LONGEST = 3_600_000_000
"""An hour: the number of a dead process may be another's by then."""

_GET = "SELECT pid, started_at FROM running WHERE campaign = :campaign"
_DELETE = "DELETE FROM running WHERE campaign = :campaign"
_DELETE_OWN = "DELETE FROM running WHERE campaign = :campaign AND pid = :pid"
_DELETE_ALL = "DELETE FROM running WHERE pid = :pid"
_INSERT = "INSERT INTO running (campaign, pid, started_at) VALUES (:campaign, :pid, :at)"


def lives(pid: int) -> bool:
    """Is there a process of this number on this machine."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def begin(
    connection: Connection,
    campaign: CampaignId,
    *,
    pid: int,
    at: int,
    lives: Callable[[int], bool] = lives,
) -> None:
    """Say that process *pid* resolves *campaign* from now on.

    :raises Busy: if another does.
    """
    other = connection.execute(_GET, {"campaign": campaign}).one_or_none()
    holder, began = other or (0, 0)
    if other and lives(holder) and at - began < LONGEST:
        raise Busy(f"{campaign} is being run at this moment by process {holder}.  Wait for it.")
    connection.execute(_DELETE, {"campaign": campaign})
    connection.execute(_INSERT, {"campaign": campaign, "pid": pid, "at": at})


def forget(connection: Connection, *, pid: int) -> None:
    """Say that process *pid*, which has just begun, resolves nothing: who bore its number before it is dead."""
    connection.execute(_DELETE_ALL, {"pid": pid})


def end(connection: Connection, campaign: CampaignId, *, pid: int) -> None:
    """Say that it is done."""
    connection.execute(_DELETE_OWN, {"campaign": campaign, "pid": pid})
