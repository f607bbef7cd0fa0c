"""Pages are made and kept with the entry that they belong to, and the GM is told of what could not be told on them."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.desk.office.office import Office
from pbem.desk.pages import pages
from pbem.desk.pages.pages import Pages
from pbem.desk.post.entries import Entry
from pbem.desk.post.post import to_gm
from pbem.desk.worlds.telling import Untold
from pbem.desk.worlds.worlds import AnyWorld
from pbem.kernel.names import Moment, Role
from pbem.storage.database import Connection

MOST = 20
"""Of what could not be told, so much is named in a letter."""


def stage(
    office: Office,
    connection: Connection,
    entry: Entry,
    moment: Moment,
    world: AnyWorld,
    roles: Sequence[Role] | None = None,
) -> tuple[Pages, dict[Role, str]]:
    """Make and keep the pages of *moment* for *roles* (None: all), in *world* at its end; gives their digests too.

    :raises Refused: if the rules cannot make a page at all.
    """
    made = pages.views(office, connection, entry.dossier, moment, world, roles)
    called = tuple(one for one in made.untold if one.role in made.views)
    if called:
        cause = f"untold/{moment}/{entry.dossier.seq}"
        owed = to_gm(
            entry.dossier.id, f"{moment}: a page is not whole", _letter(entry, called), cause=cause, at=entry.at
        )
        entry.owe([owed])
    return made, {role: entry.keep(pages.written(view)) for role, view in made.views.items()}


def _letter(entry: Entry, untold: Sequence[Untold]) -> str:
    system = entry.dossier.system
    listed = "\n".join(f"  {one}" for one in untold[:MOST])
    more = f"\n  and {len(untold) - MOST} more" if len(untold) > MOST else ""
    return (
        f"The rules {system.name} {system.version} have no words for something that came to pass.  It is resolved and "
        f"stands in the log; the page says that a part is missing, and no more than that.\n\n{listed}{more}\n\n"
        f"  pbem history show {entry.dossier.id} {untold[0].seq}\n"
        "What the player must know you can write on his page before it leaves:\n"
        f'  pbem turn note {entry.dossier.id} {untold[0].role} "TEXT"\n'
    )
