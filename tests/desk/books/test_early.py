"""When a turn may be run before its deadline: what receipts say, and that it never comes sooner."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from pbem.desk.books.early import says
from pbem.desk.office.office import HOUR
from pbem.desk.players.changes import replace_player, withdraw_player
from pbem.desk.players.enrol import set_terms
from pbem.desk.turns import adjudicate, exchange
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import ReadySaid
from tests.kit.table import PLAYERS, START, Table
from tests.kit.watching import MINUTE, look, stay

SMUGGLER, GUARD = Role("smuggler"), Role("guard")
DEADLINE = START + 72 * HOUR
WHOLE, BROKEN = "move s1 to 3", "move s1 to 3\nmove s2 to 99"
Deed = Callable[[Table], object]


def writes(text: str, role: str = "smuggler") -> Deed:
    return lambda table: table.write(role, text)


def by_hand(text: str) -> Deed:
    return lambda table: table.submit("smuggler", text)


def changes_hands(table: Table) -> None:
    replace_player(table.office, "ford", "smuggler", name="Cleo", address="cleo@player.example", reason="She travels.")
    PLAYERS["smuggler"] = "cleo@player.example"


def runs(table: Table) -> bool:
    """Whether the open exchange is run at the next look at the clock."""
    return any("1A is resolved" in one for one in look(table))


@pytest.fixture(autouse=True)
def _as_before() -> object:
    before = dict(PLAYERS)
    yield
    PLAYERS.update(before)


@pytest.mark.parametrize(
    ("deeds", "early"),
    [
        pytest.param([writes(WHOLE)], True, id="a whole sheet"),
        pytest.param([writes(BROKEN)], False, id="a line was refused"),
        pytest.param([writes(f"{WHOLE}\nwait maybe")], False, id="a line to the office was refused"),
        pytest.param([writes(WHOLE), writes("move s1 to 99")], False, id="the last sheet was refused whole"),
        pytest.param([writes(BROKEN), writes("ready")], True, id="a line was refused, and ready"),
        pytest.param([writes(WHOLE), writes("move s1 to 99"), writes("ready")], True, id="refused whole, and ready"),
        pytest.param([writes(f"{BROKEN}\nready")], False, id="ready beside what was refused"),
        pytest.param([writes("ready"), writes(BROKEN)], False, id="ready before what was refused"),
        pytest.param([writes(BROKEN), writes("ready"), writes(BROKEN + "9")], False, id="ready, and another sheet"),
        pytest.param([writes(BROKEN), writes("wait off")], False, id="a line was refused, and wait off"),
        pytest.param([writes(BROKEN), writes("wait on"), writes("wait off")], False, id="wait on, and off"),
        pytest.param([writes(BROKEN), writes("wait on"), writes("ready")], True, id="wait on, and ready"),
        pytest.param([writes(WHOLE), writes("wait on")], False, id="a wait"),
        pytest.param([writes(WHOLE), writes("wait on"), writes("wait off")], True, id="a wait that is lifted"),
        pytest.param([writes(WHOLE), writes("ready"), writes("wait on")], False, id="ready, and a wait"),
        pytest.param([writes(BROKEN), writes("add\nmove s2 to 4")], True, id="mended with add"),
        pytest.param([writes(WHOLE), writes("add\nmove s2 to 99")], False, id="something added that was refused"),
        pytest.param([writes(WHOLE), writes("withdraw")], False, id="withdrawn"),
        pytest.param([writes(WHOLE), writes("withdraw"), writes("ready")], False, id="withdrawn, and ready"),
        pytest.param([writes("ready")], False, id="ready with nothing sent"),
        pytest.param([by_hand(WHOLE)], True, id="entered by the GM"),
        pytest.param([by_hand(BROKEN)], False, id="entered by the GM, a line refused"),
        pytest.param([by_hand(BROKEN), writes("ready")], True, id="entered by the GM, and ready"),
        pytest.param([writes(WHOLE), changes_hands], False, id="of another"),
        pytest.param([writes(WHOLE), changes_hands, writes("ready")], False, id="of another, and ready"),
        pytest.param([writes(WHOLE), changes_hands, writes(WHOLE)], True, id="of another, and sent again"),
        pytest.param([writes(BROKEN), changes_hands, writes(BROKEN)], False, id="of another, and refused again"),
        pytest.param([writes(WHOLE), changes_hands, writes("wait off")], False, id="of another, and wait off"),
        pytest.param([writes(WHOLE), changes_hands, by_hand(WHOLE)], True, id="of another, and entered by the GM"),
        pytest.param([writes(WHOLE), writes("watch g1 3\nhop", "guard")], False, id="of one who need not send"),
        pytest.param(
            [writes(WHOLE), writes("watch g1 3\nhop", "guard"), writes("ready", "guard")], True, id="both, and ready"
        ),
    ],
)
def test_a_turn_is_run_early_only_when_every_sheet_is_whole_or_its_player_is_ready(
    ford: Table, deeds: list[Deed], early: bool
) -> None:
    for deed in deeds:
        deed(ford)
    ford.clock.at += 30 * MINUTE

    assert runs(ford) is early
    if not early and (Moment(1, 1), SMUGGLER) in ford.dossier.campaign.sheets:
        stay(ford, ford.dossier.exchange().deadline)
        assert ford.dossier.exchange().state == "open"
        ford.clock.at += MINUTE
        assert runs(ford)


@pytest.mark.parametrize("answer", ["ready", WHOLE])
def test_after_a_reopening_what_was_sent_before_is_not_run_until_its_player_speaks_again(
    ford: Table, answer: str
) -> None:
    ford.write("smuggler", WHOLE)
    ford.turn()
    ford.clock.forward(1)
    exchange.annul(ford.office, "ford", Moment(1, 1), "A cart was misplaced.", reopen=True)
    assert any("These orders stand from before" in ford.text_of(mail) for mail in ford.mails)
    ford.clock.forward(5)
    assert not runs(ford)

    ford.write("smuggler", answer)
    ford.clock.at += 30 * MINUTE
    assert runs(ford)


@pytest.mark.parametrize(("text", "early"), [("watch g1 3", True), ("watch g1 3\nwatch g9 3", False)])
def test_a_sheet_that_was_sent_ahead_counts_as_its_lines_are_read_when_its_turn_opens(
    ford: Table, text: str, early: bool
) -> None:
    ford.write("guard", f"turn 1B\n{text}")
    ford.write("smuggler", WHOLE)
    ford.turn()
    assert ford.dossier.campaign.words[Moment(1, 2), GUARD].what == "sheet"
    assert early == ("may be run from Fri 20 Nov 2026, 22:30 UTC" in ford.words_to("guard"))
    ford.clock.at += 29 * MINUTE
    assert not any("1B is resolved" in one for one in look(ford))
    ford.clock.at += MINUTE
    assert any("1B is resolved" in one for one in look(ford)) is early


@pytest.mark.parametrize("others", [True, False])
def test_the_hour_on_a_receipt_tells_nothing_of_what_others_have_sent(ford: Table, others: bool) -> None:
    if others:
        ford.write("smuggler", BROKEN)
    else:
        ford.clock.at += 1_000_000
    ford.write("guard", "watch g1 3")
    ford.write("guard", "status")

    hours = re.findall(r"may be run from (Fri 20 Nov 2026, \S+ UTC) on", ford.words_to("guard"))
    assert hours == ["Fri 20 Nov 2026, 22:30 UTC"]


def test_terms_that_change_later_bring_no_run_before_the_hour_of_a_receipt(ford: Table) -> None:
    set_terms(ford.office, "ford", {"delay": 120})
    ford.write("smuggler", WHOLE)
    assert "may be run from Sat 21 Nov 2026, 00:00 UTC" in ford.words_to("smuggler")
    set_terms(ford.office, "ford", {"delay": 0})
    ford.clock.at = START + 2 * HOUR
    assert not runs(ford)
    ford.clock.at += MINUTE
    assert runs(ford)


def test_who_was_told_that_it_is_run_at_the_deadline_is_not_overtaken_by_other_terms(ford: Table) -> None:
    set_terms(ford.office, "ford", {"early": False})
    ford.write("smuggler", WHOLE)
    assert "is run at its deadline, and not before" in ford.words_to("smuggler")
    set_terms(ford.office, "ford", {"early": True})
    ford.clock.forward(10)
    assert not runs(ford)
    ford.write("smuggler", "ready")
    ford.clock.at += 30 * MINUTE
    assert runs(ford)


def test_the_gm_s_hand_keeps_the_hour_of_the_receipts_unless_he_says_early(ford: Table) -> None:
    ford.write("smuggler", WHOLE)
    with pytest.raises(Refused, match="by the receipts it is run Fri 20 Nov 2026, 22:30 UTC at the earliest"):
        adjudicate.run(ford.office, "ford")
    assert adjudicate.run(ford.office, "ford", dry=True).facts
    ford.write("smuggler", BROKEN)
    ford.clock.forward(1)
    with pytest.raises(Refused, match="smuggler sent lines that were refused, and has not said ready"):
        adjudicate.run(ford.office, "ford")
    assert adjudicate.run(ford.office, "ford", early=True).facts


def test_ready_is_entered_once_however_often_it_is_said(ford: Table) -> None:
    ford.write("smuggler", BROKEN)
    for _ in range(5):
        ford.write("smuggler", "ready")
    assert sum(isinstance(one.event, ReadySaid) for one in ford.dossier.log) == 1


def test_a_sheet_of_a_role_that_nobody_plays_any_more_waits_for_its_deadline(ford: Table) -> None:
    ford.write("smuggler", WHOLE)
    withdraw_player(ford.office, "ford", "smuggler", reason="He resigned.")
    ford.clock.forward(5)
    assert not runs(ford)


def test_every_letter_about_orders_says_when_they_may_be_played(ford: Table) -> None:
    told = {
        BROKEN: "Because of what was refused, the turn is not run before its deadline",
        WHOLE: "may be run from Fri 20 Nov 2026, 22:30 UTC on",
        "wait on": "Your wait is on: the turn is not run before its deadline",
        "status": "Your wait is on: the turn is not run before its deadline",
        "wait off": "may be run from Fri 20 Nov 2026, 22:30 UTC on",
        "move s1 to 99": "Because of what was refused",
        "ready": "may be run from Fri 20 Nov 2026, 22:30 UTC on",
        "withdraw": "The turn waits for your orders until its deadline",
    }
    for text, words in told.items():
        ford.write("smuggler", text)
        assert words in ford.words_to("smuggler"), text


def test_of_a_sheet_sent_shortly_before_the_deadline_no_hour_after_it_is_promised(ford: Table) -> None:
    ford.clock.at = DEADLINE - 10 * MINUTE
    ford.write("smuggler", WHOLE)
    assert "The turn is run at its deadline, and not before" in ford.words_to("smuggler")


def test_what_comes_late_and_is_still_taken_has_its_time_for_second_thoughts(ford: Table) -> None:
    stay(ford, DEADLINE + MINUTE)
    ford.write("smuggler", BROKEN)
    said = says(ford.dossier, Moment(1, 1), SMUGGLER, must=True, now=ford.clock.at, zone="UTC")
    assert said.startswith("The deadline has passed: the turn may be run from Mon 23 Nov 2026, 22:31 UTC on")
    ford.clock.at += 29 * MINUTE
    assert not runs(ford)
    ford.clock.at += MINUTE
    assert runs(ford)
