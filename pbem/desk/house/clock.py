"""The clock of the office: what is due is done, campaign by campaign; what fails holds up nobody else.

    for did in tick(office): print(did.campaign, did.what)

It can be looked at as often as one likes, by several processes, and after any time: whatever is due is done once, and
what was missed is done late.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import TypeVar

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.led_by_rules import missing
from pbem.desk.office.office import SECOND, Office
from pbem.desk.pages import files
from pbem.desk.pages.pages import pause_at
from pbem.desk.players import voted
from pbem.desk.post.entries import Entry, enter
from pbem.desk.post.post import to_gm
from pbem.desk.post.writing import owe
from pbem.desk.turns import adjudicate, deadline_moves, nmr, publish, reminders, votes
from pbem.desk.turns.meanwhile import see_as_found
from pbem.desk.turns.next_look import MADE_BY, next_look
from pbem.desk.turns.next_step import Step, next_step
from pbem.kernel.deadlines import HOUR, Due, instant
from pbem.kernel.errors import Busy, PbemError, Refused, StaleLog, TryAgain
from pbem.kernel.names import CampaignId, Role
from pbem.kernel.owed import Pause
from pbem.orders.prose import listed
from pbem.reports.text.speech import phrase, phrase_later
from pbem.reports.text.times import in_zone
from pbem.storage import heartbeat
from pbem.storage.blobs import digest_of
from pbem.storage.database import Connection
from pbem.storage.heartbeat import Look, Watch

MINUTE = 60 * SECOND

T = TypeVar("T")

_STEPS = 4  # of one campaign at one look, for one leads to the next


class Did(Struct, frozen=True):
    """One thing that was done; without a campaign, of the office itself."""

    campaign: str
    what: str
    failed: bool = False
    """It could not be done, and is tried again at the next look."""


def tick(
    office: Office, *, before_late: Callable[[], None] = lambda: None, between: Callable[[], None] = lambda: None
) -> Iterator[Did]:
    """Look at the clock, and do what is due; tells each thing as it is done.

    *before_late* is called before anybody is found late, and before orders are played that may have been changed in
    time: it fetches the letters that lie somewhere else.  What it raises leaves that exchange as it is until the next
    look.  *between* is called after each step of each campaign: whoever writes waits for one turn that is run, and not
    for all; it must not raise.

    :raises PbemError: if the database cannot be used.
    """
    names, said = look(office)
    yield from said
    with office.read() as connection:
        watch = _seen(connection)
    again: list[Look | None] = []
    fetched = _once_after(office, before_late)
    for name in names:
        again.append((yield from carefully(office, name, _attend(office, name, watch, fetched, between))))
        between()
    if found := [one for one in again if one is not None]:
        with office.write() as connection:
            heartbeat.keep(connection, found)


def look(office: Office) -> tuple[list[CampaignId], list[Did]]:
    """Look at the clock; gives the campaigns in which something may be due, and what is to be said of the time."""
    with office.write() as connection:
        before = heartbeat.last(connection)
        at = office.now()
        watch, back = heartbeat.look(connection, at, away_after=office.settings.clock.away * MINUTE)
        names = heartbeat.due(connection, at=at, by=MADE_BY)
    said = []
    if back > SECOND:
        said.append(Did("", f"the clock went back by {back // SECOND} seconds"))
    if before and watch.away_until == at and watch.away_since == before.seen_at != at:
        since = in_zone(before.seen_at, office.settings.zone)
        said.append(Did("", f"nothing was seen of the time since {since}: where that matters, nobody is late"))
    return names, said


def attend_to(office: Office, name: CampaignId, *, before_late: Callable[[], None] = lambda: None) -> Iterator[Did]:
    """Do what is due in one campaign, as `tick` does in all."""
    with office.read() as connection:
        watch = _seen(connection)
    fetched = _once_after(office, before_late)
    again = yield from carefully(office, name, _attend(office, name, watch, fetched, lambda: None))
    if again is not None:
        with office.write() as connection:
            heartbeat.keep(connection, [again])


def _once_after(office: Office, fetch: Callable[[], None]) -> Callable[[int], None]:
    """Fetches what lies somewhere else, if that was not done since an hour: for many games are due at the same one."""
    begun = 0

    def fetched(after: int) -> None:
        nonlocal begun
        if begun <= after:
            at = office.now()
            fetch()
            begun = at

    return fetched


def leave(office: Office, name: CampaignId, why: str) -> None:
    """Leave a campaign alone for an hour, or until something is written of it, and tell the GM *why*."""
    with office.write() as connection:
        dossier = dossiers.load(office, connection, name)
        look = Look(name, dossier.seq, office.now() + 60 * MINUTE, MADE_BY)
        heartbeat.keep(connection, [look])
    _failed(office, name, PbemError(why))


def _seen(connection: Connection) -> Watch:
    """What was seen of the time, when it was looked at last; nothing of it, before the first look."""
    return heartbeat.last(connection) or Watch(0, 0, 0)


def carefully(
    office: Office, name: CampaignId, doing: Generator[Did, None, T], found: Dossier | None = None
) -> Generator[Did, None, T | None]:
    """Do what is due in a campaign; if that fails the GM is told, and the others go on.

    He is not told if it was refused, and something was written since the campaign was *found* as it was.
    """
    try:
        return (yield from doing)
    except (Busy, StaleLog, TryAgain):
        return None  # somebody else is at it; there is another look
    except Exception as error:
        if not (found and isinstance(error, Refused) and _has_moved(office, found)):
            yield _failed(office, name, error)
        return None


def _attend(
    office: Office, name: CampaignId, watch: Watch, fetched: Callable[[int], None], between: Callable[[], None]
) -> Generator[Did, None, Look | None]:
    """Do what is due in a campaign; gives when to look at it again, if all of it was done."""
    for number in range(_STEPS):
        if number:
            between()
        with office.read() as connection:
            dossier = dossiers.load(office, connection, name)
            found = votes.due(dossier, office.now())
            plays = dossier.campaign.status == "running" and not dossier.campaign.copied
            exchange = dossier.exchange() if plays else None
            pause = pause_at(office, connection, dossier, exchange.stands, exchange.moment) if exchange else None
        if found:
            if closed := voted.attend(office, dossier, found, lambda: fetched(office.now())):
                yield Did(name, closed)
            continue
        if exchange is None or pause is None:
            return next_look(dossier, None, office.now())
        if late := _late(office, dossier, watch):
            yield late
            continue
        if moved := _reckoned_anew(office, dossier):
            yield moved
            continue
        at = office.now()
        step = next_step(dossier, pause, at)
        passed = [hour for hour in (exchange.deadline, exchange.closes) if hour < at]
        if passed and (step == "count the missing" or step.startswith("run")):
            fetched(at if exchange.steps else passed[-1])
        try:
            did = _DO[step](office, dossier, pause, watch)
        except Refused:
            if _has_moved(office, dossier):
                return None  # it was refused for something that was not there when we looked
            raise
        if did:
            yield Did(name, did)
        if step in ("nothing", "ask", "tell of the run"):
            yield from _remind(office, dossier, pause)
            return next_look(dossier, pause, at)
    return None


def _run(office: Office, dossier: Dossier, pause: Pause, watch: Watch) -> str:
    return _ran(office, dossier, defaults=False)


def _run_with_defaults(office: Office, dossier: Dossier, pause: Pause, watch: Watch) -> str:
    return _ran(office, dossier, defaults=True)


def _run_as_asked(office: Office, dossier: Dossier, pause: Pause, watch: Watch) -> str:
    """Run at the word of the GM, who answers what is asked of him."""
    asked = dossier.exchange().asked
    return _ran(office, dossier, early=True, defaults=asked is not None and asked.defaults, umpire=True)


def _ran(office: Office, dossier: Dossier, *, defaults: bool, early: bool = False, umpire: bool = False) -> str:
    by_itself = dossier.campaign.terms.release == "auto" and not umpire
    ran = adjudicate.run(
        office, dossier.id, early=early, defaults=defaults, umpire=not by_itself, found=dossier.exchange()
    )
    if ran.asks:
        return f"{ran.moment}: the rules ask {', '.join(query.key for query in ran.asks)}"
    if ran.halt:
        called = listed(ran.halt.roles)
        return f"{ran.moment} is played to {ran.halt.moment}: {called} {'is' if ran.halt.asked else 'will be'} asked"
    if ran.released:
        files.write(office, dossier.id, ran.released.reports.values())
        return f"{ran.moment} is resolved and released: {len(ran.facts)} facts"
    return f"{ran.moment} is resolved: {len(ran.facts)} facts"


def _release(office: Office, dossier: Dossier, pause: Pause, watch: Watch) -> str:
    released = publish.release(office, dossier.id, found=dossier.exchange())
    files.write(office, dossier.id, released.reports.values())
    return f"{released.moment} is released"


def _tell_of_the_run(office: Office, dossier: Dossier, pause: Pause, watch: Watch) -> str:
    exchange, id = dossier.exchange(), dossier.id
    text = (
        f"{exchange.moment} is resolved, and nobody knows of it yet.\n\n"
        f"  pbem turn show {id}\n"
        f"  pbem report open {id} --as {dossier.roles[0]} --turn {exchange.moment}\n"
        f"  pbem turn release {id}\n"
    )
    told = _tell_gm(office, id, f"{exchange.moment} waits for your release", text, f"resolved/{exchange.resolved_seq}")
    return f"{exchange.moment} waits for its release" if told else ""


def _ask(office: Office, dossier: Dossier, pause: Pause, watch: Watch) -> str:
    told = ""
    for query in dossier.campaign.queries.values():
        text = (
            f"{query.asks}\n\nAnswers: {' or '.join(query.options) or 'any text'}; else {query.otherwise}.\n\n"
            f"  pbem turn answer {dossier.id} {query.key} ANSWER\n"
        )
        if _tell_gm(office, dossier.id, f"{query.moment}: the rules ask", text, f"query/{query.key}"):
            told = f"{query.moment} waits for answers"
    return told


def _count_the_missing(office: Office, dossier: Dossier, pause: Pause, watch: Watch) -> str:
    """Find out who is late, on what the log says now: a letter may have been fetched meanwhile."""

    def build(connection: Connection) -> tuple[Entry, str]:
        now = _as_found(office, connection, dossier)
        at = office.now()
        if next_step(now, pause, at) != "count the missing":
            return Entry(now, at, "office"), ""
        silent = missing(now, pause)
        entry = Entry(now, at, "office")
        if nmr.was_away(now, watch, silent):
            nmr.spare(office, connection, entry, watch)
            said = f"{pause.moment} has more time, for the office was away"
        else:
            said = f"{pause.moment}: nothing from {', '.join(silent)}; "
            said += nmr.DID[nmr.enter(office, connection, entry, pause, silent)]
        return entry, said

    return enter(office, build)


def _nothing(office: Office, dossier: Dossier, pause: Pause, watch: Watch) -> str:
    return ""


_DO: dict[Step, Callable[[Office, Dossier, Pause, Watch], str]] = {
    "nothing": _nothing,
    "run": _run,
    "run with defaults": _run_with_defaults,
    "run as asked": _run_as_asked,
    "ask": _ask,
    "count the missing": _count_the_missing,
    "release": _release,
    "tell of the run": _tell_of_the_run,
}


def _remind(office: Office, dossier: Dossier, pause: Pause) -> Iterator[Did]:
    at = office.now()
    if not reminders.due(dossier, missing(dossier, pause), at):
        return

    def build(connection: Connection) -> tuple[Entry, list[Role]]:
        now = _as_found(office, connection, dossier)
        return reminders.entry_of(connection, now, reminders.due(now, missing(now, pause), at), at)

    told = enter(office, build)
    if told:
        yield Did(dossier.id, f"{pause.moment}: a letter to {', '.join(told)}, for orders are missing")


def _late(office: Office, dossier: Dossier, watch: Watch) -> Did | None:
    """Move the hours of a run of which the office missed one, whether anybody is asked or not."""
    exchange, at = dossier.exchange(), office.now()
    if exchange.state not in ("halted", "resolved") or at >= exchange.reports:
        return None
    hours = sorted({hour for step in exchange.steps for hour in (step.interim, step.until)})
    missed = [hour for hour in hours if watch.away_since < hour <= watch.away_until]
    if not missed:
        return None
    by = -(-(at - missed[0]) // HOUR) * HOUR

    def build(connection: Connection) -> tuple[Entry, None]:
        entry = Entry(_as_found(office, connection, dossier), at, "office")
        deadline_moves.delay(connection, entry, missed[0], by)
        return entry, None

    enter(office, build)
    return Did(dossier.id, f"the hours of {exchange.moment} are later, for the office was away")


def _reckoned_anew(office: Office, dossier: Dossier) -> Did | None:
    """Move an open deadline whose wall clock shows another instant by the rules of summer time that hold now."""
    exchange = dossier.exchange()
    if exchange.state != "open" or not exchange.wall or exchange.deadline <= office.now():
        return None
    at = instant(exchange.wall, exchange.zone)
    if at == exchange.deadline:
        return None

    def build(connection: Connection) -> tuple[Entry, None]:
        entry = Entry(_as_found(office, connection, dossier), office.now(), "office")

        def told() -> str:
            text = phrase_later("The rules of summer time in {zone} have changed; the hour by its clock stays.")
            return phrase(text, zone=exchange.zone)

        deadline_moves.move(office, connection, entry, Due(at, exchange.wall, exchange.zone), told(), "zone", told=told)
        return entry, None

    enter(office, build)
    return Did(dossier.id, f"{exchange.moment} is due at another instant: the rules of summer time have changed")


def _as_found(office: Office, connection: Connection, found: Dossier) -> Dossier:
    """A campaign as it stands by now.

    :raises Busy: if its exchange no longer stands as it was *found*.
    """
    now = dossiers.load(office, connection, found.id)
    see_as_found(now, found.exchange())
    return now


def _has_moved(office: Office, found: Dossier) -> bool:
    """Whether something was written since a campaign was *found* as it was."""
    try:
        with office.read() as connection:
            return dossiers.load(office, connection, found.id).seq != found.seq
    except PbemError:
        return False


def _tell_gm(office: Office, campaign: CampaignId, subject: str, text: str, cause: str) -> bool:
    at = office.now()
    with office.write() as connection:
        return owe(connection, to_gm(campaign, subject, text, cause=cause, at=at))


def _failed(office: Office, campaign: CampaignId, error: Exception) -> Did:
    """Tell the GM once of each thing that stops a campaign."""
    said = f"{error}" if isinstance(error, PbemError) else f"{type(error).__name__}: {error}"
    text = f"The clock of the office could not attend to {campaign}:\n\n  {said}\n\nIt tries again; all else goes on.\n"
    cause = f"clock/{digest_of(said.encode())[:16]}"
    try:
        _tell_gm(office, campaign, "the clock is stuck", text, cause)
    except PbemError as worse:
        said += f"; and the GM cannot be told: {worse}"
    return Did(campaign, f"failed: {said}", failed=True)
