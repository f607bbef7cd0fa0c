"""What vouches for the From of a letter: only the word of the office's own server, and signatures that cover all."""

from __future__ import annotations

from collections.abc import Callable

import dkim
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.reading.letter import read_head
from pbem.mail.trust.authentication import UNNAMED, Authentication, Result, authenticate
from tests.kit.hostile import LETTERS
from tests.kit.signer import FIVE, lookup, record, signed

TRUSTED = ["MX.office.example"]
OURS = "Authentication-Results: mx.office.example; "
GOOGLE = (
    "Authentication-Results: mx.google.com;\n"
    "       dkim=pass header.i=@x.example header.s=s1 header.b=Qx7;\n"
    "       spf=pass (google.com: domain of a@x.example designates 192.0.2.1 as permitted sender)"
    " smtp.mailfrom=a@x.example;\n"
    "       dmarc=pass (p=NONE sp=NONE dis=NONE) header.from=x.example"
)
MICROSOFT = (
    "Authentication-Results: spf=pass (sender IP is 192.0.2.1)\n"
    " smtp.mailfrom=x.example; dkim=pass (signature was verified)\n"
    " header.d=x.example;dmarc=pass action=none\n"
    " header.from=x.example;compauth=pass reason=100"
)


SIGNED = f"DKIM-Signature: v=1; a=rsa-sha256; d=x.example; s=s; h={':'.join(FIVE)}; bh=x; b=x"
COVERED = frozenset(FIVE)


def ours(address: str) -> bool:
    return address == "office@office.example"


def letter(*fields: str, sender: str = "a@x.example") -> bytes:
    head = ("To: Office <office@office.example>", "Subject: orders", "Date: Fri, 20 Nov 2026 21:00:00 +0000")
    return "\n".join([*fields, f"From: {sender}", *head, "Message-ID: <1@x.example>", "", "hold", ""]).encode()


def found(*fields: str, sender: str = "a@x.example", trusted: list[str] | None = None) -> Authentication:
    """What is found of a letter that says that it is signed, and what our server says of that."""
    return authenticate(letter(*fields, SIGNED, sender=sender), ours, TRUSTED if trusted is None else trusted)


@pytest.mark.parametrize(
    ("said", "result", "evidence"),
    [
        ("dmarc=pass header.from=x.example", Result.PART, "dmarc=pass by mx.office.example"),
        ("spf=pass smtp.mailfrom=a@x.example; dmarc=pass header.from=x.example", Result.PART, "dmarc=pass by"),
        ("dkim=fail header.d=x.example; dmarc=pass header.from=x.example", Result.PART, "dmarc=pass by"),
        ("dkim=pass header.d=y.example; dmarc=pass header.from=x.example", Result.PART, "dmarc=pass by"),
        ("dkim=pass header.d=x.example; DMARC=Pass (p=reject) header.from=X.Example;", Result.PASS, "dkim=pass for"),
        ("dkim=pass (2048-bit key) header.d=x.example header.s=s", Result.PASS, "dkim=pass for x.example by"),
        ("dkim=pass header.i=@x.example", Result.PASS, "dkim=pass for x.example by"),
        ("dkim=pass header.i=a@x.example", Result.PASS, "dkim=pass for x.example by"),
        ("dmarc=fail (p=none) header.from=x.example", Result.FAIL, "dmarc=fail by mx.office.example"),
        ("dkim=pass header.d=x.example; dmarc=fail header.from=x.example", Result.FAIL, "dmarc=fail by"),
        ("dmarc=pass header.from=y.example", Result.NONE, "found nothing that vouches for x.example"),
        ("dmarc=bestguesspass header.from=x.example", Result.NONE, "found nothing"),
        ("dmarc=temperror header.from=x.example", Result.NONE, "found nothing"),
        ("dmarc=pass", Result.NONE, "found nothing"),
        ("dkim=pass header.d=y.example", Result.NONE, "found nothing"),
        ("dkim=pass header.d=notx.example", Result.NONE, "found nothing"),
        ("dkim=pass header.d=sub.x.example", Result.NONE, "found nothing"),
        ("dkim=pass header.d=example", Result.NONE, "found nothing"),
        ("dkim=fail header.d=x.example", Result.NONE, "found nothing"),
        ("dkim=fail (dmarc=pass header.from=x.example)", Result.NONE, "found nothing"),
        ('dkim=fail reason="; dmarc=pass header.from=x.example"', Result.NONE, "found nothing"),
        ("spf=pass smtp.mailfrom=x.example", Result.NONE, "found nothing"),
        ("none", Result.NONE, "found nothing"),
        ("((((", Result.NONE, "found nothing"),
        ("(" * 7_000, Result.NONE, "found nothing"),
    ],
)
def test_the_word_of_the_mail_server(said: str, result: Result, evidence: str) -> None:
    told = found(OURS + said)

    assert told.result is result
    assert evidence in told.evidence


