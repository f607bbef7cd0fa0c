"""What was decided of a letter is carried out: its fates are written down, all of them in one transaction.

What is owed for it is kept in that transaction, and written when it is committed: no answer can undo an intake.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.spoken_to import language_of
from pbem.desk.intake.fates import (
    Answered,
    CodesBack,
    Confirmed,
    Decision,
    Entered,
    Fate,
    Held,
    Ignored,
    Obeyed,
    PutOff,
    Received,
    Refused,
    Unreadable,
)
from pbem.desk.office.office import Office
from pbem.desk.players import own_addresses
from pbem.desk.post import bounces, stopping
from pbem.desk.post.entries import ATTEMPTS, commit
from pbem.desk.post.writing import owe
from pbem.kernel.errors import StaleLog, TryAgain
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.reports.pages.receipt import Receipt
from pbem.reports.text.speech import speaking
from pbem.storage import aliases, letters, players
from pbem.storage.database import Connection
from pbem.storage.letters import State


def carried_out(office: Office, row: letters.Letter, decide: Callable[[Connection], Decision]) -> Received:
    """Decide a letter on what the books say, and write that down; anew, if somebody wrote meanwhile."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with office.read() as connection:
                decision = decide(connection)
            with office.write() as connection:
                return _carry_out(office, connection, row, decision)
        except (StaleLog, TryAgain):
            if attempt == ATTEMPTS:
                raise
    raise AssertionError("the loop returns or raises")


def _carry_out(office: Office, connection: Connection, row: letters.Letter, decision: Decision) -> Received:
    """Do what was decided, all of it in the transaction of *connection*; what it owes is written after that."""
    if decision.grade:
        letters.graded(connection, row.id, decision.grade, decision.evidence)
    ends = [_do(office, connection, row, fate) for fate in decision.fates]
    whole = min(ends, key=lambda end: _OUTWEIGHS.index(end.state))
    return _settled(connection, row, replace(whole, reason="; ".join(end.reason for end in ends)))


class _End(Struct, frozen=True, kw_only=True):
    """What one part of a letter comes to."""

    state: State
    reason: str
    campaign: CampaignId | None = None
    role: Role | None = None
    player: PlayerId | None = None
    seq: int | None = None
    moment: Moment | None = None
    receipt: Receipt | None = None
    said: str = ""


_OUTWEIGHS: tuple[State, ...] = ("applied", "held", "refused", "unreadable", "ignored", "new")
"""Of two parts of a letter, which fate is that of the whole."""


def _do(office: Office, connection: Connection, row: letters.Letter, fate: Fate) -> _End:
    """Carry one fate out."""
    for owed in getattr(fate, "owes", ()):
        owe(connection, owed)
    match fate:
        case Entered():
            return _enter(office, connection, fate)
        case Held():
            for number, code in fate.codes:
                letters.code(connection, number, code, at=fate.at)
            player = fate.player.id if fate.player else None
            return _End(state="held", reason=fate.reason, campaign=fate.campaign, role=fate.role, player=player)
        case Obeyed():
            state: State = "refused" if fate.refused else "applied"
            return _End(state=state, reason=fate.reason, campaign=fate.campaign or None)
        case Confirmed():
            waits = letters.get(connection, fate.letter.id)
            done = _do(office, connection, waits, fate.then)
            _settled(connection, waits, done)
            if waits.player:
                aliases.confirm(connection, waits.player, fate.address, at=office.now())
            reason = f"it confirmed letter {waits.id}: {done.reason}"
            well = done.seq or (done.player is None and done.state == "applied")
            return replace(done, state="applied" if well else "ignored", reason=reason)
        case CodesBack():
            with speaking(language_of(office, connection, fate.given.wish.player)):
                come = own_addresses.take(office, connection, fate.given, by_letter=True)
            what = "and it was done" if come.done else "and nothing has changed yet"
            reason = f"it gave back a code for an address that its player has asked for, {what}"
            return _End(state="ignored", reason=reason, player=fate.given.wish.player)
        case Refused():
            if fate.wakes and fate.player:
                stopping.resume(office, connection, players.get(connection, fate.player))
            return _End(state="refused", reason=fate.reason, player=fate.player)
        case Ignored():
            if fate.stops:
                stopping.stop(office, connection, fate.stops, at=row.received_at)
            if fate.returned and (mail := fate.returned.mail):
                bounces.record(office, connection, mail, fate.returned.status, fate.returned.words, at=row.received_at)
            return _End(state="ignored", reason=fate.reason, player=fate.player)
        case Answered():
            return _answer(office, connection, row, fate)
        case Unreadable():
            return _End(state="unreadable", reason=fate.reason, player=fate.player)
        case PutOff():
            if not fate.counts:
                letters.untried(connection, row.id)
            return _End(state=row.state, reason=fate.reason, campaign=row.campaign, player=row.player)


def _enter(office: Office, connection: Connection, fate: Entered) -> _End:
    """Write an entry into the books of its campaign."""
    if fate.wakes and fate.player.stopped_at is not None:
        stopping.resume(office, connection, players.get(connection, fate.player.id))
    commit(office, connection, fate.entry)
    for write in fate.writes:
        write(connection)
    if fate.stops:
        stopping.stop(office, connection, players.get(connection, fate.player.id), at=fate.entry.at)
    return _End(
        state="refused" if fate.refused else "applied",
        reason=fate.reason,
        campaign=fate.campaign,
        role=fate.role,
        player=fate.player.id,
        seq=fate.seq,
        moment=fate.moment,
        receipt=fate.receipt,
        said=fate.said,
    )


def _answer(office: Office, connection: Connection, row: letters.Letter, fate: Answered) -> _End:
    """Do for somebody who looks on what concerns himself alone."""
    player = players.get(connection, fate.player.id)
    if fate.wakes:
        stopping.resume(office, connection, player)
    if fate.zone:
        players.change(connection, player.id, zone=fate.zone)
    if fate.entry:
        commit(office, connection, fate.entry)
    if fate.stops:
        stopping.stop(office, connection, players.get(connection, player.id), at=row.received_at)
    state: State = "applied" if fate.entry or fate.stops or fate.zone else "ignored"
    return _End(state=state, reason=fate.reason, campaign=fate.campaign, player=player.id)


def _settled(connection: Connection, row: letters.Letter, end: _End) -> Received:
    """Write down what became of a letter."""
    letters.settle(
        connection, row.id, end.state, reason=end.reason, campaign=end.campaign, seq=end.seq, player=end.player
    )
    return Received(
        letter=row.id,
        state=end.state,
        reason=end.reason,
        campaign=end.campaign,
        role=end.role,
        moment=end.moment,
        receipt=end.receipt,
        said=end.said,
    )
