"""Fields of a header, as they stand; and what our letters leave with."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pbem.mail.leaving.compose import Draft, compose
from pbem.mail.leaving.outbox import is_envelope_address
from pbem.mail.wire.addresses import Address
from pbem.mail.wire.headers import envelope_sender, fields, unsubscribe
from pbem.mail.wire.reply_address import Meaning, Purpose, make_address, read_address
from tests.kit.hostile import LETTERS
from tests.kit.named import named

KEY = bytes(range(32))


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"From: a\r\nTo: b\r\n\r\nhold", [("from", "a"), ("to", "b")]),
        (b"Subject: one\n\ttwo\n\nx: y", [("subject", "one two")]),
        (b"From: a\nFROM: b\n\n", [("from", "a"), ("from", "b")]),
        (b"X: " + b"x" * 9_000 + b"\nY: y\n\n", [("x", ""), ("y", "y")]),
        (b"\nFrom: a\n", []),
        (b"", []),
    ],
)
def test_fields_as_they_stand(raw: bytes, found: list[tuple[str, str]]) -> None:
    assert fields(raw) == found


@pytest.mark.parametrize("raw", LETTERS.values(), ids=LETTERS)
def test_fields_of_hostile_letters(raw: bytes) -> None:
    assert all(len(value) <= 8 * 1024 for _, value in fields(raw))


def test_an_answer_cannot_come_back_and_a_letter_comes_back_to_its_own_address() -> None:
    back = envelope_sender("letter", "gpw", "k3xq7mmd2a", KEY, "office.example")

    assert envelope_sender("answer", "gpw", "k3xq7mmd2a", KEY, "office.example") == ""
    assert is_envelope_address(back)
    assert read_address(back, KEY, named("gpw")) == Meaning(Purpose.BOUNCE, "gpw", "k3xq7mmd2a")


@pytest.mark.parametrize("mailbox", ["", "post"])
def test_who_wants_no_letters_any_more_says_so_by_a_letter_or_a_click(mailbox: str) -> None:
    address = make_address(Meaning(Purpose.STOP, "gpw", "moltke", 1), KEY, "office.example", mailbox=mailbox)
    links = unsubscribe("gpw", "moltke", 1, KEY, "office.example", mailbox=mailbox, page="https://office.example/stop")
    (letter,) = unsubscribe("gpw", "moltke", 1, KEY, "office.example", mailbox=mailbox)

    assert links == ("https://office.example/stop", letter)
    assert letter == f"mailto:{address.replace('+', '%2B')}?subject=stop"


def test_the_links_stand_in_a_letter() -> None:
    links = unsubscribe("gpw", "moltke", 1, KEY, "office.example", page="https://office.example/stop")
    raw = compose(
        Draft(
            message_id="<a@office.example>",
            date=datetime(2026, 6, 12, tzinfo=UTC),
            sender=Address("gpw@office.example"),
            to=Address("moltke@x.example"),
            subject="x",
            text="x",
            office="office.example",
            unsubscribe=links,
        )
    )
    header = dict(fields(raw))

    assert header["list-unsubscribe"] == ", ".join(f"<{link}>" for link in links)
    assert header["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
