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
from itertools import chain
from typing import NamedTuple

from pbem.desk.house import clock, work
from pbem.desk.house.saying import Said
from pbem.desk.house.work import Say
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import drawer_of
from pbem.desk.post import delivery, hooks_due, writing
from pbem.desk.ways import arrivals, doors
from pbem.desk.ways.doors import Doors
from pbem.kernel.errors import Moved, PbemError


class Leaving(NamedTuple):
    """What leaves the office, and by what."""

    due: Callable[[Office], bool]
    send: Callable[[Office, threading.Event, Say], None]
    said: str
    """How it is called that it leaves."""
    every: float
    """Seconds between two looks."""


HANDED_IN = "letters are handed in"
"""What is said where no way in is set: each letter comes by `pbem mail receive`."""

_SLICE = 0.5  # seconds after which it is seen whether to stop
_BETWEEN = 0.02  # the same while maps are drawn
_LEAVE = 10.0  # seconds for the mail that is leaving when we are to stop
_PATIENCE = 60.0  # seconds before the next attempt to send, after one that could not even begin


def attend(office: Office, stop: threading.Event, say: Say, ready: Callable[[], None] = lambda: None) -> None:
    """Be on duty until *stop* is set, which a handler of a signal may do; *ready* is called when all doors are open.

    :raises BadDoor: if a way in that the settings name cannot be opened.
    :raises Refused: if the settings of the mailbox cannot be used, or it is a copy that was cut from a backup.
    :raises StorageError: if the database cannot be used.
    """
    work.see_no_copy(office)
    if office.engine.database.shared:
        _attend_with_others(office, stop, say, ready)
        return
    sys.setswitchinterval(work.TURNS)
    with ExitStack() as about:
        opened = about.enter_context(doors.open_doors(office, told=say))
        post = about.enter_context(_post(office, stop, say))
        about.enter_context(_in_a_thread("hooks", office, _HOOKS, stop, say))
        drawer = about.enter_context(drawer_of(office))
        about.enter_context(writing.maps_later(office))
        say(f"on duty: {_ways(opened) or HANDED_IN}; the clock every {office.settings.clock.tick} seconds")
        ready()
        ticks = slices = office.settings.clock.tick / _SLICE
        came, stuck = True, set[str]()
        while not stop.is_set():
            opened.came.clear()
            if (came or slices >= ticks) and work.read(office, stop, say):
                post.set()
            if slices >= ticks and not stop.is_set():
                slices = 0
                fetch = partial(work.fetch, office, stop, say)
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


def _attend_with_others(office: Office, stop: threading.Event, say: Say, ready: Callable[[], None]) -> None:
    """Be on duty at the doors, beside workers of which some are ours: what comes in wakes one of them."""
    from pbem.desk.house import worker

    worker.see_woken(office)
    with ExitStack() as about:
        opened = about.enter_context(doors.open_doors(office, told=say))
        about.enter_context(worker.crew(office.folder, worker.QUEUES, turns=1, say=say))
        say(f"on duty: {_ways(opened) or HANDED_IN}; letters and turns are the workers'")
        ready()
        lie = False
        while not stop.is_set():
            if opened.came.wait(_SLICE) or lie:
                opened.came.clear()
                lie = not _lying_kept(office, say, again=lie)
                if lie:
                    stop.wait(_SLICE)
    say("off duty")


def _lying_kept(office: Office, say: Say, *, again: bool) -> bool:
    """Keep what lies in the folder, and say what is not known: that it cannot be, or, *again*, that now it could."""
    try:
        arrivals.take_in_lying(office)
    except PbemError as error:
        if not again:
            say(f"letters could not be kept, and lie in the office's folder: {error}")
        return False
    if again:
        say("the letters that lay in the office's folder are kept")
    return True


def once(office: Office, say: Say) -> bool:
    """Fetch, read and answer letters, look at the clock, and send what is due; says whether nothing went wrong.

    :raises Refused: if it is a copy that was cut from a backup.
    """
    work.see_no_copy(office)
    heard: list[str] = []

    def wrong(what: str) -> None:
        heard.append(what)
        say(what)

    stop = threading.Event()
    try:
        work.fetch(office, stop, say)
    except PbemError as error:
        wrong(str(error))
    work.read(office, stop, say, wrong)
    _look(office, partial(work.fetch, office, stop, say), stop, say, wrong)
    if work.sends(office):
        try:
            work.send(office, stop, say)
        except PbemError as error:
            wrong(f"nothing could be sent: {error}")
    if office.mails:
        try:
            work.tell(office, stop, say)
        except PbemError as error:
            wrong(f"nothing could be told to programs: {error}")
    return not heard


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
        delivery.let_go_of_the_dead(office)
        looked = clock.tick(office, before_late=before_late, between=between)
        for did in chain(looked, work.ask_again(office), work.close_sign_ups(office, before_late=before_late)):
            some = True
            line = work.said(did)
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
        (wrong or say)(Said(f"the clock could not be looked at: {work.words(error)}", level="error"))
    if stuck is not None:
        stuck.clear()
        stuck.update(failed)
    return some


def _meanwhile(office: Office, opened: Doors, post: threading.Event, stop: threading.Event, say: Say) -> None:
    """Read and answer what came while turns were run."""
    if opened.came.is_set():
        opened.came.clear()
        if work.read(office, stop, say):
            post.set()


@contextmanager
def _post(office: Office, stop: threading.Event, say: Say) -> Iterator[threading.Event]:
    """Send what is owed, in a thread, until the block ends; gives what is to be set when something new is owed."""
    new = threading.Event()
    if not work.sends(office):
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
                say(Said(f"nothing could be {leaving.said}: {work.words(error)}", level="error"))
                wait = _PATIENCE
        new.wait(leaving.every)


_MAIL = Leaving(work.is_due, work.send, "sent", _SLICE)
_HOOKS = Leaving(hooks_due.is_due, work.tell, "told to programs", 2.0)


def _ways(opened: Doors) -> str:
    return ", ".join(f"{way} on port {opened.ports[way]}" if way in opened.ports else way for way in opened.ways)
