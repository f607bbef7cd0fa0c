"""The reader in a process of its own: the same answers, and whatever happens to it costs one letter and no more."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.reading import worker
from pbem.mail.reading.letter import Letter, read_letter
from pbem.mail.reading.worker import Reader, ReaderBroke
from pbem.mail.wire.limits import UnreadableLetter
from tests.kit.hostile import LETTERS

SIMPLE = b"From: a@x.example\n\nhold\n"
OWN_LETTERS = sorted((Path(__file__).parents[2] / "letters").glob("*.eml"))
HEAVY = LETTERS["html never closed"]


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    with Reader() as reader:
        yield reader


def apart(reader: Reader, raw: bytes) -> Letter | str:
    try:
        return reader.read(raw)
    except UnreadableLetter as refused:
        return refused.reason


def here(raw: bytes) -> Letter | str:
    try:
        return read_letter(raw)
    except UnreadableLetter as refused:
        return refused.reason


def pid(reader: Reader) -> int:
    assert reader._process is not None
    return reader._process.pid


@pytest.mark.parametrize("path", OWN_LETTERS, ids=lambda path: path.stem)
def test_letters_are_read_as_they_are_here(reader: Reader, path: Path) -> None:
    assert apart(reader, path.read_bytes()) == here(path.read_bytes())


@pytest.mark.parametrize("raw", LETTERS.values(), ids=LETTERS)
def test_hostile_letters_are_read_or_refused_as_they_are_here(reader: Reader, raw: bytes) -> None:
    assert apart(reader, raw) == here(raw)


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_whatever_stands_in_a_letter_comes_back(reader: Reader, subject: bytes, text: bytes) -> None:
    raw = b"From: a@x.example\nSubject: " + subject + b"\n\nhold\n" + text

    assert apart(reader, raw) == here(raw)


def test_one_process_reads_many_letters(reader: Reader) -> None:
    reader.read(SIMPLE)
    first = pid(reader)
    for _ in range(20):
        reader.read(SIMPLE)
    apart(reader, b"")

    assert pid(reader) == first


def test_a_letter_that_takes_too_long_is_given_up_and_the_next_is_read() -> None:
    with Reader(limit=0.02) as reader:
        for _ in range(3):
            with pytest.raises(ReaderBroke, match=r"^the reader took longer than 0.02 seconds over it\.$"):
                reader.read(HEAVY)
    with Reader() as reader:
        assert reader.read(SIMPLE).lines


def test_a_letter_that_wants_too_much_memory_is_given_up_and_the_next_is_read() -> None:
    with Reader(memory=60 * 1024 * 1024) as reader:
        for _ in range(3):
            with pytest.raises(ReaderBroke, match="over it"):
                reader.read(b"x" * 100_000_000)
            assert reader.read(SIMPLE).lines


def test_a_reader_that_dies_over_a_letter_is_started_again() -> None:
    with Reader() as reader:
        reader.read(SIMPLE)
        killer = threading.Timer(0.02, os.kill, (pid(reader), signal.SIGKILL))
        killer.start()
        with pytest.raises(ReaderBroke, match=r"^the reader died over it\.$"):
            reader.read(HEAVY)
        killer.join()
        assert reader.read(SIMPLE).lines


def test_a_reader_that_died_between_two_letters_costs_none() -> None:
    with Reader() as reader:
        reader.read(SIMPLE)
        for _ in range(3):
            os.kill(pid(reader), signal.SIGKILL)
            assert reader._process is not None
            reader._process.wait()
            assert reader.read(SIMPLE).lines


def test_a_fault_of_the_reader_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(raw: bytes) -> Letter:
        raise KeyError("\ud800")

    monkeypatch.setattr(worker, "read_letter", faulty)
    said = worker._DECODER.decode(worker._answer(SIMPLE))
    assert said == worker._Failed("KeyError: '\\ud800'")


def test_several_threads_share_a_reader(reader: Reader) -> None:
    read: dict[int, str] = {}

    def work(number: int) -> None:
        read[number] = reader.read(SIMPLE + b"move %d\n" % number).lines[1].text

    threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert read == {number: f"move {number}" for number in range(20)}


def test_a_reader_whose_office_died_dies_too() -> None:
    office = (
        "import os, signal\n"
        "from pbem.mail.reading.worker import Reader\n"
        "reader = Reader()\n"
        f"reader.read({SIMPLE!r})\n"
        "print(reader._process.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", office], capture_output=True, text=True, check=False)
    orphan = Path(f"/proc/{int(done.stdout)}/stat")
    for _ in range(200):
        if not orphan.exists() or orphan.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        threading.Event().wait(0.05)
    raise AssertionError("it still runs")


def test_a_reader_that_nobody_looks_after_gives_up_by_itself() -> None:
    """The office died while it was at a letter that takes for ever."""
    command = [sys.executable, "-m", "pbem.mail.reading.worker", str(worker.MEMORY), "0.01"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.communicate(len(HEAVY).to_bytes(8) + HEAVY)
    assert process.returncode == -signal.SIGALRM


def test_nothing_is_imported_from_the_folder_in_which_the_office_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "email.py").write_text("raise SystemExit('hijacked')")
    monkeypatch.chdir(tmp_path)
    with Reader() as reader:
        assert reader.read(SIMPLE).lines
