"""A letter that asks for a place in a game whose sign-up is open, from anybody.

    join stprivat-autumn as french or prussian
    name M. Canrobert                             what he is called; else as his mail program says
    zone Europe/Paris                             his clock; else the office's

Who is not known here gets a code at the address that he writes from, and is on the list when he gives it back: until
then nothing of him is written down but his letter.  Of a game that cannot be joined nothing is told: such a letter is
what it would be without that line.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Answered, Answers, Owed, ShortLetter
from pbem.desk.intake import doubts, held, refusals, writers
from pbem.desk.intake.fates import Case, Entered, Fate, Held, Proof, Refused, Who, sentence_for
from pbem.desk.intake.writers import Graded
from pbem.desk.office.office import Office, signing_key
from pbem.desk.office.settings import is_zone
from pbem.desk.players import enrol, joining
from pbem.desk.players.joining import Wish
from pbem.desk.post.entries import Entry
from pbem.desk.post.post import Addressee, Answering, to_player, to_stranger
from pbem.desk.sheets.own_lines import own_lines
from pbem.kernel import errors
from pbem.kernel.lot import LOT
from pbem.kernel.names import PlayerId, Role
from pbem.kernel.office import MessageReceived
from pbem.mail.reading.letter import Head
from pbem.mail.reading.naming import for_people
from pbem.mail.trust.confirm import CHANCE, LIFE, hash_code, make_code
from pbem.mail.trust.grade import Disposition
from pbem.orders.grammar import bare
from pbem.orders.joining import joins
from pbem.reports.pages.notice import Notice, refusal
from pbem.reports.text.speech import phrase, speaking
from pbem.reports.text.times import when
from pbem.storage.database import Connection
from pbem.storage.letters import Letter as Row
from pbem.storage.players import Player

_SAYS = re.compile(r"\s*(name|zone)(?:\s*:\s*|\s+)(\S.*)", re.IGNORECASE)


class Join(Struct, frozen=True):
    """What a letter asks for that would join a game."""

    dossier: Dossier
    roles: tuple[Role, ...]
    """The best first; none: any."""
    off: bool
    """He would be on the list no more."""
    text: str
    name: str = ""
    zone: str = ""


def asked(office: Office, connection: Connection, letter: Graded, books: Dossier | None = None) -> Join | None:
    """The game that a letter would join, if its first line says so and the game can be joined.

    *books*: those of a campaign as they stand when an earlier part of the letter is entered.
    """
    there = letter.seen.letter
    if there is None:
        return None
    lines = [line for line in own_lines(there) if line.text.strip()]
    first = joins(lines[0].text) if lines else None
    dossier = joining.find(office, connection, first.game) if first else None
    if first is None or dossier is None:
        return None
    player, row = letter.known.player, letter.kept.row
    if player is not None and doubts.same_before(connection, row, letter.kept.raw, player):
        return None  # what comes twice counts once, whatever he has wished since
    if books and books.id == dossier.id:
        dossier = books
    said = {found[1].casefold(): found[2] for line in lines[1:] if (found := _SAYS.fullmatch(bare(line.text)))}
    return Join(
        dossier=dossier,
        roles=first.roles,
        off=first.off,
        text="\n".join(line.text.strip() for line in lines),
        name=said.get("name", "") or _signed(there),
        zone=zone if is_zone(zone := said.get("zone", "").strip(" .,")) else "",
    )


def decided(office: Office, connection: Connection, letter: Graded, join: Join) -> Fate:
    """What becomes of a letter that would join a game."""
    player = letter.known.player
    judged = writers.judged(letter.seen, letter.known, join.dossier.campaign.terms.trust)
    sure = player is not None and judged.disposition is Disposition.ACCEPTED
    proof: Proof = "vouched" if letter.kept.vouched.by else "sure" if sure else "doubtful"
    who: Who = "a player" if player else "nobody known"
    if sentence_for(Case(part="join", who=who, proof=proof)).fate == "entered":
        try:
            writer = player or _newcomer(office, letter, join)
        except errors.Refused as refused:
            return Refused(reason=str(refused))
        return _entered(office, connection, letter, join, writer)
    if player is None:
        return _of_stranger(office, letter, join)
    row, dossier = letter.kept.row, join.dossier
    asks = held.ask(office, connection, held.Doubted(row, dossier, None, player, judged.reason, judged.grade))
    return Held(dossier.id, None, player, judged.reason, asks.codes, office.now(), asks.mails)


def _entered(office: Office, connection: Connection, letter: Graded, join: Join, player: Player) -> Fate:
    """The entry that a letter makes of which it is sure who wrote it, or why it makes none."""
    row, head, new = letter.kept.row, letter.seen.head, letter.known.player is None
    answered = Answered(head.message_id, head.references)
    entry, mark = Entry(join.dossier, office.now(), player.id), row.digest[:16]
    received = MessageReceived(digest=row.digest, source="letter", player=player.id, grade=letter.judgement.grade)
    entry.add(LOT, received)
    entry.people += [player] if new else []
    wish = Wish(join.roles, join.text, row.digest, head.message_id)
    was = False
    try:
        if join.off:
            was = joining.take_off(entry, player.id, "He would not play any more.")
        else:
            joining.sign(office, connection, entry, player, wish)
    except errors.Refused as refused:
        with speaking(join.dossier.campaign.language_of(player.id)):
            why = joining.barred(office, join.dossier, player, wish)
            owes = _not_signed(office, join, player, row, why, answered, new=new)
        return Refused(reason=str(refused), player=None if new else player.id, owes=tuple(owes))
    with speaking(entry.dossier.campaign.language_of(player.id)):
        notice = (
            joining.off_list(entry.dossier, was=was)
            if join.off
            else joining.receipt(connection, entry.dossier, player, wish)
        )
    joining.answer(entry, player, notice, Answering(answered, Answers.DONE, batch=mark), mark)
    if len(entry.events) > 1:
        joining.tell_gm(entry, player, "is off the list." if join.off else "is on the list.", mark)
    return Entered(
        entry=entry,
        role=None,
        player=player,
        reason="off the list" if join.off else "on the list",
        refused=False,
        seq=join.dossier.seq + 1,
        moment=None,
        receipt=None,
        wakes=not new,
    )


def _newcomer(office: Office, letter: Graded, join: Join) -> Player:
    """Whoever writes, as he will be known.

    :raises Refused: if nobody can be called so, or no player can have that address.
    """
    address = enrol.checked_address(office, letter.seen.head.sender.address)
    name = for_people(join.name or address.partition("@")[0], "a player")
    return Player(PlayerId(office.fresh_id()), name, address, join.zone or office.settings.zone, office.now())


def _of_stranger(office: Office, letter: Graded, join: Join) -> Fate:
    """A letter from an address that is nobody's here: a code goes there, and the letter waits for it."""
    row, head, dossier = letter.kept.row, letter.seen.head, join.dossier
    try:
        address = enrol.checked_address(office, head.sender.address)
    except errors.Refused as refused:
        return Refused(reason=str(refused))
    now, code = office.now(), make_code(office.chance(CHANCE))
    with speaking(dossier.campaign.terms.language):
        notice = _would_you(dossier, when(now + LIFE, office.settings.zone), code)
    mail = to_stranger(
        address,
        ShortLetter(notice),
        cause=f"join/{row.id}/{row.tries}",
        at=now,
        answers=Answered(head.message_id, head.references),
    )
    codes = ((row.id, hash_code(code, held.about(row), signing_key(office))),)
    owes = (replace(mail, counts=Answers.JOINING),)
    return Held(dossier.id, None, None, "its writer is asked at the address that he writes from", codes, now, owes)


