"""An office is moved to a server and back; who is killed on the way has one that goes on, and nobody writes in two."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from pbem.desk.house import duty
from pbem.desk.office.office import make_office, open_office
from pbem.desk.proof.moving import move
from pbem.desk.proof.safekeeping import back_up, bring_back
from pbem.desk.proof.verify import verify, verify_office
from pbem.kernel.errors import Moved, Refused, StorageError
from pbem.storage import heads, marks
from pbem.storage.copies import copying
from pbem.storage.database import open_office as open_database
from pbem.storage.database import transaction
from tests.kit import table as tables
from tests.kit.server import Server, drop
from tests.kit.table import SETTINGS, Chance, Table

pytestmark = pytest.mark.sqlite  # each test has an office of both kinds

HOME = "sqlite:///office.sqlite"


@pytest.fixture
def server(postgres: Server) -> Iterator[str]:
    """The url of a database on a server, in which nothing is."""
    made = postgres.database()
    yield made
    drop(made)


@pytest.fixture
def played(ford: Table) -> Table:
    """An exchange was run and told of."""
    ford.write("smuggler", "move s1 to 3")
    ford.turn()
    return ford


@contextmanager
def again(table: Table) -> Iterator[Table]:
    """The office as it is kept now, at the hour of the first."""
    with tables.again(table.office.folder, 1000) as there:
        there.clock.at, there.written = table.clock.at, table.written
        yield there


def papers(table: Table) -> list[tuple[str, bytes]]:
    """All mails, to the byte, in the order in which they are shown."""
    return [(mail.id, table.bytes_of(mail)) for mail in table.mails]


def kept(table: Table) -> list[object]:
    """The log, and what was folded of it."""
    with table.office.read() as connection:
        found = connection.execute("SELECT campaign, fold, seq, data FROM snapshot ORDER BY 1, 2, 3").fetchall()
    return [*table.dossier.log, *found]


def test_an_office_goes_on_at_a_server_and_comes_home_the_same(played: Table, server: str) -> None:
    folder, before = played.office.folder, (papers(played), kept(played))
    known = heads.read(folder / "office.heads")
    made = move(played.office, server)

    assert made.url == server
    assert made.before.read_text() == SETTINGS
    with again(played) as there:
        assert there.office.engine.path == folder / "office.postgresql"
        assert (papers(there), kept(there)) == before
        assert heads.read(folder / "office.heads") == known
        assert verify(there.office, "ford").sound
        assert verify_office(there.office).sound
        there.write("guard", "fire g1 at 3")
        there.turn()
        then = (papers(there), kept(there))
        move(there.office, HOME, over=True)
    with again(played) as home:
        assert home.office.engine.path == folder / "office.sqlite"
        assert (papers(home), kept(home)) == then
        assert verify(home.office, "ford").sound
        assert verify_office(home.office).sound


def test_what_was_left_is_opened_no_more_and_who_has_it_open_is_told_when_he_would_write(
    played: Table, server: str, tmp_path: Path
) -> None:
    before = played.dossier.seq
    move(played.office, server)

    said = r"was moved from .*office\.sqlite to postgresql://.*start pbem again"
    with pytest.raises(Moved, match=said):
        played.write("guard", "fire g1 at 3")
    with pytest.raises(Moved, match=said):
        duty.attend(played.office, threading.Event(), lambda what: None)
    assert played.dossier.seq == before
    (played.office.folder / "pbem.toml").write_text(SETTINGS)
    with pytest.raises(Moved, match="write there: database = "), open_office(played.office.folder):
        pass


def test_no_password_is_written_where_it_was_left(played: Table, server: str) -> None:
    url = server.replace("pbem@", "pbem:s3cret@")
    assert move(played.office, url).url == server

    assert "s3cret" in (played.office.folder / "pbem.toml").read_text()
    assert b"s3cret" not in played.office.engine.path.read_bytes()


def test_while_it_is_copied_nobody_writes(played: Table, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def compared(*words: object) -> None:
        other = open_database(f"sqlite:///{played.office.engine.path}", patience=1)
        with pytest.raises(StorageError, match="is locked"), transaction(other) as connection:
            marks.put(connection, "one", "1")
        other.dispose()
        told.append("waits")

    monkeypatch.setattr(copying, "compare", compared)
    move(played.office, server)
    assert told == ["waits"]


def test_an_office_that_lies_there_is_replaced_only_if_it_is_this_one_and_that_is_said(
    played: Table, server: str, tmp_path: Path
) -> None:
    move(played.office, server)
    with again(played) as there:
        with pytest.raises(
            StorageError, match=r"this office lies in sqlite:///office\.sqlite already, .*--over replaces"
        ):
            move(there.office, HOME)
        with pytest.raises(Refused, match=r"is kept in postgresql://.* already"):
            move(there.office, server)
        assert verify_office(there.office).sound

    with tables.table(tmp_path / "other", "other") as other:
        other.open()
        other.write("smuggler", "move s1 to 3")
        with pytest.raises(StorageError, match=r"there is another office in postgresql://.*nothing is written over it"):
            move(other.office, server, over=True)
        home = f"sqlite:///{played.office.engine.path}"
        with pytest.raises(StorageError, match="there is another office in sqlite:///"):
            move(other.office, home, over=True)
        assert verify_office(other.office).sound


def test_a_copy_that_is_not_the_same_is_not_kept(played: Table, server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    copied = copying.copy

    def spoilt(*words: object) -> None:
        copied(*words)  # type: ignore[arg-type] # as it was called
        words[1].execute("UPDATE letter SET tries = 9")  # type: ignore[attr-defined] # the target

    monkeypatch.setattr(copying, "copy", spoilt)
    with pytest.raises(StorageError, match="letter 1 is not in the copy what it is"):
        move(played.office, server)
    monkeypatch.undo()

    played.write("guard", "fire g1 at 3")
    assert (played.office.folder / "pbem.toml").read_text() == SETTINGS
    move(played.office, server)


PROGRAM = """\
import os, signal, sys
from pathlib import Path
from pbem.desk.office import switching
from pbem.desk.office.office import open_office
from pbem.desk.proof.moving import move
from pbem.storage.copies import copying

