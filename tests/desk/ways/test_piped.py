"""A letter by a pipe beside an office on duty: laid down, and taken in by who is on duty as if it had come to him."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from io import BytesIO
from pathlib import Path

import pytest

from pbem.desk.office.office import HOUR
from pbem.desk.ways import arrivals, doors
from pbem.desk.ways.piped import INCOMING, laid_down, taken_off
from pbem.storage import letters
from tests.kit.table import Table
from tests.systems.play import SIXTH


def kept(table: Table) -> list[tuple[str, int, str]]:
    with table.office.read() as connection:
        return [(one.source, one.received_at, one.state) for one in letters.listing(connection)]


def lying(table: Table) -> list[Path]:
    return sorted((table.office.folder / INCOMING / "new").glob("*"))


def test_where_nobody_is_on_duty_it_is_not_laid_down(ford: Table) -> None:
    assert not laid_down(ford.office.folder, ford.letter("smuggler", "move s1 to 3"))
    assert lying(ford) == []


def test_who_is_on_duty_is_woken_and_takes_it_in(ford: Table) -> None:
    raw, stop, said = ford.letter("smuggler", "move s1 to 3"), threading.Event(), list[str]()
    with doors.open_doors(ford.office, ways=()) as opened:
        assert laid_down(ford.office.folder, raw)
        assert opened.came.wait(10)
        for received in arrivals.sweep(ford.office):
            said.append(received.state)
        stop.set()

    assert said == ["applied"]
    assert [source for source, _, _ in kept(ford)] == ["pipe"]
    assert lying(ford) == []


def test_it_came_when_it_was_laid_down_however_long_the_office_is_busy(ford: Table) -> None:
    with doors.open_doors(ford.office, ways=()):
        laid_down(ford.office.folder, ford.letter("smuggler", "move s1 to 3"))
    laid = (ford.clock.at - HOUR) * 1000
    [path] = lying(ford)
    os.utime(path, ns=(laid, laid))
    list(arrivals.sweep(ford.office))

    assert [at for _, at, _ in kept(ford)] == [ford.clock.at - HOUR]


def test_what_a_mail_server_offers_again_is_the_same_letter(ford: Table) -> None:
    raw = ford.letter("smuggler", "move s1 to 3")
    with doors.open_doors(ford.office, ways=()):
        for _ in range(2):
            laid_down(ford.office.folder, raw)
            list(arrivals.sweep(ford.office))
        laid_down(ford.office.folder, raw)
        laid_down(ford.office.folder, raw)
    list(arrivals.sweep(ford.office))
    arrivals.by_pipe(ford.office.folder, raw)

    assert len(kept(ford)) == 1


def test_one_that_was_kept_and_not_yet_taken_away_is_not_taken_in_twice(
    ford: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As whoever is killed between the two leaves it."""
    stranger = b"From: stranger@nowhere.example\nTo: office@office.example\nMessage-ID: <1@nowhere.example>\n\nhello\n"
    with doors.open_doors(ford.office, ways=()):
        laid_down(ford.office.folder, stranger)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", lambda *_, **__: None)
        list(arrivals.sweep(ford.office))
        list(arrivals.sweep(ford.office))
    list(arrivals.sweep(ford.office))

    assert len(kept(ford)) == 1
    assert lying(ford) == []


def test_one_that_is_too_big_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.mail.doors.inbox.MAX_INPUT", 10)
    with pytest.raises(Exception, match="too big"):
        taken_off(BytesIO(b"x" * 11))


@pytest.mark.parametrize("as_json", [False, True])
def test_the_command_loads_next_to_nothing_for_it(ford: Table, as_json: bool) -> None:
    program = (
        "import sys; from pbem.cli import main; main(standalone_mode=False);"
        "heavy = {'pbem.desk.office.settings', 'pbem.desk.ways.arrivals', 'pbem.storage.database', 'sqlite3'};"
        "print(len(sys.modules), heavy & set(sys.modules), file=sys.stderr)"
    )
    command = [sys.executable, "-c", program, "--office", str(ford.office.folder), "mail", "receive"]
    with doors.open_doors(ford.office, ways=()):
        done = subprocess.run(
            [*command, *(["--json"] if as_json else [])],
            input=ford.letter("smuggler", "move s1 to 3"),
            capture_output=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join((str(SIXTH), *sys.path))},
            check=True,
        )
    count, _, heavy = done.stderr.decode().strip().partition(" ")

    assert b"kept" in done.stdout
    assert int(count) < 200
    assert heavy == "set()"
    assert [one.state for one in arrivals.sweep(ford.office)] == ["applied"]
