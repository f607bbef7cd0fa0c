"""Mails that come back: which it was, who is hardly reached, and that the GM hears of each thing once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from pbem.desk.office.office import HOUR
from pbem.desk.office.settings import Trust
from pbem.desk.post import bounces, delivery
from pbem.storage import letters, outbox, setbacks
from pbem.storage.blobs import keep
from pbem.storage.outbox import Mail
from tests.kit.table import Table

DAY = 24 * HOUR


@pytest.fixture
def sent(ford: Table) -> Table:
    """All that was owed has left."""
    leave(ford)
    return ford


def leave(ford: Table) -> None:
    """All that is owed leaves now."""
    with ford.office.write() as connection:
        for mail in outbox.listing(connection, "queued"):
            outbox.sent(connection, mail.id, answer="250", at=ford.clock.at)


def dsn(mail: Mail, to: str, *, status: str = "5.1.1", address: str = "ann@player.example", action: str = "") -> bytes:
    """What a mail server writes of *mail* that it could not deliver."""
    action = action or ("failed" if status.startswith("5") else "delayed")
    return f"""\
Return-Path: <>
Delivered-To: {to}
From: MAILER-DAEMON@player.example (Mail Delivery System)
To: {to}
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="x"

--x
Content-Type: text/plain

I am sorry.

--x
Content-Type: message/delivery-status

Reporting-MTA: dns; player.example

Final-Recipient: rfc822; {address}
Action: {action}
Status: {status}
Diagnostic-Code: smtp; 550 {status} no such user

--x
Content-Type: text/rfc822-headers

Message-ID: {mail.message_id}

