"""Two senders at one outbox, one of them killed."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.soak import senders


def test_of_two_senders_one_is_killed_and_no_mail_is_lost_and_one_at_most_leaves_twice(tmp_path: Path) -> None:
    tally = senders.killed(tmp_path / "office", 60, Random(1))

    assert (tally.mails, tally.killed) == (60, 1)
    assert tally.doubled <= 1
