"""An office is copied whole, brought back whole, and nobody else reads it; who is killed on the way harms nothing."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.desk.books.dossiers import load
from pbem.desk.house.doctor import Finding, examine
from pbem.desk.office.office import make_office, office_key, open_office
from pbem.desk.proof.safekeeping import accept_key, back_up, bring_back
from pbem.desk.proof.verify import verify
from pbem.desk.ways.arrivals import EMERGENCY, SetAside, by_pipe, keep, sweep
from pbem.kernel.errors import Refused, StorageError
from pbem.storage import database
from pbem.storage.databases import sqlite
from tests.kit.elsewhere import lost
from tests.kit.table import SETTINGS, Chance, Table


def found(folder: Path) -> dict[str, Finding]:
    return {one.what: one for one in examine(folder)}


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def fresh(folder: Path) -> Path:
    """Another office that was just made, with a key of its own."""
    make_office(folder, SETTINGS.replace("The office", "Another office"), chance=Chance("another"))
    return folder


@pytest.fixture
def open_hearted() -> Iterator[None]:
    """A user whose files anybody may read."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_an_office_comes_back_where_a_new_one_was_just_made(ford: Table, tmp_path: Path) -> None:
    ford.write("smuggler", "move s1 to 3")
    back_up(ford.office, tmp_path / "copy.sqlite")
    folder = fresh(tmp_path / "new")
    bring_back(folder, tmp_path / "copy.sqlite")

    with open_office(folder) as office:
        assert verify(office, "ford").sound


def test_an_office_that_was_used_is_never_written_over(ford: Table, tmp_path: Path) -> None:
    back_up(ford.office, tmp_path / "copy.sqlite")

    with pytest.raises(StorageError, match="is there already, and nothing is written over"):
        bring_back(ford.office.folder, tmp_path / "copy.sqlite")


def test_a_key_that_makes_other_addresses_than_the_players_have_is_found(ford: Table, tmp_path: Path) -> None:
    back_up(ford.office, tmp_path / "copy.sqlite")
    folder = fresh(tmp_path / "new")
    back = bring_back(folder, tmp_path / "copy.sqlite")

    assert "is not the key of this office" in back.key
    assert found(folder)["key"].state == "wrong"
    assert "bring that back from a backup" in found(folder)["key"].says
    (folder / "office.key").write_bytes((ford.office.folder / "office.key").read_bytes())
    assert found(folder)["key"].state == "ok"


def test_who_has_lost_the_key_goes_on_with_another(ford: Table, tmp_path: Path) -> None:
    back_up(ford.office, tmp_path / "copy.sqlite")
    folder = fresh(tmp_path / "new")
    bring_back(folder, tmp_path / "copy.sqlite")
    with open_office(folder) as office:
        accept_key(office)

    assert found(folder)["key"].state == "ok"


def test_a_backup_with_key_and_settings_is_the_whole_office(ford: Table, tmp_path: Path) -> None:
    back_up(ford.office, tmp_path / "copy.tar", with_key=True)
    folder = fresh(tmp_path / "new")
    key = (folder / "office.key").read_text()
    back = bring_back(folder, tmp_path / "copy.tar")

    assert mode(tmp_path / "copy.tar") == 0o600
    assert not back.key
    assert {path.name for path in back.before} == {"pbem.toml.before", "office.key.before"}
    assert (folder / "office.key.before").read_text() == key
    assert (folder / "pbem.toml").read_text() == (ford.office.folder / "pbem.toml").read_text()
    with open_office(folder) as office:
        assert office_key(office) == office_key(ford.office)
        assert verify(office, "ford").sound


def test_a_backup_without_the_key_says_which_it_needs_and_what_to_keep_beside_it(ford: Table, tmp_path: Path) -> None:
    copied = back_up(ford.office, tmp_path / "copy.sqlite")

    assert [path.name for path in copied.beside] == ["pbem.toml", "office.key"]
    assert copied.fingerprint in found(ford.office.folder)["key"].says


