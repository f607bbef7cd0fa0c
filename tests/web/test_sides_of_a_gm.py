"""Who runs games and has a side in one learns nothing of it by an older visit, nor by a copy of it."""

from __future__ import annotations

from pbem.desk.players import changes, enrol
from pbem.desk.proof import transfer
from tests.kit.room import Room
from tests.web.conftest import FRENCH, GAME
from tests.web.test_rights import turned_away
from tests.web.test_several_gms import GMS, kept_by


def test_who_is_given_a_side_sees_the_truth_no_more_where_he_had_come_in_before(room: Room) -> None:
    kept_by(room.office.folder, GMS)
    anna = room.visitor("anna@gm.example")
    assert not turned_away(anna.get(f"/desk/games/{GAME}/truth"))

    changes.replace_player(room.office, GAME, "french", name="Anna", address="anna@gm.example", reason="He left.")
    assert turned_away(room.visitor("anna@gm.example").get(f"/desk/games/{GAME}/truth"))
    assert turned_away(anna.get(f"/desk/games/{GAME}/truth"))
    assert turned_away(anna.get(f"/desk/games/{GAME}/reports/prussian"))
    assert turned_away(anna.get("/desk/people"))


def test_who_has_a_side_sees_no_fork_of_his_game_as_long_as_that_goes_on(room: Room) -> None:
    kept_by(room.office.folder, GMS)
    transfer.fork(room.office, GAME, "what-if")
    french, anna = room.visitor(FRENCH), room.visitor("anna@gm.example")
    assert turned_away(french.get(f"/desk/games/{GAME}/truth"))

    assert turned_away(french.get("/desk/games/what-if/truth"))
    assert "what-if" not in french.get("/desk").text
    assert not turned_away(anna.get("/desk/games/what-if/truth"))
    enrol.end(room.office, GAME, "It is late.")
    assert not turned_away(french.get("/desk/games/what-if/truth"))
