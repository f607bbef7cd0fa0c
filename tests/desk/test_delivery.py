from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.desk import delivery
from pbem.desk.office import Office
from pbem.desk.settings import Smtp
from pbem.kernel.errors import Refused
from tests.desk.table import Table


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
    settings = ford.office.settings.model_copy(update={"smtp": Smtp(host="127.0.0.1", port=port)})
    ford.office = replace(ford.office, settings=settings)
    yield handler
    controller.stop()
    controller.loop.close()


def test_everything_that_is_due_leaves_once(ford: Table, postman: Postman) -> None:
    ford.write("smuggler", "move s1 to 3")
    sent = delivery.send_due(ford.office)

    assert [mail.kind for mail in sent.sent] == ["briefing", "briefing", "receipt"]
    assert [to for _, to, _ in postman.got] == [["ann@player.example"], ["ben@player.example"], ["ann@player.example"]]
    assert [raw for _, _, raw in postman.got] == [ford.bytes_of(mail) for mail in sent.sent]
    assert delivery.send_due(ford.office).sent == ()
    assert all(mail.answer.endswith("taken") and mail.sent_at for mail in ford.mails)


def test_an_answer_leaves_without_a_sender_so_that_it_cannot_come_back(ford: Table, postman: Postman) -> None:
    ford.write("smuggler", "move s1 to 3")
    delivery.send_due(ford.office)

    assert [sender for sender, _, _ in postman.got] == ["office@office.example", "office@office.example", "<>"]


def test_what_the_server_puts_off_is_tried_again_and_what_it_refuses_fails(ford: Table, postman: Postman) -> None:
    postman.answers = ["451 come later", "554 never"]
    sent = delivery.send_due(ford.office)

    assert (len(sent.later), len(sent.failed)) == (1, 1)
    assert sent.failed[0].answer == "554 never"
    assert delivery.due(ford.office) == 0
    ford.clock.forward(1)
    assert [mail.id for mail in delivery.send_due(ford.office).sent] == [sent.later[0].id]


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
        settings = ford.office.settings.model_copy(update={"smtp": Smtp(host="127.0.0.1", port=taken.getsockname()[1])})
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
