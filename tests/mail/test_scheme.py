"""From the address in a report to what becomes of the answer: all parts together, over the wire."""

from __future__ import annotations

import smtplib

import pytest

from pbem.mail.doors.serve import Door, taking_in
from pbem.mail.reading.bounce import read_bounce
from pbem.mail.reading.letter import read_head
from pbem.mail.reading.robot import CONDUCT, Writer, who_wrote
from pbem.mail.trust.authentication import authenticate
from pbem.mail.trust.grade import POLICIES, Disposition, Grade, Judgement, judge
from pbem.mail.wire.headers import envelope_sender
from pbem.mail.wire.reply_address import Meaning, Purpose, make_address, meanings, prove
from tests.kit.named import named

KEY, HOST = bytes(range(32)), "office.example"
REGISTERED = {"moltke@x.example": "moltke", "bazaine@y.example": "bazaine"}
SECRET = make_address(Meaning(Purpose.REPLY, "gpw", "moltke", 2), KEY, HOST)
BEFORE = make_address(Meaning(Purpose.REPLY, "gpw", "moltke", 1), KEY, HOST)
OUR_SERVER = (
    "Authentication-Results: mx.office.example; dkim={0} header.d=x.example; dmarc={0} header.from=x.example\r\n"
    "DKIM-Signature: v=1; a=rsa-sha256; d=x.example; s=s; h=from:to:subject:date:message-id; bh=x; b=x\r\n"
    "Date: Fri, 12 Jun 2026 18:20:00 +0200\r\nMessage-ID: <1@x.example>\r\n"
)


def delivered(recipient: str, letter: str, sender: str = "moltke@x.example") -> bytes:
    """The letter as it is kept after it came by LMTP."""
    kept: list[bytes] = []
    with taking_in(Door(), kept.append) as port, smtplib.LMTP("127.0.0.1", port) as client:
        client.sendmail(sender, [recipient], letter.encode())
    return kept[0]


def judged(recipient: str, letter: str) -> Judgement:
    raw = delivered(recipient, letter)
    head = read_head(raw)
    proof = prove(head.recipients, KEY, HOST, named("gpw", "siege"), {"moltke": 2, "bazaine": 1}.get)
    return judge(
        head,
        REGISTERED,
        proof,
        authenticate(raw, {"gpw@office.example"}.__contains__, ["mx.office.example"]),
        POLICIES["table"],
    )


def orders(sender: str, *fields: str) -> str:
    return (
        "".join(fields) + f"From: {sender}\r\nTo: GPW <gpw@office.example>\r\nSubject: Re: [gpw] Turn 3\r\n\r\nhold\r\n"
    )


@pytest.mark.parametrize(
    ("recipient", "letter", "grade", "disposition", "player"),
    [
        (SECRET, orders("moltke@x.example"), Grade.B, Disposition.ACCEPTED, "moltke"),
        (SECRET, orders("moltke@x.example", OUR_SERVER.format("pass")), Grade.A, Disposition.ACCEPTED, "moltke"),
        (SECRET, orders("moltke@x.example", OUR_SERVER.format("fail")), Grade.B, Disposition.HELD, "moltke"),
        (SECRET, orders("phone@z.example"), Grade.C, Disposition.HELD, "moltke"),
        (SECRET, orders("bazaine@y.example"), Grade.C, Disposition.HELD, "moltke"),
        (BEFORE, orders("moltke@x.example"), Grade.D, Disposition.HELD, "moltke"),
        ("gpw@office.example", orders("moltke@x.example"), Grade.D, Disposition.HELD, "moltke"),
        (
            "gpw@office.example",
            orders("moltke@x.example", OUR_SERVER.format("pass")),
            Grade.A,
            Disposition.ACCEPTED,
            "moltke",
        ),
        ("gpw@office.example", orders("forger@z.example"), Grade.E, Disposition.REFUSED, None),
        (
            SECRET,
            orders("moltke@x.example", "Auto-Submitted: auto-replied\r\n"),
            Grade.B,
            Disposition.IGNORED,
            "moltke",
        ),
    ],
)
def test_what_becomes_of_an_answer(
    recipient: str, letter: str, grade: Grade, disposition: Disposition, player: str | None
) -> None:
    found = judged(recipient, letter)

    assert (found.grade, found.disposition, found.player) == (grade, disposition, player)
    secret = recipient.partition("@")[0].rpartition(".")[2]
    assert secret not in f"{found.reason}{found.evidence}" or secret == "gpw"


def test_a_report_that_comes_back_is_known_by_its_address() -> None:
    back = envelope_sender("letter", "gpw", "k3xq7mmd2a", KEY, HOST)
    bounce = (
        "From: MAILER-DAEMON@mx.x.example\r\nSubject: Undelivered Mail Returned to Sender\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx\r\n\r\n"
        "Final-Recipient: rfc822; moltke@x.example\r\nAction: failed\r\nStatus: 5.2.2\r\n\r\n--b--\r\n"
    )
    raw = delivered(back, bounce, sender="")

    assert CONDUCT[who_wrote(raw, office=HOST).writer] == CONDUCT[Writer.POST]
    [meaning] = meanings(read_head(raw).recipients, KEY, HOST, named("gpw"))
    assert meaning == Meaning(Purpose.BOUNCE, "gpw", "k3xq7mmd2a")
    read = read_bounce(raw, REGISTERED.__contains__, mail=meaning.name)
    assert read is not None
    assert [(read.mail, one.address, one.status) for one in read.failures] == [
        ("k3xq7mmd2a", "moltke@x.example", "5.2.2")
    ]
