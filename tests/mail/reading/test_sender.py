"""Campaign tags, and letters that no machine must answer."""

from __future__ import annotations

import pytest

from pbem.mail.reading.sender import campaign_tag, looks_automatic
from pbem.mail.wire.addresses import Address, normalise, read_addresses


@pytest.mark.parametrize(
    ("subject", "tag"),
    [
        ("[gpw] Turn 3 report", "gpw"),
        ("Re: [GPW] Turn 3 report", "gpw"),
        ("AW: WG: [gpw] Turn 3", "gpw"),
        ("Re[2]: [gpw] Turn 3", "gpw"),
        ("Fwd: RE : [st-privat.2] orders", "st-privat.2"),
        ("[EXTERNAL] Re: [gpw] orders", "gpw"),
        ("orders [ gpw ]", "gpw"),
        ("回复：[gpw] orders", "gpw"),
        ("=?utf-8?q?AW=3A_=5Bgpw=5D?= orders", "gpw"),
        ("=?utf-8?b?W0dyw7zDn2Vd?=", "grüße"),
        ("Turn 3 report", None),
        ("[3] report", None),
        ("[] report", None),
        ("[two words] report", None),
        ("", None),
    ],
)
def test_the_tag_of_a_subject(subject: str, tag: str | None) -> None:
    assert campaign_tag(subject) == tag


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("Auto-Submitted", "auto-generated", "Auto-Submitted: auto-generated"),
        ("auto-submitted", "(no) auto-replied; x=y", "Auto-Submitted: auto-replied"),
        ("Auto-Submitted", "no (a person)", ""),
        ("Return-Path", "<>", "Return-Path: <>"),
        ("Return-Path", "<MAILER-DAEMON@x.example>", "Return-Path: mailer-daemon@x.example"),
        ("Return-Path", "<a@x.example>", ""),
        ("Precedence", "Bulk", "Precedence: bulk"),
        ("Precedence", "auto_reply", "Precedence: auto_reply"),
        ("Precedence", "first-class", ""),
        ("List-Id", "<gpw.lists.example>", "List-Id"),
        ("X-Autoreply", "yes", "X-Autoreply"),
        ("X-Autorespond", "", "X-Autorespond"),
        ("From", "Mail Delivery System <MAILER-DAEMON@x.example>", "From: mailer-daemon@x.example"),
        ("From", "no-reply@x.example", "From: no-reply@x.example"),
        ("From", "noreply+12@x.example", "From: noreply+12@x.example"),
        ("From", "MAILER-DAEMON", "From: a mail system"),
        ("From", "Postmaster <>", "From: a mail system"),
        ("From", "Norepl Y <norepl@x.example>", ""),
        ("From", "bouncer@x.example", ""),
        ("Content-Type", "multipart/report; report-type=delivery-status", "multipart/report"),
        ("Content-Type", "text/plain", ""),
        ("X-Pbem-Loop", "office-1", "X-Pbem-Loop"),
        ("Subject", "Auto-Submitted: auto-replied", ""),
    ],
)
def test_automatic_letters_say_what_gives_them_away(name: str, value: str, why: str) -> None:
    assert looks_automatic([("Subject", "x"), (name, value)]) == why


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("A@X.Example", "a@x.example"),
        (" gpw+French.1.K3X@office.example ", "gpw+french.1.k3x@office.example"),
        ("gm@bücher.example", "gm@xn--bcher-kva.example"),
        ("a@b@c", ""),
        ("a b@c", ""),
        ("<a@b.example>", ""),
        ("a@b.example\r\nBcc: c@d.example", ""),
        ("a" * 65 + "@b.example", ""),
        ("@b.example", ""),
        ("a@" + "ü" * 300, ""),
    ],
)
def test_an_address_has_one_form(written: str, address: str) -> None:
    assert normalise(written) == address


@pytest.mark.parametrize(
    ("field", "found"),
    [
        ("a@x.example", [Address("a@x.example")]),
        ('"Last, First" <a@x.example>', [Address("a@x.example", "Last, First")]),
        ("a@x.example; b@x.example", [Address("a@x.example"), Address("b@x.example")]),
        (r'"say \"hi\" <c@x.example>" <a@x.example>', [Address("a@x.example", 'say "hi" <c@x.example>')]),
        ("a@x.example (Anton (the first))", [Address("a@x.example", "Anton (the first)")]),
        ("Staff: a@x.example, b@x.example;, c@x.example", [Address(f"{n}@x.example") for n in "abc"]),
        ("undisclosed-recipients:;", []),
        ("<a@x.example", [Address("a@x.example")]),
        ("=?utf-8?q?A=2C_B_=3Cc=40x=2Eexample=3E?= <a@x.example>", [Address("a@x.example", "A, B <c@x.example>")]),
        ("nobody", []),
        ("", []),
    ],
)
def test_addresses_of_a_field(field: str, found: list[Address]) -> None:
    assert read_addresses(field) == found
