"""Whoever has read a report cannot send another sheet to the dice that it told of."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest

from pbem.desk.gm import history, ruling
from pbem.desk.office.office import HOUR
from pbem.desk.players import enrol
from pbem.desk.players.changes import replace_player
from pbem.desk.proof.audit import audit
from pbem.desk.proof.safekeeping import Back, back_up, bring_back
from pbem.desk.proof.transfer import export, take_in
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, publish
from pbem.desk.turns.exchange import annul, extend
from pbem.kernel.errors import Refused, UnknownSystem
from pbem.kernel.names import Moment, Role, ThrowName
from pbem.kernel.office import ExchangeAnnulled, ExchangeResolved, QueryAnswered
from tests.kit.elsewhere import lost
from tests.kit.table import READER, START, Table
from tests.kit.table import table as make
from tests.kit.watching import stay

SMUGGLER, GUARD = Role("smuggler"), Role("guard")
FIRST, SECOND = Moment(1, 1), Moment(1, 2)
DIE = ThrowName("1B/fire/g1")
WHY = "A cart was misplaced."


def fired(table: Table) -> None:
    """1B is run and known two days before its hour: g1 has fired at s1."""
    table.write("smuggler", "move s1 to 3")
    table.turn()
    table.clock.forward(1)
    table.write("guard", "fire g1 at 3")
    table.turn()
    table.clock.forward(1)


def states(table: Table) -> list[str]:
    """What each run of 1B came to."""
    resolved = [one.event for one in table.dossier.log if isinstance(one.event, ExchangeResolved)]
    return [event.state for event in resolved if event.moment == SECOND]


@pytest.mark.parametrize("text", ["fire g1 at 4", "turn 1B\nfire g1 at 4", "add\nfire g2 at 3", "withdraw", "wait on"])
def test_a_turn_annulled_before_its_hour_is_not_played_again_with_known_dice(ford: Table, text: str) -> None:
    fired(ford)
    annul(ford.office, "ford", None, WHY)
    assert ford.clock.at < ford.dossier.exchange().deadline
    received = ford.write("guard", text)

    assert received.state == "refused"
    assert "with the same orders and the same dice" in ford.words_to("guard")
    ford.turn()
    assert states(ford)[0] == states(ford)[1]
    assert verify(ford.office, "ford").sound


def test_a_sheet_entered_by_the_umpire_is_not_played_with_known_dice_either(ford: Table) -> None:
    fired(ford)
    annul(ford.office, "ford", None, WHY)

    assert ford.submit("guard", "fire g1 at 4").state == "refused"


def test_whoever_takes_a_role_over_sends_nothing_to_known_dice(ford: Table) -> None:
    fired(ford)
    annul(ford.office, "ford", None, WHY)
    replace_player(ford.office, "ford", "guard", name="Cid", address="cid@player.example", reason="He is ill.")

    assert ford.write("cid@player.example", "fire g1 at 4").state == "refused"
    ford.turn()
    assert states(ford)[0] == states(ford)[1]


def test_no_more_time_is_given_for_orders_to_known_dice(ford: Table) -> None:
    fired(ford)
    annul(ford.office, "ford", None, WHY)

    with pytest.raises(Refused, match=r"given with new ones.*--reopen"):
        extend(ford.office, "ford", ford.clock.at + 96 * HOUR, "More time.")


def test_more_time_after_the_hour_of_a_run_is_not_time_for_sheets_to_its_dice(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.clock.at = START + 73 * HOUR
    adjudicate.run(ford.office, "ford", early=True)

    with pytest.raises(Refused, match=r"is run already.*--reopen"):
        extend(ford.office, "ford", ford.clock.at + 96 * HOUR, "More time.")


def test_who_could_still_have_sent_orders_is_told_that_he_no_longer_can(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    annul(ford.office, "ford", None, WHY)

    for role in ("smuggler", "guard"):
        assert "No more orders for 1A" in ford.words_to(role)
        assert "did not come to pass" not in ford.words_to(role)


def test_a_sheet_that_comes_in_time_still_voids_an_early_run_of_which_no_player_knows(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    promises = ford.dossier.exchange().promises
    adjudicate.run(ford.office, "ford", early=True)
    assert ford.write("smuggler", "move s2 to 4").state == "applied"

    [annulled] = [one.event for one in ford.dossier.log if isinstance(one.event, ExchangeAnnulled)]
    assert annulled.stays_open
    assert ford.dossier.exchange().promises == promises
    assert ford.write("smuggler", "move s2 to 3").state == "applied"


def test_an_annulled_turn_waits_for_the_umpire_who_has_something_to_set_right(ford: Table) -> None:
    fired(ford)
    annul(ford.office, "ford", None, WHY)
    mails = len(ford.mails)

    assert stay(ford, ford.clock.at + 200 * HOUR) == []
    assert len(ford.mails) == mails
    assert adjudicate.run(ford.office, "ford", early=True).moment == SECOND


def test_an_annulled_turn_can_be_opened_later_and_its_dice_are_new(ford: Table) -> None:
    fired(ford)
    promises = ford.dossier.campaign.exchanges[SECOND].promises
    annul(ford.office, "ford", None, WHY)
    with pytest.raises(Refused, match=r"annulled already.*--reopen"):
        annul(ford.office, "ford", None, WHY)
    now = annul(ford.office, "ford", None, "The guard was away.", reopen=True)

    assert now.promises != promises
    assert f"open {now.promises.open}" in ford.words_to("smuggler")
    assert ford.write("guard", "fire g1 at 4").state == "applied"
    ford.turn()
    assert verify(ford.office, "ford").sound


def test_a_turn_annulled_and_run_twice_is_still_closed(ford: Table) -> None:
    fired(ford)
    for _ in range(2):
        annul(ford.office, "ford", None, WHY)
        assert ford.write("guard", "fire g1 at 4").state == "refused"
        ford.turn()
        ford.clock.forward(1)

    assert len(set(states(ford))) == 1
    assert verify(ford.office, "ford").sound


def test_a_turn_annulled_before_it_was_made_known_is_closed_too(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    annul(ford.office, "ford", None, WHY)

    assert ford.write("smuggler", "move s2 to 4").state == "refused"


def test_what_follows_an_annulled_turn_is_opened_with_new_dice(ford: Table) -> None:
    fired(ford)
    promises = ford.dossier.campaign.exchanges[SECOND].promises
    annul(ford.office, "ford", FIRST, WHY)
    ford.turn()

    assert ford.dossier.exchange().moment == SECOND
    assert ford.dossier.exchange().promises != promises
    assert ford.write("guard", "fire g1 at 4").state == "applied"


def test_a_die_that_was_ruled_and_read_in_a_report_is_not_ruled_when_orders_are_open_again(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    ford.write("guard", "fire g1 at 3")
    ruling.rule(ford.office, "ford", [f"die {DIE} = 6"], "It fell off the table.", make=True)
    ford.clock.forward(1)
    ford.turn()
    annul(ford.office, "ford", None, WHY)
    assert ford.dossier.campaign.forced[DIE] == (6,)
    annul(ford.office, "ford", None, WHY, reopen=True)

    assert ford.dossier.campaign.forced[DIE] == ()
    ford.turn()
    assert verify(ford.office, "ford").sound


def test_who_has_answered_a_question_and_read_the_report_does_not_answer_it_anew(table: Table) -> None:
    table.chance.luck = "hazard"
    table.open(options={"hits_on": 1, "disputed": "guard"})
    table.write("smuggler", "move s1 to 3")
    table.turn()
    table.clock.forward(1)
    table.write("guard", "fire g1 at 3\nfire g2 at 3")
    key = disputed(table)
    table.clock.forward(1)
    table.write("guard", f"answer {key}: hit")
    table.clock.forward(1)
    table.turn()
    annul(table.office, "ford", SECOND, WHY)
    table.clock.forward(1)
    table.turn()

    assert states(table)[0] == states(table)[1]
    given = [one.event.answer for one in table.dossier.log if isinstance(one.event, QueryAnswered)]
    assert set(given) == {"hit"}
    assert verify(table.office, "ford").sound


def test_who_has_said_nothing_to_a_question_and_read_the_report_does_not_answer_it_then(table: Table) -> None:
    table.chance.luck = "hazard"
    table.open(options={"hits_on": 1, "disputed": "guard"})
    table.write("smuggler", "move s1 to 3")
    table.turn()
    table.clock.forward(1)
    table.write("guard", "fire g1 at 3\nfire g2 at 3")
    key = disputed(table)
    table.clock.forward(1)
    adjudicate.run(table.office, "ford", early=True, defaults=True)
    publish.release(table.office, "ford")
    annul(table.office, "ford", SECOND, WHY)
    table.clock.forward(1)
    assert table.dossier.campaign.queries, "it is open again"
    table.write("guard", f"answer {key}: hit")

    assert "is not taken" in table.words_to("guard")
    table.turn()
    assert states(table)[0] == states(table)[1]
    assert verify(table.office, "ford").sound


def disputed(table: Table) -> str:
    """Run 1B with dice that make the rules ask; gives the key of the question."""
    ran = adjudicate.run(table.office, "ford", early=True)
    assert ran.asks, "the toy asks"
    return ran.asks[0].key


def test_a_campaign_of_an_older_pbem_whose_early_run_was_voided_by_a_letter_goes_on_taking_sheets() -> None:
    from pbem.storage.codec import Codec

    text = '{"moment":{"turn":1},"since":7,"reason":"a message came before the hour"}'
    old, ruled = (Codec().decode("exchange_annulled", 1, one) for one in (text, text.replace("a message", "A word")))

    assert isinstance(old, ExchangeAnnulled)
    assert isinstance(ruled, ExchangeAnnulled)
    assert (old.stays_open, ruled.stays_open) == (True, False)


def thrown_elsewhere(table: Table, *, seeds: bool) -> list[bytes]:
    """A file of the campaign before 1B was run, which then is where it goes on, and is read by all."""
    table.write("smuggler", "move s1 to 3")
    table.turn()
    table.clock.forward(1)
    table.write("guard", "fire g1 at 3")
    lines = list(export(table.office, "ford", seeds=seeds, people=True, letters=True))
    table.turn()
    return lines


@pytest.mark.parametrize("seeds", [True, False])
def test_a_campaign_in_a_file_is_not_played_with_dice_that_fell_where_it_came_from(
    ford: Table, tmp_path: Path, seeds: bool
) -> None:
    lines = thrown_elsewhere(ford, seeds=seeds)
    promises = ford.dossier.campaign.exchanges[SECOND].promises

    with make(tmp_path / "there", luck="other") as there:
        there.clock.forward(3)
        came = take_in(there.office, lines, "ford.jsonl")
        exchange = there.dossier.exchange()
        assert came.renewed == exchange.moment == SECOND
        assert {exchange.promises.open, exchange.promises.closed}.isdisjoint({promises.open, promises.closed})
        for role in ("smuggler", "guard"):
            assert "carried over from another office" in there.words_to(role)
            assert f"open {exchange.promises.open} closed {exchange.promises.closed}" in there.words_to(role)
        assert there.write("guard", "fire g1 at 3\nfire g2 at 3").state == "applied"
        there.turn()
        assert there.dossier.campaign.exchanges[SECOND].open_seed
        assert verify(there.office, "ford").sound
        assert audit(there.office, "ford").wrong == 0
        assert audit(there.office, "ford", "guard").wrong == 0


@pytest.mark.parametrize("seeds", [True, False])
def test_a_run_that_a_sheet_can_still_void_does_not_come_over(ford: Table, tmp_path: Path, seeds: bool) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    lines = list(export(ford.office, "ford", seeds=seeds, people=True, letters=True))

    with make(tmp_path / "there", luck="other") as there:
        there.clock.forward(3)
        take_in(there.office, lines, "ford.jsonl")
        exchange = there.dossier.exchange()
        assert (exchange.state, exchange.known) == ("open", 0)
        assert exchange.promises != ford.dossier.exchange().promises
        received = there.write("smuggler", "move s2 to 4")
        assert received.state == "applied", received.reason
        there.turn()
        assert verify(there.office, "ford").sound


def test_a_run_that_nothing_can_change_any_more_comes_over_as_it_was(ford: Table, tmp_path: Path) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.clock.forward(73)
    adjudicate.run(ford.office, "ford", early=True)
    lines = list(export(ford.office, "ford", seeds=True, people=True, letters=True))

    with make(tmp_path / "there", luck="other") as there:
        there.clock.forward(75)
        came = take_in(there.office, lines, "ford.jsonl")
        assert (came.renewed, there.dossier.exchange().state) == (None, "resolved")
        publish.release(there.office, "ford")
        assert verify(there.office, "ford").sound


def test_at_the_end_of_the_game_all_can_check_the_dice_of_what_was_annulled_and_opened_again(
    table: Table, tmp_path: Path
) -> None:
    table.open(options={"last_turn": 1})
    fired(table)
    annul(table.office, "ford", SECOND, WHY, reopen=True)
    table.clock.forward(1)
    table.turn()
    ended = table.dossier.campaign.ended
    assert ended is not None
    assert len(ended.former_seeds) == 2

    with make(tmp_path / "there", luck="other") as there:
        take_in(there.office, list(export(table.office, "ford")), "ford.jsonl")
        found = audit(there.office, "ford")
        assert {one.fall for one in found.throws} == {"fits"}
        assert {fall for one in found.promises for fall in (one.open, one.closed)} == {"fits"}
        assert verify(there.office, "ford").sound


def test_new_seeds_outlive_an_annulment_of_the_run_that_was_thrown_with_them(ford: Table, tmp_path: Path) -> None:
    lines = thrown_elsewhere(ford, seeds=True)

    with make(tmp_path / "there", luck="other") as there:
        there.clock.forward(3)
        take_in(there.office, lines, "ford.jsonl")
        promises = there.dossier.exchange().promises
        there.turn()
        annul(there.office, "ford", SECOND, WHY)
        assert there.dossier.exchange().promises == promises
        there.turn()
        assert len(set(states(there))) == 1
        assert verify(there.office, "ford").sound


def brought_back(table: Table, copy: Path) -> Back:
    """The office loses its disk, and comes back from *copy*."""
    table.office.engine.dispose()
    lost(table.office.folder)
    table.office.kept.clear()
    table.office.kept["reader"] = READER
    return bring_back(table.office.folder, copy, now=table.clock, chance=table.chance)


def test_an_office_that_was_brought_back_does_not_throw_the_dice_that_were_read_before_the_disaster(
    ford: Table, tmp_path: Path
) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    ford.clock.forward(1)
    ford.write("guard", "fire g1 at 3")
    back_up(ford.office, tmp_path / "copy.sqlite")
    before = ford.dossier.exchange().promises
    ford.turn()
    ford.clock.forward(1)
    back = brought_back(ford, tmp_path / "copy.sqlite")

    exchange = ford.dossier.exchange()
    assert dict(back.dice.renewed) == {"ford": SECOND}
    assert {exchange.promises.open, exchange.promises.closed}.isdisjoint({before.open, before.closed})
    for role in ("smuggler", "guard"):
        assert "brought back from a backup" in ford.words_to(role)
        assert f"open {exchange.promises.open} closed {exchange.promises.closed}" in ford.words_to(role)
    assert ford.write("guard", "fire g1 at 3\nfire g2 at 3").state == "applied"
    ford.turn()
    assert ford.dossier.campaign.exchanges[SECOND].open_seed
    assert verify(ford.office, "ford").sound
    assert audit(ford.office, "ford").wrong == 0


def test_an_early_run_in_a_backup_that_a_sheet_can_still_void_is_run_again_with_new_dice(
    ford: Table, tmp_path: Path
) -> None:
    ford.write("smuggler", "move s1 to 3")
    adjudicate.run(ford.office, "ford", early=True)
    before = ford.dossier.exchange().promises
    back_up(ford.office, tmp_path / "copy.sqlite")
    publish.release(ford.office, "ford")
    brought_back(ford, tmp_path / "copy.sqlite")

    assert ford.dossier.exchange().state == "open"
    assert ford.dossier.exchange().promises != before
    assert ford.write("smuggler", "move s2 to 4").state == "applied"
    ford.turn()
    assert verify(ford.office, "ford").sound


def test_a_game_that_is_over_is_brought_back_as_it_was(table: Table, tmp_path: Path) -> None:
    table.open(options={"last_turn": 1})
    fired(table)
    back_up(table.office, tmp_path / "copy.sqlite")
    seq = table.dossier.seq
    back = brought_back(table, tmp_path / "copy.sqlite")

    assert (dict(back.dice.renewed), table.dossier.seq) == ({}, seq)


def test_a_campaign_whose_rules_are_not_here_does_not_keep_an_office_from_coming_back(
    ford: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(ford.office, tmp_path / "copy.sqlite")

    def missing(name: str) -> NoReturn:
        raise UnknownSystem(name, ())

    for name in ("see", "load"):
        monkeypatch.setattr(f"pbem.rules.registry.{name}", missing)
    back = brought_back(ford, tmp_path / "copy.sqlite")

    assert list(back.dice.unread) == ["ford"]


def test_a_run_in_a_backup_that_stands_at_a_halt_goes_on_with_new_dice_and_is_verified(
    table: Table, tmp_path: Path
) -> None:
    table.open(options={"alarm": "step"}, release="auto")
    table.write("guard", "watch g1 3")
    table.write("smuggler", "move s1 to 3\nmove s2 to 4")
    stay(table, table.dossier.exchange().steps[0].interim)
    assert table.dossier.exchange().state == "halted"
    before = table.dossier.exchange().promises
    back_up(table.office, tmp_path / "copy.sqlite")
    brought_back(table, tmp_path / "copy.sqlite")

    assert table.dossier.exchange().promises != before
    assert table.write("guard", "turn 1 halt 1\nwatch g1 4").state == "applied"
    assert adjudicate.run(table.office, "ford", early=True).halt is None
    publish.release(table.office, "ford", early=True)
    assert verify(table.office, "ford").sound
    enrol.end(table.office, "ford", "Nobody has time")
    ended = table.dossier.campaign.ended
    assert ended is not None
    assert {before.open, before.closed} <= set(ended.former_seeds)
    assert verify(table.office, "ford").sound


def test_to_look_at_dice_to_come_by_way_of_a_ruling_leaves_a_trace_as_a_dry_run_does(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    ford.write("guard", "fire g1 at 3")
    shown = ruling.rule(ford.office, "ford", [f"die {DIE} = 6"])

    assert ford.kinds[-1] == "dry_run_asked"
    made = ruling.rule(ford.office, "ford", [f"die {DIE} = 6"], WHY, upon=shown.before, make=True)
    assert made.seq == ford.dossier.seq
    ruling.rule(ford.office, "ford", ["set s1 men 1"])
    assert ford.kinds[-1] == "ruling_made"


def test_to_see_whether_other_rules_can_play_what_is_open_shows_none_of_its_dice(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    ford.write("guard", "fire g1 at 3")
    faces = set()
    with ford.office.read() as connection:
        for luck in range(20):
            seeds = bytes([luck]) * 32, bytes([luck]) * 32
            played = history.what_if(ford.office, connection, ford.dossier, other=seeds)
            faces |= {throw.faces for fact in played.resolution.facts for throw in fact.dice}

    assert len(faces) > 1
