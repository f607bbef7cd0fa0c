"""A player's own addresses, changed by himself: that to which his letters go, and others that he may write from.

    asked for  →  a code to each mailbox that it concerns  →  they come back, whencesoever  →  it is so, and he is told

A move concerns two: that which he has and that which he wants; so nobody moves him who reads only one of them.  Another
address to write from concerns itself, and is asked for by somebody who has proved who he is.  What waits is nobody's
address, is void after the time of a code, and is destroyed with its player.  Nothing of it stands in a log.

A code is made of what it is for, under the key of the office: none is kept, and it is worth nothing for another.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Owed, ShortLetter
from pbem.desk.office.office import Office, signing_key
from pbem.desk.players import own_address_letters as letters
from pbem.desk.players import rekey
from pbem.desk.players.enrol import checked_address
from pbem.desk.post import gms
from pbem.desk.post.addresses import NO_GAME
from pbem.desk.post.post import Addressee, to_gm, to_player, to_stranger
from pbem.desk.post.writing import owe
from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId
from pbem.mail.trust.confirm import CHANCE, LIFE, find_codes, make_code
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase
from pbem.reports.text.times import when
from pbem.storage import aliases, answers, players
from pbem.storage.aliases import Alias, Wish
from pbem.storage.database import Connection
from pbem.storage.players import Player

What = Literal["address", "also"]
"""What an address shall be: that to which his letters go, or another to write from."""

Box = Literal["old", "new"]
BOXES: Mapping[str, tuple[Box, ...]] = {"address": ("old", "new"), "also": ("new",)}
"""The mailboxes whose codes must come back."""

A_DAY = 4
"""So often a day one player may ask, and have codes sent."""

TO_ONE = 3
"""So many codes a day go to one address, whoever asks."""

OTHERS = 5
"""So many addresses besides his own one player may write from."""


class Asked(Struct, frozen=True):
    """What comes of asking for an address."""

    says: str
    """To who asks, in sentences."""
    counts: tuple[str, ...]
    """Under what it is counted, for a day."""
    wish: Wish | None = None
    """None: the address cannot be had."""
    mails: tuple[Owed, ...] = ()


class Given(Struct, frozen=True):
    """Codes that were given back, and what they are for."""

    wish: Wish
    codes: tuple[str, ...]
    late: bool
    """Whether its time is over."""
    played: tuple[Dossier, ...] = ()
    """By who wishes it."""


class Come(Struct, frozen=True):
    """What the codes that were given back come to."""

    says: str
    """To who gave them, in a sentence."""
    done: bool = False
    """Whether it is as it was wished."""
    moved: bool = False
    """Whether his letters go elsewhere now."""


# ---------------------------------------------------------------------------------------------------- asked for


def ask(office: Office, connection: Connection, player: Player, written: str, what: What) -> Asked:
    """What comes of it that *player* asks for the address that is *written* there; nothing of it is kept yet.

    Whose an address is that is somebody's already is not told, and such asking counts as any: nobody tries many.

    :raises Refused: if it is none that a player can have, is his already, or he has asked for too many.
    """
    now, address = office.now(), checked_address(office, written)
    others = aliases.of_player(connection, player.id)
    if address == player.address:
        raise Refused(phrase("{address} is your address already.", address=address))
    if what == "also" and any(one.address == address and one.confirmed_at for one in others):
        raise Refused(phrase("you may write from {address} already.", address=address))
    if what == "also" and len(others) >= OTHERS and all(one.address != address for one in others):
        raise Refused(
            phrase(
                "{count} addresses besides your own are enough: take one away first, by `also off ADDRESS`.",
                count=OTHERS,
            )
        )
    counts = _counts(office, player.id, address)
    for who, most in zip(counts, (A_DAY, TO_ONE), strict=True):
        if answers.counted(connection, who, at=now) >= most:
            raise Refused(
                phrase("so many codes were asked for of late that no more are sent today.  Try again tomorrow.")
            )
    if not _is_free(office, connection, address, player.id):
        return Asked(phrase(letters.NOT_HIS, address=address), counts)
    wish = Wish(f"wish/{what}/{player.id}/{office.fresh_id()}", now, now + LIFE, player.id, "", address)
    until = when(wish.ends_at, player.zone)
    said = phrase(letters.ASKED[what], address=address, until=until)
    return Asked(said, counts, wish, tuple(_letters(office, wish, player)))


def keep(connection: Connection, asked: Asked, *, at: int) -> None:
    """Write down that it was asked; what was asked before for the same is void."""
    for who in asked.counts:
        answers.note(connection, who, at=at)
    if asked.wish:
        aliases.wish(connection, asked.wish)


def ask_for(office: Office, player: Player, written: str, what: What) -> str:
    """Ask for an address for *player*, who has come in; gives what there is to say.

    :raises Refused: as `ask`, and if the address cannot be had.
    """
    with office.write() as connection:
        asked = ask(office, connection, player, written, what)
        keep(connection, asked, at=office.now())
        for owed in asked.mails:
            owe(connection, owed)
    if asked.wish is None:
        raise Refused(asked.says)
    return asked.says


def take_away(office: Office, player: Player, address: str) -> None:
    """Let *player*, who has come in, no longer write from *address*, or ask for it.

    :raises Refused: if it is no other address of his.
    """
    with office.write(whole=True) as connection:
        if not without(connection, player.id, address):
            raise Refused(phrase("{address} is no other address of yours.", address=address or phrase("that")))


def stay(office: Office, player: Player) -> None:
    """Let the letters of *player*, who has come in, go where they go, whatever he asked for."""
    with office.write() as connection:
        dropped(connection, player.id, "address")


def waiting(office: Office, connection: Connection, player: PlayerId) -> Sequence[Wish]:
    """The addresses that *player* has asked for and that wait for codes."""
    return [one for one in aliases.wishes(connection, player) if one.ends_at > office.now()]


def missing(office: Office, wish: Wish, *codes: str) -> list[Box]:
    """The mailboxes whose codes for *wish* have not come back, *codes* being given back now."""
    back = {wish.came, *codes}
    return [box for box in BOXES[wish.what] if code(office, wish, box) not in back]


def dropped(connection: Connection, player: PlayerId, what: What) -> bool:
    """Let nothing wait that *player* asked for as *what*; says whether anything did."""
    there = [one for one in aliases.wishes(connection, player) if one.what == what]
    for wish in there:
        aliases.grant(connection, wish.id)
    return bool(there)


def without(connection: Connection, player: PlayerId, address: str) -> bool:
    """Let *player* no longer write from another address of his, or ask for it; says whether it was one."""
    wanted = players.address_of(address)
    asked = [one for one in aliases.wishes(connection, player) if (one.what, one.address) == ("also", wanted)]
    for wish in asked:
        aliases.grant(connection, wish.id)
    there = [one for one in aliases.of_player(connection, player) if one.address == wanted]
    for alias in there:
        aliases.drop(connection, player, alias.address)
    return bool(asked or there)


def besides(found: Sequence[Alias], waits: Sequence[Wish]) -> list[str]:
    """The addresses besides his own that a player writes from, or has asked to write from."""
    return [one.address for one in found] + [one.address for one in waits if one.what == "also"]


def as_listed(found: Sequence[Alias], waits: Sequence[Wish]) -> str:
    """The other addresses of a player in words, one a line."""
    unsure, coming_so = phrase("not confirmed"), phrase("waits for its code")
    lines = [one.address if one.confirmed_at else f"{one.address}, {unsure}" for one in found]
    coming = (f"{one.address}, {coming_so}" for one in waits if one.what == "also")
    return "\n".join((*lines, *coming))


# ---------------------------------------------------------------------------------------------------- given back


def code(office: Office, wish: Wish, box: Box) -> str:
    """The code that goes to one of the mailboxes that a wish concerns."""
    said = "\0".join(("pbem wish", wish.id, wish.address, box)).encode()
    return make_code(hmac.digest(signing_key(office), said, "sha256")[:CHANCE])


def given(office: Office, connection: Connection, codes: Sequence[str], player: PlayerId | None = None) -> Given | None:
    """What some *codes* are for, if one is for an address that is asked for, by *player* or by anybody."""
    for wish in aliases.wishes(connection, player) if codes else ():
        fits = tuple(sorted({code(office, wish, box) for box in missing(office, wish)} & set(codes)))
        if fits:
            played = tuple(dossiers.played_by(office, connection, wish.player))
            return Given(wish, fits, office.now() >= wish.ends_at, played)
    return None


def take(office: Office, connection: Connection, back: Given, *, by_letter: bool = False) -> Come:
    """Take codes that were given back: if none is missing then, the address is what it was to be.

    *by_letter*: who gave them is told by one, at the address that he has.
    """
    connection.alone(back.wish.player)
    wish = next((one for one in aliases.wishes(connection, back.wish.player) if one.id == back.wish.id), None)
    if wish is None or office.now() >= wish.ends_at:
        return Come(phrase("That waits no more: it was asked for anew, or is older than 72 hours."))
    player, left = players.get(connection, wish.player), missing(office, wish, *back.codes)
    if left:
        aliases.came(connection, wish.id, back.codes[0])
        other = phrase(letters.BOX[left[0]], address=wish.address)
        said = phrase("That is one of two codes.  The other went to {address}.", address=other)
        if by_letter:
            _tell(connection, player, letters.half(said), cause=f"{wish.id}/half", at=office.now())
        return Come(said)
    if not aliases.grant(connection, wish.id):
        return Come(phrase("That was done before."))
    if not _is_free(office, connection, wish.address, player.id):
        said = phrase(letters.NOT_HIS, address=wish.address)
        if by_letter:
            _tell(connection, player, letters.half(said), cause=f"{wish.id}/half", at=office.now())
        return Come(said)
    said = _DEEDS[wish.what](office, connection, player, wish, back.played)
    return Come(said, done=True, moved=wish.what == "address")


def give(office: Office, player: Player, typed: str) -> Come:
    """Take a code that *player*, who has come in, has typed.

    :raises Refused: if it is for nothing that he asked for, or comes too late.
    """
    with office.read() as connection:
        back = given(office, connection, find_codes(typed), player.id)
    if back is None:
        raise Refused(phrase("that is no code of an address that you have asked for and that waits."))
    with office.write(whole=True) as connection:
        come = take(office, connection, back)
    return come


def _move(office: Office, connection: Connection, player: Player, wish: Wish, played: Sequence[Dossier]) -> str:
    """Let the letters of a player go to the address that he wished for; whom it concerns is told."""
    at, former = office.now(), player.address or "no address"
    gone = letters.gone(wish.address)
    rekey.make_anew(connection, player.id, played, wish.address, at=at, gone=gone)
    others = [one.address for one in aliases.of_player(connection, player.id) if one.confirmed_at]
    for number, other in enumerate(others):
        owe(connection, to_stranger(other, ShortLetter(gone), cause=f"{wish.id}/other/{number}", at=at))
    moved = letters.moved(wish.address, others)
    _tell(connection, players.get(connection, player.id), moved, cause=f"{wish.id}/done", at=at)
    text = (
        f"{player.name or player.id} has another address, by his own wish; he gave back codes that went to both:\n\n"
        f"  until now  {former}\n  from now   {wish.address}\n\n"
        "His secret addresses are new, and he is signed out everywhere.\n"
        f"If it was not he: pbem player rekey {player.id} --address {former}\n"
    )
    live = [one.id for one in played if _plays(one, player.id)] or [NO_GAME]
    for campaign in live:
        told = to_gm(campaign, "a player has another address", text, cause=f"{wish.id}/gm", at=at)
        owe(connection, told)
    return phrase("Your letters go to {address} from now on.", address=wish.address)


def _write_from(office: Office, connection: Connection, player: Player, wish: Wish, played: Sequence[Dossier]) -> str:
    """Let a player write from the address that he wished for; he is told at his own."""
    at = office.now()
    if aliases.get(connection, wish.address) is None:
        aliases.add(connection, player.id, wish.address, at=at)
    aliases.confirm(connection, player.id, wish.address, at=at)
    _tell(connection, player, letters.also(wish.address), cause=f"{wish.id}/done", at=at)
    return phrase("You may write from {address} too from now on.", address=wish.address)


_DEEDS: Mapping[str, Callable[[Office, Connection, Player, Wish, Sequence[Dossier]], str]] = {
    "address": _move,
    "also": _write_from,
}


def _plays(dossier: Dossier, player: PlayerId) -> bool:
    campaign = dossier.campaign
    return not (campaign.copied or campaign.ended) and bool(campaign.roles_of(player))


def _is_free(office: Office, connection: Connection, address: str, player: PlayerId) -> bool:
    """Whether nobody but *player* is known by *address*."""
    known = players.by_address(connection, address)
    return (known is None or known.id == player) and gms.of_address(office, address) is None


def _counts(office: Office, player: PlayerId, address: str) -> tuple[str, str]:
    """Under what it is counted that a player asks, and that an address is written to: it tells neither."""
    digest = partial(hmac.digest, signing_key(office), digest="sha256")
    asks, to = (f"pbem wishes\0{one}".encode() for one in (player, address))
    return digest(asks).hex(), digest(to).hex()


def _letters(office: Office, wish: Wish, player: Player) -> list[Owed]:
    """The letters with the codes; they are of no use when the time is over."""
    until = when(wish.ends_at, player.zone)
    mails: list[Owed] = []
    if "old" in BOXES[wish.what]:
        says = ShortLetter(letters.to_old(wish.address, code(office, wish, "old"), until))
        cause = f"{wish.id}/old"
        mails += to_player(Addressee(player), says, kind="receipt", cause=cause, at=wish.asked_at)
    says = ShortLetter(letters.to_new(wish, code(office, wish, "new"), until))
    mails.append(to_stranger(wish.address, says, cause=f"{wish.id}/new", at=wish.asked_at))
    return [replace(mail, expires_at=wish.ends_at) for mail in mails]


def _tell(connection: Connection, player: Player, notice: Notice, *, cause: str, at: int) -> None:
    for mail in to_player(Addressee(player), ShortLetter(notice), kind="receipt", cause=cause, at=at):
        owe(connection, mail)
