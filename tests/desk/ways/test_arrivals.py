"""Ways in: a letter is kept before it is read, set aside while the database is down, and comes when it came."""

from __future__ import annotations

import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest

from pbem.desk.intake import receive
from pbem.desk.intake.fates import Received
from pbem.desk.office.office import HOUR, SECOND
from pbem.desk.turns import exchange
from pbem.desk.ways import arrivals
from pbem.desk.ways.arrivals import EMERGENCY, LAIN, SetAside
from pbem.desk.ways.piped import taken_off
from pbem.kernel.errors import StorageError
from pbem.mail.doors.emergency import NotKept, set_aside
from pbem.mail.doors.inbox import NoSource
from pbem.storage import blobs, letters
from pbem.storage.letters import Letter
from tests.kit.table import Table


def rows(table: Table) -> list[Letter]:
    with table.office.read() as connection:
        return letters.listing(connection)


def maildir(folder: Path, *raws: bytes) -> Path:
    for box in ("new", "cur", "tmp"):
        (folder / box).mkdir(parents=True, exist_ok=True)
    for number, raw in enumerate(raws):
        (folder / "new" / f"{number}.host").write_bytes(raw)
    return folder


def in_time(table: Table) -> None:
    """Whenever this is run: the pipe opens the office by the clock of the machine."""
    exchange.extend(table.office, table.name, 4_102_444_800_000_000, "Until the year 2100.")


def by_pipe(table: Table, raw: bytes, recipient: str = "") -> list[Received] | SetAside:
    return arrivals.by_pipe(table.office.folder, taken_off(BytesIO(raw), recipient))


def test_a_letter_by_pipe_is_kept_and_dealt_with(ford: Table) -> None:
    in_time(ford)
    found = by_pipe(ford, ford.letter("smuggler", "move s1 to 3"))

    assert isinstance(found, list)
    assert [(one.state, one.role) for one in found] == [("applied", "smuggler")]
    assert [row.source for row in rows(ford)] == ["pipe"]


def test_whom_the_envelope_named_is_kept_with_the_letter(ford: Table) -> None:
    raw = ford.letter("smuggler", "move s1 to 3")
    by_pipe(ford, raw, recipient="office+x@office.example\r\nSubject: no")

    with ford.office.read() as connection:
        kept = blobs.fetch(connection, rows(ford)[0].digest)
    assert kept == b"Delivered-To: office+x@office.exampleSubject:no\r\n" + raw


@pytest.mark.parametrize("text", ["move s1 to 3", "mvoe s1 to 3"])
def test_what_a_mail_server_offers_again_is_the_letter_that_it_was(ford: Table, text: str) -> None:
    raw = ford.letter("smuggler", text)
    first = arrivals.keep(ford.office, raw, way="pipe")
    receive.deal_with(ford.office, first)
    owed = len(ford.mails)

    again = arrivals.keep(ford.office, raw, way="pipe")
    receive.deal_with(ford.office, again)

    assert again.id == first.id
    assert len(ford.mails) == owed


