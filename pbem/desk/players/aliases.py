"""A player writes from more than one address: others than his own are entered by the GM, and confirmed by himself.

What the office sends goes to his own address alone.  A letter from another address waits, whatever vouches for it,
until he has once given back a code that went to his own.  They are of this office: no campaign carries them to another.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.desk.books import dossiers
from pbem.desk.books.owed import ShortLetter
from pbem.desk.books.spoken_to import language_of
from pbem.desk.office.office import Office
from pbem.desk.players import changes
from pbem.desk.players.enrol import checked_address
from pbem.desk.post.post import Addressee, to_player
from pbem.desk.post.writing import owe
from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId, Role
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.storage import aliases, players
from pbem.storage.aliases import Alias as Alias
from pbem.storage.players import Player


def add_address(office: Office, who: str, address: str) -> Player:
    """Let *who*, a player by his id or address, write from *address* too; he is told at his own.

    :raises Refused: if there is no such player, *address* is none, or somebody is known by it.
    """
    checked, at = checked_address(office, address), office.now()
    player = changes.find_player(office, who)
    with office.write(whole=True) as connection:
        with speaking(language_of(office, connection, player.id)):
            contents = ShortLetter(_notice(checked))
        aliases.add(connection, player.id, checked, at=at)
        cause = f"alias/{player.id}/{at}"
        for mail in to_player(Addressee(player), contents, kind="notice", cause=cause, at=at):
            owe(connection, mail)
    return player


def drop_address(office: Office, who: str, address: str) -> Player:
    """Let letters from *address* no longer count as *who*'s; he is told at his own.

    :raises Refused: if it is no other address of his.
    """
    player, at = changes.find_player(office, who), office.now()
    with office.write(whole=True) as connection:
        aliases.drop(connection, player.id, address)
        cause = f"no alias/{player.id}/{at}"
        with speaking(language_of(office, connection, player.id)):
            contents = ShortLetter(_gone(address))
        for mail in to_player(Addressee(player), contents, kind="notice", cause=cause, at=at):
            owe(connection, mail)
    return player


def others(office: Office) -> dict[PlayerId, list[Alias]]:
    """The other addresses of every player who has one."""
    found: dict[PlayerId, list[Alias]] = {}
    with office.read() as connection:
        for one in aliases.listing(connection):
            found.setdefault(one.player, []).append(one)
    return found


def meant_by(office: Office, who: str, campaign: str | None = None) -> Player:
    """The player who is meant by *who*: his id, an address, or his name or role, in *campaign* or in any.

    :raises Refused: if none is, or several are.
    """
    wanted = who.strip().casefold()
    with office.read() as connection:
        if campaign:
            played = [dossiers.load(office, connection, campaign).campaign]
        else:
            played = [one.campaign for one in dossiers.opened(office, connection, dossiers.campaigns(connection))]
        there = {player for one in played for player in one.players.values()} if campaign else None
        somebody = [one for one in players.listing(connection) if not one.erased_at and (not there or one.id in there)]
        known = players.by_address(connection, who)
    of_role = {one.players.get(Role(wanted)) for one in played if campaign or not one.ended}
    ways = (
        [one for one in somebody if one.id == wanted or one == known],
        [one for one in somebody if one.id in of_role],
        [one for one in somebody if wanted in _words(one.name or "")],
    )
    found = next(filter(None, ways), [])
    if len(found) == 1:
        return found[0]
    if not found:
        raise Refused(f'nobody is known as "{who}"{f" in {campaign}" if campaign else ""}.  See: pbem player list')
    raise Refused(f'several are known as "{who}": {_listed(found)}.  Name one by his id, or say --campaign NAME.')


def _words(name: str) -> tuple[str, ...]:
    """What somebody of that name is called: all of it, and each word."""
    return (name.casefold(), *name.casefold().split())


def _listed(found: Iterable[Player]) -> str:
    return ", ".join(f"{one.name} ({one.id})" for one in found)


def _gone(address: str) -> Notice:
    return Notice(
        campaign="",
        subject=phrase_later("you may write from one address less"),
        heading=phrase_later("Another address of yours no longer counts"),
        summary=phrase(
            "The umpire has taken {address} out: what comes from there is no longer taken as yours.", address=address
        ),
        body=phrase_later("Write from the address at which you read this, as ever."),
        foot="",
    )


def _notice(address: str) -> Notice:
    return Notice(
        campaign="",
        subject=phrase_later("you may write from another address too"),
        heading=phrase_later("Another address is entered for you"),
        summary=phrase(
            "The umpire has entered {address} for you: what comes from there will count as yours.", address=address
        ),
        body=phrase_later(
            "The first letter that comes from there waits, and a code for it is sent to you here: give it back, and "
            "from then on you can write from both. The letters of this office still come here and nowhere else.\n\n"
            "If the address is not yours, give no code back, and write to the umpire."
        ),
        foot="",
    )
