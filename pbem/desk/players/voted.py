"""How a vote is closed, and what follows of one that is carried: it is entered with its end (`desk.turns.votes`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.roster import people
from pbem.desk.office.office import HOUR, Office
from pbem.desk.pages.pages import SET_UP
from pbem.desk.players import handover
from pbem.desk.post.entries import Entry, enter, tell
from pbem.desk.post.post import to_gm
from pbem.desk.turns import absences, breaking_off, deadline_moves, pausing, votes
from pbem.kernel.ballot import Kind
from pbem.kernel.deadlines import due_at
from pbem.kernel.office import Closed, ProposalClosed, ProposalMade
from pbem.kernel.proposal import Proposal
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import ENGLISH, Row, phrase, phrase_later, speaking
from pbem.storage import players
from pbem.storage.database import Connection


def attend(office: Office, dossier: Dossier, found: Sequence[Proposal], before_late: Callable[[], None]) -> str:
    """Close one of the votes that were *found* due, with what follows; gives what was done, empty if nothing was.

    *before_late* fetches what lies somewhere else: no vote that came in time is too late.
    """
    at = office.now()
    if any(votes.is_late(dossier, one, at) for one in found):
        before_late()

    def build(connection: Connection) -> tuple[Entry, str]:
        entry = Entry(dossiers.load(office, connection, dossier.id), at, "office")
        one = next(iter(votes.due(entry.dossier, at)), None)
        if one is None:
            return entry, ""
        how: Closed = "carried" if votes.carried(entry.dossier, one) else "failed"
        closed: Closed = "lapsed" if votes.gone(entry.dossier, one) else how
        close(office, connection, entry, one, closed)
        return entry, f"{one.key}, {votes.what(one.made)}, {votes.HOW[closed]}"

    return enter(office, build)


def close(office: Office, connection: Connection, entry: Entry, one: Proposal, how: Closed) -> None:
    """Enter how a vote ended, what follows from it, and owe all a letter of that."""
    with speaking(ENGLISH):
        told = _enter(connection, entry, one, how)
    dossier, made, there = entry.dossier, one.made, people(connection, entry.dossier)

    def said() -> str:
        ended = votes.ended(dossier, one.key)
        return f"{ended}{'' if one.secret or not told else _names(dossier, one)}"

    then: Then | None = (NOTHING,)
    if how == "carried":
        with speaking(ENGLISH):
            then = _FOLLOWS[made.what](office, connection, entry, made, said)
    if then is None:
        return
    for role, player in there.items():
        if player:
            with speaking(dossier.campaign.language(role)):
                notice = _closed(dossier, one, said(), then)
            tell(entry, role, player, notice, cause=f"voted/{made.key}/{role}")


def _enter(connection: Connection, entry: Entry, one: Proposal, how: Closed) -> bool:
    """Enter how a vote ended, and owe the GM a letter of that; says whether it is told who was for it."""
    dossier, made = entry.dossier, one.made
    said = [one.votes[role] for role in votes.electors(dossier, made) if role in one.votes]
    told = how in ("carried", "failed") and (not one.secret or made.ballot.counts)
    event = ProposalClosed(
        key=one.key,
        what=made.what,
        how=how,
        yes=sum(said) if told else None,
        no=len(said) - sum(said) if told else None,
        why=votes.gone(dossier, one) if how == "lapsed" else "",
    )
    entry.add(dossier.campaign.now or SET_UP, event)
    ended = votes.ended(entry.dossier, one.key)
    text = f"{ended}{_to_do(connection, dossier, made, how)}\n"
    entry.owe([to_gm(dossier.id, ended[:-1], text, cause=f"voted/{one.key}", at=entry.at)])
    return told


def _closed(dossier: Dossier, one: Proposal, said: str, then: Then) -> Notice:
    """The letter that says how a vote ended; *said*: that, and of an open one who was for it."""
    after = " ".join(phrase(text, role=one.made.role) for text in then)
    ended = votes.ended(dossier, one.key)
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {ended[:-1]}",
        heading=phrase("The vote on {what}", what=votes.what(one.made)),
        summary=ended,
        body=f"{said.removeprefix(ended)} {after}".strip(),
    )


def _names(dossier: Dossier, one: Proposal) -> str:
    """Who voted how in an open vote, in a sentence or more."""
    voters = votes.electors(dossier, one.made)
    groups = ((phrase("For it"), True), (phrase("Against it"), False), (phrase("Silent"), None))
    found = [(said, [role for role in voters if one.votes.get(role) is vote]) for said, vote in groups]
    return "".join(f" {said}: {Row(who)}." for said, who in found if who)


def _to_do(connection: Connection, dossier: Dossier, made: ProposalMade, how: Closed) -> str:
    """What the GM is asked to do."""
    if how != "carried" or made.role is None:
        return ""
    return f"\n\nNobody plays {made.role} now.  {handover.another(connection, dossier, made.role)}"


Said = Callable[[], str]
"""How a vote ended, in sentences of the language that is spoken when they are asked for."""

Then = tuple[str, ...]
"""What follows from it, as catalogues have it."""

NOTHING = phrase_later("Nothing changes.")
NOBODY = phrase_later("Nobody plays {role} for now.")
LED = phrase_later("Nobody plays {role} for now; the rules of the game lead it.")
ASKED = phrase_later("The umpire is asked for another. Deadlines stay as they are.")


def _draw(office: Office, connection: Connection, entry: Entry, made: ProposalMade, said: Said) -> None:
    how = f"a draw, as the players agreed ({made.key})"
    breaking_off.end(office, connection, entry, how, heading=phrase_later("The game ends in a draw"))


def _end(office: Office, connection: Connection, entry: Entry, made: ProposalMade, said: Said) -> None:
    how = f"ended by a vote of the players ({made.key})"
    breaking_off.end(office, connection, entry, how, heading=phrase_later("The players have ended the game"))


def _extension(office: Office, connection: Connection, entry: Entry, made: ProposalMade, said: Said) -> None:
    campaign, exchange = entry.dossier.campaign, entry.dossier.exchange()
    hour = max(exchange.deadline, campaign.hour(entry.at)) + made.hours * HOUR
    due = absences.behind(office, connection, entry.dossier, due_at(-(-hour // HOUR) * HOUR, campaign.terms.zone))
    deadline_moves.move(office, connection, entry, due, said(), "vote", told=said)


def _pause(office: Office, connection: Connection, entry: Entry, made: ProposalMade, said: Said) -> None:
    def why() -> str:
        return votes.because(said()[:-1], made.reason) if made.reason else said()

    pausing.enter_pause(office, connection, entry, why(), told=why)


def _resume(office: Office, connection: Connection, entry: Entry, made: ProposalMade, said: Said) -> None:
    pausing.enter_resumption(office, connection, entry, said(), told=said)


def _replacement(office: Office, connection: Connection, entry: Entry, made: ProposalMade, said: Said) -> Then:
    assert made.role is not None, "it names one"
    former = entry.dossier.campaign.players.get(made.role)
    if former is None:
        return (NOBODY, ASKED)
    why = phrase_later("The other players have asked for another in your place.")
    led = handover.let_go(office, connection, entry, made.role, players.get(connection, former), said(), why)
    return (LED if led else NOBODY, ASKED, handover.LAPSES)


def _truce(office: Office, connection: Connection, entry: Entry, made: ProposalMade, said: Said) -> Then:
    return (votes.TRUCE,)


Follows = Callable[[Office, Connection, Entry, ProposalMade, Said], Then | None]
"""Enters what follows, and gives what all are told of it; nothing, if that has a letter of its own to all."""

_FOLLOWS: Mapping[Kind, Follows] = {
    "draw": _draw,
    "end": _end,
    "extension": _extension,
    "pause": _pause,
    "resume": _resume,
    "replacement": _replacement,
    "truce": _truce,
}
