"""A game in one file, to be sent to whoever was not there: what may be in it, and the file."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier, log_of
from pbem.desk.office.office import Office
from pbem.desk.reels.kept import reel_of
from pbem.desk.reels.laid_beside import laid_beside
from pbem.desk.reels.reel import eyes_of
from pbem.kernel.errors import Refused
from pbem.reports.pages.environment import environment
from pbem.reports.replay.page import published_html
from pbem.reports.replay.record import Record, record
from pbem.resources import resources
from pbem.rules.reel import TRUTH, Reel
from pbem.storage.database import Connection


class Published(Struct, frozen=True):
    """What a file holds."""

    html: bytes
    eyes: tuple[str, ...]
    moments: int
    dice: int
    alone: bool
    """It is for the GM alone."""


def publish(office: Office, campaign: str, names: Sequence[str], *, everything: bool, alone: bool) -> Published:
    """The game as *names* see it, or with *everything* as all do.

    Of a game that runs that is one role, unless it is for the GM *alone*.

    :raises Refused: if there is no such campaign or role, it has not started, or it may not be shown so yet.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        eyes = chosen(dossier, names, everything=everything, alone=alone)
    seen = reel_of(office, campaign, eyes)
    with office.read() as connection:
        made = drawn(office, connection, dossier, seen)
    html = published_html(made, environment(resources("templates"), office.templates)).encode()
    dice = sum(len(one.faces) for one in made.throws)
    return Published(html, eyes, len(made.beats), dice, made.beside.alone)


def chosen(dossier: Dossier, names: Sequence[str], *, everything: bool, alone: bool) -> tuple[str, ...]:
    """The eyes that are asked for; of a game that is over all, if none are.

    :raises Refused: if it has not started, there is no such role, or a game that runs would be shown so.
    """
    if not dossier.campaign.started:
        raise Refused(f"{dossier.id} has not started: there is nothing to show yet.")
    if dossier.campaign.copied and not alone:
        raise Refused(
            f"{dossier.id} is a copy of a game: nothing of it is shown to anybody, whether it is over or not.  "
            "For your own eyes: --gm"
        )
    over = dossier.campaign.ended is not None
    whole = everything or (not names and (over or alone))
    if not whole and not names:
        raise Refused(
            f"{dossier.id} is not over: its truth is the umpire's alone.  What one role knows: --as ROLE; "
            "all of it, for your own eyes: --gm"
        )
    eyes = (TRUTH, *dossier.roles) if whole else eyes_of(dossier, names)
    if not (over or alone) and (len(eyes) > 1 or TRUTH in eyes):
        raise Refused(
            f"{dossier.id} is not over: a file that others see may show one role, and not the truth.  "
            "For your own eyes: --gm"
        )
    return eyes


def drawn(office: Office, connection: Connection, dossier: Dossier, seen: Reel, *, by_leave: bool = True) -> Record:
    """The game as it is *seen*, with all that belongs to it, and, *by_leave* of its players, what is theirs."""
    head = log_of(office, connection, dossier.system).hash_at(dossier.id, dossier.seq) or ""
    over = dossier.campaign.ended is not None and not dossier.campaign.copied
    alone = not over and (TRUTH in seen.eyes or len(seen.eyes) > 1)
    beside, pairs = laid_beside(connection, dossier, seen.eyes, head=head, alone=alone)
    if not by_leave:
        beside = replace(beside, letters=(), diary=(), unlettered=False, people={})
    return record(seen, beside, pairs)
