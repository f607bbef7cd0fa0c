"""Which rows are as the office wrote them: beside each row that no log vouches for lies its digest.

The database keeps the digests itself, by triggers, so that no statement of the office can forget one.  A row that
was changed or deleted behind the office's back is named ever after: what the office does with it later does not
seal it again.  A digest is SHA-256 over the type and the bytes of every column, in the order of the table.

Events need none, for each carries the hash of the one before.  Whoever writes row and seal anew is found by what
he cannot reach: the heads (`pbem.storage.heads`), and what is printed in letters.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from msgspec import Struct

from pbem.storage.databases.connection import Column, Connection, Database

WORTH_NOTHING: Mapping[str, str] = {
    "answer": "how often somebody was answered in the last 24 hours; without it he gets some answers more",
    "heartbeat": "when `pbem run` looked last; without it the office takes itself to be new at its post",
    "hook": "where programs of players are told what comes; without it they are told no more",
    "pace": "how fast a mail house may be written to; without it, as fast as at first",
    "node": "which processes are on duty, and where; without it they are not told from each other by pbem doctor",
    "session": "who has come in by the web; without it he signs in again",
    "sign_in": "links into the web and addresses that were asked for; without one another is asked for",
}
"""The tables of which any row may be changed or lost, and why nothing hangs on it."""

ELSEWHERE: Mapping[str, str] = {
    "event": "each event carries a hash over all its columns and the event before; the heads file tells where it ends",
    "seal": "a seal that is changed or lost is named like the row that it was for",
    "alembic_version": "an office of another version is not opened, and every command says so",
}
"""The tables that are proven otherwise than by seals, and how."""

_BY_THEIR_NAME: Mapping[str, str] = {"blob": "data"}
"""Bytes that are held to their own digest; here it counts only whether they are there."""

DIGEST = "pbem_digest"
"""What the function is called in SQL; every connection to SQLite has it."""


CHANGED, GONE, STRANGE = "changed", "gone", "not written by the office"


class Broken(Struct, frozen=True, order=True):
    """A row that is not what the office wrote."""

    table: str
    key: str
    why: str
    """One of those above."""


def digest(*columns: object) -> bytes:
    """The digest of a row, given for each column its type and its bytes."""
    found = hashlib.sha256()
    for column in columns:
        data = column if isinstance(column, bytes) else b"" if column is None else str(column).encode()
        found.update(struct.pack(">Q", len(data)))
        found.update(data)
    return found.digest()


class Trigger(NamedTuple):
    """What keeps the seals of a table at one sort of change."""

    name: str
    when: str
    """`insert`, `update` or `delete`."""
    table: str
    statement: str


def triggers(connection: Connection) -> Iterator[Trigger]:
    """The triggers that keep the seals of the tables that are there."""
    for table in sealed(connection):
        shape = _shape(connection, table)
        was, now, old, new = shape.key("OLD"), shape.key("NEW"), shape.digest("OLD"), shape.digest("NEW")
        there = f"place = '{table}' AND key = {was} AND digest = {old}"
        statements = {
            "insert": f"INSERT INTO seal (place, key, digest) VALUES ('{table}', {now}, {new})",
            "update": f"UPDATE seal SET key = {now}, digest = {new} WHERE {there}",
            "delete": f"DELETE FROM seal WHERE {there}",
        }
        for when, statement in statements.items():
            yield Trigger(f"{table}_sealed_at_{when}", when, table, statement)


def sealed(connection: Connection) -> list[str]:
    """The tables that are sealed: all that are not proven otherwise or worth nothing; none in an older office."""
    there = connection.database.tables(connection)
    return sorted(there - WORTH_NOTHING.keys() - ELSEWHERE.keys()) if "seal" in there else []


def broken(connection: Connection, campaign: str | None = None) -> list[Broken]:
    """The rows that are not what the office wrote, in order; a seal of no table among them.

    Those of one *campaign*: the rows that bear its name, and of those that are gone the ones whose key begins with it.
    """
    found = []
    run = connection.execute
    known = sealed(connection)
    for table in known:
        shape = _shape(connection, table)
        key, digest = shape.key("this"), shape.digest("this")
        those, prefix = ("", "") if campaign is None else ("AND this.campaign = :campaign", f"{campaign}/")
        if campaign is not None and "campaign" not in [column.name for column in shape.columns]:
            continue
        given = {"campaign": campaign, "prefix": prefix}
        changed = run(
            f"SELECT CAST({key} AS BLOB), seal.digest IS NULL FROM {table} AS this"
            f" LEFT JOIN seal ON seal.place = '{table}' AND seal.key = {key} WHERE seal.digest IS NOT {digest} {those}",
            given,
        )
        found += [Broken(table, _text(name), STRANGE if new else CHANGED) for name, new in changed]
        gone = run(
            f"SELECT CAST(key AS BLOB) FROM seal WHERE place = '{table}'"
            f" AND substr(key, 1, length(:prefix)) = :prefix AND key NOT IN (SELECT {key} FROM {table} AS this)",
            given,
        )
        found += [Broken(table, _text(name), GONE) for (name,) in gone if not prefix or shape.own[0] == "campaign"]
    if known and campaign is None:
        names = ", ".join(f"'{table}'" for table in known)
        lost = run(f"SELECT CAST(place AS BLOB), CAST(key AS BLOB) FROM seal WHERE place NOT IN ({names})")
        found += [Broken(_text(place), _text(name), GONE) for place, name in lost]
    return sorted(found)


def knows(connection: Connection, table: str, key: str) -> bool:
    """Whether the office wrote such a row, and did not delete it."""
    found = connection.execute("SELECT 1 FROM seal WHERE place = ? AND key = ?", (table, key)).fetchone()
    return found is not None


def seal(connection: Connection, *, but: Sequence[Broken] = ()) -> None:
    """Seal every row as it stands now, *but* those: they stay broken."""
    run = connection.execute
    run("CREATE TEMP TABLE unsealed (place TEXT, key TEXT)")
    for one in but:
        run("INSERT INTO unsealed VALUES (?, ?)", (one.table, one.key))
    run("DELETE FROM seal WHERE (place, key) NOT IN (SELECT place, key FROM unsealed)")
    for table in sealed(connection):
        shape = _shape(connection, table)
        key, digest = shape.key("this"), shape.digest("this")
        run(
            f"INSERT INTO seal SELECT '{table}', {key}, {digest} FROM {table} AS this"
            f" WHERE ('{table}', {key}) NOT IN (SELECT place, key FROM unsealed)"
        )
    run("DROP TABLE unsealed")  # as the end of a transaction that fails does, too


@contextmanager
def lifted(connection: Connection) -> Iterator[None]:
    """Let a migration do what it likes to the tables: what was sealed before is sealed as it leaves it.

    The triggers are taken away, and put back by `Database.guard`.
    """
    before = broken(connection)
    version = _version(connection)
    connection.database.lift(connection)
    yield
    if "seal" in connection.database.tables(connection) and _version(connection) != version:
        seal(connection, but=before)


def _version(connection: Connection) -> str:
    if "alembic_version" not in connection.database.tables(connection):
        return ""
    return str(connection.execute("SELECT version_num FROM alembic_version").scalar())


class _Shape(NamedTuple):
    """A table, its columns, and those by which one of its rows is told from all others."""

    database: Database
    table: str
    columns: list[Column]

    @property
    def own(self) -> list[str]:
        """The columns of its key, in their order there."""
        return [one.name for one in sorted(self.columns, key=lambda one: one.own) if one.own]

    def key(self, row: str) -> str:
        """SQL for what tells *row* from all others."""
        return " || '/' || ".join(f"CAST({row}.{column} AS TEXT)" for column in self.own)

    def digest(self, row: str) -> str:
        """SQL for the digest of *row*."""
        return self.database.digest(row, self.columns, _BY_THEIR_NAME.get(self.table))


def _shape(connection: Connection, table: str) -> _Shape:
    return _Shape(connection.database, table, connection.database.columns(connection, table))


def _text(stored: bytes | None) -> str:
    return (stored or b"").decode("utf-8", "replace")
