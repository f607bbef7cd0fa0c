"""Players put something to the vote and vote, by letter; what becomes of a vote is the clock's (`turns.votes`)."""

from __future__ import annotations

import re
from typing import get_args

from pbem.desk.books import threads
from pbem.desk.books.dossiers import Dossier
from pbem.desk.intake import press
from pbem.desk.intake.intake import Answer, Intake
from pbem.desk.office.office import HOUR
from pbem.desk.players import voted
from pbem.desk.turns import votes
from pbem.kernel.ballot import Kind
from pbem.kernel.errors import BadMoment, Refused
from pbem.kernel.names import Moment
from pbem.kernel.office import ProposalMade, VoteCast
from pbem.kernel.proposal import Proposal
from pbem.orders.words import Command
from pbem.reports.text.speech import Row, phrase
from pbem.reports.text.times import when
from pbem.storage import aliases

PROPOSALS_A_DAY = 3
"""So many times one role may put something to the vote within 24 hours."""

LONGEST_EXTENSION = 24 * 30
"""Hours of more time for which can be voted at once."""

LONGEST_REASON = 400

_PROPOSED = re.compile(r"(\w+)\s*(?:until|till|to|of|by|for)?\s*([^:]*?)\s*(?::\s*(.*))?", re.IGNORECASE | re.DOTALL)
_VOTED = re.compile(r"(?:(v\d+)\s+)?(yes|no)!*", re.IGNORECASE)


def in_a_subject(command: Command) -> str:
    """The word of a command as the subject of its answer has it: a vote shows in none, for others may see that."""
    voting = command.word in ("vote", "propose") or (command.word == "withdraw" and command.argument)
    return "status" if voting else command.word


def propose(intake: Intake, command: Command) -> list[Answer]:
    """Put something to the vote, or say why not."""
    try:
        made = _proposed(intake, command)
    except Refused as refused:
        return _refused(intake, phrase("Nothing was put to the vote: {why}", why=refused))
    votes.propose(intake.office, intake.connection, intake.entry, made)
    one = intake.entry.dossier.campaign.proposals[made.key]
    votes_on_it = intake.role in votes.electors(intake.entry.dossier, made)
    said = phrase(
        "{key} is put to the vote until {until}: {what}. {mine}. `withdraw {key}` takes it back.",
        key=made.key,
        until=when(one.until, intake.player.zone),
        what=votes.what(made),
        mine=phrase("Your own vote is yes") if votes_on_it else phrase("You have no vote"),
    )
    return [("", said)]


def vote(intake: Intake, command: Command) -> list[Answer]:
    """Enter a vote, or say why it does not count."""
    said = _VOTED.fullmatch(" ".join(command.argument.split()))
    assert said is not None, "its form was seen to"
    try:
        one = _meant(intake, said[1])
    except Refused as refused:
        return _refused(intake, phrase("Your vote was not taken: {why}", why=refused))
    yes = said[2].casefold() == "yes"
    # One that changes nothing is entered too: of a letter that holds a vote the desk must not see even that it came.
    cast = VoteCast(key=one.key, role=intake.role, yes=yes, secret=one.secret, message=intake.message.digest)
    intake.entry.add(one.made.moment, cast)
    told = phrase(
        "Your vote on {key}, {what}, is {vote}. {told} It counts until {until}.",
        key=one.key,
        what=votes.what(one.made),
        vote=phrase(said[2].casefold()),
        told=phrase("Nobody is told of it.") if one.secret else phrase("All can see it."),
        until=when(one.until, intake.player.zone),
    )
    return [("", told)]


def take_back(intake: Intake, command: Command) -> list[Answer]:
    """Close a vote that its proposer takes back."""
    key, entry = command.argument.upper(), intake.entry
    one = entry.dossier.campaign.proposals.get(key)
    if one is None or not one.is_of(intake.role):
        return _refused(intake, phrase("Nothing was taken back: you have not proposed {key}.", key=key))
    if votes.has_closed(entry.dossier, one, intake.message.received):
        return _refused(intake, phrase("Nothing was taken back: {key} is over.", key=key))
    voted.close(intake.office, intake.connection, entry, one, "withdrawn")
    return [("", phrase("{key}, {what}, is taken back.", key=key, what=votes.what(one.made)))]


def standing(intake: Intake) -> list[str]:
    """What is put to the vote, a line each, as the writer may know it: to who stands in for another not his vote."""
    zone = intake.player.zone
    lines = []
    for one in votes.seen(intake.entry.dossier, intake.role if intake.is_own else None):
        if one.how is None:
            vote = phrase("none yet") if one.vote is None else phrase("yes") if one.vote else phrase("no")
            mine = phrase("your vote: {vote}", vote=vote) if one.votes else phrase("no vote of yours")
            until = when(one.until, zone)
            lines.append(
                phrase("{key}, {what}, until {until}; {mine}", key=one.key, what=one.what, until=until, mine=mine)
            )
    return lines


