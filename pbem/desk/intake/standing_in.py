"""A player names who sends orders for him while he cannot: for some turns, or for one exchange.

    substitute anna@player.example for 2 turns     both may send, the newest counts; both are told what the role is told
    proxy anna@player.example                      for the exchange that is open: the newest report, and no later one
    substitute off                                 it ends before its time

Who is named is asked at that address, and does nothing before he says yes, from there.  Whoever may not know what the
role knows, for he has another part in that game, is not asked, and the player is not told why: the umpire is.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers, observing, threads
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Answered, Answers, ShortLetter
from pbem.desk.intake import doubts, held, writers
from pbem.desk.intake.fates import Case, Entered, Fate, Held, Proof, sentence_for
from pbem.desk.intake.intake import Answer, Intake
from pbem.desk.intake.recipient import of_a_game
from pbem.desk.intake.writers import Graded
from pbem.desk.office.office import HOUR, Office
from pbem.desk.players import enrol, handover
from pbem.desk.post.entries import Entry
from pbem.desk.post.post import NOTHING, Answering, in_game, to_gm, to_player
from pbem.desk.sheets.own_lines import own_lines
from pbem.desk.turns import stand_ins
from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId, PlayerId, Role
from pbem.kernel.office import (
    MessageReceived,
    PlayerEnrolled,
    PlayerReplaced,
    StandInAnswered,
    StandInNamed,
)
from pbem.mail.trust.grade import Disposition
from pbem.orders.commands import WORDS
from pbem.orders.grammar import bare
from pbem.orders.prose import cap
from pbem.orders.words import Command
from pbem.reports.pages.notice import Notice
from pbem.reports.text.plain import plural
from pbem.reports.text.speech import phrase, phrase_later, phrase_of, speaking
from pbem.storage import players
from pbem.storage.database import Connection
from pbem.storage.players import Player

A_DAY = 3
"""So many people are named for one role in 24 hours: each gets a letter."""

MOST = 20
"""Turns."""

_NAMES = re.compile(r"(\S+@\S+)(?:\s+for\s+(\d{1,3})\s+turns?)?", re.IGNORECASE)
_SAYS = re.compile(r"\s*(?:substitute|proxy)\s+(yes|no)[\s.!]*", re.IGNORECASE)


def name(intake: Intake, command: Command) -> list[Answer]:
    """Name somebody, take it back, or say how it stands."""
    entry, role, said = intake.entry, intake.role, command.argument
    campaign = entry.dossier.campaign
    one = campaign.stand_ins.get(role)
    if not said:
        if one is None:
            return [("", phrase("Nobody stands in for you."))]
        waits = phrase("Whom you named was asked, and has not answered.")
        return [("", waits if one.since is None else phrase("Whom you named sends orders for you."))]
    if said.casefold() == "off":
        done = stand_ins.end(intake.connection, entry, role, phrase_later("Its player took it back."))
        return [("", phrase("Your letters alone count again.") if done else phrase("Nobody stands in for you."))]
    found = _NAMES.fullmatch(said)
    if found is None or (command.word == "proxy" and found[2]):
        return _not(intake, phrase("it is written `{example}`", example=WORDS[command.word].example))
    turns = 0 if command.word == "proxy" else int(found[2] or 1)
    if command.word != "proxy" and not 1 <= turns <= MOST:
        return _not(intake, phrase("it is for 1 to {most} turns", most=MOST))
    named = [one for one in entry.dossier.own if isinstance(one.event, StandInNamed) and one.event.role == role]
    if sum(one.at > entry.at - 24 * HOUR for one in named) >= A_DAY:
        return _not(intake, phrase("{count} people a day are enough to ask; do it tomorrow", count=A_DAY))
    try:
        address = enrol.checked_address(intake.office, found[1].strip("<>,;"))
    except Refused as refused:
        return _not(intake, str(refused).rstrip("."))
    if address == players.address_of(intake.player.address or ""):
        return _not(intake, phrase("that is your own address"))
    if one is not None:
        stand_ins.end(intake.connection, entry, role, phrase_later("Somebody else was named."))
    _ask(intake, address, turns)
    said = phrase(
        "{address} is asked, and may send nothing before he says yes. You are told when he has answered. `substitute "
        "off` takes it back.",
        address=found[1],
    )
    return [("", said)]


def _not(intake: Intake, why: str) -> list[Answer]:
    intake.refused = True
    return [("", phrase("Nobody was named: {why}.", why=why))]


def _ask(intake: Intake, address: str, turns: int) -> None:
    """Enter who is named, and ask him, unless he may not know what the role knows."""
    office, entry, role, dossier = intake.office, intake.entry, intake.role, intake.entry.dossier
    known = players.by_address(intake.connection, address)
    shown = address.partition("@")[0]
    who = known or Player(PlayerId(office.fresh_id()), shown, address, office.settings.zone, entry.at)
    if why := _bars(office, dossier, role, who):
        text = f"{role} named {address} to stand in for him.  {why}: he was not asked, and {role} is not told why.\n"
        cause = f"stand-in/gm/{role}/{intake.mark}"
        entry.owe([to_gm(dossier.id, f"nobody can stand in for {role}", text, cause=cause, at=entry.at)])
        return
    if known is None:
        entry.people.append(who)
    exchange = dossier.exchange()
    entry.add(exchange.moment, StandInNamed(role=role, player=intake.player.id, stand_in=who.id, turns=turns))
    intake.outcome = phrase_later("named a stand-in")
    how_long = f"for {plural(turns, 'turn')}" if turns else f"in {exchange.moment} alone"
    asks = to_player(
        in_game(dossier, role, who),
        ShortLetter(_will_you(dossier, role, turns)),
        kind="notice",
        cause=f"stand-in/asks/{role}/{entry.dossier.seq}",
        at=entry.at,
    )
    entry.mails += [replace(one, bare=True) for one in asks]
    subject = f"{role} names a stand-in"
    text = f"{role} asks {address} to send orders for him, {how_long}.\n"
    entry.owe([to_gm(dossier.id, subject, text, cause=f"stand-in/named/{role}/{entry.dossier.seq}", at=entry.at)])


def _will_you(dossier: Dossier, role: Role, turns: int) -> Notice:
    """The letter that asks somebody, in the language of the role, whether he will stand in for it."""
    alone = phrase("in {moment} alone", moment=dossier.exchange().moment)
    asks = phrase("will you stand in for {role}?", role=role)
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {asks}",
        heading=cap(asks),
        summary=phrase(
            "The player of {role} in {game} asks you to send orders for him, {how_long}.",
            role=role,
            game=dossier.title,
            how_long=phrase_of("for {count} turn", "for {count} turns", turns) if turns else alone,
        ),
        body=phrase(
            "If you will, answer this letter with the line `substitute yes`; if not, with `substitute no`, or not at "
            "all. You then get what the role knows, and how to order; he may order too, and the newest orders count. "
            "It ends by itself. Keep what you read to yourself."
        ),
        foot="",
    )


def _bars(office: Office, dossier: Dossier, role: Role, who: Player) -> str:
    """Why somebody may not know what *role* knows; empty if he may."""
    if any(players.address_of(one.address) == who.address and one.share(dossier.id) for one in office.gms):
        return "He runs the game"
    for recorded in dossier.own:
        event = recorded.event
        part: Role | None = None
        if (isinstance(event, PlayerEnrolled | PlayerReplaced) and event.player == who.id) or (
            isinstance(event, StandInAnswered) and event.stand_in == who.id and event.accepts
        ):
            part = event.role
        if part not in (None, role):
            return f"He has, or had, a part in it, {part}"
    if dossier.campaign.players.get(role) == who.id:
        return "He plays it himself"
    try:
        observing.see_may_play(dossier, who.id, role)
    except Refused as refused:
        return f"{refused}".partition("  ")[0].rstrip(".")
    if any(one.player == who.id for other, one in dossier.campaign.stand_ins.items() if other != role):
        return "Another player has named him too"
    return ""


class Asked(Struct, frozen=True):
    """Who was named says whether he will."""

    dossier: Dossier
    role: Role
    player: Player
    yes: bool


def asked(office: Office, connection: Connection, letter: Graded, books: Dossier | None = None) -> Asked | None:
    """What a letter says to being named, if its first line does and its writer was.

    *books*: those of a campaign as they stand when an earlier part of the letter is entered.
    """
    there, player = letter.seen.letter, letter.known.player
    if there is None or player is None:
        return None
    lines = [line for line in own_lines(there) if line.text.strip()]
    found = _SAYS.fullmatch(bare(lines[0].text)) if lines else None
    if found is None:
        return None
    meaning = of_a_game(letter.known.proof).meaning
    answers = threads.answered(connection, player, there.in_reply_to, there.references)
    name = CampaignId(meaning.campaign) if meaning else answers.campaign if answers else None
    if name is None or not dossiers.is_there(connection, name):
        return None
    dossier = books if books and books.id == name else dossiers.load(office, connection, name)
    named = [role for role, one in dossier.campaign.stand_ins.items() if one.player == player.id and one.since is None]
    if not named or dossier.campaign.ended or dossier.campaign.copied:
        return None
    if doubts.same_before(connection, letter.kept.row, letter.kept.raw, player):
        return None
    return Asked(dossier, named[0], player, found[1].casefold() == "yes")


def decided(office: Office, connection: Connection, letter: Graded, one: Asked) -> Fate:
    """What becomes of it: it is asked back where it is not sure who wrote it."""
    row, head, player, role = letter.kept.row, letter.seen.head, one.player, one.role
    judged = writers.judged(letter.seen, letter.known, one.dossier.campaign.terms.trust)
    # His address is confirmed by what went there and nowhere else, whatever the game believes.
    sure = judged.disposition is Disposition.ACCEPTED and writers.sure(judged.grade)
    proof: Proof = "vouched" if letter.kept.vouched.by else "sure" if sure else "doubtful"
    if sentence_for(Case(part="join", who="a player", proof=proof)).fate == "held":
        why = judged.reason or "whoever stands in for another confirms his address"
        asks = held.ask(office, connection, held.Doubted(row, one.dossier, None, player, why, judged.grade))
        return Held(one.dossier.id, role, player, why, asks.codes, office.now(), asks.mails)
    entry = Entry(one.dossier, office.now(), player.id)
    # What he may know may have changed since he was asked.
    if one.yes and (why := _bars(office, one.dossier, role, player)):
        text = f"{player.name or player.id} would stand in for {role}.  {why}: it is taken as a no.\n"
        cause = f"stand-in/barred/{role}/{one.dossier.seq}"
        entry.owe([to_gm(one.dossier.id, f"nobody can stand in for {role}", text, cause=cause, at=entry.at)])
        one = Asked(one.dossier, role, player, yes=False)
    moment = one.dossier.exchange().moment
    received = MessageReceived(digest=row.digest, source="letter", player=player.id, grade=letter.judgement.grade)
    entry.add(moment, received, StandInAnswered(role=role, stand_in=player.id, accepts=one.yes))
    answering = Answering(Answered(head.message_id, head.references), Answers.DONE, batch=row.digest[:16])
    _tell(office, connection, entry, one, answering)
    return Entered(
        entry=entry,
        role=role,
        player=player,
        reason=f"he {'stands' if one.yes else 'does not stand'} in for {role}",
        refused=False,
        seq=one.dossier.seq + 1,
        moment=None,
        receipt=None,
        wakes=True,
    )


def _tell(office: Office, connection: Connection, entry: Entry, one: Asked, answering: Answering) -> None:
    """Tell both of them, and the GM; who said yes is briefed."""
    dossier, role = entry.dossier, one.role
    said = f"{'sends' if one.yes else 'will not send'} orders for {role}{' from now on' if one.yes else ''}"
    owner = players.get(connection, dossier.campaign.players[role])
    with speaking(dossier.campaign.language(role)):
        to_owner, to_him = _heads(role, yes=one.yes)
    for who, head, answers in ((owner, to_owner, NOTHING), (one.player, to_him, answering)):
        notice = Notice(
            campaign=dossier.id,
            subject=f"[{dossier.id}] {head[0].lower()}{head[1:]}",
            heading=head,
            body=_HOW if one.yes else "",
            foot="",
        )
        entry.mails += to_player(
            in_game(dossier, role, who),
            ShortLetter(notice),
            kind="notice" if answers is NOTHING else "receipt",
            cause=f"stand-in/said/{role}/{dossier.seq}/{who.id}",
            at=entry.at,
            moment=dossier.campaign.now,
            answers=answers,
        )
    if one.yes:
        handover.brief(office, connection, entry, role, one.player, cause=f"briefing/{role}/{dossier.seq}")
    text = f"{one.player.name or one.player.id} ({one.player.address}) {said}.\n"
    cause = f"stand-in/gm/{role}/{dossier.seq}"
    entry.owe([to_gm(dossier.id, f"the stand-in of {role} has answered", text, cause=cause, at=entry.at)])


def _heads(role: Role, *, yes: bool) -> tuple[str, str]:
    """What the player of a role is told of the answer, and who gave it."""
    if yes:
        return phrase("Whom you named sends orders for you from now on"), phrase("You stand in for {role}", role=role)
    return phrase("Whom you named will not send orders for you"), phrase("You do not stand in for {role}", role=role)


_HOW = phrase_later(
    "Both may send orders; the newest sheet counts, whoever sent it, and receipts go to both. It ends by itself, or by "
    "`substitute off` from the player of the role."
)