@pytest.mark.sqlite
def test_while_the_database_is_down_a_letter_is_set_aside_and_taken_in_by_whoever_comes_next(
    ford: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_time(ford)
    path = ford.office.engine.path
    path.rename(path.with_suffix(".away"))
    aside = by_pipe(ford, ford.letter("smuggler", "move s1 to 3"))
    path.with_suffix(".away").rename(path)

    assert isinstance(aside, SetAside)
    assert aside.place.parent == ford.office.folder / EMERGENCY / "new"
    assert "there is no database at" in aside.why
    assert rows(ford) == []

    found = by_pipe(ford, ford.letter("guard", "watch g1 4"))
    assert isinstance(found, list)
    assert sorted((one.role, one.state) for one in found) == [("guard", "applied"), ("smuggler", "applied")]
    assert not aside.place.exists()


@pytest.mark.sqlite
def test_where_nothing_can_be_written_the_pipe_says_so(ford: Table) -> None:
    ford.office.engine.path.rename(ford.office.folder / "away")
    (ford.office.folder / EMERGENCY).write_text("no folder")

    with pytest.raises(NotKept):
        by_pipe(ford, ford.letter("smuggler", "move s1 to 3"))


def test_what_was_set_aside_twice_is_taken_in_once(ford: Table) -> None:
    raw = ford.letter("smuggler", "move s1 to 3")
    for _ in range(2):
        set_aside(ford.office.folder / EMERGENCY, raw)
        list(arrivals.sweep(ford.office))

    assert [(row.source, row.state) for row in rows(ford)] == [("emergency", "applied")]


@pytest.mark.sqlite
def test_what_is_written_into_a_database_that_was_moved_away_would_be_lost(ford: Table) -> None:
    arrivals.see_database(ford.office)
    path = ford.office.engine.path
    path.rename(path.with_suffix(".away"))
    with pytest.raises(StorageError, match="no such file"):
        arrivals.keep(ford.office, b"x", way="lmtp")
    path.write_bytes(path.with_suffix(".away").read_bytes())
    with pytest.raises(StorageError, match="another database than the one that was opened"):
        arrivals.keep(ford.office, b"x", way="lmtp")


@pytest.mark.parametrize(
    ("hours", "counts"),
    [(1, True), (LAIN / HOUR, True), (LAIN / HOUR + 1, False), (-1, False)],
    ids=["an hour ago", "a week ago", "longer ago", "in an hour"],
)
def test_a_letter_comes_when_it_was_laid_where_it_was_found(
    ford: Table, tmp_path: Path, hours: float, counts: bool
) -> None:
    box = maildir(tmp_path / "Maildir", ford.letter("smuggler", "move s1 to 3"))
    laid = ford.clock.at - int(hours * HOUR)
    os.utime(box / "new" / "0.host", ns=(laid * 1000, laid * 1000))
    list(arrivals.from_place(ford.office, box))

    assert rows(ford)[0].received_at == (laid if counts else ford.clock.at)


def test_who_wrote_in_time_is_not_late_because_the_office_was_down(ford: Table, tmp_path: Path) -> None:
    box = maildir(tmp_path / "Maildir", ford.letter("smuggler", "move s1 to 3"))
    laid = ford.clock.at + HOUR
    os.utime(box / "new" / "0.host", ns=(laid * 1000, laid * 1000))
    ford.clock.at = ford.dossier.exchange().deadline + SECOND

    [found] = arrivals.from_place(ford.office, box)
    assert found.state == "applied", found
    late = ford.write("guard", "watch g1 4")
    assert late.state == "refused"


def test_one_letter_that_fails_holds_up_no_other(ford: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raws = [ford.letter("smuggler", "move s1 to 3"), ford.letter("guard", "watch g1 4")]

    def failing(office: object, letter: Letter) -> Received:
        if letter.id == 1:
            raise StorageError("the disk is full.")
        return receive.deal_with(ford.office, letter)

    monkeypatch.setattr(arrivals, "deal_with", failing)
    found = list(arrivals.from_place(ford.office, maildir(tmp_path / "Maildir", *raws)))

    assert [(one.state, one.reason) for one in found] == [
        ("new", "kept, not yet dealt with: the disk is full."),
        ("applied", "accepted"),
    ]


def test_a_letter_that_is_too_big_for_any_letter_is_not_taken(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.mail.doors.inbox.MAX_INPUT", 10)
    with pytest.raises(NoSource, match="too big"):
        by_pipe(ford, b"x" * 11)


@pytest.mark.sqlite
def test_a_letter_that_another_process_deals_with_is_left_to_it(ford: Table) -> None:
    letter = arrivals.keep(ford.office, ford.letter("smuggler", "move s1 to 3"), way="pipe")
    script = (
        "import sys; from pathlib import Path\n"
        "from pbem.storage.claims import LETTER, claimed; from pbem.desk.office.office import open_office\n"
        "with open_office(Path(sys.argv[1])) as office, claimed(office.engine, LETTER, int(sys.argv[2])) as ours:\n"
        "    print(ours, flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, str(ford.office.folder), str(letter.id)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        left = receive.deal_with(ford.office, letter)
        other.kill()
    assert (left.state, left.reason) == ("new", "another process is dealing with it")
    assert [row.tries for row in rows(ford)] == [0]

    done = receive.deal_with(ford.office, letter)
    stale = receive.deal_with(ford.office, letter)
    assert (done.state, stale.reason) == ("applied", "accepted")
    assert ford.kinds.count("message_received") == 1
