from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import dkim
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from msgspec.structs import replace as changed

from pbem.desk.office import signing
from pbem.desk.office.office import HOUR, SECOND, Office
from pbem.desk.office.settings import Dkim, Smtp, Trust
from pbem.desk.post import delivery
from pbem.desk.post.post import to_gm
from pbem.desk.post.writing import owe
from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId
from pbem.mail.leaving.sign import BadKey
from pbem.storage import blobs, outbox
from tests.kit.servers import stop
from tests.kit.table import Table


def next_due(office: Office) -> int | None:
    """When there will be something to send."""
    with office.read() as connection:
        return outbox.next_due(connection, limits=office.settings.smtp.limits, gm=office.gm)


class Postman:
    """A mail server that keeps what it is given, and answers as it was told."""

    def __init__(self) -> None:
        self.got: list[tuple[str, list[str], bytes]] = []
        self.answers: list[str] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        answer = self.answers.pop(0) if self.answers else "250 taken"
        if answer.startswith("250"):
            self.got.append((envelope.mail_from or "", list(envelope.rcpt_tos), envelope.original_content or b""))
        return answer


@pytest.fixture
def postman(ford: Table) -> Iterator[Postman]:
    """A real server, which the office of *ford* sends through."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    handler = Postman()
    controller = Controller(handler, hostname="127.0.0.1", port=port, loop=asyncio.new_event_loop())
    controller.start()
    settings = changed(ford.office.settings, smtp=Smtp(host="127.0.0.1", port=port))
    ford.office = replace(ford.office, settings=settings)
    yield handler
    stop(controller)


def test_everything_that_is_due_leaves_once(ford: Table, postman: Postman) -> None:
    ford.write("smuggler", "move s1 to 3")
    sent = delivery.send_due(ford.office)

    assert [mail.kind for mail in sent.sent] == ["briefing", "briefing", "receipt"]
    assert [to for _, to, _ in postman.got] == [["ann@player.example"], ["ben@player.example"], ["ann@player.example"]]
    assert [raw for _, _, raw in postman.got] == [ford.bytes_of(mail) for mail in sent.sent]
    assert delivery.send_due(ford.office).sent == ()
    assert all(mail.answer.endswith("taken") and mail.sent_at for mail in ford.mails)


def test_a_mail_comes_back_to_an_address_of_its_own_and_an_answer_nowhere(ford: Table, postman: Postman) -> None:
    ford.write("smuggler", "move s1 to 3")
    first, second, _ = delivery.send_due(ford.office).sent

    senders = [sender for sender, _, _ in postman.got]
    assert senders[2] == "<>"
    assert senders[0].startswith(f"office+ford.b.{first.id}.")
    assert senders[1].startswith(f"office+ford.b.{second.id}.")
    assert all(len(sender.partition("@")[0]) <= 64 for sender in senders)


def test_without_secret_addresses_all_comes_back_to_the_office(ford: Table, postman: Postman) -> None:
    settings = changed(ford.office.settings, trust=Trust(addresses="none"))
    ford.office = replace(ford.office, settings=settings)
    delivery.send_due(ford.office)

    assert {sender for sender, _, _ in postman.got} == {"office@office.example"}


def test_what_the_server_puts_off_is_tried_again_and_what_it_refuses_fails(ford: Table, postman: Postman) -> None:
    postman.answers = ["451 come later", "554 never"]
    sent = delivery.send_due(ford.office)

    assert (len(sent.later), len(sent.failed)) == (1, 1)
    assert sent.failed[0].answer == "554 never"
    assert delivery.due(ford.office) == 0
    assert next_due(ford.office) == sent.later[0].due_at == ford.clock.at + 60 * SECOND
    ford.clock.forward(1)
    assert [mail.id for mail in delivery.send_due(ford.office).sent] == [sent.later[0].id]


def test_the_gm_is_told_once_of_a_mail_that_the_server_would_not_have(ford: Table, postman: Postman) -> None:
    postman.answers = ["554 5.7.1 never"]
    [failed] = delivery.send_due(ford.office).failed
    postman.answers = ["554 5.7.1 never"]
    delivery.again(ford.office, failed.id)
    delivery.send_due(ford.office)

    [notice] = [mail for mail in ford.mails if mail.player is None]
    assert (notice.subject, notice.state) == ("[ford] a mail did not arrive", "sent")
    said = ford.text_of(notice)
    assert failed.subject in said
    assert "554 5.7.1 never" in said
    assert "ann@player.example" in said or "ben@player.example" in said


def test_of_a_mail_to_himself_that_fails_the_gm_is_not_told_by_another(ford: Table, postman: Postman) -> None:
    ford.write("spy@elsewhere.example", "move s1 to 3")
    postman.answers = ["250 taken", "250 taken", "550 5.1.1 no such user"]
    [failed] = delivery.send_due(ford.office).failed

    assert failed.player is None
    assert [mail.player for mail in ford.mails].count(None) == 1


def test_what_could_not_leave_for_five_days_has_failed_and_the_gm_is_told(ford: Table, postman: Postman) -> None:
    delivery.drop(ford.office, ford.mails[1].id)
    days = 0
    while ford.mails[0].state == "queued":
        postman.answers = ["451 come later"] * 60
        delivery.send_due(ford.office)
        ford.clock.forward(24)
        days += 1

    assert days == 6
    assert ford.mails[0].state == "failed"
    assert ford.mails[0].answer == "given up: 451 come later"
    [notice] = [mail for mail in ford.mails if mail.player is None]
    assert "given up: 451 come later" in ford.text_of(notice)


def test_a_mail_whose_bytes_were_erased_holds_up_no_other(ford: Table, postman: Postman) -> None:
    first, second = ford.mails
    with ford.office.write() as writing:
        blobs.erase(writing, first.digest)
    sent = delivery.send_due(ford.office)

    assert [mail.id for mail in sent.sent if mail.player] == [second.id]
    assert [mail.id for mail in sent.failed] == [first.id]


def test_so_many_leave_in_a_minute_for_a_large_mail_house(ford: Table, postman: Postman) -> None:
    limits = {"player.example": 1}
    smtp = changed(ford.office.settings.smtp, limits=limits)
    ford.office = replace(ford.office, settings=changed(ford.office.settings, smtp=smtp))
    sent = delivery.send_due(ford.office)

    assert (len(sent.sent), sent.held_up) == (1, {"player.example": 1})
    assert next_due(ford.office) == ford.clock.at + 60 * SECOND
    ford.clock.forward(1 / 60)
    assert [mail.id for mail in delivery.send_due(ford.office).sent] == [ford.mails[1].id]


def test_a_reminder_never_leaves_after_its_hour(ford: Table, postman: Postman) -> None:
    delivery.send_due(ford.office)
    owed = to_gm(CampaignId("ford"), "orders are missing", "x", cause="reminder/1", at=ford.clock.at)
    with ford.office.write() as writing:
        due = ford.clock.at + 2 * HOUR
        owe(writing, changed(owed, expires_at=due))
    postman.answers = ["451 come later", "451 come later"]
    delivery.send_due(ford.office)
    ford.clock.forward(2)
    sent = delivery.send_due(ford.office)

    assert ([mail.answer for mail in sent.expired], sent.failed) == (["too late: 451 come later"], ())
    assert len(postman.got) == 2
    assert [mail.cause for mail in ford.mails if mail.player is None] == ["reminder/1"]


def test_letters_leave_signed_where_there_is_a_key(ford: Table, postman: Postman) -> None:
    key = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    (ford.office.folder / "dkim.pem").write_bytes(pem)
    settings = changed(ford.office.settings, dkim=Dkim(key="dkim.pem", selector="autumn"))
    ford.office = replace(ford.office, settings=settings)
    ford.write("smuggler", "move s1 to 3")
    delivery.send_due(ford.office)

    name, _, text = signing.record(ford.office).partition(". TXT ")
    raw = postman.got[-1][2]
    assert raw.startswith(b"DKIM-Signature: ")
    assert dkim.verify(raw, dnsfunc=lambda asked, timeout=5: text.strip('"').encode())
    assert name == "autumn._domainkey.office.example"
    assert raw == ford.bytes_of(ford.mails[-1])


def test_a_key_that_cannot_be_used_costs_no_letter(ford: Table, postman: Postman) -> None:
    settings = changed(ford.office.settings, dkim=Dkim(key="nowhere.pem"))
    ford.office = replace(ford.office, settings=settings)
    ford.write("smuggler", "move s1 to 3")

    assert len(delivery.send_due(ford.office).sent) == 3
    with pytest.raises(BadKey, match=r"nowhere.pem: no such file"):
        signing.record(ford.office)


def test_what_failed_can_be_sent_after_all(ford: Table, postman: Postman) -> None:
    postman.answers = ["554 never"]
    [failed] = delivery.send_due(ford.office).failed
    delivery.again(ford.office, failed.id)

    assert [mail.id for mail in delivery.send_due(ford.office).sent] == [failed.id]
    with pytest.raises(Refused, match="has left already"):
        delivery.again(ford.office, failed.id)


def test_a_server_that_is_not_there_costs_nothing(ford: Table, postman: Postman) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        settings = changed(ford.office.settings, smtp=Smtp(host="127.0.0.1", port=taken.getsockname()[1]))
        sent = delivery.send_due(replace(ford.office, settings=settings))
    assert (len(sent.sent), len(sent.later)) == (0, 2)

    ford.clock.forward(1)
    assert len(delivery.send_due(ford.office).sent) == 2


def test_the_gm_gets_his_notices(ford: Table, postman: Postman) -> None:
    ford.write("spy@elsewhere.example", "move s1 to 3")
    delivery.send_due(ford.office)

    assert ["gm@office.example"] in [to for _, to, _ in postman.got]


def test_without_a_server_nothing_leaves(ford: Table) -> None:
    with pytest.raises(Refused, match="no mail server is set"):
        delivery.send_due(ford.office)


def never(office: Office) -> Office:
    return replace(office, mails=False)


def test_an_office_that_never_mails_never_mails(ford: Table, postman: Postman) -> None:
    ford.office = never(ford.office)
    ford.write("smuggler", "move s1 to 3")

    assert ford.mails[-1].state == "dropped"
    with pytest.raises(Refused, match="never mails"):
        delivery.send_due(ford.office)
    assert postman.got == []


def test_what_waits_can_be_written_as_files(ford: Table, tmp_path: Path) -> None:
    files = delivery.write_due(ford.office, tmp_path / "letters")

    assert [path.read_bytes() for path in files] == [ford.bytes_of(mail) for mail in ford.mails]
    assert {mail.state for mail in ford.mails} == {"queued"}


def test_what_a_dead_man_had_begun_to_send_another_sends_at_once_and_a_living_mans_nobody(ford: Table) -> None:
    office, now = ford.office, ford.clock()
    with office.write() as writing:
        [mine] = outbox.claim(writing, at=now, until=now + delivery.LEASE, by="living", limit=1, gm=office.gm)
        [his] = outbox.claim(writing, at=now, until=now + delivery.LEASE, by="dead", limit=1, gm=office.gm)

    with delivery.alive(office, "living"):
        delivery.let_go_of_the_dead(office)
        with office.read() as looking:
            assert outbox.get(looking, mine.id).lease_until == now + delivery.LEASE
            assert outbox.get(looking, his.id).lease_until == now
    delivery.let_go_of_the_dead(office)
    with office.read() as looking:
        assert outbox.get(looking, mine.id).lease_until == now
