"""An office is copied into another, row by row, from either sort of database into either.

    with reading(one) as source, transaction(other, whole=True) as target:
        copy(source, target)
        compare(source, target)

Rows go as they stand, and their seals with them, while no trigger looks on: a row that was broken is broken there too,
and not sealed anew.  They are read and written a few at a time, however many there are.  Who comes to compare asks each
database for the digests of its rows, in the order of the digests: that is the same in both, whatever order their texts
are in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import zip_longest

from pbem.kernel.errors import BrokenLog, StorageError
from pbem.kernel.names import CampaignId
from pbem.storage import blobs, seals
from pbem.storage.codec import Codec
from pbem.storage.databases.connection import NUMBERED, Connection, Row
from pbem.storage.log import SqlLog

Tell = Callable[[str, int, int], object]
"""Hears of which table how many rows are done, and of how many."""

_VERSION = "alembic_version"
_ROWS = 1_000
"""So many rows are written at once,"""
_BYTES = 4 << 20
"""unless they are larger together than that."""
_SAID = 5_000
"""So many rows are compared before it is told."""


def silent(table: str, done: int, total: int) -> None:
    """Tells nobody."""


def copy(source: Connection, target: Connection, tell: Tell = silent) -> None:
    """Make of *target*, in its transaction, what *source* is, whatever was in it; both are of the same version.

    :raises StorageError: if a row cannot be kept there, or *source* has tables that no office has.
    """
    tables = _tables(source)
    for one in (source, target):
        one.database.unhurried(one)
    target.database.bare(target)
    for table in reversed(tables):
        target.execute(f"DELETE FROM {table}")
    for table in tables:
        with _its_rows(table, source, target):
            _copy_table(table, source, target, tell)
    target.database.settled(target)
    target.database.guard(target)


def compare(source: Connection, target: Connection, tell: Tell = silent) -> None:
    """See that *target* holds what *source* does: each row, each log to its end, all bytes under their digests.

    :raises StorageError: naming the first difference.
    """
    # Those of the seals last: a row says more than its seal.
    for table in sorted(_tables(source), key=lambda table: table == "seal"):
        with _its_rows(table, source, target):
            _compare_table(table, source, target, tell)
    campaigns = [SqlLog(one, Codec()).campaigns() for one in (source, target)]
    if campaigns[0] != campaigns[1]:
        raise StorageError("the copy has not the same campaigns.")
    for done, campaign in enumerate(campaigns[0], 1):
        if _log(source, campaign) != _log(target, campaign):
            raise StorageError(f"the log of {campaign} is not in the copy what it is: pbem verify {campaign}")
        tell("logs", done, len(campaigns[0]))
    if blobs.wrong(source) != blobs.wrong(target):
        raise StorageError("bytes are not in the copy what they are under their digests: pbem verify names them.")


def without_nul(connection: Connection) -> int:
    """Take the one sign out of all texts that PostgreSQL keeps in none; gives in how many it was.

    It is replaced as it is in what is written there, by U+FFFD.  The seals go along; the log has none of it, for its
    JSON writes it otherwise.
    """
    found = 0
    for table in _tables(connection):
        if table in seals.ELSEWHERE:
            continue
        columns = connection.database.columns(connection, table)
        own = [column.name for column in columns if column.own]
        same = " AND ".join(f"{name} = ?" for name in own)
        for column in columns:
            if column.holds != "text":
                continue
            name = column.name
            rows = connection.execute(
                f"SELECT {name}, {', '.join(own)} FROM {table}"
                f" WHERE typeof({name}) = 'text' AND instr(CAST({name} AS BLOB), x'00')"
            ).fetchall()
            for text, *key in rows:
                clean = text.replace("\0", "\N{REPLACEMENT CHARACTER}")
                connection.execute(f"UPDATE {table} SET {name} = ? WHERE {same}", (clean, *key))
            found += len(rows)
    return found


def _tables(connection: Connection) -> list[str]:
    """All tables of an office but that of its version, each after those that it refers to."""
    # Loaded here, for it takes longer to load than all else that most commands need.
    from pbem.storage import tables

    known = tables.in_order()
    if strange := connection.database.tables(connection) - {*known, _VERSION}:
        raise StorageError(f"there are tables that no office has, and that cannot be copied: {', '.join(strange)}.")
    return known


def _copy_table(table: str, source: Connection, target: Connection, tell: Tell) -> None:
    columns = [column.name for column in source.database.columns(source, table)]
    total, done = int(source.execute(f"SELECT count(*) FROM {table}").scalar()), 0
    tell(table, done, total)
    statement = f"SELECT {', '.join(columns)} FROM {table} ORDER BY {_order(source, table)}"
    with source.streamed(statement) as found:
        for rows in _handfuls(found):
            target.fill(table, columns, rows)
            done += len(rows)
            tell(table, done, total)


def _handfuls(rows: Iterator[Row]) -> Iterator[Sequence[Row]]:
    """A few rows at a time."""
    found: list[Row] = []
    size = 0
    for row in rows:
        found.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if len(found) == _ROWS or size > _BYTES:
            yield found
            found, size = [], 0
    if found:
        yield found


def _order(connection: Connection, table: str) -> str:
    """In what order rows are copied: that in which they came where somebody asks for it."""
    return "rowid" if table in NUMBERED else ", ".join(_own(connection, table))


def _own(connection: Connection, table: str) -> list[str]:
    return [column.name for column in connection.database.columns(connection, table) if column.own]


def _compare_table(table: str, source: Connection, target: Connection, tell: Tell) -> None:
    total = int(source.execute(f"SELECT count(*) FROM {table}").scalar())
    with _digests(source, table) as ours, _digests(target, table) as theirs:
        for done, (here, there) in enumerate(zip_longest(ours, theirs, fillvalue=(b"\xff" * 33, "")), 1):
            if here != there:
                key = here[1] if here[0] < there[0] else there[1]
                raise StorageError(
                    f"{table} {key} is not in the copy what it is: pbem verify says what is wrong with it."
                )
            if done % _SAID == 0 or done == total:
                tell(f"{table} compared", done, total)


def _digests(connection: Connection, table: str) -> AbstractContextManager[Iterator[Row]]:
    """The digest of each row, and what tells it from all others, in the order of the digests."""
    shape = connection.database.columns(connection, table)
    key = " || '/' || ".join(f"CAST(this.{name} AS TEXT)" for name in _own(connection, table))
    digest = connection.database.digest("this", shape, None)
    return connection.streamed(f"SELECT {digest} AS digest, {key} FROM {table} AS this ORDER BY digest")


def _log(connection: Connection, campaign: CampaignId) -> tuple[object, str]:
    """Where a log ends, and what is found of its hashes."""
    log = SqlLog(connection, Codec())
    try:
        return log.head(campaign), f"{log.check_chain(campaign)}"
    except BrokenLog as broken:
        return log.head(campaign), f"{broken}"


@contextmanager
def _its_rows(table: str, *connections: Connection) -> Iterator[None]:
    """Say of which table a row is that a database does not take or give."""
    try:
        yield
    except tuple(one.database.failures for one in connections) as error:
        if not any(one.database.refuses(error) for one in connections):
            raise
        said = next(iter(str(error).splitlines()), "")
        raise StorageError(f"a row of {table} cannot be copied as it stands: pbem verify names it ({said}).") from error
