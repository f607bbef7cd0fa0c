"""To be told by a signal that it is enough."""

from __future__ import annotations

import signal
import threading
from _thread import start_new_thread
from collections.abc import Callable


def until_stopped(*numbers: signal.Signals, told: Callable[[], None] = lambda: None) -> threading.Event:
    """What is set when one of the signals *numbers* comes, of which *told* is told too.

    It is set by a thread: a handler runs between any two steps of the main thread, and that may hold the lock of the
    event just then, because it waits for it or because a signal came before this one.
    """
    stop = threading.Event()

    def end() -> None:
        stop.set()
        told()

    for number in numbers:
        signal.signal(number, lambda *_: start_new_thread(end, ()))
    return stop
