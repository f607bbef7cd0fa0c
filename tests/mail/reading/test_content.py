"""The same letter is known by whatever way it comes, and another one is not taken for it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.reading.content import content_digest

LETTER = b"From: ann@player.example\nSubject: orders\nMessage-ID: <1@player.example>\n\nmove s1 to 3\n"


@pytest.mark.parametrize(
    "copy",
    [
        b"Received: from mx\n by office\n" + LETTER,
        b"Return-Path: <ann@player.example>\nDelivered-To: office@office.example\nX-Spam: no\n" + LETTER,
        LETTER.replace(b"\n", b"\r\n"),
        LETTER + b"\n\n",
        b"Subject: orders\nFrom: ann@player.example\nMESSAGE-ID: <1@player.example>\n\nmove s1 to 3\n",
    ],
)
def test_what_the_post_adds_on_the_way_makes_no_other_letter(copy: bytes) -> None:
    assert content_digest(copy) == content_digest(LETTER)


@pytest.mark.parametrize(
    ("old", "new"), [(b"s1", b"s2"), (b"orders", b"order"), (b"ann@", b"ben@"), (b"<1@", b"<2@"), (b"move", b" move")]
)
def test_what_its_writer_changes_makes_another(old: bytes, new: bytes) -> None:
    assert content_digest(LETTER.replace(old, new)) != content_digest(LETTER)


@given(st.binary(max_size=200))
def test_no_bytes_are_refused(raw: bytes) -> None:
    assert len(content_digest(raw)) == 64
