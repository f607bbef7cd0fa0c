"""What the office does, each thing for itself: it looks at the books, and does what is due there.

Whoever is on duty does one after the other (`duty`), or it is done by several processes, on one machine or more, that
are woken when there is something to do (`worker`).  Each can be done as often as one likes, and by several at a time:
what is done already is not done again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from pbem.desk.house import clock
from pbem.desk.house.saying import Said
from pbem.desk.intake import held
from pbem.desk.intake.fates import Received
from pbem.desk.office.office import SECOND, Office
from pbem.desk.players import joining
from pbem.desk.post import delivery, hooks_due, writing
from pbem.desk.ways import arrivals, doors
from pbem.kernel.errors import PbemError, Refused
from pbem.kernel.names import CampaignId
from pbem.reports.text.times import in_zone
from pbem.storage import outbox, owed
from pbem.storage.claims import READER, claimed

Say = Callable[[str], None]
"""Hears, from whatever thread, each thing that was done or went wrong; must not raise."""

Work = Callable[[Office, str, threading.Event, Say], None]
"""Does what is due of something (a campaign; empty: of the office), until the event is set."""

TURNS = 0.0005
"""Seconds after which one thread of an office on duty lets another go on: one that keeps letters holds the database."""

_AT_ONCE = 5 * SECOND
"""Who owes a letter writes it himself, as soon as that is committed; after this he is taken to be dead."""


def read(
    office: Office, stop: threading.Event, say: Say, wrong: Say | None = None, seen: set[int] | None = None
) -> bool:
    """Read and answer every letter that was kept, but those *seen* (`arrivals.sweep`); says whether there was one."""
    some = False
    try:
        for received in arrivals.sweep(office, seen):
            some = True
            say(_line(received))
            if stop.is_set():
                break
    except Exception as error:
        # It is kept, and read at the next look.
        (wrong or say)(Said(f"letters could not be read: {words(error)}", level="error"))
    return some


def see_no_copy(office: Office) -> None:
    """See that it is an office that keeps a clock.

    :raises Refused: if it is a copy that was cut from a backup.
    """
    if office.cut:
        raise Refused(
            f"this office is a copy, cut at {in_zone(office.cut, office.settings.zone)}: "
            "it opens no door, sends nothing and keeps no clock.  Turns are run in it by hand: pbem turn run"
        )


def fetch(office: Office, stop: threading.Event, say: Say) -> None:
    """Read what lies where letters are fetched, and what was kept.

    :raises PbemError: if a mailbox cannot be reached.
    """
    for looked in doors.fetch(office):
        for why in looked.left:
            say(why)
    read(office, stop, say)


def send(office: Office, stop: threading.Event, say: Say) -> None:
    """Send all mail that is due.

    :raises PbemError: if the mail server cannot be reached.
    """
    sent = delivery.send_due(office, stop=stop.is_set)
    for mail in sent.sent:
        say(Said(f"sent: {mail.subject}", campaign=mail.campaign))
    for mail in sent.later:
        say(Said(f"to be sent again: {mail.subject}: {mail.answer}", campaign=mail.campaign))
    for mail in sent.failed:
        say(Said(f"cannot be sent: {mail.subject}: {mail.answer}", campaign=mail.campaign, level="error"))


def tell(office: Office, stop: threading.Event, say: Say) -> None:
    """Tell programs of players what is due.

    :raises PbemError: if the certificates cannot be read by which they are known.
    """
    told = hooks_due.tell_due(office, stop=stop.is_set)
    for one in (*told.later, *told.failed):
        say(f"a program could not be told: {one.subject}: {one.answer}")


def is_due(office: Office) -> bool:
    """Whether there is mail that is to leave now."""
    with office.read() as connection:
        due = outbox.next_due(connection, limits=office.settings.smtp.limits, gm=office.gm)
    return due is not None and due <= office.now()


def sends(office: Office) -> bool:
    """Whether mail can leave at all."""
    return office.mails and bool(office.settings.smtp.host)


def ask_again(office: Office) -> Iterator[clock.Did]:
    """Ask again who has not said whether he wrote what waits."""
    for name in held.ask_again(office):
        yield clock.Did(name, "a player was asked whether he wrote what waits")


def close_sign_ups(office: Office, *, before_late: Callable[[], None] = lambda: None) -> Iterator[clock.Did]:
    """Draw the lots of sign-ups that are to close, and begin the games that begin by themselves; one holds up none.

    *before_late* is called before a lot is drawn at its hour: it fetches the letters that lie somewhere else.
    """
    try:
        with office.read() as connection:
            found = joining.open_ones(office, connection)
    except PbemError as error:
        yield clock.Did("", f"no sign-up could be looked at: {error}", failed=True)
        return
    for dossier in found:
        done = joining.attend(office, dossier, before_late)
        doing = (clock.Did(dossier.id, what) for what in done)
        yield from clock.carefully(office, dossier.id, doing, dossier)


def said(did: clock.Did) -> str:
    """What the clock has done, in a line."""
    text = ": ".join(filter(None, (did.campaign, did.what)))
    return Said(text, campaign=did.campaign, level="error" if did.failed else "")


def words(error: Exception) -> str:
    """What went wrong, in a line."""
    return str(error) if isinstance(error, PbemError) else f"{type(error).__name__}: {error}"


def _line(one: Received) -> str:
    where = " ".join(filter(None, (one.campaign, one.role, str(one.moment or ""))))
    text = f"letter {one.letter}: {one.state}{f', {where}' if where else ''}: {one.reason or 'as before'}"
    return Said(text, campaign=one.campaign or "")


# ------------------------------------------------------------------------------------------------- by who is woken


def _letters(office: Office, of: str, stop: threading.Event, say: Say) -> None:
    with writing.maps_later(office):
        _read_alone(office, stop, say)
    for did in chain(ask_again(office), close_sign_ups(office, before_late=lambda: fetch(office, stop, say))):
        say(said(did))


def _read_alone(office: Office, stop: threading.Event, say: Say) -> None:
    """Read all letters that wait, unless another does: two would do each other's work again, game by game.

    Who reads looks once more after he has let go, for whoever was woken meanwhile left it to him.
    """
    seen: set[int] = set()
    some = True
    while some and not stop.is_set():
        with claimed(office.engine, READER, 0) as ours:
            if not ours:
                return
            some = read(office, stop, say, seen=seen)
        some = some and bool(arrivals.unseen(office, seen))


def _pages(office: Office, of: str, stop: threading.Event, say: Say) -> None:
    count = writing.write_owed(office, CampaignId(of))
    if count:
        say(f"{of or 'the office'}: {count} letters were written")


def _turn(office: Office, of: str, stop: threading.Event, say: Say) -> None:
    with writing.maps_later(office):
        for did in clock.attend_to(office, CampaignId(of), before_late=lambda: fetch(office, stop, say)):
            say(said(did))
            if stop.is_set():
                return


def _post(office: Office, of: str, stop: threading.Event, say: Say) -> None:
    if sends(office) and is_due(office):
        send(office, stop, say)


def _hooks(office: Office, of: str, stop: threading.Event, say: Say) -> None:
    if office.mails:
        tell(office, stop, say)


def _tick(office: Office, of: str, stop: threading.Event, say: Say) -> None:
    """Wake who has something to do: all that is due by now, and all that nobody was woken for."""
    arrivals.take_in_lying(office)
    delivery.let_go_of_the_dead(office)
    names, dids = clock.look(office)
    for did in chain(dids, close_sign_ups(office, before_late=lambda: fetch(office, stop, say))):
        say(said(did))
    now = office.now()
    with office.write() as connection:
        for name in names:
            connection.wake("turn", name)
        for campaign in owed.campaigns(connection, before=now - _AT_ONCE):
            connection.wake("pages", campaign)
        connection.wake("letters")
        for task, due in (
            ("post", outbox.next_due(connection, limits=office.settings.smtp.limits, gm=office.gm)),
            ("hooks", outbox.next_hook(connection)),
        ):
            if due is not None and due <= now:
                connection.wake(task)


WORK: Mapping[str, Work] = {
    "letters": _letters,
    "pages": _pages,
    "turn": _turn,
    "post": _post,
    "hooks": _hooks,
    "tick": _tick,
}
"""By the task of a wake-up (`pbem.storage.wakes`), what is done."""
