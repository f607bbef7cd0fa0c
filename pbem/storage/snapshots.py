"""Folds kept to save work.  Deleting all of them changes no answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from pbem.kernel.names import CampaignId
from pbem.storage.databases.connection import Connection


class Snapshot(NamedTuple):
    """The result of a fold of all events up to *seq*."""

    seq: int
    data: bytes


_GET = (
    "SELECT seq, data FROM snapshot"
    " WHERE campaign = :campaign AND fold = :fold AND seq <= :upto ORDER BY seq DESC LIMIT 1"
)
_EVERY = "SELECT seq, data FROM snapshot WHERE campaign = :campaign AND fold = :fold ORDER BY seq"
_DROP_AT = "DELETE FROM snapshot WHERE campaign = :campaign AND fold = :fold AND seq = :seq"
_DROP = "DELETE FROM snapshot WHERE campaign = :campaign"
_DROP_ALL = "DELETE FROM snapshot WHERE substr(system, 1, :length) = :beginning"
_DROP_OTHER = "DELETE FROM snapshot WHERE campaign = :campaign AND system = :system AND fold <> :fold"
_THIN = (
    "DELETE FROM snapshot WHERE campaign = :campaign AND fold = :fold AND seq >= :first AND seq < ("
    "SELECT max(seq) FROM snapshot WHERE campaign = :campaign AND fold = :fold AND seq < :end)"
)
_INSERT = "INSERT INTO snapshot (campaign, fold, seq, system, data) VALUES (:campaign, :fold, :seq, :system, :data)"

_NO_END = 2**62


def keep(
    connection: Connection,
    campaign: CampaignId,
    *,
    seq: int,
    system: str,
    fold: str,
    data: bytes,
    thin: Iterable[tuple[int, int]] = (),
) -> None:
    """Keep a fold up to *seq*; *fold* names its version, and those of other versions are thrown away.

    *thin*: from one event to another, of those kept from the one on and before the other the last alone stays.
    """
    row = {"campaign": campaign, "seq": seq, "system": system, "fold": fold, "data": data}
    connection.execute(_DROP_OTHER, row)
    connection.execute(_DROP_AT, row)
    for first, end in thin:
        connection.execute(_THIN, {"campaign": campaign, "fold": fold, "first": first, "end": end})
    connection.execute(_INSERT, row)


def latest(connection: Connection, campaign: CampaignId, *, fold: str, upto: int = _NO_END) -> Snapshot | None:
    """The newest fold of this version that ends at *upto* or before, if one was kept.

    An annulment from event *since* on voids every fold that ends after it: ask up to *since* - 1.
    """
    row = {"campaign": campaign, "fold": fold, "upto": upto}
    found = connection.execute(_GET, row).one_or_none()
    return Snapshot(*found) if found else None


def every(connection: Connection, campaign: CampaignId, *, fold: str) -> list[Snapshot]:
    """All folds of this version that were kept, the earliest first."""
    return [Snapshot(*row) for row in connection.execute(_EVERY, {"campaign": campaign, "fold": fold})]


def drop(connection: Connection, campaign: CampaignId) -> None:
    """Throw all folds of a campaign away."""
    connection.execute(_DROP, {"campaign": campaign})


def drop_all(connection: Connection, beginning: str) -> None:
    """Throw away all folds of all campaigns whose *system* begins so."""
    connection.execute(_DROP_ALL, {"beginning": beginning, "length": len(beginning)})
