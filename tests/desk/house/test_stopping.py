"""An end that is told by a signal, however many come and whatever is being done."""

from __future__ import annotations

import subprocess
import sys

STORM = """\
import signal, threading
from pbem.desk.house.stopping import until_stopped

told = []
stop = until_stopped(signal.SIGALRM, told=lambda: told.append(threading.current_thread()))
signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
while not stop.wait(0.0001):
    pass
for _ in range(50_000):
    stop.set()
signal.setitimer(signal.ITIMER_REAL, 0)
assert told and threading.main_thread() not in told
print("ended")
"""


def test_signals_that_come_one_upon_the_other_end_it_and_none_locks_it_up() -> None:
    done = subprocess.run([sys.executable, "-c", STORM], capture_output=True, text=True, timeout=60, check=False)

    assert (done.stdout, done.stderr) == ("ended\n", "")
