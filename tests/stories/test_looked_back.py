"""Pairs in what is shown of a game: an end, a copy, an annulment, an erasure, a role that changes hands."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.deeds.of_campaign import make_public
from pbem.desk.players import changes, enrol, observers
from pbem.desk.proof.transfer import fork
from pbem.desk.reels import published, site
from pbem.desk.turns.exchange import annul
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.reports.replay.page import unpacked
from tests.desk.pages.test_opened import opened
from tests.desk.reels.test_closing import files
from tests.kit.table import Table

SMUGGLER = Role("smuggler")


def test_a_copy_that_is_ended_publishes_nothing_of_the_game_that_goes_on(ford: Table, tmp_path: Path) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    fork(ford.office, "ford", "ford-tried")
    enrol.end(ford.office, "ford-tried", "Enough was tried.")

    for names, everything in (([], True), (["smuggler"], False)):
        with pytest.raises(Refused, match="copy"):
            site.write(ford.office, "ford-tried", tmp_path, names, everything=everything)
        with pytest.raises(Refused, match="copy"):
            published.publish(ford.office, "ford-tried", names, everything=everything, alone=False)
    assert published.publish(ford.office, "ford-tried", [], everything=True, alone=True).alone


def test_who_wrote_without_his_name_is_not_named_when_the_game_is_opened(table: Table) -> None:
    table.open(options={"last_turn": 1}, press="anonymous")
    table.write("smuggler", "letter to guard:\nI know your plan.\nend letter")
    table.turn()
    table.turn()

    [page, *_] = opened(table)
    assert "I know your plan." in page.decode()
    assert "smuggler to guard" not in page.decode()


def test_a_diary_that_its_writer_can_take_back_is_not_in_the_file_that_all_are_sent(ford: Table) -> None:
    ford.write("smuggler", "note to self: by the willows")
    ford.write("smuggler", "publish diary yes")
    ford.turn()
    enrol.end(ford.office, "ford", "They went home.")

    assert [one.beside.diary for one in files(ford)] == [(), ()]


def test_of_a_turn_that_was_annulled_no_page_stays_on_the_site(ford: Table, tmp_path: Path) -> None:
    for order in ("move s1 to 3", "fire g1 at 1", "move s1 to 5"):
        ford.write("smuggler" if order.startswith("move") else "guard", order)
        ford.turn()
    enrol.end(ford.office, "ford", "A draw.")
    site.write(ford.office, "ford", tmp_path, [], everything=True)
    annul(ford.office, "ford", None, "We go on.")
    written = site.write(ford.office, "ford", tmp_path, ["guard"], everything=False)

    assert {*(tmp_path / "ford").iterdir()} <= {*written}, "turn-2.html still tells the guard the truth"


def test_who_takes_his_leave_back_stands_on_no_page_for_everybody_and_the_gm_is_told(ford: Table) -> None:
    ford.write("smuggler", "publish name yes")
    ford.turn()
    make_public(ford.office, "ford", {"role": "smuggler"})
    page = ford.office.folder / "public" / "ford" / "index.html"
    assert unpacked(page.read_text("utf-8")).beside.people == {SMUGGLER: "Smuggler"}
    before = len(ford.mails)

    ford.write("smuggler", "publish letters no")
    assert page.exists(), "he had given no leave for those"
    ford.write("smuggler", "publish name no")

    assert not page.exists()
    assert [mail.subject for mail in ford.mails[before:] if mail.player is None] == [
        "[ford] the name of smuggler may not be shown"
    ]
    make_public(ford.office, "ford", {"role": "smuggler"})
    assert not unpacked(page.read_text("utf-8")).beside.people


def test_when_a_player_is_erased_no_page_for_everybody_bears_his_name(ford: Table) -> None:
    ford.write("smuggler", "publish name yes")
    ford.turn()
    make_public(ford.office, "ford", {"role": "smuggler"})
    page = ford.office.folder / "public" / "ford" / "index.html"
    assert unpacked(page.read_text()).beside.people == {SMUGGLER: "Smuggler"}
    player = ford.dossier.campaign.players[SMUGGLER]
    changes.withdraw_player(ford.office, "ford", "smuggler", reason="He left.")
    changes.erase_player(ford.office, player)

    assert not page.exists() or not unpacked(page.read_text()).beside.people


def test_what_was_written_in_the_exchange_in_which_a_game_is_broken_off_is_opened_too(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    ford.write("smuggler", "letter to guard: Shall we call it a draw?\nnote to self: I tire.")
    ford.write("smuggler", "publish diary yes")
    enrol.end(ford.office, "ford", "A draw.")

    [page, *_] = opened(ford)
    assert "Shall we call it a draw?" in page.decode()
    assert "I tire." in page.decode()


def test_who_looked_on_at_an_end_that_was_annulled_has_seen_the_truth_and_plays_no_side(table: Table) -> None:
    table.open(observers=("smuggler",))
    eve = observers.admit(table.office, "ford", name="Eve", address="eve@player.example")
    table.turn()
    enrol.end(table.office, "ford", "A draw.")
    annul(table.office, "ford", None, "We go on.")
    observers.remove(table.office, "ford", eve.id)

    with pytest.raises(Refused, match="the truth"):
        changes.replace_player(
            table.office, "ford", "smuggler", name="Eve", address="eve@player.example", reason="He is ill."
        )
