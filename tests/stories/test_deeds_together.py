"""Two things that the GM does, or one of his and one of a player: each is there still when the other is done."""

from __future__ import annotations

import pytest

from pbem.desk.gm.ruling import rule
from pbem.desk.house.work import close_sign_ups
from pbem.desk.office.office import HOUR
from pbem.desk.players import changes, enrol
from pbem.desk.players.changes import erase_player, replace_player, withdraw_player
from pbem.desk.post import delivery, stopping
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, annotate, exchange, pausing
from pbem.desk.turns.exchange import extend
from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.office import RulingMade
from pbem.storage import blobs, players
from tests.desk.players.test_unmanned import CHIEFS, add, kriegsspiel, persons, play
from tests.kit.table import START, Table
from tests.stories.test_joining import ANN, BEN, joins, opened

__all__ = ["kriegsspiel"]


def staged(table: Table) -> None:
    table.open(release="gm")
    table.write("smuggler", "move s1 to 3")
    adjudicate.run(table.office, "ford", early=True)
    assert table.dossier.exchange().state == "resolved"


def test_more_time_given_to_what_was_run_early_stays_when_a_sheet_voids_the_run(table: Table) -> None:
    staged(table)
    extend(table.office, "ford", START + 96 * HOUR, "The smuggler travels.")
    table.write("smuggler", "move s2 to 4")

    assert table.dossier.exchange().state == "open"
    assert table.dossier.exchange().deadline == START + 96 * HOUR


def test_what_comes_in_the_time_that_was_given_is_in_time_though_a_sheet_voided_the_run(table: Table) -> None:
    staged(table)
    extend(table.office, "ford", START + 96 * HOUR, "The smuggler travels.")
    table.clock.forward(80)
    assert table.write("smuggler", "move s2 to 4").state == "applied"
    assert table.write("smuggler", "move s1 to 3").state == "applied"


def test_hours_that_a_pause_moved_stay_when_a_sheet_voids_the_run(table: Table) -> None:
    staged(table)
    table.clock.forward(1)
    pausing.pause(table.office, "ford", "Ill.")
    table.clock.forward(100)
    pausing.resume(table.office, "ford")
    due = table.dossier.exchange().deadline
    assert table.write("smuggler", "move s2 to 4").state == "applied"
    assert table.dossier.exchange().deadline == due


def test_a_note_on_what_was_run_early_stays_when_a_sheet_voids_the_run(table: Table) -> None:
    staged(table)
    annotate.note(table.office, "ford", "guard", "Mind the ford.")
    table.write("smuggler", "move s2 to 4")
    table.turn()
    assert "Mind the ford." in table.words_to("guard")


def test_who_came_to_a_role_that_the_rules_led_plays_it_though_the_turn_before_is_annulled(kriegsspiel: Table) -> None:
    add(kriegsspiel, *CHIEFS)
    enrol.start(kriegsspiel.office, "lohe")
    play(kriegsspiel)
    add(kriegsspiel, "dorn")
    assert persons(kriegsspiel)["dorn"] == "dorn"
    exchange.annul(kriegsspiel.office, "lohe", None, "A mistake.")
    assert persons(kriegsspiel)["dorn"] == "dorn"


def test_a_role_whose_player_left_is_led_by_the_rules_though_the_turn_before_is_annulled(kriegsspiel: Table) -> None:
    add(kriegsspiel, *CHIEFS, "dorn")
    enrol.start(kriegsspiel.office, "lohe")
    play(kriegsspiel)
    changes.withdraw_player(kriegsspiel.office, "lohe", "dorn", reason="He travels.")
    assert persons(kriegsspiel)["dorn"] == ""
    exchange.annul(kriegsspiel.office, "lohe", None, "A mistake.")
    assert persons(kriegsspiel)["dorn"] == ""


@pytest.mark.parametrize("reopen", [True, False])
def test_orders_of_who_came_are_taken_after_the_turn_before_was_annulled(kriegsspiel: Table, reopen: bool) -> None:
    add(kriegsspiel, *CHIEFS)
    enrol.start(kriegsspiel.office, "lohe")
    play(kriegsspiel)
    add(kriegsspiel, "dorn")
    exchange.annul(kriegsspiel.office, "lohe", None, "A mistake.", reopen=reopen)
    play(kriegsspiel)
    assert persons(kriegsspiel)["dorn"] == "dorn"
    assert kriegsspiel.write("dorn@player.example", "stay").state == "applied"
    play(kriegsspiel)
    assert verify(kriegsspiel.office, "lohe").sound


