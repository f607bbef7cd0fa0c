"""What a signature proves: only what it covers, and only if that is the whole letter, to the office."""

from __future__ import annotations

from collections.abc import Callable

import dkim
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.reading.content import content_digest
from pbem.mail.reading.covered import NEEDED, ONCE, tags
from pbem.mail.reading.letter import read_head
from pbem.mail.trust.authentication import Authentication, Result, authenticate
from tests.kit.forgeries import FORGERIES, OFFICE, below, lenient, order, private, told, topped, without, written
from tests.kit.signer import FIVE, HOUSES, OUTLOOK, YAHOO, lookup, signed

TRUSTED = ["mx.office.example"]


def ours(address: str) -> bool:
    local, _, host = address.partition("@")
    return host == "office.example" and local.partition("+")[0] == "office"


def checked(raw: bytes) -> Authentication:
    return authenticate(raw, ours, (), lookup)


def by_server(raw: bytes) -> Authentication:
    return authenticate(told(raw), ours, TRUSTED)


def holds(raw: bytes) -> bool:
    return bool(dkim.verify(raw, dnsfunc=lambda name, timeout: lookup(name.decode()), minkey=512))


WAYS = {"its signature": checked, "the word of our server": by_server}
Way = Callable[[bytes], Authentication]


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_a_letter_made_of_one_that_was_signed_proves_nothing(forge: Callable[[], bytes], way: Way) -> None:
    assert way(forge()).result is not Result.PASS


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_nor_where_our_server_finds_all_of_it_in_order(forge: Callable[[], bytes]) -> None:
    assert authenticate(lenient(forge()), ours, TRUSTED, lookup).result is not Result.PASS


