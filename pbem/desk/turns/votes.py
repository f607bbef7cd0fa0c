"""What the players put to the vote: who must agree, what is told of it, and how it is closed.

proposed  →  all are told, and vote until its hour; a vote can be changed until it is closed
closed    →  by the clock: an open vote when it is decided, a secret one at its hour and not before
carried   →  what follows is entered with it

Of a secret vote nobody is told who proposed it, who voted, and how: no player and no GM.  What is told here is made of
what `seen` gives, which knows for whom it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.roster import people
from pbem.desk.office.office import HOUR, Office
from pbem.desk.pages.pages import SET_UP
from pbem.desk.post.entries import Entry, enter, tell
from pbem.desk.post.post import to_gm
from pbem.desk.turns import breaking_off, deadline_moves, pausing
from pbem.kernel.ballot import Agree, Ballot, Kind
from pbem.kernel.deadlines import due_at
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import Closed, PlayerWithdrew, ProposalClosed, ProposalMade
from pbem.kernel.proposal import Proposal
from pbem.orders.prose import cap, listed
from pbem.reports.pages.notice import Notice
from pbem.reports.text.plain import plural
from pbem.reports.text.times import when
from pbem.storage.database import Connection
from pbem.storage.players import Player

_WHAT: Mapping[Kind, Callable[[ProposalMade], str]] = {
    "draw": lambda made: "a draw",
    "truce": lambda made: f"a truce until {made.to}",
    "end": lambda made: "the end of the game",
    "extension": lambda made: f"{plural(made.hours, 'hour')} more for {made.moment}",
    "pause": lambda made: "a pause of the game",
    "resume": lambda made: "that the game goes on",
    "replacement": lambda made: f"another player for {made.role}",
}

AGREE: Mapping[Agree, str] = {
    "all": "all who play must agree",
    "majority": "more than half of those who play must agree",
    "sides": "of each side more than half must agree",
}
"""Who must agree, in words."""

TRUCE = "It is written down, and all know of it. The rules of the game do not: they stop nobody who breaks it."
"""What a truce that was agreed is."""


class Seen(Struct, frozen=True, kw_only=True):
    """Something that was put to the vote, as one role or the GM may know it."""

    key: str
    what: str
    """`a draw`, `a truce until 5A`."""
    reason: str
    ballot: Ballot
    at: int
    until: int
    by: Role | None
    """None: nobody is told."""
    mine: bool
    """Whether whoever is shown it proposed it."""
    votes: bool
    """Whether he is one of those who must agree."""
    vote: bool | None
    """What he has said; None: nothing yet."""
    tally: tuple[tuple[Role, bool | None], ...]
    """Of an open vote: who has said what."""
    how: Closed | None
    """How it ended; None: it runs."""
    counts: tuple[int, int] | None
    """How many were for it and against it, where that is told."""
    closed_at: int
    why: str

    @property
    def ended(self) -> str:
        """How it ended, in a sentence; empty, if it runs."""
        return f"{self.key}, {self.what}, {_HOW[self.how]}{self._told}." if self.how else ""

    @property
    def _told(self) -> str:
        if self.how == "lapsed":
            return f", for {self.why}"
        if self.how == "withdrawn" or self.counts is None:
            return ""
        return f": {self.counts[0]} for it, {self.counts[1]} against"


_HOW: Mapping[Closed, str] = {
    "carried": "is carried",
    "failed": "is not carried",
    "lapsed": "has lapsed",
    "withdrawn": "was taken back",
}


def what(made: ProposalMade) -> str:
    """What is proposed: `a truce until 5A`."""
    return _WHAT[made.what](made)


def electors(dossier: Dossier, made: ProposalMade) -> tuple[Role, ...]:
    """Who votes on it: every role that somebody plays, but for one whose player is to be another."""
    return tuple(role for role in dossier.roles if role in dossier.campaign.players and role != made.role)


def seen(dossier: Dossier, role: Role | None) -> list[Seen]:
    """All that was put to the vote, the newest first, as *role* may know it; None: as the GM may."""
    return [_seen(dossier, one, role) for one in reversed(list(dossier.campaign.proposals.values()))]


def _seen(dossier: Dossier, one: Proposal, role: Role | None) -> Seen:
    made, voters = one.made, electors(dossier, one.made)
    closed = one.closed
    counts = (closed.yes, closed.no) if closed and closed.yes is not None and closed.no is not None else None
    return Seen(
        key=one.key,
        what=what(made),
        reason=made.reason,
        ballot=made.ballot,
        at=one.at,
        until=one.until,
        by=made.by if not one.secret or made.by == role else None,
        mine=made.by == role,
        votes=role in voters,
        vote=one.votes.get(role) if role and not closed else None,
        tally=() if one.secret or closed else tuple((voter, one.votes.get(voter)) for voter in voters),
        how=closed.how if closed else None,
        counts=counts,
        closed_at=one.closed_at,
        why=closed.why if closed else "",
    )


def running(dossier: Dossier) -> list[Proposal]:
    """What is being voted on."""
    return [one for one in dossier.campaign.proposals.values() if not one.closed]


def gone(dossier: Dossier, one: Proposal) -> str:
    """Why there is nothing to vote on any more, in a phrase; empty while there is."""
    campaign, made = dossier.campaign, one.made
    if campaign.ended:
        return "the game is over"
    if not electors(dossier, made):
        return "nobody plays who could vote"
    match made.what:
        case "extension":
            exchange = dossier.exchange()
            if exchange.moment != made.moment or exchange.state != "open":
                return f"{made.moment} is not open any more"
            return f"{made.moment} was annulled" if exchange.known else ""
        case "truce" if made.to is not None and campaign.now is not None and campaign.now > made.to:
            return f"{made.to} is past"
        case "pause" if campaign.paused_at:
            return "the game is paused already"
        case "resume" if not campaign.paused_at:
            return "the game goes on already"
        case "replacement" if one.moot:
            return f"{made.role} has changed hands"
        case _:  # a draw, or the end, can be agreed as long as there is a game
            return ""


def has_closed(dossier: Dossier, one: Proposal, at: int) -> bool:
    """Whether votes that come *at* are too late."""
    return one.closed is not None or bool(gone(dossier, one)) or _hour(dossier, one, at) > one.until


def _hour(dossier: Dossier, one: Proposal, at: int) -> int:
    paused_at = dossier.campaign.paused_at
    return min(at, paused_at) if one.stands_still(paused_at) else at


def is_due(dossier: Dossier, one: Proposal, at: int) -> bool:
    """Whether a vote is to be closed *at*.

    While a turn is resolved and nobody knows of it the game can end by no vote, whatever was voted.
    """
    if gone(dossier, one):
        return True
    if one.made.what in ("draw", "end") and dossier.exchange().state in ("halted", "resolved"):
        return False
    if _hour(dossier, one, at) > one.until:
        return True
    voters = electors(dossier, one.made)
    decided = carried(dossier, one) or all(voter in one.votes for voter in voters)
    return decided and not one.secret and not one.stands_still(dossier.campaign.paused_at)


def carried(dossier: Dossier, one: Proposal) -> bool:
    """Whether all have agreed who must."""
    voters, agree = electors(dossier, one.made), one.made.ballot.agree

    def most(of: Sequence[Role]) -> bool:
        return 2 * sum(one.votes.get(role, False) for role in of) > len(of)

    if agree == "all":
        return bool(voters) and all(one.votes.get(role, False) for role in voters)
    if agree == "majority":
        return most(voters)
    there = [found for side in _sides(dossier) if (found := [role for role in side if role in voters])]
    return bool(there) and all(map(most, there))


def _sides(dossier: Dossier) -> list[tuple[Role, ...]]:
    """The roles of each side; in a game that does not tell, each is a side of its own."""
    past = dossier.system.past
    sides = [side.roles for side in past.sides(dossier.scene)] if past else []
    of_sides = {role for side in sides for role in side}
    return [*sides, *((role,) for role in dossier.roles if role not in of_sides)]


def hours(dossier: Dossier) -> Iterator[int]:
    """The hours at which votes are to be closed."""
    paused_at = dossier.campaign.paused_at
    return (one.until for one in running(dossier) if not one.stands_still(paused_at))


# What is done.


def due(dossier: Dossier, at: int) -> list[Proposal]:
    """The votes that are to be closed *at*; of a copy, none."""
    return [] if dossier.campaign.copied else [one for one in running(dossier) if is_due(dossier, one, at)]


def attend(office: Office, dossier: Dossier, found: Sequence[Proposal], before_late: Callable[[], None]) -> str:
    """Close one of the votes that were *found* due, with what follows; gives what was done, empty if nothing was.

    *before_late* fetches what lies somewhere else: no vote that came in time is too late.
    """
    at = office.now()
    if any(_hour(dossier, one, at) > one.until for one in found):
        before_late()

    def build(connection: Connection) -> tuple[Entry, str]:
        entry = Entry(dossiers.load(office, connection, dossier.id), at, "office")
        one = next(iter(due(entry.dossier, at)), None)
        if one is None:
            return entry, ""
        how: Closed = "lapsed" if gone(entry.dossier, one) else "carried" if carried(entry.dossier, one) else "failed"
        close(office, connection, entry, one, how)
        return entry, f"{one.key}, {what(one.made)}, {_HOW[how]}"

    return enter(office, build)


def propose(office: Office, connection: Connection, entry: Entry, made: ProposalMade) -> None:
    """Enter that something is put to the vote, and owe every player and the GM a letter that says so."""
    entry.add(made.moment, made)
    dossier = entry.dossier
    one = dossier.campaign.proposals[made.key]
    said = _because(_proposed(made), made.reason)
    votes = electors(dossier, made)
    ends = (
        "It is secret: nobody is told who proposed it, who votes, and how, and it ends at that hour whatever is voted."
        if one.secret
        else "It is open, and ends as soon as it is decided."
    )
    for role, player in people(connection, dossier).items():
        if player is None:
            continue
        may = role in votes
        lines = f"vote {one.key} yes\nvote {one.key} no"
        notice = Notice(
            campaign=dossier.id,
            subject=f"[{dossier.id}] {one.key}: {what(made)} is put to the vote",
            heading=f"{cap(what(made))} is put to the vote",
            summary=said,
            facts=(("Votes until", when(one.until, player.zone, long=True)), ("To be carried", _must_agree(made))),
            body=f"{ends} Who says nothing does not agree." if may else f"{ends} You have no vote in this.",
            quoted=(("To vote, one of these lines; the last one counts", lines),) if may else (),
        )
        tell(entry, role, player, notice, cause=f"proposed/{one.key}/{role}")
    text = f"{said}\n{cap(_must_agree(made))}.  {ends}\n"
    entry.owe([to_gm(dossier.id, f"{one.key}: {what(made)}", text, cause=f"proposed/{one.key}", at=entry.at)])


def close(office: Office, connection: Connection, entry: Entry, one: Proposal, how: Closed) -> None:
    """Enter how a vote ended, what follows from it, and owe all a letter of that."""
    dossier, made = entry.dossier, one.made
    said = [one.votes[role] for role in electors(dossier, made) if role in one.votes]
    told = how in ("carried", "failed") and (not one.secret or made.ballot.counts)
    event = ProposalClosed(
        key=one.key,
        what=made.what,
        how=how,
        yes=sum(said) if told else None,
        no=len(said) - sum(said) if told else None,
        why=gone(dossier, one) if how == "lapsed" else "",
    )
    entry.add(_now(dossier), event)
    ended = _seen(entry.dossier, entry.dossier.campaign.proposals[one.key], None).ended
    names = "" if one.secret or not told else _names(dossier, one)
    entry.owe(
        [to_gm(dossier.id, ended[:-1], f"{ended}{_to_do(dossier, made, how)}\n", cause=f"voted/{one.key}", at=entry.at)]
    )
    there = people(connection, dossier)
    if how == "carried" and (follows := _FOLLOWS.get(made.what)):
        follows(office, connection, entry, made, f"{ended}{names}")
    if how == "carried" and made.what in _TELLS:
        return
    _tell(entry, there, ended, f"{names} {_then(made, how)}".strip(), made)


def _tell(entry: Entry, there: Mapping[Role, Player | None], ended: str, then: str, made: ProposalMade) -> None:
    dossier = entry.dossier
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {ended[:-1]}",
        heading=f"The vote on {what(made)}",
        summary=ended,
        body=then,
    )
    for role, player in there.items():
        if player:
            tell(entry, role, player, notice, cause=f"voted/{made.key}/{role}")


def _names(dossier: Dossier, one: Proposal) -> str:
    """Who voted how in an open vote, in a sentence or more."""
    voters = electors(dossier, one.made)
    groups = (("For it", True), ("Against it", False), ("Silent", None))
    found = [(said, [role for role in voters if one.votes.get(role) is vote]) for said, vote in groups]
    return "".join(f" {said}: {listed(who)}." for said, who in found if who)


def _then(made: ProposalMade, how: Closed) -> str:
    if how != "carried":
        return "Nothing changes."
    if made.what == "truce":
        return TRUCE
    return f"Nobody plays {made.role} for now; the umpire is asked for another. Deadlines stay as they are."


def _to_do(dossier: Dossier, made: ProposalMade, how: Closed) -> str:
    """What the GM is asked to do."""
    if how != "carried" or made.what != "replacement":
        return ""
    another = f"pbem player add {dossier.id} {made.role} --name NAME --address ADDRESS"
    return f"\n\nNobody plays {made.role} now.  Another: {another}"


def _must_agree(made: ProposalMade) -> str:
    return AGREE[made.ballot.agree] + (f", {made.role} not asked" if made.role else "")


def _proposed(made: ProposalMade) -> str:
    """That it is proposed; openly, by whom."""
    return f"{cap(what(made))} is proposed" if made.ballot.secret else f"{made.by} proposes {what(made)}"


def _because(said: str, reason: str) -> str:
    """A sentence with the reason that was given for it."""
    return f"{said}: {reason}" if reason and reason[-1] in ".!?" else f"{said}: {reason}." if reason else f"{said}."


def _now(dossier: Dossier) -> Moment:
    return dossier.campaign.now or SET_UP


def _draw(office: Office, connection: Connection, entry: Entry, made: ProposalMade, said: str) -> None:
    how = f"a draw, as the players agreed ({made.key})"
    breaking_off.end(office, connection, entry, how, heading="The game ends in a draw")


def _end(office: Office, connection: Connection, entry: Entry, made: ProposalMade, said: str) -> None:
    how = f"ended by a vote of the players ({made.key})"
    breaking_off.end(office, connection, entry, how, heading="The players have ended the game")


def _extension(office: Office, connection: Connection, entry: Entry, made: ProposalMade, said: str) -> None:
    hour = max(entry.dossier.exchange().deadline, entry.at) + made.hours * HOUR
    due = due_at(-(-hour // HOUR) * HOUR, entry.dossier.campaign.terms.zone)
    deadline_moves.move(office, connection, entry, due, said, "vote")


def _pause(office: Office, connection: Connection, entry: Entry, made: ProposalMade, said: str) -> None:
    pausing.enter_pause(office, connection, entry, _because(said[:-1], made.reason) if made.reason else said)


def _resume(office: Office, connection: Connection, entry: Entry, made: ProposalMade, said: str) -> None:
    pausing.enter_resumption(office, connection, entry, said)


def _replacement(office: Office, connection: Connection, entry: Entry, made: ProposalMade, said: str) -> None:
    assert made.role is not None, "it names one"
    former = entry.dossier.campaign.players.get(made.role)
    if former is not None:
        entry.add(_now(entry.dossier), PlayerWithdrew(role=made.role, player=former, reason=said))


Follows = Callable[[Office, Connection, Entry, ProposalMade, str], None]

_FOLLOWS: Mapping[Kind, Follows] = {
    "draw": _draw,
    "end": _end,
    "extension": _extension,
    "pause": _pause,
    "resume": _resume,
    "replacement": _replacement,
}
"""What is entered with a vote that is carried; a truce is no more than that it was."""

_TELLS: frozenset[Kind] = frozenset(_FOLLOWS) - {"replacement"}
"""Where that has a letter of its own to all."""