def test_who_is_erased_takes_no_mail_of_another_with_him_whose_address_ends_like_his(ford: Table) -> None:
    withdraw_player(ford.office, "ford", "guard", reason="He travels.")
    joann = enrol.add_player(ford.office, "ford", "guard", name="Joann", address="joann@player.example")
    ann = ford.dossier.campaign.players[Role("smuggler")]
    ford.turn()
    withdraw_player(ford.office, "ford", "smuggler", reason="She leaves.")
    before = [(one.id, one.state) for one in ford.mails if one.player == joann.id]
    erase_player(ford.office, ann)

    assert [(one.id, one.state) for one in ford.mails if one.player == joann.id] == before
    with ford.office.read() as connection:
        assert {blobs.state(connection, one.digest) for one in ford.mails if one.player == joann.id} == {"kept"}


def test_who_is_erased_takes_no_mail_to_the_gm_with_him_in_which_his_name_is_part_of_a_word(ford: Table) -> None:
    ford.write("smuggler", "umpire: The Annexe is burning.")
    withdraw_player(ford.office, "ford", "guard", reason="He travels.")
    ann = enrol.add_player(ford.office, "ford", "guard", name="Ann", address="ann@club.example")
    withdraw_player(ford.office, "ford", "guard", reason="She leaves.")
    question = next(one for one in ford.mails if one.player is None and "Annexe" in ford.text_of(one))
    erase_player(ford.office, ann.id)

    assert next(one.state for one in ford.mails if one.id == question.id) == "queued"


def stopped(table: Table, role: str) -> players.Player:
    with table.office.write() as connection:
        player = players.get(connection, table.dossier.campaign.players[Role(role)])
        stopping.stop(table.office, connection, player, at=table.clock.at)
    return player


def test_who_left_a_role_is_sent_nothing_of_it_when_his_letters_come_again(ford: Table) -> None:
    his = stopped(ford, "guard")
    ford.turn()
    replace_player(ford.office, "ford", "guard", name="Cid", address="cid@player.example", reason="Silent.")
    before = [m.id for m in ford.mails if m.player == his.id and m.state == "queued"]
    with ford.office.write() as connection:
        assert stopping.resume(ford.office, connection, players.get(connection, his.id))
    now = [(m.cause, m.state) for m in ford.mails if m.player == his.id and m.state == "queued" and m.id not in before]
    assert now == []


def test_an_annulled_report_is_not_sent_when_letters_come_again(ford: Table) -> None:
    his = stopped(ford, "guard")
    ford.turn()
    exchange.annul(ford.office, "ford", None, "A cart was misplaced.")
    with ford.office.write() as connection:
        stopping.resume(ford.office, connection, players.get(connection, his.id))
    now = [(m.cause, m.kind) for m in ford.mails if m.player == his.id and m.state == "queued"]
    assert not [one for one in now if one[1] == "report"]


def test_the_gm_is_told_that_a_ruling_went_with_the_run_that_a_sheet_voided(table: Table) -> None:
    table.open(release="gm")
    table.write("smuggler", "move s1 to 3")
    adjudicate.run(table.office, "ford", early=True)
    rule(table.office, "ford", ["set s1 men 1"], "As agreed.", make=True)
    mails = len([m for m in table.mails if m.player is None])
    table.write("smuggler", "move s2 to 4")
    stands = any(isinstance(one.event, RulingMade) for one in table.dossier.own)
    told = [table.text_of(m) for m in table.mails if m.player is None][mails:]
    assert stands or any("ruling" in one.lower() for one in told)


def test_a_mail_of_which_the_bytes_were_erased_is_not_sent_again(ford: Table) -> None:
    his = ford.dossier.campaign.players[Role("guard")]
    withdraw_player(ford.office, "ford", "guard", reason="He leaves.")
    erase_player(ford.office, his)
    mail = next(one for one in ford.mails if one.player == his)
    with pytest.raises(Refused, match="was erased"):
        delivery.again(ford.office, mail.id)


def test_who_was_erased_closes_no_list(table: Table) -> None:
    opened(table)
    erase_player(table.office, joins(table, ANN).id)
    joins(table, BEN)
    list(close_sign_ups(table.office))
    assert table.dossier.campaign.drawn is None
