"""The campaign and the role that a letter of a player is for, by what the letter itself shows of them.

A letter can show its campaign by the secret address that it was sent to, by the tag `[campaign]` or by `#campaign` in
its subject, by a line `game NAME` or `#campaign`, and by the letter of ours that it answers.  All that it shows must
agree.  A letter that shows none is for the only campaign that its writer plays.

The logs of campaigns that a letter does not name are read only where it names none, and then those of its writer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers, observing, threads
from pbem.desk.books.dossiers import Dossier
from pbem.desk.intake import doubts, writers
from pbem.desk.intake.fates import Case, Game
from pbem.desk.intake.fates import Proof as ProofOf
from pbem.desk.intake.refusals import Astray, LooksOn
from pbem.desk.intake.writers import Graded
from pbem.desk.office.office import Office
from pbem.desk.post import addresses
from pbem.desk.post.addresses import NOWHERE
from pbem.kernel.names import CampaignId, Role
from pbem.kernel.office import PlayerEnrolled, PlayerReplaced
from pbem.mail.reading.letter import Letter
from pbem.mail.reading.sender import campaign_tags
from pbem.mail.reading.worker import ReaderBroke
from pbem.mail.trust.grade import Disposition
from pbem.mail.wire.reply_address import Proof, Purpose, Token, looks_secret
from pbem.orders.commands import OF_HIMSELF
from pbem.orders.grammar import bare
from pbem.orders.sheet import Line
from pbem.orders.words import Head, command_of, split_sheet
from pbem.storage.database import Connection
from pbem.storage.outbox import Mail
from pbem.storage.players import Player

_MARK = re.compile(r"(?<![^\s(\[,;:])#([a-z0-9][a-z0-9-]*)(?:/([a-z][a-z0-9._-]*))?(?![^\s)\],;:.!?])", re.IGNORECASE)
_GAME = re.compile(r"\s*game(?:\s*:\s*|\s+)(\S+)[\s.,]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sign:
    """What in a letter shows a campaign, and perhaps a role."""

    campaign: CampaignId
    shown: str
    """By what: `the tag in its subject`."""
    role: Role | None = None
    plain: bool = False
    """The letter says in so many words that this is its game."""


class Place(Struct, frozen=True):
    """The campaign and the role that a letter is for, and what it says as far as it counts there."""

    dossier: Dossier
    role: Role
    letter: Letter
    grade: str
    doubt: str
    """Why it is not certain enough who wrote it, by the terms of that campaign, in a phrase."""


class Addressed(Struct, frozen=True):
    """A letter, all that the manual asks of its words, and where these go."""

    letter: Graded
    case: Case
    place: Place | None = None
    astray: Astray | None = None
    """Why they go nowhere."""


def addressed(office: Office, connection: Connection, letter: Graded, books: Dossier | None = None) -> Addressed:
    """Where the words of a letter go, and what the manual asks of them, as far as it asks it.

    *books*: those of a campaign as they stand when an earlier part of the letter is entered.
    """
    seen, known, player = letter.seen, letter.known, letter.known.player
    if player is None:
        return Addressed(letter, Case(who="nobody known"))
    before = doubts.same_before(connection, letter.kept.row, letter.kept.raw, player)
    case = Case(who="a player", came_before=before)
    if before:
        return Addressed(letter, case)
    counts = writers.counting(seen, known)
    if counts is None:
        broke = isinstance(seen.fault, ReaderBroke)
        return Addressed(letter, replace(case, bytes="broke the reader" if broke else "unreadable"))
    try:
        dossier, role = where(office, connection, player, counts, of_a_game(known.proof))
    except Astray as astray:
        game: Game = "looked on at" if isinstance(astray, LooksOn) else "not found"
        return Addressed(letter, replace(case, game=game), astray=astray)
    if doubts.same_there(connection, letter.kept.row, letter.kept.raw, player, dossier.id):
        return Addressed(letter, replace(case, came_before=True))
    if books and books.id == dossier.id:
        dossier = books
        if role not in dossier.campaign.roles_of(player.id):
            gone = Astray(player, f"you no longer play {role} in {dossier.id}", _played(office, connection, player))
            return Addressed(letter, replace(case, game="not found"), astray=gone)
    trust = dossier.campaign.terms.trust
    judged = writers.judged(seen, known, trust)
    doubt = "" if judged.disposition is Disposition.ACCEPTED else judged.reason
    if not doubt and trust != "address" and writers.by_signature(seen, known) and counts.date:
        doubt = doubts.overtaken(connection, dossier, role, counts.date)
    proof: ProofOf = "vouched" if letter.kept.vouched.by else "doubtful" if doubt else "sure"
    place = Place(dossier, role, counts, judged.grade, doubt)
    return Addressed(letter, replace(case, game="found", proof=proof), place)


def of_a_game(proof: Proof) -> Proof:
    """What an address proves of the campaign as well: one for letters of no game proves nothing of that."""
    return Proof(Token.NONE) if proof.meaning and proof.meaning.campaign == NOWHERE else proof


def where(office: Office, connection: Connection, player: Player, letter: Letter, proof: Proof) -> tuple[Dossier, Role]:
    """The campaign that *letter* of *player* is for, and the role in it; *proof* is what its addresses prove.

    :raises Astray: if the letter does not show them, shows several, or shows what is not the player's.
    """
    answered = threads.answered(connection, player, letter.in_reply_to, letter.references)
    signs = list(_signs(letter, _addressed(office, connection, letter, proof), answered))
    there = dossiers.those_there(connection, (one.campaign for one in signs))
    named = {one.campaign: _his(office, connection, player, one.campaign) for one in signs if one.campaign in there}
    # What only looks like the name of a game of his is none: a list's tag, or the game of others.
    signs = [one for one in signs if named.get(one.campaign) is not None or one.plain]
    campaigns = list(dict.fromkeys(one.campaign for one in signs))
    if len(campaigns) > 1:
        shown = "; ".join(dict.fromkeys(f"{one.shown} says {one.campaign}" for one in signs))
        raise Astray(
            player,
            f"it names several campaigns: {shown}",
            "Nothing of it was taken. Write one letter for each campaign, as a new letter and not as an answer to one "
            "of another campaign, and begin it with a line `game NAME`.",
        )
    if not campaigns and _is_of_himself(letter) and (played := _all_played(office, connection, player)):
        own = next((one for one in played if not one.campaign.ended), played[0])
        return own, own.campaign.roles_of(player.id)[0]
    dossier = named.get(campaigns[0]) if campaigns else _only(office, connection, player)
    if dossier is not None and player.id in dossier.campaign.observers:
        raise LooksOn(player, dossier)
    if dossier is None or not dossier.campaign.roles_of(player.id):
        raise Astray(player, f"you play in no campaign {campaigns[0]}", _played(office, connection, player))
    return dossier, _role(player, letter, dossier, signs, answered)


def _is_of_himself(letter: Letter) -> bool:
    """Whether a letter says something of its writer alone: it is then no matter in which of his games it is taken."""
    said = [text for line in letter.lines if (text := bare(line.text).strip())] or [letter.subject]
    words = {command.word if (command := command_of(text)) else "" for text in said}
    return words <= OF_HIMSELF


def _signs(letter: Letter, addressed: Iterable[CampaignId], answered: Mail | None) -> Iterator[Sign]:
    """All that may show a campaign of the office, and what is said to be one."""
    for campaign in addressed:
        yield Sign(campaign, "the address that it was sent to")
    for tag in campaign_tags(letter.subject):
        yield Sign(CampaignId(tag), "the tag in its subject")
    yield from _marks(letter.subject, "#{} in its subject")
    lines = [Line(line.number, line.text) for line in letter.lines]
    head = _head(letter)
    if head.game and len(head.game.split()) == 1:
        yield Sign(CampaignId(head.game.lower()), f"the line `game {head.game}`", plain=True)
    for line in lines:
        if line.text.lstrip().startswith("#"):
            marked = line.text.strip(" \t.,")
            yield from _marks(marked, "the line `#{}`") if _MARK.fullmatch(marked) else ()
        elif game := _GAME.fullmatch(bare(line.text)):
            yield Sign(CampaignId(game[1].strip(".,").lower()), f"the line `game {game[1]}`")
    if answered is not None:
        yield Sign(answered.campaign, "the letter that it answers")


def _head(letter: Letter) -> Head:
    """The head of the letter itself; if it has none, that of a file that came with it."""
    texts = (letter.lines, *(file.lines for file in letter.files))
    heads = (split_sheet([Line(one.number, one.text) for one in text], lambda line: False).head for text in texts)
    return next((head for head in heads if head != Head()), Head())


def _marks(text: str, shown: str) -> Iterator[Sign]:
    """Every `#campaign` and `#campaign/role`."""
    for mark in _MARK.finditer(text):
        yield Sign(CampaignId(mark[1].lower()), shown.format(mark[1]), Role(mark[2].casefold()) if mark[2] else None)


def _addressed(office: Office, connection: Connection, letter: Letter, proof: Proof) -> Iterable[CampaignId]:
    """The campaigns of all the secret addresses of the same player that the letter was sent to."""
    proven = proof.meaning
    if proven is None or proven.purpose is not Purpose.REPLY:
        return ()
    found = {CampaignId(proven.campaign): None}
    secret = [one for one in letter.recipients if looks_secret(one)]
    if len(secret) > 1:
        for meaning in addresses.said(office, connection, secret):
            if meaning.purpose is Purpose.REPLY and meaning.name == proven.name:
                found[CampaignId(meaning.campaign)] = None
    return found


def _his(office: Office, connection: Connection, player: Player, campaign: CampaignId) -> Dossier | None:
    """A campaign in which the player has, or had, a role, or at which he looks on, or did."""
    dossier = dossiers.load(office, connection, campaign)
    if dossier.campaign.copied:
        return None
    if dossier.campaign.roles_of(player.id):
        return dossier
    enrolled = (one.event for one in dossier.log.own if isinstance(one.event, PlayerEnrolled | PlayerReplaced))
    his = any(event.player == player.id for event in enrolled) or observing.has_observed(dossier, player.id)
    return dossier if his else None


def _only(office: Office, connection: Connection, player: Player) -> Dossier:
    """The only campaign that the player plays; of several, the only one that is not over.

    :raises Astray: if he plays none, or several.
    """
    played = _all_played(office, connection, player)
    going_on = [one for one in played if not one.campaign.ended]
    for only in (going_on, played):
        if len(only) == 1:
            return only[0]
    if not played:
        observed = observing.observed_by(office, connection, player.id, every=True)
        if len(observed) == 1:
            raise LooksOn(player, observed[0])
        said = f"You look on at: {', '.join(one.id for one in observed)}. Answer a letter of one." if observed else ""
        raise Astray(player, "you play in no campaign of this office", said)
    raise Astray(
        player,
        "it does not say which campaign it is for",
        "Answer a letter of the campaign, or begin with a line `game NAME`, or put `#NAME` into the subject. "
        + _listed(played),
    )


def _all_played(office: Office, connection: Connection, player: Player) -> list[Dossier]:
    # Of one that cannot be opened nobody knows whether it is meant: the letter waits until it can.
    played = dossiers.played_by(office, connection, player.id, every=True)
    return [one for one in played if not one.campaign.copied and one.campaign.roles_of(player.id)]


def _played(office: Office, connection: Connection, player: Player) -> str:
    """A sentence: where he does play."""
    played = _all_played(office, connection, player)
    return _listed(played) if played else "You play in no campaign of this office."


def _listed(played: Iterable[Dossier]) -> str:
    return f"You play in: {', '.join(one.id for one in played)}."


def _role(player: Player, letter: Letter, dossier: Dossier, signs: Iterable[Sign], answered: Mail | None) -> Role:
    """The role that a letter to *dossier* is from: as it says, or the only one, or that of the letter it answers.

    :raises Astray: if it does not say, says two, or says one that is not his.
    """
    mine = dossier.campaign.roles_of(player.id)
    listed = f"You play: {', '.join(mine)}."
    head = _head(letter)
    said = list(dict.fromkeys(role for role in (head.role, *(one.role for one in signs)) if role))
    if len(said) > 1:
        what = "Write one letter for each role."
        raise Astray(player, f"it names several roles: {' and '.join(said)}", f"{what} {listed}", dossier.id)
    if said:
        if said[0] not in mine:
            raise Astray(player, f"the role {said[0]} is not yours", listed, dossier.id)
        return said[0]
    if len(mine) == 1:
        return mine[0]
    if answered is not None and answered.campaign == dossier.id:
        about = threads.role_of(answered, mine)
        if about is not None:
            return about
    raise Astray(
        player,
        "it does not say which role it is from",
        f"Begin with a line `role NAME`, or put `#{dossier.id}/NAME` into the subject. {listed}",
        dossier.id,
    )
