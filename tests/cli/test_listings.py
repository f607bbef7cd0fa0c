"""What a GM reads of a log: a line an event, and of a run to come its story and its sums."""

from __future__ import annotations

import pytest

from pbem.cli import common
from pbem.reports.pages.receipt import ECHOED
from tests.kit.terminal import Terminal


@pytest.fixture
def written(begun: Terminal) -> Terminal:
    """A letter to the umpire that is as long as letters are."""
    begun.does("mail", "receive", given=begun.letter("smuggler", f"umpire: {'Is the ford deep? ' * 40}", 7))
    begun.does("mail", "receive", given=begun.letter("smuggler", "turn 1A\nmove s1 to 3"))
    return begun


def test_the_log_is_listed_a_line_an_event(written: Terminal) -> None:
    events = written.shows("history", "log", "ford", "--raw")
    head, *lines = written.does("history", "log", "ford", "--raw").splitlines()
    listed = lines[: lines.index("")]

    assert head.split()[0] == "SEQ"
    assert [int(line.split()[0]) for line in listed] == [one["seq"] for one in events]
    assert max(len(line) for line in listed) == common.LISTED
    assert [line[-1] for line in listed if len(line) == common.LISTED] == ["…"]
    assert "Is the ford deep? " * 40 in f"{next(one['what'] for one in events if one['kind'] == 'letter_sent')} "


def test_a_table_that_is_too_wide_breaks_what_has_words_and_no_id(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(common, "width", lambda: 60)
    ids = ("3f9c77ab-01", "77ab3f9c-02")
    common.table(("id", "name", "plays"), [(id, "Canrobert of the Sixth Corps", "french in autumn") for id in ids])
    printed = capsys.readouterr().out.splitlines()

    assert all(any(line.strip().startswith(id) for line in printed) for id in ids)
    assert len(printed) > 3
    assert max(map(len, printed)) <= 60


def test_a_dry_run_tells_what_comes_to_pass_and_counts_it(written: Terminal) -> None:
    said = written.does("turn", "run", "ford", "--dry-run")

    assert "s1 went from 1 to 3." in said
    assert "piece s1, line 1" not in said
    assert "cart_moved 1" in said
    assert "--all" in said


def test_a_dry_run_lists_every_fact_if_asked(written: Terminal) -> None:
    said = written.does("turn", "run", "ford", "--dry-run", "--all").splitlines()
    first = next(place for place, line in enumerate(said) if line.split()[:2] == ["#", "WHAT"])
    facts = written.shows("turn", "run", "ford", "--dry-run")["facts"]

    assert "piece s1" in said[first + 1]
    assert said[first + len(facts)].split()[:2] == [str(len(facts)), facts[-1]["kind"].partition(".")[2]]


def test_a_line_of_orders_that_is_very_long_is_cut_as_the_receipt_cuts_it(begun: Terminal) -> None:
    begun.does("orders", "submit", "ford", "-", "--as", "smuggler", given=f"move s1 to 3  # {'so far ' * 1_400}\n")
    said = begun.does("orders", "show", "ford", "--as", "smuggler")

    assert "move s1 to 3  # so far so far" in said
    assert max(map(len, said.splitlines())) <= ECHOED + 6
    assert "Whole: --json" in said
    assert "so far " * 1_399 in begun.shows("orders", "show", "ford", "--as", "smuggler")["text"]


def test_of_values_that_differ_the_place_is_shown_where_they_part() -> None:
    then = [f"p{number} at {number}" for number in range(1_000)]
    now = [*then[:700], "p700 lost", *then[701:]]
    logged, decided = common.parted([("pieces", " ".join(then), " ".join(now)), ("hit", "yes", "no")])

    assert "p700 at 700" in logged
    assert "p700 lost" in decided
    assert logged.endswith("hit yes")
    assert decided.endswith("hit no")
    assert max(len(logged), len(decided)) < 100