@pytest.mark.parametrize("name", ["../outside", "office.key/../../outside"])
def test_a_backup_writes_nowhere_but_where_it_belongs(ford: Table, tmp_path: Path, name: str) -> None:
    back_up(ford.office, tmp_path / "copy.tar", with_key=True)
    (tmp_path / "evil").write_text("mine")
    with tarfile.open(tmp_path / "copy.tar", "a") as archive:
        archive.add(tmp_path / "evil", name)
    bring_back(fresh(tmp_path / "new"), tmp_path / "copy.tar")

    assert not (tmp_path / "outside").exists()
    with tarfile.open(tmp_path / "copy.tar", "a") as archive:
        link = tarfile.TarInfo("office.key")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    with pytest.raises(StorageError, match="is no file"):
        bring_back(fresh(tmp_path / "newer"), tmp_path / "copy.tar")


def test_what_was_lost_between_backup_and_disaster_is_said(ford: Table, tmp_path: Path) -> None:
    back_up(ford.office, tmp_path / "copy.sqlite")
    then = ford.dossier.seq
    ford.write("smuggler", "move s1 to 3")
    now = ford.dossier.seq
    ford.office.engine.dispose()
    lost(ford.office.folder)
    back = bring_back(ford.office.folder, tmp_path / "copy.sqlite")

    assert back.lost == (("ford", then, now),)


# ------------------------------------------------------------------------------------------------ who may read


@pytest.mark.sqlite
def test_nobody_else_reads_an_office_whatever_its_users_umask_is(open_hearted: None, tmp_path: Path) -> None:
    folder = tmp_path / "office"
    make_office(folder, SETTINGS)
    with open_office(folder) as office:
        keep(office, b"From: a@player.example\n\nx", way="pipe")
        private = [path for path in folder.iterdir() if path.name != "pbem.toml"]
        assert {path.name for path in private} >= {"office.sqlite-wal", "office.sqlite-shm", "office.heads"}
        assert {path.name: oct(mode(path)) for path in private if mode(path) != 0o600} == {}
    assert mode(folder) == 0o700


def test_letters_that_were_set_aside_are_their_owners_alone(open_hearted: None, tmp_path: Path) -> None:
    aside = by_pipe(tmp_path, b"From: a@player.example\n\nx")

    assert isinstance(aside, SetAside)
    assert mode(aside.place) == 0o600
    assert mode(tmp_path / EMERGENCY) == mode(aside.place.parent) == 0o700


@pytest.mark.sqlite
def test_a_database_that_others_can_read_is_found_and_how_to_mend_it_is_said(ford: Table) -> None:
    assert found(ford.office.folder)["database"].state == "ok"
    ford.office.folder.chmod(0o755)
    assert found(ford.office.folder)["database"].says == (
        f"others can look into the folder: chmod 700 {ford.office.folder}"
    )
    (ford.office.folder / "office.sqlite").chmod(0o644)
    looked = found(ford.office.folder)["database"]
    assert looked.state == "wrong"
    assert f"chmod go= {ford.office.folder / 'office.sqlite'}" in looked.says


# ---------------------------------------------------------------------------------------------------- who is killed


def killed(program: str, *words: object) -> None:
    """Run a *program* that kills itself."""
    words = tuple(map(str, words))
    done = subprocess.run([sys.executable, "-c", program, *words], check=False, capture_output=True)  # type: ignore[list-item]
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


MAKING = ("_make_key", "_bring_up_to_date", "_begin_heads")
DIE = "import os, signal, sys; die = lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL); "


@pytest.mark.sqlite
def test_a_backup_that_was_killed_does_not_look_like_one(ford: Table, tmp_path: Path) -> None:
    target = tmp_path / "copies" / "copy.sqlite"
    target.parent.mkdir()
    killed(
        DIE + "from pathlib import Path; from pbem.desk.office.office import open_office; "
        "from pbem.desk.proof.safekeeping import back_up; os.link = die\n"
        "with open_office(Path(sys.argv[1])) as office: back_up(office, Path(sys.argv[2]))",
        ford.office.folder,
        target,
    )
    assert [path.name for path in target.parent.iterdir()] == ["copy.sqlite.part"]

    back_up(ford.office, target)

    assert [path.name for path in target.parent.iterdir()] == ["copy.sqlite"]


