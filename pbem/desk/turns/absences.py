"""Absences that are booked ahead: deadlines that fall into them are moved behind them."""

from __future__ import annotations

from datetime import date, timedelta

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.office import Office
from pbem.desk.pages.pages import SET_UP, pause_of
from pbem.desk.post.entries import Entry, enter, tell
from pbem.desk.turns import deadline_moves
from pbem.desk.worlds.worlds import world_at
from pbem.kernel.campaign import Absence
from pbem.kernel.deadlines import HOUR, Due, days_between, instant, not_before
from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId, Role
from pbem.kernel.office import AbsenceBooked, AbsenceCancelled
from pbem.kernel.owed import Pause
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.storage import players
from pbem.storage.database import Connection

BACK = 24 * HOUR
"""So long he has at least when he is back."""

REASON = "A player is away, as was booked."


class Booked(Struct, frozen=True):
    """An absence as it was booked."""

    absence: Absence
    left: int
    """Days that he may still book."""
    moved: bool
    """Whether the open exchange is now due later."""


class Days(Struct, frozen=True):
    """Days from *since* to *until*, both of them whole, by the clock of *zone*."""

    since: date
    until: date
    zone: str

    @property
    def hours(self) -> tuple[int, int]:
        """When they begin, and when they are over."""
        after = self.until + timedelta(days=1)
        return instant(f"{self.since}T00:00", self.zone), instant(f"{after}T00:00", self.zone)


def book(
    office: Office, connection: Connection, entry: Entry, player: PlayerId, days: Days, *, message: str = ""
) -> Booked:
    """Enter that *player* is away for *days*.

    A deadline of the open exchange that falls into them is moved, and every player told.

    :raises Refused: if those days are past, none, or more than the terms of the campaign give him.
    """
    since, until, (begin, end) = days.since, days.until, days.hours
    if until < since:
        raise Refused(phrase("an absence from {since} to {until} ends before it begins.", since=since, until=until))
    if end <= entry.at:
        raise Refused(phrase("an absence is booked ahead, and {until} is past.", until=until))
    begin = max(begin, entry.at)
    if any(one.player == player and one.since < end and begin < one.until for one in entry.dossier.campaign.absences):
        raise Refused(phrase("some of the days from {since} to {until} are booked already.", since=since, until=until))
    count = days_between(begin, end, days.zone)
    allowed = entry.dossier.campaign.terms.absence_days
    free = allowed - used(entry.dossier, player)
    if count > free:
        raise Refused(
            phrase(
                "that is {count} days of absence; of the {allowed} in a campaign, {left} are left.",
                count=count,
                allowed=allowed,
                left=max(free, 0),
            )
        )
    booked = AbsenceBooked(player=player, since=begin, until=end, days=count, message=message)
    entry.add(entry.dossier.campaign.now or SET_UP, booked)
    moved = _move_open(office, connection, entry)
    return Booked(entry.dossier.campaign.absences[-1], free - count, moved)


def book_for(office: Office, campaign: str, role: str, since: date, until: date) -> Booked:
    """Book an absence in the name of the GM for whoever plays *role*, by the clock of the campaign.

    :raises Refused: as `book`, and if nobody plays it.
    """

    def build(connection: Connection) -> tuple[Entry, Booked]:
        dossier = dossiers.load(office, connection, campaign)
        player = _player(dossier, dossier.role(role))
        entry = Entry(dossier, office.now(), office.by)
        booked = book(office, connection, entry, player, Days(since, until, dossier.campaign.terms.zone))
        lines = f"vacation {since} to {until}"
        _tell(
            connection,
            entry,
            dossier.role(role),
            lines,
            phrase_later("A deadline that falls into it is moved behind it."),
        )
        return entry, booked

    return enter(office, build)


def cancel(entry: Entry, player: PlayerId, reason: str) -> tuple[Absence, ...]:
    """Enter that *player* is not away after all; gives what is cancelled.  Deadlines that were moved stay.

    :raises Refused: if he has booked nothing that is still to come.
    """
    pending = tuple(one for one in entry.dossier.campaign.absences if one.player == player and one.until > entry.at)
    if not pending:
        raise Refused(phrase("there is no absence to cancel."))
    entry.add(entry.dossier.campaign.now or SET_UP, AbsenceCancelled(player=player, reason=reason))
    return pending


