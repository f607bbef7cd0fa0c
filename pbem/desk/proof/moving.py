"""The office is moved to another database: copied, compared, and only then kept there.

While it is copied nobody writes: letters wait with the mail server.  The database that is left stays as it was, but for
a mark that it was left, and for where: nobody opens it any more, and who has it open is told so when he would write.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.office import switching
from pbem.desk.office.office import Office, database_url
from pbem.kernel.errors import Refused, StorageError
from pbem.resources import resources
from pbem.storage import heads, marks
from pbem.storage.codec import Codec
from pbem.storage.copies import placing
from pbem.storage.copies.copying import Tell, silent
from pbem.storage.copies.published import put
from pbem.storage.database import Connection
from pbem.storage.databases.choice import chosen, shown
from pbem.storage.log import SqlLog


class Move(Struct, frozen=True, kw_only=True):
    """A move that was made."""

    left: str
    """The database that was left, in words."""
    url: str
    """Where the office is kept now, as it may be shown."""
    before: Path
    """The settings as they were."""
    replaced: int
    """In how many texts a sign was replaced that none may hold there."""


def move(office: Office, url: str, *, over: bool = False, tell: Tell = silent) -> Move:
    """Move the office to *url*; *over*: also where it lies as it was before it was moved from there, or half moved.

    :raises Refused: if its settings cannot say so, or it is kept there already.
    :raises StorageError: if there is another office, or it cannot be copied to the last byte.
    """
    folder = office.folder
    there = database_url(folder, replace(office.settings, database=url))
    if there == database_url(folder, office.settings):
        raise Refused(f"the office is kept in {shown(url)} already.")
    switching.see_written(folder, url)
    beside = heads.path_of(chosen(there).place(there, folder))
    with office.write(whole=True) as connection:

        def may(found: Connection) -> bool:
            return placing.is_unused(found) or _see_same(connection, found, shown(url), over=over)

        replaced = placing.make(connection, there, folder, resources("migrations"), may=may, tell=tell)
        ours = heads.path_of(office.engine.path)
        if beside.absolute() != ours.absolute() and ours.exists():
            put(beside, ours.read_bytes())
        switching.lay_ready(folder, url)
        marks.put(connection, marks.MOVED, shown(url))
    switching.switch(folder)
    return Move(left=office.engine.at, url=shown(url), before=folder / switching.BEFORE, replaced=replaced)


def _see_same(ours: Connection, found: Connection, where: str, *, over: bool) -> bool:
    """See that the office that was *found* is ours, as it is or was before, and is to be replaced.

    :raises StorageError: if it is not.
    """
    here, there = SqlLog(ours, Codec()), SqlLog(found, Codec())
    ends = [(campaign, there.head(campaign)) for campaign in there.campaigns()]
    key = marks.get(ours, marks.KEY)
    if marks.get(found, marks.KEY) != key or any(here.hash_at(name, end.seq) != end.hash for name, end in ends):
        raise StorageError(f"there is another office in {where}, and nothing is written over it.")
    if not over:
        raise StorageError(
            f"this office lies in {where} already, as it was before it was moved from there, or half moved: "
            "pbem db move --over replaces it."
        )
    return True
