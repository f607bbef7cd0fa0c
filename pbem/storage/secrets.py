"""Seeds that wait to be revealed, under the promises that the log holds of them."""

from __future__ import annotations

from msgspec import Struct

from pbem.kernel.dice import SEED_BYTES, promise
from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId
from pbem.kernel.office import Promises
from pbem.storage.databases.connection import Connection


class Seeds(Struct, frozen=True):
    """Two seeds of one exchange, or of the muster."""

    place: str
    """`muster`, or the moment as text: `5B`."""
    open: bytes
    closed: bytes
    made_at: int

    @property
    def promises(self) -> Promises:
        """What is published of them."""
        return Promises(promise(self.open), promise(self.closed))


_COLUMNS = "place, open_seed, closed_seed, made_at"
_GET = f"SELECT {_COLUMNS} FROM secret WHERE campaign = :campaign AND open_promise = :open AND closed_promise = :closed"
_ALL = f"SELECT {_COLUMNS} FROM secret WHERE campaign = :campaign ORDER BY made_at, place"
_INSERT = (
    "INSERT INTO secret (campaign, open_promise, closed_promise, place, open_seed, closed_seed, made_at)"
    " VALUES (:campaign, :open, :closed, :place, :open_seed, :closed_seed, :at)"
)


def keep(
    connection: Connection, campaign: CampaignId, place: str, *, open_seed: bytes, closed_seed: bytes, at: int
) -> Promises:
    """Keep two fresh random seeds for *place* (`muster`, `5B`); gives what the log may say of them.

    An exchange opened anew with new seeds keeps the old ones beside them.
    """
    if not len(open_seed) == len(closed_seed) == SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    seeds = Seeds(place, open_seed, closed_seed, at)
    promises = seeds.promises
    row = {"campaign": campaign, "open": promises.open, "closed": promises.closed, "place": place}
    connection.execute(_INSERT, {**row, "open_seed": open_seed, "closed_seed": closed_seed, "at": at})
    return promises


def get(connection: Connection, campaign: CampaignId, promises: Promises) -> Seeds:
    """The seeds of which *promises* were published.

    :raises Refused: if this office does not have them.
    """
    row = {"campaign": campaign, "open": promises.open, "closed": promises.closed}
    found = connection.execute(_GET, row).one_or_none()
    if found is None:
        raise Refused(
            f"this office does not have the seeds of {campaign} that it promised: "
            "its log came without them (pbem campaign export --with-secrets)."
        )
    return Seeds(*found)


def campaigns_with(connection: Connection, place: str) -> set[CampaignId]:
    """The campaigns of which seeds for *place* are kept."""
    found = connection.execute("SELECT DISTINCT campaign FROM secret WHERE place = :place", {"place": place})
    return {CampaignId(name) for (name,) in found}


def listing(connection: Connection, campaign: CampaignId) -> list[Seeds]:
    """All seeds of a campaign, in the order in which they were made."""
    return [Seeds(*row) for row in connection.execute(_ALL, {"campaign": campaign})]