def test_an_address_below_a_domain_is_vouched_for_by_it() -> None:
    assert found(OURS + "dkim=pass header.d=x.example", sender="a@mail.x.example").result is Result.PASS


@pytest.mark.parametrize(
    "name",
    ["mx.office.example", "MX.Office.Example", "(by us) mx.office.example (ours)", "mx.office.example 1"],
)
def test_the_name_of_the_mail_server_however_it_writes_it(name: str) -> None:
    assert found(f"Authentication-Results: {name}; dkim=pass header.d=x.example").result is Result.PASS


@pytest.mark.parametrize(
    "name",
    ["mx.elsewhere.example", "office.example", "x.mx.office.example", "", "(mx.office.example)", "y mx.office.example"],
)
def test_nobody_else_is_believed(name: str) -> None:
    assert found(f"Authentication-Results: {name}; dmarc=pass header.from=x.example").result is Result.NONE


def test_without_a_trusted_name_nobody_is_believed() -> None:
    assert found(OURS + "dmarc=pass header.from=x.example", trusted=[]).result is Result.NONE


def test_what_came_with_the_letter_under_our_name_stands_below_what_we_found() -> None:
    """The sender wrote a field of ours into his letter; our server put its own on top."""
    forged = OURS + "dmarc=pass header.from=x.example"

    assert found(OURS + "dmarc=fail header.from=x.example", "Received: by mx", forged).result is Result.FAIL
    assert found(OURS + "spf=fail smtp.mailfrom=a", "Received: by mx", forged).result is Result.NONE
    assert found(OURS + "damaged", "Received: by mx", forged).result is Result.NONE


def test_the_forms_of_google_and_microsoft() -> None:
    google, microsoft = found(GOOGLE, trusted=["mx.google.com"]), found(MICROSOFT, trusted=[UNNAMED])

    assert google == Authentication(Result.PASS, "dkim=pass for x.example by mx.google.com", signed=COVERED)
    assert microsoft == Authentication(Result.PASS, "dkim=pass for x.example by our mail server", signed=COVERED)
    assert found(MICROSOFT).result is Result.NONE
    assert found(MICROSOFT, sender="a@y.example", trusted=[UNNAMED]).result is Result.NONE


@pytest.mark.parametrize(
    "raw",
    [
        letter(OURS + "dmarc=pass header.from=x.example", "From: b@x.example"),
        letter(OURS + "dmarc=pass header.from=x.example", sender="a@x.example, b@x.example"),
        letter(OURS + "dmarc=pass header.from=x.example", "Subject: x\rFrom: b@x.example"),
        letter(OURS + "dmarc=pass header.from=x.example", "From: " + "x" * 9_000 + " <b@x.example>"),
        letter(OURS + "dmarc=pass header.from=x.example", sender="a@x.example\r\rFrom: b@x.example"),
        letter(OURS + "dmarc=pass header.from=x.example", sender="nobody"),
        b"",
    ],
    ids=[
        "two fields",
        "two in one",
        "one behind a bare CR",
        "one too long to be read",
        "an end behind bare CRs",
        "no address",
        "nothing",
    ],
)
def test_who_names_more_than_one_sender_is_nobody(raw: bytes) -> None:
    assert authenticate(raw, ours, TRUSTED) == Authentication(Result.NONE, "it names no one sender")


def test_a_sender_too_long_to_be_read_makes_none_of_the_other() -> None:
    assert read_head(letter("From: " + "x" * 9_000 + " <b@x.example>")).sender.address == ""


# --------------------------------------------------------------------------------------------------- signatures


LETTER = letter(sender="A <a@x.example>").replace(b"\n", b"\r\n")


def test_a_signature_that_holds() -> None:
    raw = signed(LETTER, "x.example")

    assert authenticate(raw, ours, lookup=lookup) == Authentication(
        Result.PASS, "dkim=pass for x.example", signed=COVERED
    )
    assert authenticate(raw.replace(b"\r\n", b"\n"), ours, lookup=lookup).result is Result.PASS
    assert authenticate(b"DKIM-Signature: v=1; damaged\r\n" + raw, ours, lookup=lookup).result is Result.PASS
    assert authenticate(raw, ours) == Authentication(Result.NONE, "nothing vouches for x.example")


def test_the_word_of_the_server_comes_before_a_signature() -> None:
    raw = signed(LETTER, "x.example")
    failed, silent = (f"{OURS}{said}\r\n".encode() for said in ("dmarc=fail header.from=x.example", "none"))

    assert authenticate(failed + raw, ours, TRUSTED, lookup).result is Result.FAIL
    assert authenticate(silent + raw, ours, TRUSTED, lookup).result is Result.PASS


