"""Who plays is not changed by a page that was made when another played."""

from __future__ import annotations

from pbem.desk.books.dossiers import load
from pbem.desk.players import changes
from tests.kit.room import Room, seal_of
from tests.web.conftest import GAME, GM


def test_a_page_on_which_another_played_takes_no_role_from_who_plays_it_by_now(room: Room) -> None:
    gm = room.visitor(GM)
    page = gm.get(f"/desk/games/{GAME}/players").text
    seq = page.partition('name="seq" value="')[2].partition('"')[0]
    new = changes.replace_player(room.office, GAME, "french", name="Y", address="y@p.example", reason="He left.")
    fields = {"seal": seal_of(page), "seq": seq, "role": "french", "reason": "He is silent."}
    late = {"name": "Z", "address": "z@p.example"}

    assert gm.post(f"/desk/games/{GAME}/do/withdraw", data={**fields, "once": "1"}).status_code == 409
    assert gm.post(f"/desk/games/{GAME}/do/replace", data={**fields, **late, "once": "2"}).status_code == 409
    with room.office.read() as connection:
        assert load(room.office, connection, GAME).campaign.players["french"] == new.id  # type: ignore[index]
