"""Processes that do something, and kill themselves on the way: ``python -m tests.kit.dying``.

Each line of standard input is `FOLDER at NAME` (a place of `POINTS`) or `FOLDER step N` (the N-th instruction that
SQLite carries out), of a turn that is run and released; or `FOLDER letter N`, the N-th commit of what is written while
the letter that lies beside the folder is taken in.  For each a process is forked, and one line answers: that it died,
and whether inside what it had begun to write and not committed; or that it lived, how many instructions it took, and
which of them were inside.
"""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import sys
from pathlib import Path

from pbem.desk.intake.receive import receive
from pbem.desk.office.office import open_office
from pbem.desk.turns import adjudicate, publish
from pbem.mail.reading.letter import Letter, read_letter
from tests.kit.table import Chance, Clock
from tests.systems.play import SIXTH

POINTS = {
    "the run begins to write": (r"BEGIN IMMEDIATE", 1),
    "the first view is kept": (r"INSERT INTO blob", 1),
    "the first fact is written": (r"INSERT INTO event", 1),
    "the last event of the run is written": (r"INSERT INTO event .*exchange_resolved", 1),
    "the world is kept": (r"INSERT INTO snapshot", 1),
    "the run is committed": (r"COMMIT", 2),
    "the release begins to write": (r"BEGIN IMMEDIATE", 4),
    "the seeds of the next exchange are kept": (r"INSERT INTO secret", 1),
    "the first event of the release is written": (r"INSERT INTO event .*exchange_released", 1),
    "the first report is owed": (r"INSERT INTO outbox", 1),
    "the second report is owed": (r"INSERT INTO outbox", 2),
    "the release is committed": (r"COMMIT", 4),
}
"""What SQLite is just about to do: the statement, and which of its like it is."""

WORK = re.compile(r"(?:INSERT|UPDATE|DELETE)\b")


class Death:
    """Watches what SQLite does, and kills the process at its point."""

    def __init__(self, how: str, where: str) -> None:
        self.statement, self.left = POINTS[where] if how == "at" else ("", 0)
        self.last_commit = int(where) if how == "letter" else 0
        self.last_step = int(where) if how == "step" else 0
        self.step = self.seen = self.commits = 0
        self.wrote = self.ended = False
        self.inside: list[int] = []

    def watch(self, connection: sqlite3.Connection) -> None:
        """Look over the shoulder of a new connection."""
        connection.set_trace_callback(self.about_to)
        connection.set_progress_handler(self.stepped, 1)

    def about_to(self, statement: str) -> None:
        """A statement begins."""
        if self.statement and re.match(self.statement, statement, re.DOTALL):
            self.seen += 1
            if self.seen == self.left:
                self.die()
        if self.wrote and not self.ended and statement.startswith("COMMIT"):
            self.commits += 1
            if self.commits == self.last_commit:
                self.die()
        if self.ended:
            self.wrote = self.ended = False
        self.wrote = self.wrote or bool(WORK.match(statement))
        self.ended = statement.startswith(("COMMIT", "ROLLBACK"))

    def stepped(self) -> None:
        """SQLite has carried out an instruction."""
        self.step += 1
        if self.wrote and not self.ended:
            self.inside.append(self.step)
        if self.step == self.last_step:
            self.die()

    def die(self) -> None:
        """Say whether anything was written and not committed, and be gone."""
        say("died", "inside" if self.wrote and not self.ended else "outside")
        os.kill(os.getpid(), signal.SIGKILL)


def say(*words: object) -> None:
    """Answer."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


class Here:
    """Reads letters in the process that asks."""

    def read(self, raw: bytes) -> Letter:
        """What `read_letter` gives."""
        return read_letter(raw)


def live_and_die(folder: Path, how: str, where: str) -> None:
    """Run the turn in the office at *folder*, and release it; or take the letter in that lies beside it."""
    death = Death(how, where)
    clock = Clock()
    clock.forward(2)
    with open_office(folder, now=clock, chance=Chance("dying")) as office:
        office.engine.dispose()
        office.engine.prepare.append(death.watch)
        if how == "letter":
            office.kept["reader"] = Here()
            receive(office, folder.with_suffix(".eml").read_bytes(), way="pipe")
        else:
            adjudicate.run(office, "ford", early=True)
            publish.release(office, "ford")
    say("lived", death.step, *death.inside)


def main() -> None:
    """Answer every line."""
    sys.path.insert(0, str(SIXTH))
    for line in sys.stdin:
        folder, how, where = line.rstrip("\n").split("\t")
        ours, its = os.pipe()
        child = os.fork()
        if not child:
            os.dup2(its, 1)
            try:
                live_and_die(Path(folder), how, where)
            except Exception as error:
                # Without an answer whoever asked would wait for ever.
                say("failed", type(error).__name__, " ".join(str(error).split()))
            os._exit(0)
        os.close(its)
        with open(ours, "rb") as answer:
            said = answer.read()
        # It is told when it is dead: what it held until then is free.
        os.waitpid(child, 0)
        os.write(1, said)


if __name__ == "__main__":
    main()