def test_most_of_these_forgeries_bear_a_signature_that_holds() -> None:
    """Else they would prove nothing of the office."""
    assert sum(checked(forge()).result is Result.PART for forge in FORGERIES.values()) > 20
    assert holds(topped(private(), "Subject: [ford] resign ford"))


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("house", HOUSES)
def test_letters_as_mail_houses_sign_them_stay_believed(house: str, way: Way) -> None:
    more = ("MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "In-Reply-To: <a@office.example>")
    raw = signed(written(OFFICE, more=more), fields=HOUSES[house].split(":"))

    assert way(raw).result is Result.PASS
    assert way(topped(raw, "Received: from a by b", "X-Spam: no", "Return-Path: <ann@player.example>")).result == "pass"


@pytest.mark.parametrize(("house", "why"), [(OUTLOOK, "To"), (YAHOO, "Message-ID")])
@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_of_a_house_that_does_not_sign_enough_it_is_said_what_it_leaves_out(house: str, why: str, way: Way) -> None:
    found = way(signed(written(OFFICE), fields=house.split(":")))

    assert (found.result, found.flaw) == (Result.PART, f"its signature does not cover {why}")


@pytest.mark.parametrize(
    ("to", "more", "believed"),
    [
        ("office@office.example", (), True),
        ("OFFICE@Office.Example", (), True),
        ("office+ford.abc.1.aaaaaaaaaaaaaaaa@office.example", (), True),
        ("Ben <ben@player.example>, Office <office@office.example>", (), True),
        ("ben@player.example", ("Cc: office@office.example",), True),
        ('"office@office.example" <ben@player.example>', (), False),
        ("ben@player.example (office@office.example)", (), False),
        ("office@office.example.evil.example", (), False),
        ("gm@office.example", (), False),
        ("undisclosed-recipients:;", (), False),
        ("ben@player.example", ("Bcc: office@office.example",), False),
    ],
)
def test_what_was_not_written_to_the_office_is_not_believed(to: str, more: tuple[str, ...], believed: bool) -> None:
    raw = signed(written(to, more=more), fields=(*FIVE, "cc"))

    assert checked(raw).result is (Result.PASS if believed else Result.PART)


def test_a_cc_that_nobody_signed_names_nobody() -> None:
    assert checked(signed(written("ben@player.example", more=["Cc: office@office.example"]))).result is Result.PART


@pytest.mark.parametrize("name", sorted(ONCE))
def test_no_field_that_stands_once_alone_may_stand_twice(name: str) -> None:
    field = f"{name}: office@office.example"
    every = signed(written(OFFICE, more=[] if name in NEEDED else [field]), fields=sorted(ONCE - {"bcc"}))

    assert checked(every).result is Result.PASS
    for doubled in (topped(every, field), below(every, field)):
        assert checked(doubled).result is not Result.PASS
        assert authenticate(lenient(doubled), ours, TRUSTED).result is not Result.PASS


@pytest.mark.parametrize("name", NEEDED)
def test_it_is_said_what_a_letter_lacks(name: str) -> None:
    lines = [line for line in written(OFFICE).split(b"\n") if not line.lower().startswith(f"{name}:".encode())]
    raw = signed(b"\n".join(lines), fields=FIVE)

    assert checked(raw).result is not Result.PASS
    assert "subject" not in name or checked(raw).flaw == "it has no Subject"


def test_what_the_signature_covers_is_told() -> None:
    raw = signed(written(OFFICE, more=["References: <a@x>"]), fields=(*FIVE, "references"))

    assert checked(raw).signed == by_server(raw).signed == {*FIVE, "references"}


def test_our_server_does_not_say_which_signature_holds_so_all_of_them_must_cover_it() -> None:
    both = topped(order(), without("subject").split(b"\r\nFrom:")[0].decode())

    assert by_server(order()).result is Result.PASS
    assert by_server(both).result is Result.PART
    assert checked(both).result is Result.PASS


def test_a_word_of_our_server_too_long_to_be_read_is_not_made_good_by_one_below_it() -> None:
    """The one below came with the letter."""
    said = "; ".join(f"dkim=fail header.d=x{n}.example" for n in range(400))
    ours_on_top = f"Authentication-Results: mx.office.example; {said}; dmarc=fail header.from=player.example"
    raw = topped(lenient(order()), ours_on_top)

    assert len(ours_on_top) > 8 * 1024
    assert authenticate(raw, ours, TRUSTED).result is Result.NONE


@pytest.mark.parametrize("add", ["Sender: x@y.example", "Content-Type: text/plain", "In-Reply-To: <a@b>", "Cc: a@b.c"])
def test_what_anybody_can_add_to_a_signed_letter_makes_no_other_letter(add: str) -> None:
    assert content_digest(topped(order(), add)) == content_digest(order())


@given(st.integers(1, 4), st.sampled_from([b" ", b"\t", b" \t"]))
def test_nor_do_blanks_that_a_signature_lets_anybody_add(times: int, blank: bytes) -> None:
    raw = order(body="move s1 to 3\nhold\n")
    changed = raw.replace(b"s1 to", b"s1" + blank * times + b"to").replace(b"hold\r\n", b"hold" + blank + b"\r\n")
    changed = changed.replace(b"Subject: what", b"Subject:" + blank * times + b"what") + b"\r\n" * times

    assert holds(changed), "else it is no test"
    assert content_digest(changed) == content_digest(raw)


ORDER = order(body="move s1 to 3\nhold\n")
PRIVATE = private()
BITS = st.sampled_from(
    [
        *(b"Subject: a", b"To: office@office.example", b"From: ben@player.example", b"Date: x", b"Message-ID: <b@x>"),
        *(
            b"Sender: a@b.c",
            b"subject:",
            b"SUBJECT : a",
            b" a",
            b"\ta",
            b"",
            b"  ",
            b"no field",
            b"From ann@player.example",
        ),
        *(
            b"DKIM-Signature: v=1; d=player.example; h=from",
            b"\r",
            b"\n",
            b"\x00",
            b"\x0b",
            b"\x1c",
            b"\x85",
            b"\xe2\x80\xa8",
        ),
        *(b"\rSubject: a", b"\nSubject: a", b"Content-Type: text/html", b"X:" + b"y" * 9_000, b":", b"\xff: a"),
    ]
)
EDITS = st.lists(
    st.tuples(st.sampled_from(["put", "cut", "twice", "swap", "into"]), st.integers(0, 12), st.integers(0, 60), BITS),
    max_size=4,
)


def edited(raw: bytes, edits: list[tuple[str, int, int, bytes]]) -> bytes:
    """A letter after *edits* of its lines."""
    lines = raw.split(b"\r\n")
    for what, at, within, bit in edits:
        at %= len(lines)
        match what:
            case "put":
                lines.insert(at, bit)
            case "cut" if len(lines) > 1:
                del lines[at]
            case "twice":
                lines.insert(at, lines[within % len(lines)])
            case "swap":
                other = within % len(lines)
                lines[at], lines[other] = lines[other], lines[at]
            case "into":
                lines[at] = lines[at][:within] + bit + lines[at][within:]
    return b"\r\n".join(lines)


@settings(max_examples=400)
@given(EDITS, st.sampled_from(["signature", "server"]))
def test_whatever_is_done_to_a_signed_letter_only_what_was_signed_is_believed(
    edits: list[tuple[str, int, int, bytes]], way: str
) -> None:
    believes = checked if way == "signature" else by_server

    assert believes(edited(PRIVATE, edits)).result is not Result.PASS
    raw = edited(ORDER, edits)
    if believes(raw).result is Result.PASS:
        assert content_digest(raw) == content_digest(ORDER)
        read, written_so = read_head(raw), read_head(ORDER)
        for said in ("sender", "subject", "date", "message_id"):
            assert getattr(read, said) == getattr(written_so, said)


@given(st.text(alphabet='vadsbhl=;: \t\r\n"x0@.é', max_size=80))
def test_tags_of_any_text(text: str) -> None:
    assert all(name == name.strip() for name in tags(text))
