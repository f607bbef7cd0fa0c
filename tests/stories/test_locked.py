"""No letter, whatever it is and does, holds the database while it is read, judged, answered or written."""

from __future__ import annotations

import smtplib
from collections.abc import Callable, Iterator

import pytest

from pbem.desk.gm import letter, ruling
from pbem.desk.house import clock
from pbem.desk.intake.receive import receive, submit
from pbem.desk.office.office import HOUR
from pbem.desk.office.settings import Listen
from pbem.desk.players import changes, enrol, rekey
from pbem.desk.post import delivery
from pbem.desk.turns import annotate, exchange, pausing
from pbem.desk.ways import arrivals, quarantine
from tests.desk.post.test_bounces import dsn
from tests.desk.post.test_stopping import stop_address
from tests.desk.ways.test_doors import Reading, set_up
from tests.kit.hostile import LETTERS as HOSTILE
from tests.kit.locked import in_write, only_writing
from tests.kit.table import Table
from tests.kit.writers import answering, code_to


@pytest.fixture
def watched(ford: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """The ford, with the guard in place."""
    with only_writing(monkeypatch) as held:
        yield ford
    assert held, "nothing was written at all"


WORDS = (
    "move s1 to 3",
    "move s1 to 3\nmvoe s2 to 4\n\nbegin\nhold\nend\n",
    "preview\nmove s1 to 3",
    "report",
    "report 1A\nstatus\nhistory\nhelp\norders?",
    "wait on",
    "ready",
    "withdraw",
    "umpire: may I?",
    "letter to guard: shall we?",
    "vacation 2026-12-24 to 2027-01-02",
    "resign",
    "resign ford",
    "stop",
    "Thanks, I shall be back.",
    "game nowhere\nmove s1 to 3",
)


@pytest.mark.parametrize("text", WORDS)
def test_a_letter_is_taken_and_answered_with_the_lock_held_only_to_write(watched: Table, text: str) -> None:
    watched.turn()
    before = len(watched.mails)
    received = watched.write("smuggler", text)

    assert received.state in ("applied", "refused", "held"), received.reason
    assert len(watched.mails) > before


def test_so_is_one_that_waits_and_the_one_that_confirms_it(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open(trust="table")
    with only_writing(monkeypatch):
        held = table.write("smuggler", "move s1 to 3")
        assert held.state == "held"
        confirmed = table.write("smuggler", code_to(table, "smuggler"), head=answering(table, "smuggler"))
        assert confirmed.reason == f"it confirmed letter {held.letter}: accepted"
        held = table.write("guard", "watch g1 4")
        assert quarantine.accept(table.office, held.letter).state == "applied"


def test_so_are_those_that_no_player_wrote(watched: Table) -> None:
    watched.write("stranger@elsewhere.example", "let me in")
    watched.write("smuggler", "I am away", head="Auto-Submitted: auto-replied")
    mail = watched.mails[-1]
    watched.receive(f"From: robot@x.example\nTo: {stop_address(watched, watched.mails[0])}\n\n".encode())
    watched.receive(dsn(mail, "office@office.example"))
    for raw in HOSTILE.values():
        receive(watched.office, raw, way="pipe")


def test_so_is_a_file_and_what_comes_by_each_door(watched: Table) -> None:
    submit(watched.office, "ford", "smuggler", b"move s1 to 3")
    submit(watched.office, "ford", "guard", b"watch g1 4", source="upload")
    arrivals.keep(watched.office, watched.letter("smuggler", "move s2 to 4"), way="lmtp")
    assert [one.state for one in arrivals.sweep(watched.office)] == ["applied"]
    found = arrivals.by_pipe(watched.office.folder, watched.letter("guard", "watch g1 5"))
    assert isinstance(found, list)
    office = set_up(watched, listen=Listen(lmtp="127.0.0.1:0"))
    with Reading(office, "lmtp") as reading, smtplib.LMTP("127.0.0.1", reading.port("lmtp")) as line:
        line.sendmail("ann@player.example", ["office@office.example"], watched.letter("smuggler", "move s1 to 3"))
        reading.until(1)
    assert [one.state for one in reading.read] == ["applied"]


def test_so_is_a_turn_that_is_due_and_all_that_the_clock_does(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.open(release="auto", nmr="extend", excuses=1)
    with only_writing(monkeypatch):
        for _ in range(12):
            table.clock.forward(13)
            assert [did.what for did in clock.tick(table.office) if did.failed] == []
        table.write("smuggler", "move s1 to 3")
        table.write("guard", "watch g1 4")
        table.clock.forward(80)
        assert any("released" in did.what for did in clock.tick(table.office))
        ruling.rule(table.office, "ford", ["set s1 men 2"], "They drowned.", make=True)
    assert delivery.due(table.office)


def _annulled(ford: Table) -> None:
    ford.turn()
    exchange.annul(ford.office, "ford", None, "A wrong map.", reopen=True)


GM: dict[str, Callable[[Table], object]] = {
    "a player is replaced": lambda ford: changes.replace_player(
        ford.office, "ford", "guard", name="Carl", address="carl@player.example", reason="He left."
    ),
    "a player leaves": lambda ford: changes.withdraw_player(ford.office, "ford", "guard", reason="He left."),
    "a briefing goes out again": lambda ford: changes.resend_briefing(ford.office, "ford", "guard"),
    "the GM writes": lambda ford: letter.write_to(ford.office, "ford", "all", "Patience."),
    "the GM notes": lambda ford: annotate.note(ford.office, "ford", "guard", "A mule is missing."),
    "a deadline is moved": lambda ford: exchange.extend(ford.office, "ford", ford.clock.at + 100 * HOUR, "I travel."),
    "a turn is annulled": _annulled,
    "terms are changed": lambda ford: enrol.set_terms(ford.office, "ford", {"hours": 24}),
    "addresses are made void": lambda ford: rekey.rekey(ford.office, "ford"),
    "the game is paused and goes on": lambda ford: (
        pausing.pause(ford.office, "ford", "Snow."),
        pausing.resume(ford.office, "ford"),
    ),
    "the game is ended": lambda ford: enrol.end(ford.office, "ford", "No time."),
}


@pytest.mark.parametrize("what", GM)
def test_so_is_what_the_gm_does(watched: Table, what: str) -> None:
    watched.write("smuggler", "move s1 to 3")
    GM[what](watched)


def test_so_is_the_beginning_of_a_game(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = enrol.start
    with only_writing(monkeypatch) as held:
        monkeypatch.setattr(enrol, "start", lambda *given: None)
        table.open()
        monkeypatch.setattr(enrol, "start", begin)
        enrol.start(table.office, table.name)
    assert held


def test_the_guard_itself_bites(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    with only_writing(monkeypatch), pytest.raises(AssertionError, match="render is done while the database is locked"):
        in_write(ford.office)
