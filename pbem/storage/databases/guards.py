"""What guards the log in PostgreSQL, and keeps the seals: triggers, and the functions that they call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbem.storage import seals
from pbem.storage.databases.connection import NUMBERED, Column, Connection

JOBS = "procrastinate_"
"""How the tables of those who are woken begin: they are another's, and nothing hangs on them."""

PART = "pbem_part"
"""The function that gives what a column adds to the digest of its row."""
_PART = """
SELECT CASE WHEN data IS NULL THEN int8send(4) || convert_to('null', 'UTF8') || int8send(0)
  ELSE int8send(length(kind)) || convert_to(kind, 'UTF8') || int8send(length(data)) || data END
"""

# STABLE, as convert_to is: of what is declared to be more the planner puts no body in the place of its call, and a row
# of twenty columns is sealed in two milliseconds instead of a fifth of one.
MAKE_PART = (
    f"CREATE OR REPLACE FUNCTION {PART}(kind text, data bytea) RETURNS bytea"
    f" LANGUAGE sql STABLE PARALLEL SAFE AS $body${_PART}$body$"
)


def digest(row: str, shape: Sequence[Column], bare: str | None) -> str:
    """SQL for the digest of *row*; of the column *bare* it counts only whether something is there."""
    parts = []
    for column in shape:
        name = f"{row}.{column.name}"
        if column.name == bare:
            bit = f"convert_to(CASE WHEN {name} IS NULL THEN '1' ELSE '0' END, 'UTF8')"
            parts.append(f"int8send(1) || {bit}")
        else:
            data = name if column.holds == "blob" else f"convert_to(CAST({name} AS text), 'UTF8')"
            parts.append(f"{PART}('{column.holds}', {data})")
    return f"sha256({' || '.join(parts)})"


class _Trigger(NamedTuple):
    """A trigger, and the body of the function that it calls."""

    table: str
    when: str
    kind: int
    """How the server's catalogue says when: rows 1, before 2, insert 4, delete 8, update 16, truncate 32."""
    body: str


def _refused(why: str) -> str:
    return f"BEGIN RAISE EXCEPTION '{why}' USING ERRCODE = 'integrity_constraint_violation'; END"


_FOLLOWS = """\
BEGIN
  IF EXISTS (
    SELECT 1 FROM new_events AS come WHERE NOT (
      CASE WHEN come.seq = 1 THEN come.prev_hash = '' ELSE EXISTS (
        SELECT 1 FROM event AS last
        WHERE last.campaign = come.campaign AND last.seq = come.seq - 1 AND last.hash = come.prev_hash) END)
  ) THEN
    RAISE EXCEPTION 'an event must follow the last one of its campaign'
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END"""

TRIGGERS: Mapping[str, _Trigger] = {
    "event_follows": _Trigger(
        "event", "AFTER INSERT ON event REFERENCING NEW TABLE AS new_events FOR EACH STATEMENT", 4, _FOLLOWS
    ),
    "event_is_not_changed": _Trigger(
        "event", "BEFORE UPDATE ON event FOR EACH ROW", 19, _refused("an event is never changed")
    ),
    "event_is_not_deleted": _Trigger(
        "event", "BEFORE DELETE ON event FOR EACH ROW", 11, _refused("an event is never deleted")
    ),
    "event_is_not_emptied": _Trigger(
        "event", "BEFORE TRUNCATE ON event FOR EACH STATEMENT", 34, _refused("an event is never deleted")
    ),
}
"""The guards of the log.  The key of the table does the rest: no two events have one number."""

_SEALING = {"insert": 5, "update": 17, "delete": 9}


def _sealing(connection: Connection) -> dict[str, _Trigger]:
    return {
        name: _Trigger(
            table,
            f"AFTER {when.upper()} ON {table} FOR EACH ROW",
            _SEALING[when],
            f"BEGIN {statement}; RETURN NULL; END",
        )
        for name, when, table, statement in seals.triggers(connection)
    }


def _all(connection: Connection) -> dict[str, _Trigger]:
    return {**TRIGGERS, **_sealing(connection)}


def triggers(connection: Connection) -> dict[str, str]:
    """The triggers that an office of this shape must have, by name: those of the log, and those of the seals."""
    return {name: one.body for name, one in _all(connection).items()}


def guard(connection: Connection) -> None:
    """Put all triggers back, whatever a migration did to their tables; number the rows that SQLite numbers itself."""
    run = connection.driver.execute
    there = connection.database.tables(connection)
    if "event" not in there:
        return
    for table in there.intersection(NUMBERED):
        run(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS rowid bigint GENERATED ALWAYS AS IDENTITY")
    run(MAKE_PART)
    for name, one in _all(connection).items():
        # A table that grew fast has no statistics yet, and would be read from end to end for each event.
        run(
            f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off"
            f" AS $body${one.body}$body$"
        )
        run(f"DROP TRIGGER IF EXISTS {name} ON {one.table}")
        run(f"CREATE TRIGGER {name} {one.when} EXECUTE FUNCTION {name}()")


_THERE = """\
SELECT t.tgname, p.prosrc, t.tgtype, t.tgrelid::regclass::text
FROM pg_trigger AS t JOIN pg_proc AS p ON p.oid = t.tgfoid
WHERE NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')"""


def unguarded(connection: Connection) -> list[str]:
    """The triggers that are missing, or are not what they should be."""
    found = {name: (table, kind, body) for name, body, kind, table in connection.execute(_THERE)}
    missing = [name for name, one in _all(connection).items() if found.get(name) != (one.table, one.kind, one.body)]
    part = connection.execute("SELECT prosrc FROM pg_proc WHERE oid = to_regproc(?)", (PART,)).scalar()
    return missing if part == _PART else [PART, *missing]


def lift(connection: Connection) -> None:
    """Take the triggers of the seals away."""
    for name, one in _sealing(connection).items():
        connection.driver.execute(f"DROP TRIGGER IF EXISTS {name} ON {one.table}")


def bare(connection: Connection) -> None:
    """Take all triggers away, until they are put back."""
    for name, one in _all(connection).items():
        connection.driver.execute(f"DROP TRIGGER IF EXISTS {name} ON {one.table}")


_SEQUENCES = """\
SELECT table_name, column_name, pg_get_serial_sequence(quote_ident(table_name), column_name)
FROM information_schema.columns
WHERE table_schema = current_schema() AND column_default LIKE 'nextval(%' AND NOT starts_with(table_name, ?)"""


def settled(connection: Connection) -> None:
    """Have the rows to come numbered after those that were copied with their numbers; look over what has come."""
    for table, column, sequence in connection.execute(_SEQUENCES, (JOBS,)).fetchall():
        last = f"SELECT max({column}) FROM {table}"
        connection.execute(f"SELECT setval(?, greatest(({last}), 1), ({last}) IS NOT NULL)", (sequence,))
    connection.driver.execute("ANALYZE")


def letting_delete(connection: Connection) -> None:
    """Take away what keeps events from being deleted, until the triggers are put back."""
    connection.driver.execute("DROP TRIGGER event_is_not_deleted ON event")
