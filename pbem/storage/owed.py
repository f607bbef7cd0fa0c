"""Mails that are owed and not yet written: what each says, in the desk's own words, until it lies in the outbox.

    owe  →  due  →  written into the outbox, and forgotten here
                \\__ failed: it could not be written, and says why

What is gathered for its reader is one mail, which grows until its hour and is not due before.

A row is written in the transaction that gives cause for the mail, so that it is owed whatever happens next; it becomes
a letter afterwards, outside every transaction, for that takes time and may fail.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, json

from pbem.kernel.names import CampaignId
from pbem.storage.databases.connection import Connection


class Unwritten(Struct, frozen=True):
    """A mail that is owed; *data* is what the desk wrote of it."""

    id: int
    campaign: CampaignId
    cause: str
    data: bytes
    owed_at: int
    tries: int = 1
    """How often it was begun: the first time when it was owed."""
    fault: str = ""
    """Why it will not be written; empty while it may be."""


GATHERED = "digest/"
"""How the cause of a mail begins in which others are gathered; it is owed when its hour has come."""

_COLUMNS = ", ".join(Unwritten.__struct_fields__)
_INSERT = (
    "INSERT INTO owed (campaign, cause, data, owed_at, tries, fault)"
    " SELECT CAST(:campaign AS VARCHAR), CAST(:cause AS VARCHAR), :data, :at, 1, ''"
    " WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE campaign = :campaign AND cause = :cause)"
    " ON CONFLICT (campaign, cause) DO NOTHING"
)
_BEGINS = "EXISTS (SELECT 1 FROM json_each({}) WHERE substr(cause, 1, length(value)) = value)"
_OF_GATHERED = f"substr(cause, 1, {len(GATHERED)}) = '{GATHERED}'"
_WAITS = f"({_OF_GATHERED} AND owed_at > :at)"
_DUE = (
    f"SELECT {_COLUMNS} FROM owed WHERE fault = '' AND NOT {_WAITS} AND NOT {_BEGINS.format(':but')}"
    f" AND (:only = '[]' OR {_BEGINS.format(':only')}) AND (:of = '*' OR campaign = :of) ORDER BY id LIMIT :limit"
)
_CAMPAIGNS = "SELECT DISTINCT campaign FROM owed WHERE fault = '' AND owed_at <= :before ORDER BY campaign"
_OF_CAMPAIGN = f"SELECT {_COLUMNS} FROM owed WHERE campaign = :campaign ORDER BY id"
_FAILED = f"SELECT {_COLUMNS} FROM owed WHERE fault <> '' ORDER BY id"
_THERE = "SELECT 1 FROM owed WHERE campaign = :campaign AND cause = :cause"
_TRY = "UPDATE owed SET tries = tries + 1 WHERE id = :id"
_FAIL = "UPDATE owed SET fault = :fault WHERE id = :id"
_AGAIN = "UPDATE owed SET fault = '', tries = 0 WHERE fault <> ''"
_DONE = "DELETE FROM owed WHERE id = :id AND data = :data"
_ALL = f"SELECT {_COLUMNS} FROM owed ORDER BY id"
_GATHERED = f"SELECT {_COLUMNS} FROM owed WHERE fault = '' AND {_OF_GATHERED} ORDER BY id"
_CHANGE = "UPDATE owed SET data = :data, owed_at = :at WHERE id = :id"
_FORGET = "DELETE FROM owed WHERE id = :id"


def owe(connection: Connection, campaign: CampaignId, cause: str, data: bytes, *, at: int) -> bool:
    """Write down that a mail is owed for *cause*; says whether it was not yet, and was not written before."""
    given = {"campaign": campaign, "cause": cause, "data": data, "at": at}
    return connection.execute(_INSERT, given).rowcount == 1


def is_owed(connection: Connection, campaign: CampaignId, cause: str) -> bool:
    """Whether a mail for *cause* waits to be written, or could not be."""
    return connection.execute(_THERE, {"campaign": campaign, "cause": cause}).fetchone() is not None


def due(
    connection: Connection,
    *,
    limit: int,
    at: int,
    of: CampaignId | None = None,
    but: Sequence[str] = (),
    only: Sequence[str] = (),
) -> list[Unwritten]:
    """The mails that wait to be written at the instant *at*, the first first; *of* one campaign, if that is given.

    *But* for those whose cause begins so, or *only* those.
    """
    begins = {"but": json.encode(but).decode(), "only": json.encode(only).decode()}
    return [Unwritten(*row) for row in connection.execute(_DUE, {"limit": limit, "at": at, "of": _any(of), **begins})]


def campaigns(connection: Connection, *, before: int) -> list[CampaignId]:
    """The campaigns of which mails that came to be owed *before* wait to be written, by name."""
    return [CampaignId(name) for (name,) in connection.execute(_CAMPAIGNS, {"before": before})]


def _any(of: CampaignId | None) -> str:
    """A campaign as a statement is given it; no campaign is called by a star."""
    return "*" if of is None else of


def of_campaign(connection: Connection, campaign: CampaignId) -> list[Unwritten]:
    """All mails of a campaign that wait to be written, or could not be."""
    return [Unwritten(*row) for row in connection.execute(_OF_CAMPAIGN, {"campaign": campaign})]


def listing(connection: Connection) -> list[Unwritten]:
    """All mails that wait to be written, or could not be."""
    return [Unwritten(*row) for row in connection.execute(_ALL)]


def failed(connection: Connection) -> list[Unwritten]:
    """The mails that could not be written."""
    return [Unwritten(*row) for row in connection.execute(_FAILED)]


def tried(connection: Connection, id: int) -> None:
    """Count one more attempt at a mail.

    Committed before the attempt, it shows one that brings its writer down.
    """
    connection.execute(_TRY, {"id": id})


def fail(connection: Connection, id: int, why: str) -> None:
    """Write down why a mail will not be written."""
    connection.execute(_FAIL, {"id": id, "fault": why})


def again(connection: Connection) -> None:
    """Let the mails that could not be written be as if nobody had tried yet."""
    connection.execute(_AGAIN)


def done(connection: Connection, mail: Unwritten) -> bool:
    """Forget a mail that is laid into the outbox now; says whether it waited as it was written.

    Another may have written it, or laid something to what is gathered in it.
    """
    return connection.execute(_DONE, {"id": mail.id, "data": mail.data}).rowcount == 1


def gathered(connection: Connection) -> list[Unwritten]:
    """The mails in which others are gathered, and which wait for their hour or to be written."""
    return [Unwritten(*row) for row in connection.execute(_GATHERED)]


def change(connection: Connection, id: int, data: bytes, *, at: int) -> bool:
    """Let what is gathered be *data*, owed at the instant *at*; says whether it still waited."""
    return connection.execute(_CHANGE, {"id": id, "data": data, "at": at}).rowcount == 1


def forget(connection: Connection, id: int) -> None:
    """Let a mail be owed no more."""
    connection.execute(_FORGET, {"id": id})
