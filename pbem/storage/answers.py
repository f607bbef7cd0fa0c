"""How often somebody was answered of late, known by a digest of his address alone."""

from __future__ import annotations

from pbem.storage.databases.connection import Connection

DAY = 24 * 60 * 60 * 1_000_000
"""How long an answer counts, in microseconds."""

_COUNT = "SELECT count(*) FROM answer WHERE who = :who AND answered_at > :since"
_INSERT = "INSERT INTO answer (who, answered_at) VALUES (:who, :at)"
_FORGET = "DELETE FROM answer WHERE answered_at <= :since"


def counted(connection: Connection, who: str, *, at: int) -> int:
    """How many answers *who* had in the day before *at*."""
    [(found,)] = connection.execute(_COUNT, {"who": who, "since": at - DAY})
    return int(found)


def note(connection: Connection, who: str, *, at: int) -> None:
    """Write down one answer to *who*; what no longer counts is forgotten."""
    connection.later(_FORGET, {"since": at - DAY})
    connection.later(_INSERT, {"who": who, "at": at})
