"""A process is killed over a letter that asks for something, before each of its commits: it is done once."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.desk.intake.receive import receive
from pbem.desk.office.office import Office, open_office
from pbem.desk.post.writing import write_owed
from pbem.desk.proof.verify import verify
from pbem.desk.ways.arrivals import sweep
from pbem.storage import letters
from tests.kit.dying import Here
from tests.kit.table import Chance, Clock, Table
from tests.kit.table import table as make
from tests.systems.play import SIXTH

WORDS = (
    "propose draw: we are even",
    "substitute eve@player.example for 2 turns",
    "letter to all: Good evening.",
    "note to self: he bluffs",
    "digest 20:00",
    "address ann@home.example",
    "zone Europe/Paris",
    "vacation 24 dec to 26 dec",
    "resign ford",
)
MOST = 9
"""No letter needs so many commits of what it writes."""


class Dying:
    """An office, and a process that has others take a letter in and die."""

    def __init__(self, process: subprocess.Popen[str], ready: Path, scratch: Path) -> None:
        self.process, self.ready, self.scratch = process, ready, scratch
        self.died = 0

    def take(self, raw: bytes, commit: int) -> tuple[Path, bool]:
        """A copy of the office in which a letter is taken in by one who dies before a commit; and whether he died."""
        self.died += 1
        folder = shutil.copytree(self.ready, self.scratch / str(self.died))
        folder.with_suffix(".eml").write_bytes(raw)
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"{folder}\tletter\t{commit}\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline().split()
        assert said[0] in ("died", "lived"), said
        return folder, said[0] == "died"


@pytest.fixture(scope="module")
def dying(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dying]:
    ready, scratch = tmp_path_factory.mktemp("ready") / "office", tmp_path_factory.mktemp("scratch")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SIXTH))
        with make(ready) as table:
            table.open()
        with subprocess.Popen(
            [sys.executable, "-m", "tests.kit.dying"],
            cwd=Path(__file__).parents[2],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            yield Dying(process, ready, scratch)
            assert process.stdin
            process.stdin.close()


def letter(text: str) -> bytes:
    return f"""\
From: Ann <ann@player.example>
To: office@office.example
Subject: Re: [ford] orders
Message-ID: <word@player.example>

{text}
""".encode()


def kept(office: Office) -> bool:
    with office.read() as connection:
        return bool(letters.listing(connection))


def left(folder: Path, raw: bytes) -> tuple[list[str], list[str]]:
    """What log and outbox hold when the next has looked; the mail server keeps a letter until it is told that we do."""
    clock = Clock()
    clock.forward(3)
    with open_office(folder, now=clock, chance=Chance("after")) as office:
        office.kept["reader"] = Here()
        if not [*sweep(office)] and not kept(office):
            receive(office, raw, way="pipe")
        write_owed(office)
        table = Table(office, clock)
        assert verify(office, "ford").sound
        return table.kinds, sorted(mail.subject for mail in table.mails)


@pytest.mark.parametrize("words", WORDS)
def test_killed_before_any_commit_of_a_letter_what_it_asks_is_done_once(dying: Dying, words: str) -> None:
    raw = letter(words)
    folder, died = dying.take(raw, MOST)
    assert not died
    whole = left(folder, raw)

    for commit in range(1, MOST):
        folder, died = dying.take(raw, commit)
        assert left(folder, raw) == whole, commit
        if not died:
            break

    assert commit > 1
