"""All that the office keeps beside its logs is held to what it wrote.

file        the database is whole, and no row refers to one that is not there
triggers    what guards the log and keeps the seals is in place
types       every column holds what it should: text, a number, bytes
rows        every row is as the office wrote it (`pbem.storage.seals`)
bytes       letters, mails, pages and views have the digests under which they are kept
heads       the file beside the database is there, and every campaign that it knows has a log
letters     every letter is accounted for
key         the key is the one that made the addresses that the players have
"""

from __future__ import annotations

from collections.abc import Callable

from pbem.desk.books import accounts
from pbem.desk.office.office import Office
from pbem.desk.proof.proof import Row, plural
from pbem.desk.proof.proof_of_post import told
from pbem.desk.proof.resolving import Difference
from pbem.desk.proof.safekeeping import differs
from pbem.storage import blobs, heads, marks, seals
from pbem.storage.database import Connection
from pbem.storage.databases.choice import shown

OfficeCheck = Callable[[Office, Connection], Row]


def file(office: Office, connection: Connection) -> Row:
    """Whether the database is whole."""
    wrong = connection.database.faults(connection)
    return Row(name="file", what=shown(office.settings.database), found=tuple(Difference(why=why) for why in wrong))


def triggers(office: Office, connection: Connection) -> Row:
    """Whether the triggers are in place."""
    missing = connection.database.unguarded(connection)
    mend = "is missing or changed: pbem db upgrade puts it back"
    found = [Difference(why=f"the trigger {name} {mend}") for name in missing]
    count = len(connection.database.triggers(connection))
    return Row(name="triggers", what=plural(count, "trigger"), found=tuple(found))


def types(office: Office, connection: Connection) -> Row:
    """Whether every column holds what it should."""
    found, count = [], 0
    for table in sorted(connection.database.tables(connection)):
        for column in connection.database.columns(connection, table):
            count += 1
            number, there = connection.database.strangers(connection, table, column)
            if number:
                why = f"{plural(number, 'row')} of {table} with {there} where {column.name} should be {column.holds}"
                found.append(Difference(why=why))
    return Row(name="types", what=plural(count, "column"), found=tuple(found))


def rows(office: Office, connection: Connection) -> Row:
    """Whether every row is as the office wrote it."""
    count = connection.execute("SELECT count(*) FROM seal").scalar()
    return Row(name="rows", what=plural(count, "seal"), found=tuple(map(told, seals.broken(connection))))


def kept_bytes(office: Office, connection: Connection) -> Row:
    """Whether all bytes have the digests under which they are kept."""
    count, wrong = blobs.wrong(connection)
    found = [Difference(why=f"what is kept under the digest {digest} is not that") for digest in wrong]
    return Row(name="bytes", what=f"{plural(count, 'letter')}, mails and pages", found=tuple(found))


def heads_there(office: Office, connection: Connection) -> Row:
    """Whether the file of the heads is there, and all campaigns that it knows."""
    path = heads.path_of(office.engine.path)
    read = heads.read(path)
    if read is None:
        why = f"{path} is gone: it told where each log ends.  pbem db upgrade begins it anew"
        return Row(name="heads", found=(Difference(why=why),))
    there = set(connection.execute("SELECT DISTINCT campaign FROM event").scalars())
    found = [Difference(why=f"{name} is gone, with all its events") for name in read.heads if name not in there]
    what = [plural(sum(map(len, read.heads.values())), "head"), *read.begun[-1:]]
    what += [f"{plural(read.unread, 'line')} in pieces"] * bool(read.unread)
    return Row(name="heads", what="; ".join(what), found=tuple(found))


def letters(office: Office, connection: Connection) -> Row:
    """Whether every letter is accounted for."""
    counted, faults = accounts.letters_alone(connection)
    return Row(name="letters", what=plural(counted, "letter"), found=tuple(Difference(why=why) for why in faults))


def key(office: Office, connection: Connection) -> Row:
    """Whether the key is the one that the players' addresses were made with."""
    known = marks.get(connection, marks.KEY)
    if known is None:
        return Row(name="key", found=(Difference(why="nothing says which key the office has: pbem db accept-key"),))
    fault = differs(office.folder, office.settings, known)
    return Row(name="key", what=known, found=(Difference(why=fault),) if fault else ())


CHECKS: dict[str, OfficeCheck] = {
    "file": file,
    "triggers": triggers,
    "types": types,
    "rows": rows,
    "bytes": kept_bytes,
    "heads": heads_there,
    "letters": letters,
    "key": key,
}
"""What is checked of an office, in this order."""
