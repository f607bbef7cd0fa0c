"""The office on duty: it takes letters in, answers them, looks at its clock, and sends what it owes.

    doors  →  letters are kept                          a thread for each way in
    maps   →  are drawn                                 processes, so that letters are answered meanwhile
    duty   →  they are read and answered; the clock     whoever calls `attend`
    post   →  what is owed leaves                       a thread, so that a slow mail server holds up nothing
    hooks  →  programs of players are told              a thread, for the same reason

Whatever fails is said and tried again; whoever dies leaves everything as it was at its last commit, and the next one
goes on from there.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import NamedTuple

from pbem.desk.intake import arrivals, doors, held
from pbem.desk.intake.doors import Doors
from pbem.desk.intake.fates import Received
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import drawer_of
from pbem.desk.post import delivery, hooks_due, writing
from pbem.desk.turns import clock
from pbem.kernel.errors import Moved, PbemError, Refused
from pbem.reports.text.times import in_zone
from pbem.storage import outbox

Say = Callable[[str], None]
"""Hears, from whatever thread, each thing that was done or went wrong; must not raise."""


class Leaving(NamedTuple):
    """What leaves the office, and by what."""

    due: Callable[[Office], bool]
    send: Callable[[Office, threading.Event, Say], None]
    said: str
    """How it is called that it leaves."""
    every: float
    """Seconds between two looks."""


_TURNS = 0.0005  # seconds after which one thread lets another go on: one that keeps letters holds the database
_SLICE = 0.5  # seconds after which it is seen whether to stop
_BETWEEN = 0.02  # the same while maps are drawn
_LEAVE = 10.0  # seconds for the mail that is leaving when we are to stop
_PATIENCE = 60.0  # seconds before the next attempt to send, after one that could not even begin


def attend(office: Office, stop: threading.Event, say: Say) -> None:
    """Be on duty until *stop* is set, which a handler of a signal may do.

    :raises BadDoor: if a way in that the settings name cannot be opened.
    :raises Refused: if the settings of the mailbox cannot be used, or it is a copy that was cut from a backup.
    :raises StorageError: if the database cannot be used.
    """
    _see_no_copy(office)
    sys.setswitchinterval(_TURNS)
    with ExitStack() as about:
        opened = about.enter_context(doors.open_doors(office, told=say))
        post = about.enter_context(_post(office, stop, say))
        about.enter_context(_in_a_thread("hooks", office, _HOOKS, stop, say))
        drawer = about.enter_context(drawer_of(office))
        about.enter_context(writing.maps_later(office))
        say(f"on duty: {_ways(opened) or 'no way in is set'}; the clock every {office.settings.clock.tick} seconds")
        ticks = slices = office.settings.clock.tick / _SLICE
        came, stuck = True, set[str]()
        while not stop.is_set():
            opened.came.clear()
            if (came or slices >= ticks) and _read(office, stop, say):
                post.set()
            if slices >= ticks and not stop.is_set():
                slices = 0
                fetch = partial(_fetch, office, stop, say)
                between = partial(_meanwhile, office, opened, post, stop, say)
                with drawer.meanwhile(between):
                    if _look(office, fetch, stop, say, between=between, stuck=stuck):
                        post.set()
            slept = time.monotonic()
            drawn = writing.write_drawn(office, drawer)
            if drawn:
                post.set()
            came = opened.came.wait(_BETWEEN if drawn else _SLICE)
            slices += (time.monotonic() - slept) / _SLICE
    say("off duty")


def _see_no_copy(office: Office) -> None:
    if office.cut:
        raise Refused(
            f"this office is a copy, cut at {in_zone(office.cut, office.settings.zone)}: "
            "it opens no door, sends nothing and keeps no clock.  Turns are run in it by hand: pbem turn run"
        )


def once(office: Office, say: Say) -> bool:
    """Fetch, read and answer letters, look at the clock, and send what is due; says whether nothing went wrong.

    :raises Refused: if it is a copy that was cut from a backup.
    """
    _see_no_copy(office)
    heard: list[str] = []

    def wrong(what: str) -> None:
        heard.append(what)
        say(what)

    stop = threading.Event()
    try:
        _fetch(office, stop, say)
    except PbemError as error:
        wrong(str(error))
    _read(office, stop, say, wrong)
    _look(office, partial(_fetch, office, stop, say), stop, say, wrong)
    if _sends(office):
        try:
            _send(office, stop, say)
        except PbemError as error:
            wrong(f"nothing could be sent: {error}")
    if office.mails:
        try:
            _tell(office, stop, say)
        except PbemError as error:
            wrong(f"nothing could be told to programs: {error}")
    return not heard


def _read(office: Office, stop: threading.Event, say: Say, wrong: Say | None = None) -> bool:
    """Read and answer every letter that was kept; says whether there was one."""
    some = False
    try:
        for received in arrivals.sweep(office):
            some = True
            say(_line(received))
            if stop.is_set():
                break
    except Exception as error:
        # It is kept, and read at the next look.
        (wrong or say)(f"letters could not be read: {_words(error)}")
    return some


def _look(
    office: Office,
    before_late: Callable[[], None],
    stop: threading.Event,
    say: Say,
    wrong: Say | None = None,
    *,
    between: Callable[[], None] = lambda: None,
    stuck: set[str] | None = None,
) -> bool:
    """Look at the clock and do what is due, with *between* between the campaigns; says whether there was anything.

    *stuck*: what failed at the last look, which is not said again; what failed at this one is in it afterwards.
    """
    some, failed = False, set[str]()
    try:
        for did in due(office, before_late, between):
            some = True
            line = ": ".join(filter(None, (did.campaign, did.what)))
            if not did.failed:
                say(line)
            else:
                failed.add(line)
                if line not in (stuck or ()):
                    (wrong or say)(line)
            if stop.is_set():
                break
    except Moved:
        raise  # who begins again reads where it is kept now
    except Exception as error:
        (wrong or say)(f"the clock could not be looked at: {_words(error)}")
    if stuck is not None:
        stuck.clear()
        stuck.update(failed)
    return some


def due(
    office: Office, before_late: Callable[[], None] = lambda: None, between: Callable[[], None] = lambda: None
) -> Iterator[clock.Did]:
    """What the clock has done, and who was asked again whether he wrote what waits."""
    yield from clock.tick(office, before_late=before_late, between=between)
    for name in held.ask_again(office):
        yield clock.Did(name, "a player was asked whether he wrote what waits")


def _meanwhile(office: Office, opened: Doors, post: threading.Event, stop: threading.Event, say: Say) -> None:
    """Read and answer what came while turns were run."""
    if opened.came.is_set():
        opened.came.clear()
        if _read(office, stop, say):
            post.set()


def _fetch(office: Office, stop: threading.Event, say: Say) -> None:
    """Read what lies where letters are fetched, and what was kept.

    :raises PbemError: if a mailbox cannot be reached.
    """
    for looked in doors.fetch(office):
        for why in looked.left:
            say(why)
    _read(office, stop, say)


@contextmanager
def _post(office: Office, stop: threading.Event, say: Say) -> Iterator[threading.Event]:
    """Send what is owed, in a thread, until the block ends; gives what is to be set when something new is owed."""
    new = threading.Event()
    if not _sends(office):
        say("no mail server is set: letters wait, and pbem mail send --dry-run FOLDER writes them as files")
        yield new
        return
    with _in_a_thread("post", office, _MAIL, stop, say) as new:
        yield new


@contextmanager
def _in_a_thread(
    name: str, office: Office, leaving: Leaving, stop: threading.Event, say: Say
) -> Iterator[threading.Event]:
    """Let something leave in a thread of its own; gives what is to be set when something new is to leave."""
    new, over = threading.Event(), threading.Event()
    arguments = (office, leaving, new, over, stop, say)
    thread = threading.Thread(target=_keep_sending, args=arguments, name=name, daemon=True)
    thread.start()
    try:
        yield new
    finally:
        over.set()
        new.set()
        thread.join(_LEAVE)


def _keep_sending(
    office: Office, leaving: Leaving, new: threading.Event, over: threading.Event, stop: threading.Event, say: Say
) -> None:
    wait = 0.0
    while not over.is_set() and not stop.is_set():
        if wait > 0:
            wait -= leaving.every
        else:
            new.clear()
            try:
                if leaving.due(office):
                    leaving.send(office, stop, say)
            except Exception as error:
                say(f"nothing could be {leaving.said}: {_words(error)}")
                wait = _PATIENCE
        new.wait(leaving.every)


def _send(office: Office, stop: threading.Event, say: Say) -> None:
    sent = delivery.send_due(office, stop=stop.is_set)
    for mail in sent.sent:
        say(f"sent: {mail.subject}")
    for mail in sent.later:
        say(f"to be sent again: {mail.subject}: {mail.answer}")
    for mail in sent.failed:
        say(f"cannot be sent: {mail.subject}: {mail.answer}")


def _tell(office: Office, stop: threading.Event, say: Say) -> None:
    """Tell programs of players what is due."""
    told = hooks_due.tell_due(office, stop=stop.is_set)
    for one in (*told.later, *told.failed):
        say(f"a program could not be told: {one.subject}: {one.answer}")


def _is_due(office: Office) -> bool:
    with office.read() as connection:
        due = outbox.next_due(connection, limits=office.settings.smtp.limits, gm=office.gm)
    return due is not None and due <= office.now()


def _sends(office: Office) -> bool:
    return office.mails and bool(office.settings.smtp.host)


_MAIL = Leaving(_is_due, _send, "sent", _SLICE)
_HOOKS = Leaving(hooks_due.is_due, _tell, "told to programs", 2.0)


def _ways(opened: Doors) -> str:
    return ", ".join(f"{way} on port {opened.ports[way]}" if way in opened.ports else way for way in opened.ways)


def _line(one: Received) -> str:
    where = " ".join(filter(None, (one.campaign, one.role, str(one.moment or ""))))
    return f"letter {one.letter}: {one.state}{f', {where}' if where else ''}: {one.reason or 'as before'}"


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, PbemError) else f"{type(error).__name__}: {error}"