def _would_you(dossier: Dossier, until: str, code: str) -> Notice:
    """The letter that asks whoever reads an address whether he would play."""
    return Notice(
        campaign="",
        subject=phrase("would you play here?"),
        heading=phrase("Would you play here?"),
        summary=phrase(
            "Somebody, you we hope, has written from this address to join {title} ({game}).",
            title=dossier.title,
            game=dossier.id,
        ),
        body=phrase(
            "If it was you, answer with the line below and nothing else: then you are on the list. It is good until "
            "{until}, and only once.\n\nIf it was not you, do nothing. Nothing of you is written down, and this "
            "address gets no more than three such letters a day.",
            until=until,
        ),
        quoted=((phrase("Your answer"), f"confirm {code}"),),
        foot="",
    )


def _not_signed(
    office: Office, join: Join, player: Player, row: Row, why: str, answered: Answered, *, new: bool
) -> list[Owed]:
    """Say why somebody is not on the list."""
    dossier = join.dossier
    notice = refusal(
        campaign="" if new else dossier.id,
        subject=("" if new else f"[{dossier.id}] ") + phrase("you are not on the list"),
        why=f"{why[:1].upper()}{why[1:]}",
        instead=phrase("`join {game} as any` asks for any role.", game=dossier.id),
        received=when(row.received_at, player.zone),
        text=join.text,
    )
    notice = replace(notice, heading=phrase("You are not on the list"))
    cause, now = f"not joined/{row.digest[:16]}", office.now()
    if new and player.address:
        mail = to_stranger(player.address, ShortLetter(notice), cause=cause, at=now, answers=answered)
        return [replace(mail, counts=Answers.JOINING)]
    answering = Answering(answered, refusals.sure(row.grade))
    return to_player(Addressee(player), ShortLetter(notice), kind="receipt", cause=cause, at=now, answers=answering)


def _signed(head: Head) -> str:
    """What a writer is called by his mail program; empty if it says nothing."""
    name = " ".join(head.sender.name.split())
    return "" if "@" in name else name
