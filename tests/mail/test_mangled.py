"""Letters of the collection, spoiled at random: each is read or refused, and what is read keeps its promises."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.reading.letter import read_head, read_letter
from pbem.mail.wire.limits import UnreadableLetter
from tests.kit.hostile import LETTERS as HOSTILE
from tests.kit.mangle import mangled, untrue
from tests.mail.test_letters import LETTERS, readable

SAMPLES = [raw for path in LETTERS if len(raw := path.read_bytes()) < 10_000]


@given(st.integers(0, 2**63))
def test_a_spoiled_letter_is_read_or_refused_and_what_is_read_is_true(seed: int) -> None:
    raw = mangled(SAMPLES, Random(seed))
    read_head(raw)
    try:
        letter = read_letter(raw)
    except UnreadableLetter:
        return

    assert untrue(raw, letter) == []


@pytest.mark.parametrize("path", readable(), ids=lambda path: path.stem)
def test_what_is_read_of_a_letter_is_true(path: Path) -> None:
    raw = path.read_bytes()

    assert untrue(raw, read_letter(raw)) == []


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_read_of_a_hostile_letter_is_true(name: str) -> None:
    try:
        letter = read_letter(HOSTILE[name])
    except UnreadableLetter:
        return

    assert untrue(HOSTILE[name], letter) == []


@given(st.integers(0, 2**63))
def test_the_same_seed_spoils_alike(seed: int) -> None:
    assert mangled(SAMPLES, Random(seed)) == mangled(SAMPLES, Random(seed))
