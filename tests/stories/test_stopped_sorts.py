"""A player stops a kind of mails of his game: nothing else is stopped, and nobody else sees it."""

from __future__ import annotations

import pytest

from pbem.desk.gm import history
from pbem.desk.house import clock
from pbem.desk.office.office import HOUR
from pbem.desk.players import changes
from pbem.desk.proof.verify import verify
from pbem.desk.turns import exchange
from pbem.kernel.names import Role
from tests.kit.table import START, Table
from tests.kit.writers import letters_of

SMUGGLER, GUARD = Role("smuggler"), Role("guard")


def left_to(table: Table, role: Role, before: int = 0) -> list[tuple[str, str]]:
    """How the causes of mails to *role* begin, and their states, after the first *before* of all."""
    who = table.dossier.campaign.players[role]
    return [(mail.cause.partition("/")[0], mail.state) for mail in table.mails[before:] if mail.player == who]


def test_letters_of_other_players_stop_and_their_writer_is_told_what_he_always_is(ford: Table) -> None:
    ford.write("smuggler", "letter to guard: one")
    told = ford.words_to("smuggler")
    assert ford.write("guard", "stop letters").state == "applied"
    assert "No more letters of other players come to you." in ford.words_to("guard")

    before = len(ford.mails)
    ford.write("smuggler", "letter to guard: two")
    assert ford.words_to("smuggler").replace("two", "one") == told
    assert left_to(ford, GUARD, before) == [("letter", "dropped")]
    assert [one.text for one in letters_of(ford, GUARD).letters] == ["two", "one"]
    assert verify(ford.office, "ford").sound


def test_what_he_writes_is_answered_and_all_else_comes(ford: Table) -> None:
    ford.write("smuggler", "stop letters\nstop reminders\nstop notices")
    before = len(ford.mails)
    ford.write("smuggler", "status")
    assert "stopped: letters, reminders and notices" in ford.words_to("smuggler")
    exchange.extend(ford.office, "ford", START + 96 * HOUR, "A player asked for it.")
    for _ in range(95):
        ford.clock.forward(1)
        list(clock.tick(ford.office))
    ford.turn()

    assert left_to(ford, SMUGGLER, before) == [
        ("answer", "queued"),
        ("deadline", "dropped"),
        ("reminder", "dropped"),
        ("reminder", "dropped"),
        ("report", "queued"),
    ]


@pytest.mark.parametrize("back", ["stop notices off", "Stop notices  OFF."])
def test_it_is_taken_back(ford: Table, back: str) -> None:
    ford.write("guard", "stop notices")
    ford.write("guard", back)
    assert "come again" in ford.words_to("guard")
    before = len(ford.mails)
    exchange.extend(ford.office, "ford", START + 96 * HOUR, "A player asked for it.")

    assert left_to(ford, GUARD, before) == [("deadline", "queued")]
    ford.write("guard", "status")
    assert "stopped:" not in ford.words_to("guard")


def test_said_twice_it_is_entered_once_and_what_is_no_kind_is_not_understood(ford: Table) -> None:
    ford.write("guard", "stop letters")
    ford.write("guard", "stop letters")
    assert ford.kinds.count("stop_said") == 1

    ford.write("guard", "stop reports")
    assert 'After "stop" stands "letters"' in ford.words_to("guard")


def test_stop_alone_stops_all_as_ever(ford: Table) -> None:
    ford.write("guard", "stop letters")
    ford.write("guard", "stop")
    before = len(ford.mails)
    ford.turn()

    assert left_to(ford, GUARD, before) == [("report", "dropped")]


def test_who_comes_after_him_has_stopped_nothing(ford: Table) -> None:
    ford.write("guard", "stop letters")
    changes.replace_player(ford.office, "ford", "guard", name="Cyn", address="cyn@player.example", reason="He is ill.")
    before = len(ford.mails)
    ford.write("smuggler", "letter to guard: hello")

    assert left_to(ford, GUARD, before) == [("letter", "queued")]


def test_nobody_else_finds_it_in_his_history(ford: Table) -> None:
    ford.write("guard", "stop letters")

    known = {role: [one.kind for one in history.entries(ford.office, "ford", role=role)] for role in (SMUGGLER, GUARD)}
    assert "stop_said" in known[GUARD]
    assert "stop_said" not in known[SMUGGLER]