FORGERIES: dict[str, Callable[[bytes], bytes]] = {
    "an order changed": lambda raw: raw.replace(b"hold", b"flee"),
    "an order appended": lambda raw: raw + b"flee\r\n",
    "another sender": lambda raw: raw.replace(b"a@x.example", b"b@x.example"),
    "another sender of another domain": lambda raw: raw.replace(b"a@x.example", b"b@y.example"),
    "a second sender above": lambda raw: b"From: b@x.example\r\n" + raw,
    "a second sender below": lambda raw: raw.replace(b"Subject:", b"From: b@x.example\r\nSubject:"),
    "a second sender, too long to be read": lambda raw: b"From: " + b"x" * 9_000 + b" <b@x.example>\r\n" + raw,
    "another key": lambda raw: raw.replace(b"s=s;", b"s=t;"),
    "an algorithm that is broken": lambda raw: raw.replace(b"rsa-sha256", b"rsa-sha1"),
    "many signatures before it": lambda raw: b"DKIM-Signature: v=1; d=x.example\r\n" * 5 + raw,
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_a_forgery_is_found(forge: Callable[[bytes], bytes]) -> None:
    raw = signed(LETTER, "x.example")
    forged = forge(raw)

    assert forged != raw
    assert authenticate(forged, ours, lookup=lookup).result is Result.NONE


def test_a_signature_of_part_of_the_letter_is_none() -> None:
    raw = signed(LETTER, "x.example", length=True)

    assert dkim.verify(raw + b"flee\r\n", dnsfunc=lambda name, timeout: lookup(name.decode())), "else it proves nothing"
    assert authenticate(raw, ours, lookup=lookup).result is Result.NONE


def test_a_signature_too_long_to_be_looked_at_is_none() -> None:
    """Nor does it stand in for the one below it, which says what is wanted and signs nothing."""
    raw = signed(LETTER, "x.example", length=True).replace(
        b"DKIM-Signature: v=1;", b"DKIM-Signature: v=1;" + b" " * 9_000, 1
    )
    good_looking = b"DKIM-Signature: v=1; a=rsa-sha256; d=x.example; s=s; h=from; bh=x; b=x\r\n"

    assert dkim.verify(raw, dnsfunc=lambda name, timeout: lookup(name.decode())), "else it proves nothing"
    assert authenticate(raw, ours, lookup=lookup).result is Result.NONE
    assert (
        authenticate(raw.replace(b"\r\nFrom:", b"\r\n" + good_looking + b"From:"), ours, lookup=lookup).result == "none"
    )


def test_another_domain_vouches_for_nobody_here_and_its_key_is_not_asked_for() -> None:
    asked = []

    def lookup(name: str) -> bytes | None:
        asked.append(name)
        return record()

    assert authenticate(signed(LETTER, "y.example"), ours, lookup=lookup).result is Result.NONE
    assert asked == []
    assert authenticate(signed(LETTER, "x.example"), ours, lookup=lookup).result is Result.PASS
    assert asked == ["s._domainkey.x.example."]


def test_a_name_server_that_does_not_answer_costs_a_grade_and_no_more() -> None:
    def lookup(name: str) -> bytes | None:
        raise TimeoutError(name)

    assert authenticate(signed(LETTER, "x.example"), ours, lookup=lookup).result is Result.NONE


@pytest.mark.parametrize("answer", [None, b"", b"v=DKIM1; p=", b"v=DKIM1; k=rsa; p=%%%", b"\xff", b"k=ed25519; p=AA=="])
def test_a_damaged_key_proves_nothing(answer: bytes | None) -> None:
    assert authenticate(signed(LETTER, "x.example"), ours, lookup=lambda name: answer).result is Result.NONE


# ------------------------------------------------------------------------------------------------------- anything


@pytest.mark.parametrize("raw", LETTERS.values(), ids=LETTERS)
def test_hostile_letters_prove_nothing(raw: bytes) -> None:
    assert authenticate(raw, ours, TRUSTED, lambda name: None).result is Result.NONE


@given(st.text(alphabet='x;=() ".@\\/1-é\n', max_size=60), st.text(alphabet="vadsbh=;: \t\r\nx0@.", max_size=80))
def test_no_field_makes_it_fail(results: str, signature: str) -> None:
    raw = letter(f"{OURS}{results}", f"DKIM-Signature: a=rsa-sha256; d=x.example; h=from; {signature}")

    assert authenticate(raw, ours, [*TRUSTED, UNNAMED], lambda name: b"").result in (Result.NONE, Result.PASS)