--x--
""".encode()


def take(ford: Table, raw: bytes) -> str:
    """What is said of a letter of the post."""
    with ford.office.write() as connection:
        digest = keep(connection, raw, at=ford.clock.at)
        letter, _ = letters.receive(connection, letters.NewLetter(digest=digest, source="lmtp", at=ford.clock.at))
        said = bounces.read(ford.office, connection, letter, raw)
        if said.mail:
            bounces.record(ford.office, connection, said.mail, said.status, said.words, at=ford.clock.at)
        return said.reason


def reports(ford: Table, count: int) -> list[Mail]:
    """So many mails to the smuggler that have left."""
    before = len(ford.mails)
    for _ in range(count):
        ford.turn()
    leave(ford)
    [smuggler] = {mail.player for mail in ford.mails if mail.cause.startswith("report/1A/smuggler")}
    return [mail for mail in ford.mails[before:] if mail.player == smuggler and mail.kind == "report"]


def to_gm(ford: Table) -> list[str]:
    return [mail.subject for mail in ford.mails if mail.player is None]


def test_a_mail_is_known_by_the_address_that_it_comes_back_to(sent: Table) -> None:
    mail = sent.mails[0]
    said = take(sent, dsn(mail, bounces.way_back(sent.office, mail), address="forwarded@elsewhere.example"))

    assert said == f"the post could not deliver mail {mail.id} (5.0.0)"
    with sent.office.read() as connection:
        kept = setbacks.get(connection, mail.id)
    assert kept
    assert (kept.player, kept.status) == (mail.player, "5.0.0")
    assert sent.mails[0].state == "failed"
    assert to_gm(sent) == ["[ford] a mail did not arrive"]


def test_without_that_address_it_is_known_by_its_id_and_its_reader(sent: Table) -> None:
    mail = sent.mails[0]

    assert take(sent, dsn(mail, "office@office.example")) == f"the post could not deliver mail {mail.id} (5.1.1)"
    assert "550 5.1.1 no such user" in sent.mails[0].answer
    assert "550 5.1.1 no such user" in sent.last_to("gm")


def test_only_addresses_that_were_written_to_are_believed(sent: Table) -> None:
    mail = sent.mails[0]
    stranger = dsn(mail, "office@office.example", address="stranger@elsewhere.example")

    assert take(sent, stranger) == "the post says nothing of our mails"
    forged = f"office+ford.b.{mail.id}.aaaaaaaaaaaaaaaa@office.example"
    assert take(sent, dsn(mail, forged, address="x@elsewhere.example")) == "the post says nothing of our mails"
    with sent.office.read() as connection:
        assert setbacks.listing(connection) == []


def test_a_mail_that_arrived_after_all_is_none_that_came_back(sent: Table) -> None:
    mail = sent.mails[0]
    said = take(sent, dsn(mail, bounces.way_back(sent.office, mail), status="2.0.0", action="delivered"))

    assert said == f"it came back from mail {mail.id}, which arrived"
    assert sent.mails[0].state == "sent"


def test_what_is_late_is_no_loss_and_what_is_lost_counts_once(sent: Table) -> None:
    mail = sent.mails[0]
    to = bounces.way_back(sent.office, mail)

    assert take(sent, dsn(mail, to, status="4.4.1")) == f"the post is late with mail {mail.id} (4.4.1)"
    assert to_gm(sent) == []
    assert sent.mails[0].state == "sent"
    for _ in range(2):
        take(sent, dsn(mail, to, status="5.4.7"))
    assert to_gm(sent) == ["[ford] a mail did not arrive"]
    with sent.office.read() as connection:
        assert [one.status for one in setbacks.listing(connection)] == ["5.4.7"]


def test_who_is_hardly_reached_stays_in_his_game_and_the_gm_is_told_once(sent: Table) -> None:
    *_, player = (mail.player for mail in sent.mails if mail.player)
    mails = reports(sent, 4)
    for mail in mails:
        assert take(sent, dsn(mail, bounces.way_back(sent.office, mail))).startswith("the post could not")

    assert to_gm(sent).count("[ford] a player is hardly reached") == 1
    assert to_gm(sent).count("[ford] a mail did not arrive") == 4
    with sent.office.read() as connection:
        assert bounces.failing(connection, sent.clock.at) == [mails[0].player]
        assert not bounces.is_failing(connection, None, sent.clock.at)
    assert len(sent.dossier.campaign.players) == 2
    assert player


def test_who_can_be_reached_again_and_then_no_more_is_told_of_again(sent: Table) -> None:
    first = reports(sent, 3)
    for mail in first:
        take(sent, dsn(mail, bounces.way_back(sent.office, mail)))
    sent.clock.at += 15 * DAY
    with sent.office.read() as connection:
        assert bounces.failing(connection, sent.clock.at) == []
    for mail in reports(sent, 3):
        take(sent, dsn(mail, bounces.way_back(sent.office, mail)))

    assert to_gm(sent).count("[ford] a player is hardly reached") == 2


def test_of_mails_to_the_gm_he_is_not_told_by_mail(sent: Table) -> None:
    sent.write("spy@elsewhere.example", "move s1 to 3")
    leave(sent)
    [notice] = [mail for mail in sent.mails if mail.player is None]
    take(sent, dsn(notice, bounces.way_back(sent.office, notice), address="gm@office.example"))

    assert len(to_gm(sent)) == 1
    with sent.office.read() as connection:
        assert [one.player for one in setbacks.listing(connection)] == [None]


def test_without_secret_addresses_a_mail_is_still_known_by_what_comes_with_it(sent: Table) -> None:
    settings = changed(sent.office.settings, trust=Trust(addresses="none"))
    sent.office = replace(sent.office, settings=settings)
    mail = sent.mails[0]
    to = bounces.way_back(sent.office, mail)

    assert to == "office@office.example"
    assert take(sent, dsn(mail, to)) == f"the post could not deliver mail {mail.id} (5.1.1)"


def test_a_mail_that_is_sent_again_and_comes_back_again_is_lost_again(sent: Table) -> None:
    mail = sent.mails[0]
    take(sent, dsn(mail, bounces.way_back(sent.office, mail)))
    delivery.again(sent.office, mail.id)
    leave(sent)
    sent.clock.forward(1)
    take(sent, dsn(mail, bounces.way_back(sent.office, mail)))

    assert sent.mails[0].state == "failed"
    assert len([one for one in to_gm(sent) if "did not arrive" in one]) == 2
