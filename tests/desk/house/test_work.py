"""What is done by who is woken: all letters are read by one, and none waits for another look at the clock."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from pbem.desk.house import work
from pbem.desk.intake.fates import Received
from pbem.desk.office.office import Office
from pbem.desk.ways import arrivals
from pbem.storage import letters
from pbem.storage.claims import READER, claimed
from tests.kit.table import Table


def woken(table: Table) -> list[str]:
    """Be woken for letters, in a thread of one's own; gives what was said."""
    said: list[str] = []
    one = threading.Thread(target=work.WORK["letters"], args=(table.office, "", threading.Event(), said.append))
    one.start()
    one.join()
    return said


def state(table: Table, number: int) -> str:
    with table.office.read() as connection:
        return letters.get(connection, number).state


def test_while_one_reads_another_who_is_woken_leaves_the_letters_to_him(ford: Table) -> None:
    letter = arrivals.keep(ford.office, ford.letter("smuggler", "move s1 to 3"), way="lmtp")
    with claimed(ford.office.engine, READER, 0):
        assert woken(ford) == []
        assert state(ford, letter.id) == "new"

    assert len(woken(ford)) == 1
    assert state(ford, letter.id) == "applied"


def test_who_reads_looks_again_once_he_has_let_go(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    arrivals.keep(ford.office, ford.letter("smuggler", "move s1 to 3"), way="lmtp")
    came: list[int] = []

    def looked(office: Office, seen: set[int] | None = None) -> Iterator[Received]:
        yield from sweep(office, seen)
        if not came:  # it comes after the last look, and whoever it wakes finds us at it
            came.append(arrivals.keep(office, ford.letter("guard", "watch g1 4"), way="lmtp").id)
            assert woken(ford) == []

    sweep = arrivals.sweep
    monkeypatch.setattr(arrivals, "sweep", looked)

    assert len(woken(ford)) == 2
    assert state(ford, came[0]) == "applied"


def test_what_cannot_be_dealt_with_is_left_for_another_time(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    arrivals.keep(ford.office, ford.letter("smuggler", "move s1 to 3"), way="lmtp")

    def full(*_: object, **__: object) -> Received:
        raise OSError("the disk is full")

    monkeypatch.setattr(arrivals, "deal_with", full)

    [said] = woken(ford)
    assert said.endswith("kept, not yet dealt with: OSError: the disk is full")
