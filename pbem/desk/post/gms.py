"""Whom of those who run games a mail is for: each who runs that one, and nothing of it to who has a side in it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.owed import Contents
from pbem.desk.office.gm import Gm
from pbem.desk.office.office import Office
from pbem.kernel.names import CampaignId
from pbem.mail.wire.addresses import normalise
from pbem.storage import players
from pbem.storage.database import Connection
from pbem.storage.players import Player

VEILED = Contents(
    subject="a game needs its GM",
    text=(
        "Something waits for a word of whoever runs {campaign}.  You have a side there, and are told no more by mail.\n"
        "Whoever has the office before him sees it: pbem turn show {campaign}\n"
    ),
)
"""What a GM is told of a game in which he has a side, where nobody else runs it."""


class Readers(Struct, frozen=True):
    """Who is told what the GM is told, by their addresses; *veiled*: not in words that tell of the game."""

    addresses: Sequence[str]
    veiled: bool = False


def sides(office: Office, connection: Connection, player: Player | None) -> frozenset[CampaignId]:
    """The games in which somebody has a side, and which are not over, or cannot be opened to see it; of None, none."""
    if player is None:
        return frozenset()
    names = dossiers.names_played(connection, player.id)
    opened, closed = dossiers.sorted_out(office, connection, names)
    going_on = {one.id for one in opened if not one.campaign.ended and one.campaign.roles_of(player.id)}
    # A fork tells what is so in the game that it is of: it is his side's as long as that goes on.
    over = {one.id for one in opened if one.campaign.ended}
    forks = {one.id for one in opened if (of := one.opened.forked) is not None and of.campaign in over}
    return frozenset(going_on - forks | closed.keys())


def told(office: Office, connection: Connection, campaign: CampaignId) -> Readers:
    """Who is told what the GM of *campaign* is told; of what is no game's, the first alone.

    Who may only look is told nothing, for he could do nothing.
    """
    if not campaign:
        return Readers([office.gm])
    run = [normalise(one.address) for one in office.gms if one.share(campaign) in ("all", "run")] or [office.gm]
    opened = dossiers.opened(office, connection, [campaign])
    filled = {id for one in opened for id in one.campaign.players.values()}
    free = []
    for address in run:
        player = players.by_address(connection, address)
        # Of a game that cannot be opened it is known who ever had a side in it.
        if player is None or (opened and player.id not in filled) or campaign not in sides(office, connection, player):
            free.append(address)
    return Readers(free) if free else Readers(run[:1], veiled=True)


def of_address(office: Office, address: str) -> Gm | None:
    """Whoever runs games and writes from *address*."""
    return next((one for one in office.gms if normalise(one.address) == address), None)


def veiled(campaign: CampaignId) -> Contents:
    """What a GM is told of *campaign*, in which he has a side."""
    text = VEILED.text.format(campaign=campaign)
    return Contents(subject=f"[{campaign}] {VEILED.subject}", text=text)
