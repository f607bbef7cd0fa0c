"""The rules of a system are made ready to be read by, by one thread, while others wait for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable

import msgspec
import pytest

from pbem.desk.library import readied
from pbem.desk.library.readied import decoded, loaded
from pbem.kernel.event import Event
from pbem.rules import registry
from pbem.storage.codec import Codec


def test_one_thread_makes_a_system_ready_and_the_others_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def slow(facts: Iterable[type[Event]]) -> Codec:
        made.append("begun")
        time.sleep(0.05)
        made.append("done")
        return Codec(facts)

    monkeypatch.setattr(readied, "Codec", slow)
    monkeypatch.setattr(readied, "_READY", set())
    start, found = threading.Barrier(6), list[object]()

    def load() -> None:
        start.wait()
        found.append(loaded("half-league"))

    threads = [threading.Thread(target=load) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert found == [registry.load("half-league")] * 6
    assert made == ["begun", "done"]


def test_what_is_said_of_a_kind_is_read_as_that_kind() -> None:
    assert decoded(b'["1", "2"]', list[str]) == ["1", "2"]
    with pytest.raises(msgspec.ValidationError, match="Expected `str`, got `int`"):
        decoded("[1]", list[str])