def die(*words): os.kill(os.getpid(), signal.SIGKILL)
{place} = die
with open_office(Path(sys.argv[1])) as office:
    move(office, sys.argv[2], over=True)
"""
PLACES = {"copying.copy": False, "copying.compare": False, "switching.lay_ready": False, "switching.switch": True}


@pytest.mark.parametrize("home", [False, True], ids=["to a server", "home"])
@pytest.mark.parametrize(("place", "switched"), PLACES.items(), ids=PLACES)
def test_who_is_killed_on_the_way_has_an_office_that_goes_on(
    played: Table, server: str, place: str, *, switched: bool, home: bool
) -> None:
    folder, before = played.office.folder, kept(played)
    played.office.engine.dispose()
    if home:
        move(played.office, server)
    urls = (server, HOME) if home else (HOME, server)

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(place=place), str(folder), urls[1]], capture_output=True, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    with again(played) as there:
        assert there.office.settings.database == urls[switched]
        assert kept(there) == before
        assert verify(there.office, "ford").sound
        there.write("guard", "fire g1 at 3")
        assert verify_office(there.office).sound
        now = kept(there)
        move(there.office, urls[not switched], over=True)
    with again(played) as there:
        assert there.office.settings.database == urls[not switched]
        assert kept(there) == now
        assert verify_office(there.office).sound


def test_a_copy_of_what_was_left_is_an_office_of_its_own(played: Table, server: str, tmp_path: Path) -> None:
    """As after the server has died, and its archive with it."""
    move(played.office, server)
    played.office.engine.dispose()
    folder = tmp_path / "new"
    make_office(folder, SETTINGS, chance=Chance("new"))
    (folder / "office.key").write_bytes((played.office.folder / "office.key").read_bytes())
    bring_back(folder, played.office.folder / "office.sqlite")

    with open_office(folder) as office:
        assert verify_office(office).sound


def test_a_backup_from_a_server_with_its_key_comes_back_in_a_file_and_on_a_server(
    played: Table, server: str, postgres: Server, tmp_path: Path
) -> None:
    move(played.office, server)
    with again(played) as there:
        back_up(there.office, tmp_path / "copy.tar", with_key=True)
        back_up(there.office, tmp_path / "copy.sqlite")
        then = there.dossier.seq
        head = there.dossier.log[-1]
    other = postgres.database()
    for name, url in (("file", HOME), ("server", other)):
        folder = tmp_path / name
        make_office(folder, f'{SETTINGS}database = "{url}"\n', chance=Chance("new"))
        (folder / "office.key").write_bytes((played.office.folder / "office.key").read_bytes())
        back = bring_back(folder, tmp_path / "copy.sqlite", chance=Chance("newer"))
        assert not back.key
        assert list(back.dice.renewed) == ["ford"]
        with tables.again(folder, 1000) as found:
            assert found.dossier.log[then - 1] == head
            assert found.kinds[then:] == ["seeds_renewed"]
            assert verify_office(found.office).sound
            assert verify(found.office, "ford").sound
    drop(other)

    with psycopg.connect(server) as connection:
        connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    bring_back(played.office.folder, tmp_path / "copy.tar", chance=Chance("newer"))
    with again(played) as there:
        assert there.office.settings.database == server
        assert verify_office(there.office).sound


def test_who_writes_at_the_server_while_it_is_left_is_told(played: Table, server: str) -> None:
    move(played.office, server)
    with again(played) as there, again(played) as other:
        move(there.office, HOME, over=True)
        with pytest.raises(Moved, match=r"to sqlite:///office\.sqlite, and nothing is written here"):
            other.write("guard", "fire g1 at 3")
    with pytest.raises(Moved), open_database(server).taken():
        pass
