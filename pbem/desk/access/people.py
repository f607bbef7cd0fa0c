"""Who has come in: a player, somebody who runs games, or both; and what he may do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from pbem.desk.access.zones import zone_called
from pbem.desk.office.gm import Gm, Share
from pbem.desk.office.office import Office
from pbem.desk.post.gms import sides
from pbem.kernel.names import CampaignId, PlayerId
from pbem.mail.wire.addresses import normalise
from pbem.storage import aliases, players
from pbem.storage.aliases import Alias
from pbem.storage.database import Connection
from pbem.storage.players import Player

__all__ = [
    "ALL",
    "EVERYWHERE",
    "NOBODY",
    "Person",
    "Player",
    "Right",
    "known_by",
    "other_addresses",
    "person",
    "rights_of",
    "set_zone",
]

Right = Literal["look", "run", "rule", "people", "post"]
"""What somebody may do who runs games: see the truth, run turns and keep their hours, rule, say who plays, and deal
with letters and mails."""

ALL: frozenset[Right] = frozenset({"look", "run", "rule", "people", "post"})

RIGHTS: Mapping[Share, frozenset[Right]] = {
    "all": ALL,
    "run": frozenset({"look", "run", "post"}),
    "read": frozenset({"look"}),
}
"""What each share in the running of games allows."""

EVERYWHERE = CampaignId("*")
"""In the place of a campaign: in all of them, and in what is the office's and no game's."""


class Person(Struct, frozen=True):
    """Whoever is signed in; with neither, nobody is."""

    player: Player | None = None
    gm: str = ""
    """The address under which he runs games; empty: he runs none."""
    name: str = ""
    """What he is called who runs them."""
    rights: Mapping[CampaignId, frozenset[Right]] = {}
    """What he may do, by campaign; of what is not there, that of `EVERYWHERE` holds."""
    sides: frozenset[CampaignId] = frozenset()
    """The games in which he has a side, and which are not over: there he may no more than any player, for he sees
    nothing that his side could not."""

    @property
    def known(self) -> bool:
        """Whether it is anybody."""
        return self.player is not None or bool(self.rights)

    def may(self, right: Right, campaign: str = EVERYWHERE) -> bool:
        """Whether he has *right* in *campaign*.

        Who has a side somewhere has none in what is the office's but to look: letters of all games lie there, and the
        ways by which any player comes in.
        """
        id = CampaignId(campaign)
        if id in self.sides or (id == EVERYWHERE and right != "look" and self.sides):
            return False
        return right in self.rights.get(id, self.rights.get(EVERYWHERE, frozenset()))


NOBODY = Person()


def rights_of(gm: Gm) -> Mapping[CampaignId, frozenset[Right]]:
    """What *gm* may do, by campaign."""
    shares: Mapping[str, Share] = {EVERYWHERE: gm.rights} if isinstance(gm.rights, str) else gm.rights
    return {CampaignId(name): RIGHTS[share] for name, share in shares.items()}


def person(office: Office, connection: Connection, player: PlayerId | None, gm: str) -> Person:
    """Who is meant by a player's id and a GM's address, as far as they are still what they were."""
    found = players.get(connection, player) if player else None
    if found is not None and found.erased_at is not None:
        found = None
    runs = next((one for one in office.gms if normalise(one.address) == gm), None) if gm else None
    if runs is None:
        return Person(found)
    # He may have been given a side since he came in: then he is a player too, and that he was none is what he came as.
    his = {one.id: one for one in (found, players.by_address(connection, gm)) if one is not None}
    mine = frozenset[CampaignId]().union(*(sides(office, connection, one) for one in his.values()))
    return Person(found, gm, runs.name, rights_of(runs), mine)


def known_by(office: Office, connection: Connection, address: str) -> Person:
    """Whoever is known by *address*, which is a player's own or another of his, or a GM's; nobody, if nobody is."""
    found = players.by_address(connection, address)
    gm = normalise(address)
    return person(office, connection, found.id if found else None, gm)


def other_addresses(office: Office, player: Player) -> Sequence[Alias]:
    """The addresses besides his own from which *player* writes."""
    with office.read() as connection:
        return aliases.of_player(connection, player.id)


def set_zone(office: Office, player: Player, zone: str) -> str:
    """Have hours told to *player* by the clock of *zone*; gives its name.

    :raises Refused: if there is no such zone; it says what is near.
    """
    named = zone_called(zone)
    with office.write(whole=True) as connection:
        players.change(connection, player.id, zone=named)
    return named