@pytest.mark.parametrize(
    "where", ["office._make_key", "office._bring_up_to_date", "office._begin_heads", "Path.replace"]
)
def test_an_office_whose_making_was_killed_is_made_by_the_next_attempt(tmp_path: Path, where: str) -> None:
    folder = tmp_path / "office"
    killed(
        DIE + f"from pathlib import Path; from pbem.desk.office import office; {where} = die; "
        "office.make_office(Path(sys.argv[1]), sys.argv[2])",
        folder,
        SETTINGS,
    )
    assert not (folder / "pbem.toml").exists()

    make_office(folder, SETTINGS)

    assert {one.state for one in found(folder).values()} == {"ok", "look"}


@pytest.mark.sqlite
def test_a_folder_with_settings_and_no_database_is_told_what_to_do(tmp_path: Path) -> None:
    make_office(tmp_path, SETTINGS)
    for path in tmp_path.glob("office.sqlite*"):
        path.unlink()

    for doing in (lambda: make_office(tmp_path, SETTINGS), lambda: open_office(tmp_path).__enter__()):
        with pytest.raises((Refused, StorageError), match="pbem db upgrade makes an empty one"):
            doing()


# ---------------------------------------------------------------------------------------------------- a full disk


@contextmanager
def full(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A disk on which no database grows any more."""
    connect = sqlite.connect

    def cramped(url: str, folder: Path | None, *, patience: int, create: bool) -> database.Engine:
        engine = connect(url, folder, patience=patience, create=create)

        engine.prepare.append(lambda driver: driver.execute("PRAGMA max_page_count = 1"))  # not below what it has
        return engine

    with monkeypatch.context() as patch:
        patch.setattr(sqlite, "connect", cramped)
        yield


@pytest.mark.sqlite
def test_a_letter_that_comes_while_the_disk_is_full_is_not_lost(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:

    letter = ford.letter("smuggler", "move s1 to 3\n" + "".join(os.urandom(40).hex() + "\n" for _ in range(400)))
    with full(monkeypatch):
        aside = by_pipe(ford.office.folder, letter)

    assert isinstance(aside, SetAside)
    assert "is full: nothing was written.  Make room there" in aside.why
    assert [one.state for one in sweep(ford.office)] == ["applied"]


def test_a_disk_without_room_for_what_sqlite_lays_beside_a_database_is_called_full(
    ford: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorname = "SQLITE_IOERR_SHMSIZE"
    at = ford.office.engine.path
    assert "failed: disk I/O error" in str(sqlite.in_words(error, at))

    there = os.statvfs(ford.office.folder)
    monkeypatch.setattr(os, "statvfs", lambda folder: os.statvfs_result((*there[:4], 0, *there[5:])))

    assert "is full: nothing was written" in str(sqlite.in_words(error, at))


@pytest.mark.sqlite
def test_an_office_that_is_at_work_is_copied_whole_each_time(ford: Table, tmp_path: Path) -> None:
    stop, ends = threading.Event(), []

    def work() -> None:
        while not stop.is_set():
            ford.write("smuggler", f"move s1 to 3\n# {ford.written}")

    worker = threading.Thread(target=work)
    worker.start()
    try:
        for number in range(3):
            before = ford.dossier.seq
            while ford.dossier.seq < before + 3:
                stop.wait(0.01)
            back_up(ford.office, tmp_path / f"{number}.sqlite")
    finally:
        stop.set()
        worker.join()
    for number in range(3):
        folder = fresh(tmp_path / f"new{number}")
        bring_back(folder, tmp_path / f"{number}.sqlite", now=ford.clock)
        with open_office(folder, now=ford.clock) as office:
            assert verify(office, "ford").sound
            with office.read() as connection:
                ends.append(load(office, connection, "ford").seq)
    assert ends == sorted(set(ends)), "each holds more than the one before"
    assert ends[-1] <= ford.dossier.seq + 1, "and none more than there was, and its new seeds"
