"""An office on duty that is timed: ``python -m tests.soak.on_watch FOLDER FIGURES``.

All is as `pbem run` does it.  *FIGURES* is a file that always holds the longest times so far, in seconds: of one letter
from its bytes to its fate, and of one transaction that kept all others from writing while letters were dealt with.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pbem.desk.house import duty
from pbem.desk.house.stopping import until_stopped
from pbem.desk.intake import receive
from pbem.desk.intake.fates import Received
from pbem.desk.office.office import Office, open_office
from pbem.desk.ways import arrivals
from pbem.storage import database
from pbem.storage.letters import Letter


class Figures:
    """The longest times so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.found: dict[str, float] = json.loads(path.read_text()) if path.exists() else {}

    def note(self, what: str, seconds: float) -> None:
        """Write a time down, if none was longer."""
        if seconds > self.found.get(what, 0.0):
            self.found |= {what: seconds}
            aside = self.path.with_suffix(".new")
            aside.write_text(json.dumps(self.found))
            aside.replace(self.path)


def main() -> None:
    """Be on duty until a signal comes."""
    folder, figures = Path(sys.argv[1]), Figures(Path(sys.argv[2]))
    plain, begin = receive.deal_with, database.transaction
    stop = until_stopped(signal.SIGTERM, signal.SIGINT)

    def timed(office: Office, letter: Letter) -> Received:
        start = time.perf_counter()
        try:
            return plain(office, letter)
        finally:
            took = time.perf_counter() - start
            figures.note("letter", took)
            if took > 1.0:
                print(f"letter {letter.id} took {took:.2f} s", flush=True)

    @contextmanager
    def transaction(*given: Any) -> Iterator[Any]:
        with begin(*given) as connection:
            start = time.perf_counter()
            yield connection
        figures.note("lock", time.perf_counter() - start)

    setattr(arrivals, "deal_with", timed)  # noqa: B010 - a type checker knows what they were
    setattr(database, "transaction", transaction)  # noqa: B010
    with open_office(folder) as office:
        duty.attend(office, stop, lambda what: print(what, flush=True))


if __name__ == "__main__":
    main()