def cancel_for(office: Office, campaign: str, role: str, reason: str) -> tuple[Absence, ...]:
    """Cancel the absences of whoever plays *role*, in the name of the GM.

    :raises Refused: as `cancel`, and if nobody plays it.
    """

    def build(connection: Connection) -> tuple[Entry, tuple[Absence, ...]]:
        dossier = dossiers.load(office, connection, campaign)
        entry = Entry(dossier, office.now(), office.by)
        cancelled = cancel(entry, _player(dossier, dossier.role(role)), reason)
        then = f"{reason} Deadlines that were moved stay."
        _tell(connection, entry, dossier.role(role), "vacation off", then)
        return entry, cancelled

    return enter(office, build)


def _tell(connection: Connection, entry: Entry, role: Role, line: str, then: str) -> None:
    """Owe whoever plays *role* the letter that says what the GM entered for him, as the line that he would write."""
    dossier = entry.dossier
    with speaking(dossier.campaign.language(role)):
        subject = phrase("{line}, entered for you", line=line)
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {subject}",
        heading="The umpire entered this for you",
        quoted=((phrase_later("As if you had written"), line),),
        body=then,
    )
    player = players.get(connection, _player(dossier, role))
    tell(entry, role, player, notice, cause=f"entered/{role}/{dossier.seq}")


def used(dossier: Dossier, player: PlayerId) -> int:
    """How many days of absence *player* has booked in the whole campaign."""
    return sum(one.days for one in dossier.campaign.absences if one.player == player)


def pending(dossier: Dossier, at: int) -> tuple[Absence, ...]:
    """The absences that are not over, the next one first."""
    return tuple(sorted((one for one in dossier.campaign.absences if one.until > at), key=lambda one: one.since))


def make_room(entry: Entry, pause: Pause) -> Due | None:
    """Move the deadline of the exchange that was just opened behind the absences it falls into; gives the new one."""
    due = _behind(entry.dossier, pause, entry.dossier.exchange().deadline)
    if due:
        deadline_moves.enter_move(entry, due, REASON, "absence")
    return due


def _move_open(office: Office, connection: Connection, entry: Entry) -> bool:
    exchange = entry.dossier.campaign.exchange
    if exchange is None or exchange.state != "open" or exchange.known or exchange.deadline < entry.at:
        return False
    if entry.dossier.campaign.status != "running":
        return False  # when a game that is paused goes on, its deadline is moved behind all of them
    due = _behind(entry.dossier, _pause(office, connection, entry.dossier), exchange.deadline)
    if due:
        deadline_moves.move(office, connection, entry, due, REASON, "absence")
    return due is not None


def behind(office: Office, connection: Connection, dossier: Dossier, due: Due) -> Due:
    """The hour at which the open exchange is due instead of *due*, so that it falls into no absence."""
    return _behind(dossier, _pause(office, connection, dossier), due.at) or due


def _pause(office: Office, connection: Connection, dossier: Dossier) -> Pause:
    exchange = dossier.exchange()
    world = world_at(office, connection, dossier, exchange.opened)
    return pause_of(dossier.system, world, exchange.moment)


def _behind(dossier: Dossier, pause: Pause, hour: int) -> Due | None:
    """The deadline behind the absences of those who are waited for; None if *hour* falls into none."""
    campaign, exchange = dossier.campaign, dossier.exchange()
    schedule = campaign.terms.schedule(exchange.name)
    waited_for = {campaign.players.get(call.role) for call in pause.calls if call.must}
    due: Due | None = None
    for one in sorted(campaign.absences, key=lambda one: one.since):
        deadline = due.at if due else hour
        if one.player in waited_for and one.since <= deadline < one.until:
            due = not_before(one.until + BACK, schedule, campaign.terms.zone)
    return due


def _player(dossier: Dossier, role: Role) -> PlayerId:
    player = dossier.campaign.players.get(role)
    if player is None:
        raise Refused(f"nobody plays {role}.")
    return player
