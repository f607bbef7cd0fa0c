"""What the players put to the vote: who must agree, what is told of it, and when it is to be closed.

proposed  →  all are told, and vote until its hour; a vote can be changed until it is closed
closed    →  by the clock: an open vote when it is decided, a secret one at its hour and not before
carried   →  what follows is entered with it (`desk.players.voted`)

Of a secret vote nobody is told who proposed it, who voted, and how: no player and no GM.  What is told here is made of
what `seen` gives, which knows for whom it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.roster import people
from pbem.desk.office.office import Office
from pbem.desk.post.entries import Entry, tell
from pbem.desk.post.post import to_gm
from pbem.kernel.ballot import Agree, Ballot, Kind
from pbem.kernel.names import Role
from pbem.kernel.office import Closed, ProposalMade
from pbem.kernel.proposal import Proposal
from pbem.orders.prose import cap
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import ENGLISH, phrase, phrase_later, phrase_of, speaking
from pbem.reports.text.times import when
from pbem.storage.database import Connection
from pbem.storage.players import Player

_WHAT: Mapping[Kind, Callable[[ProposalMade], str]] = {
    "draw": lambda made: phrase("a draw"),
    "truce": lambda made: phrase("a truce until {moment}", moment=made.to),
    "end": lambda made: phrase("the end of the game"),
    "extension": lambda made: phrase_of(
        "{count} hour more for {moment}", "{count} hours more for {moment}", made.hours, moment=made.moment
    ),
    "pause": lambda made: phrase("a pause of the game"),
    "resume": lambda made: phrase("that the game goes on"),
    "replacement": lambda made: phrase("another player for {role}", role=made.role),
}

AGREE: Mapping[Agree, str] = {
    "all": phrase_later("all who play must agree"),
    "majority": phrase_later("more than half of those who play must agree"),
    "sides": phrase_later("of each side more than half must agree"),
}
"""Who must agree, in words, which are said later."""

TRUCE = phrase_later(
    "It is written down, and all know of it. The rules of the game do not: they stop nobody who breaks it."
)
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
        return f"{self.key}, {self.what}, {phrase(HOW[self.how])}{self._told}." if self.how else ""

    @property
    def _told(self) -> str:
        if self.how == "lapsed":
            return phrase(", for {why}", why=self.why)
        if self.how == "withdrawn" or self.counts is None:
            return ""
        return phrase(": {yes} for it, {no} against", yes=self.counts[0], no=self.counts[1])


HOW: Mapping[Closed, str] = {
    "carried": phrase_later("is carried"),
    "failed": phrase_later("is not carried"),
    "lapsed": phrase_later("has lapsed"),
    "withdrawn": phrase_later("was taken back"),
}


def what(made: ProposalMade) -> str:
    """What is proposed: `a truce until 5A`."""
    return _WHAT[made.what](made)


def electors(dossier: Dossier, made: ProposalMade) -> tuple[Role, ...]:
    """Who votes on it: every role that somebody plays, but for one that is out, or whose player is to be another."""
    there, out = dossier.campaign.players, _out(dossier)
    return tuple(role for role in dossier.roles if role in there and role not in out and role != made.role)


def _out(dossier: Dossier) -> tuple[Role, ...]:
    """The roles that are out of the game, as all know it since the newest exchange that was made known."""
    known = [one for _, one in sorted(dossier.campaign.exchanges.items()) if one.state == "released"]
    return known[-1].out if known else ()


def seen(dossier: Dossier, role: Role | None) -> list[Seen]:
    """All that was put to the vote, the newest first, as *role* may know it; None: as the GM may."""
    return [_seen(dossier, one, role) for one in reversed(list(dossier.campaign.proposals.values()))]


def ended(dossier: Dossier, key: str) -> str:
    """How a vote ended, in a sentence that all may be told; empty, while it runs."""
    return _seen(dossier, dossier.campaign.proposals[key], None).ended


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
        by=made.by if not one.secret or one.is_of(role) else None,
        mine=one.is_of(role),
        votes=role in voters,
        vote=one.votes.get(role) if role and not closed else None,
        tally=() if one.secret or closed else tuple((voter, one.votes.get(voter)) for voter in voters),
        how=closed.how if closed else None,
        counts=counts,
        closed_at=one.closed_at,
        why=_gone_said(made, closed.why) if closed else "",
    )


def running(dossier: Dossier) -> list[Proposal]:
    """What is being voted on."""
    return [one for one in dossier.campaign.proposals.values() if not one.closed]


GONE: Mapping[str, str] = {
    "ended": phrase_later("the game is over"),
    "nobody": phrase_later("nobody plays who could vote"),
    "closed": phrase_later("{moment} is not open any more"),
    "annulled": phrase_later("{moment} was annulled"),
    "past": phrase_later("{to} is past"),
    "paused": phrase_later("the game is paused already"),
    "goes on": phrase_later("the game goes on already"),
    "changed": phrase_later("{role} has changed hands"),
}
"""Why there is nothing to vote on any more, in phrases, which are said later."""


def gone(dossier: Dossier, one: Proposal) -> str:
    """Why there is nothing to vote on any more, in a phrase; empty while there is."""
    why = _gone(dossier, one)
    return _filled(one.made, GONE[why]) if why else ""


def _filled(made: ProposalMade, text: str) -> str:
    return phrase(text, moment=made.moment, to=made.to, role=made.role)


def _gone_said(made: ProposalMade, why: str) -> str:
    """What stands in the log as the reason, in the language that is spoken now."""
    texts = [text for text in GONE.values() if text.format(moment=made.moment, to=made.to, role=made.role) == why]
    return _filled(made, texts[0]) if texts else why


def _gone(dossier: Dossier, one: Proposal) -> str:
    campaign, made = dossier.campaign, one.made
    if campaign.ended:
        return "ended"
    if not electors(dossier, made):
        return "nobody"
    match made.what:
        case "extension":
            exchange = dossier.exchange()
            if exchange.moment != made.moment or exchange.state == "released":
                return "closed"
            if exchange.steps and exchange.state != "open":
                return "closed"
            return "annulled" if exchange.known else ""
        case "truce" if made.to is not None and campaign.now is not None and campaign.now > made.to:
            return "past"
        case "pause" if campaign.paused_at:
            return "paused"
        case "resume" if not campaign.paused_at:
            return "goes on"
        case "replacement" if one.moot:
            return "changed"
        case _:  # a draw, or the end, can be agreed as long as there is a game
            return ""


def has_closed(dossier: Dossier, one: Proposal, at: int) -> bool:
    """Whether votes that come *at* are too late."""
    return one.closed is not None or bool(gone(dossier, one)) or is_late(dossier, one, at)


def is_late(dossier: Dossier, one: Proposal, at: int) -> bool:
    """Whether its hour has passed *at*."""
    return _hour(dossier, one, at) > one.until


def _hour(dossier: Dossier, one: Proposal, at: int) -> int:
    paused_at = dossier.campaign.paused_at
    return min(at, paused_at) if one.stands_still(paused_at) else at


def is_due(dossier: Dossier, one: Proposal, at: int) -> bool:
    """Whether a vote is to be closed *at*.

    While a turn is resolved and nobody knows of it the game can end by no vote, and no more time is given, whatever
    was voted; nor is anybody told that there is nothing to vote on.
    """
    if gone(dossier, one):
        return True
    if one.made.what in ("draw", "end", "extension") and dossier.exchange().state in ("halted", "resolved"):
        return False
    if is_late(dossier, one, at):
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


def propose(office: Office, connection: Connection, entry: Entry, made: ProposalMade) -> None:
    """Enter that something is put to the vote, and owe every player and the GM a letter that says so."""
    entry.add(made.moment, made)
    dossier = entry.dossier
    one = dossier.campaign.proposals[made.key]
    votes = electors(dossier, made)
    for role, player in people(connection, dossier).items():
        if player:
            with speaking(dossier.campaign.language(role)):
                notice = _put(dossier, one, player, may=role in votes)
            tell(entry, role, player, notice, cause=f"proposed/{one.key}/{role}")
    with speaking(ENGLISH):
        text = f"{because(_proposed(made), made.reason)}\n{cap(_must_agree(made))}.  {phrase(_ends(one))}\n"
        entry.owe([to_gm(dossier.id, f"{one.key}: {what(made)}", text, cause=f"proposed/{one.key}", at=entry.at)])


def _put(dossier: Dossier, one: Proposal, player: Player, *, may: bool) -> Notice:
    """The letter that says that something is put to the vote, to a player who *may* vote on it or not."""
    made = one.made
    put = phrase("{what} is put to the vote", what=what(made))
    then = phrase("Who says nothing does not agree.") if may else phrase("You have no vote in this.")
    lines = f"vote {one.key} yes\nvote {one.key} no"
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {one.key}: {put}",
        heading=cap(put),
        summary=because(_proposed(made), made.reason),
        facts=(
            (phrase("Votes until"), when(one.until, player.zone, long=True)),
            (phrase("To be carried"), _must_agree(made)),
        ),
        body=f"{phrase(_ends(one))} {then}",
        quoted=((phrase("To vote, one of these lines; the last one counts"), lines),) if may else (),
    )


def _ends(one: Proposal) -> str:
    """How a vote is held and when it ends, in a sentence that is said later."""
    if one.secret:
        return phrase_later(
            "It is secret: nobody is told who proposed it, who votes, and how, and it ends at that hour whatever is "
            "voted."
        )
    return phrase_later("It is open, and ends as soon as it is decided.")


def _must_agree(made: ProposalMade) -> str:
    return phrase(AGREE[made.ballot.agree]) + (phrase(", {role} not asked", role=made.role) if made.role else "")


def _proposed(made: ProposalMade) -> str:
    """That it is proposed; openly, by whom."""
    if made.ballot.secret:
        return cap(phrase("{what} is proposed", what=what(made)))
    return phrase("{role} proposes {what}", role=made.by, what=what(made))


def because(said: str, reason: str) -> str:
    """A sentence with the reason that was given for it."""
    return f"{said}: {reason}" if reason and reason[-1] in ".!?" else f"{said}: {reason}." if reason else f"{said}."
