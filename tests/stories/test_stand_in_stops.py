"""Who stands in for a player stops no mails of his."""

from __future__ import annotations

from tests.kit.room import open_room, send
from tests.kit.table import Table
from tests.stories.test_standing_in import EVE, SMUGGLER, stands_in


def test_who_stands_in_does_not_stop_the_mails_of_the_player_by_letter_or_page(ford: Table) -> None:
    stands_in(ford)
    ford.write("eve@player.example", "stop letters")
    with open_room(ford.office.folder, at=ford.clock.at) as room:
        send(room.visitor(EVE), f"/games/ford/{SMUGGLER}/mails", page=f"/games/ford/{SMUGGLER}/terms", once="a")

    assert ford.dossier.campaign.stopped.get(SMUGGLER, ()) == ()
