"""What is claimed is one holder's, and free at once when he is no more."""

from __future__ import annotations

import subprocess
import sys
import threading

from pbem.storage.claims import LETTER, RUN, claimed, number_of
from pbem.storage.databases.connection import Engine


def test_what_one_has_another_is_refused_until_it_is_let_go(office: Engine) -> None:
    with claimed(office, RUN, 1) as ours, claimed(office, RUN, 1) as again:
        assert (ours, again) == (True, False)
    with claimed(office, RUN, 1) as ours:
        assert ours


def test_other_things_are_claimed_beside_it(office: Engine) -> None:
    with claimed(office, RUN, 1) as run, claimed(office, RUN, 2) as other, claimed(office, LETTER, 1) as letter:
        assert (run, other, letter) == (True, True, True)


def test_who_lets_one_thing_go_keeps_the_others(office: Engine, url: str) -> None:
    with claimed(office, LETTER, 1):
        with claimed(office, LETTER, 2):
            pass
        assert not _elsewhere(url)


def test_two_threads_are_two_holders(office: Engine) -> None:
    found: list[bool] = []

    def ask() -> None:
        with claimed(office, LETTER, 1) as ours:
            found.append(ours)

    with claimed(office, LETTER, 1):
        thread = threading.Thread(target=ask)
        thread.start()
        thread.join()
    assert found == [False]


def test_what_a_killed_process_had_is_free_at_once(office: Engine, url: str) -> None:
    with subprocess.Popen(_command(url), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        with claimed(office, LETTER, 1) as ours:
            assert not ours
        other.kill()
        other.wait()
    assert _elsewhere(url)


def test_a_name_has_one_number_that_every_database_can_hold() -> None:
    assert number_of("autumn") == number_of("autumn") != number_of("spring")
    assert all(0 <= number_of(f"game-{number}") < 2**31 for number in range(200))


def _command(url: str) -> list[str]:
    script = (
        "import sys; from pbem.storage.claims import LETTER, claimed; from pbem.storage.database import open_office\n"
        "with claimed(open_office(sys.argv[1]), LETTER, 1) as ours:\n"
        "    print(ours, flush=True); sys.stdin.read()"
    )
    return [sys.executable, "-c", script, url]


def _elsewhere(url: str) -> bool:
    """Whether a process of its own gets it now; asked until it does, for a server notices in its own time."""
    for _ in range(20):
        done = subprocess.run(_command(url), input="", stdout=subprocess.PIPE, text=True, check=True)
        if done.stdout == "True\n":
            return True
    return False