def _proposed(intake: Intake, command: Command) -> ProposalMade:
    """What is proposed.

    :raises Refused: if that cannot be put to the vote, or not now.
    """
    dossier, at = intake.entry.dossier, intake.entry.at
    said = _PROPOSED.fullmatch(" ".join(command.argument.split()))
    assert said is not None, "its form was seen to"
    kind: Kind = next(one for one in get_args(Kind) if one == said[1].casefold())
    ballot = dossier.campaign.terms.ballot(kind)
    exchange, of = dossier.exchange(), (intake.moment or dossier.exchange().moment).whole
    if kind == "extension" and of < exchange.moment:
        raise Refused(phrase("{moment} is over, and {now} is open", moment=of, now=exchange.moment) + ".")
    his = aliases.all_of(intake.connection, intake.player)
    until = at + ballot.hours * HOUR
    if kind == "extension" and at < exchange.deadline:
        until = min(until, exchange.deadline)
    made = ProposalMade(
        key=f"V{len(dossier.campaign.proposals) + 1}",
        what=kind,
        moment=exchange.moment,
        by=intake.role,
        ballot=ballot,
        until=until,
        reason=press.without_addresses(said[3] or "", his).strip()[:LONGEST_REASON],
        hours=_hours(said[2]) if kind == "extension" else 0,
        role=dossier.role(said[2]) if kind == "replacement" else None,
        to=_until(dossier, said[2]) if kind == "truce" else None,
        message=intake.message.digest,
    )
    if not ballot.allowed:
        raise Refused(phrase("by the terms of this game {what} is not put to the vote.", what=votes.what(made)))
    _see_it_can_be(intake, made)
    return made


def _see_it_can_be(intake: Intake, made: ProposalMade) -> None:
    dossier, at = intake.entry.dossier, intake.entry.at
    if why := votes.gone(dossier, Proposal(made, 0, at, made.until)):
        raise Refused(f"{why}.")
    for one in votes.running(dossier):
        if one.made.what == made.what and one.made.role == made.role:
            said = votes.what(one.made)
            raise Refused(phrase("{key}, {what}, is being voted on: `vote {key} yes`.", key=one.key, what=said))
    others = votes.electors(dossier, made)
    if made.role and made.role not in dossier.campaign.players:
        raise Refused(phrase("nobody plays {role} now.", role=made.role))
    if made.role and len(others) < 2:
        raise Refused(
            phrase("beside {role} too few play to vote on that.  Write to the umpire: `umpire: …`.", role=made.role)
        )
    # What a player before him proposed is not his, nor is he told of it.
    own = [one for one in dossier.campaign.proposals.values() if one.is_of(made.by) and one.at > at - 24 * HOUR]
    if len(own) >= PROPOSALS_A_DAY:
        raise Refused(
            phrase("you have put {count} things to the vote within 24 hours; do it tomorrow.", count=PROPOSALS_A_DAY)
        )


def _meant(intake: Intake, key: str | None) -> Proposal:
    """The proposal that is voted on.

    :raises Refused: if there is none, it is over, or the role has no vote in it.
    """
    dossier, received = intake.entry.dossier, intake.message.received
    open_now = [one for one in votes.running(dossier) if not votes.has_closed(dossier, one, received)]
    mine = [one for one in open_now if intake.role in votes.electors(dossier, one.made)]
    if key is None and (key := _of_mail_answered(intake)) is None:
        if len(mine) == 1 and mine[0].at <= intake.message.written:
            return mine[0]
        if mine:
            raise Refused(phrase("say on which: {which:or}.", which=Row(f"vote {one.key} yes" for one in mine)))
        raise Refused(phrase("nothing is put to the vote now."))
    one = dossier.campaign.proposals.get(key.upper())
    if one is None:
        raise Refused(phrase("there is no {key}.  `status` says what is voted on.", key=key.upper()))
    if one not in open_now:
        raise Refused(phrase("{key}, {what}, is over.", key=one.key, what=votes.what(one.made)))
    if one not in mine:
        raise Refused(phrase("you have no vote in {key}, {what}.", key=one.key, what=votes.what(one.made)))
    return one


def _of_mail_answered(intake: Intake) -> str | None:
    """The key of what was proposed by the mail that a letter answers."""
    message = intake.message
    mail = threads.answered(intake.connection, intake.player, message.replies_to, message.answers.references)
    head, *rest = mail.cause.split("/") if mail and mail.campaign == intake.entry.dossier.id else ("",)
    return rest[0] if head == "proposed" else None


def _hours(text: str) -> int:
    count = int(re.sub(r"\D", "", text) or 0)
    if not 1 <= count <= LONGEST_EXTENSION:
        raise Refused(phrase("an extension is of 1 to {most} hours.", most=LONGEST_EXTENSION))
    return count


def _until(dossier: Dossier, text: str) -> Moment:
    try:
        moment = Moment.parse(text.strip(" ."))
    except BadMoment:
        raise Refused(phrase('"{text}" is no turn: write it like `propose truce until 5A`.', text=text)) from None
    if moment <= dossier.exchange().moment:
        raise Refused(phrase("{moment} has come already.", moment=moment))
    return moment


def _refused(intake: Intake, why: str) -> list[Answer]:
    intake.refused = True
    return [("", why)]
