"""An office on duty whose time runs faster: ``python -m tests.kit.on_duty FOLDER BEGAN SPEED``.

*BEGAN* is the time at its start, in microseconds UTC; *SPEED* how many seconds pass in one.  All else is as `pbem run`
does it.
"""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

from pbem.desk.house import duty
from pbem.desk.house.stopping import until_stopped
from pbem.desk.office.office import open_office
from tests.systems.play import SIXTH


def main() -> None:
    """Be on duty until a signal comes."""
    sys.path.insert(0, str(SIXTH))
    folder, began, speed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    start = time.monotonic_ns()
    stop = until_stopped(signal.SIGTERM, signal.SIGINT)
    with open_office(folder, now=lambda: began + (time.monotonic_ns() - start) // 1000 * speed) as office:
        duty.attend(office, stop, lambda what: print(what, flush=True))


if __name__ == "__main__":
    main()
