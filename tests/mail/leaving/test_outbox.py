"""Letters handed over to real servers: sent, put off, refused, cut off, encrypted, logged in."""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

import pytest
import trustme
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from pbem.mail.leaving.fate import Fate
from pbem.mail.leaving.outbox import Answer, Delivery, SmtpServer, connection, deliver, is_envelope_address

Answered = TypeVar("Answered")
LETTER = b"From: gpw@office.example\r\nSubject: x\r\n\r\nhold\r\n.\r\n"
SENDER = "gpw+b.1.abc@office.example"


class Post:
    """What the server answers; it keeps what it took."""

    def __init__(self) -> None:
        self.taken: list[tuple[str | None, list[str], bytes]] = []
        self.sessions: set[int] = set()
        self.encrypted: list[bool] = []
        self.most = 1000
        """Letters over one line."""
        self.begun: Counter[int] = Counter()
        """Letters that were begun, by session."""

    async def handle_MAIL(  # noqa: N802 – aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        self.begun[id(server)] += 1
        if self.begun[id(server)] > self.most:
            return "421 enough letters for one line"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(  # noqa: N802 – aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        for code, words in (("450", "greylisted, come again"), ("550", "no such user"), ("421", "going down")):
            if address.startswith(code):
                return f"{code} {words}"
        if address.startswith("cut") and server.transport is not None:
            server.transport.close()
        if address.startswith("silent"):
            await asyncio.sleep(30)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802 – aiosmtpd calls it so
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if envelope.rcpt_tos == ["451-data@x.example"]:
            return "451 disk full"
        if envelope.rcpt_tos == ["554-data@x.example"]:
            return "554 looks like spam"
        if envelope.rcpt_tos == ["cut-data@x.example"] and server.transport is not None:
            server.transport.close()
        assert isinstance(envelope.content, bytes)
        self.taken.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        self.sessions.add(id(session))
        self.encrypted.append(server.transport is not None and bool(server.transport.get_extra_info("sslcontext")))
        return "250 2.0.0 queued as 4710"


class FreePort(Controller):
    """A server on a port that the system chooses."""

    def _trigger_server(self) -> None:
        assert isinstance(self.server, asyncio.Server)
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()  # type: ignore[no-untyped-call] # aiosmtpd publishes no types for it


def serve(post: Post, **settings: Any) -> Iterator[int]:
    controller = FreePort(post, hostname="127.0.0.1", port=0, **settings)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


@pytest.fixture
def post() -> Post:
    return Post()


@pytest.fixture
def server(post: Post) -> Iterator[SmtpServer]:
    for port in serve(post):
        yield SmtpServer(host="127.0.0.1", port=port, timeout=5)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def certificate(authority: trustme.CA, host: str = "127.0.0.1") -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(host).configure_cert(context)
    return context


def run(work: Coroutine[Any, Any, Answered]) -> Answered:
    return asyncio.run(work)


def send(server: SmtpServer, *recipients: str, sender: str = SENDER) -> Delivery:
    return run(deliver(LETTER, sender, recipients, server))


def test_a_letter_arrives_as_it_left(post: Post, server: SmtpServer) -> None:
    delivery = send(server, "a@x.example")

    assert delivery == Delivery((Answer("a@x.example", Fate.SENT, 250, "2.0.0 queued as 4710"),))
    assert (delivery.fate, delivery.words) == (Fate.SENT, "250 2.0.0 queued as 4710")
    assert post.taken == [(SENDER, ["a@x.example"], LETTER)]


def test_a_letter_without_a_way_back_has_an_empty_sender(post: Post, server: SmtpServer) -> None:
    assert send(server, "a@x.example", sender="").fate is Fate.SENT
    assert [sender for sender, _, _ in post.taken] == ["<>"]


@pytest.mark.parametrize(
    ("recipient", "fate", "code", "words"),
    [
        ("450@x.example", Fate.RETRY, 450, "greylisted, come again"),
        ("421@x.example", Fate.RETRY, 421, "going down"),
        ("550@x.example", Fate.FAILED, 550, "no such user"),
        ("451-data@x.example", Fate.RETRY, 451, "disk full"),
        ("554-data@x.example", Fate.FAILED, 554, "looks like spam"),
    ],
)
def test_what_the_server_says_is_told_apart(
    post: Post, server: SmtpServer, recipient: str, fate: Fate, code: int, words: str
) -> None:
    delivery = send(server, recipient)

    assert delivery.answers == (Answer(recipient, fate, code, words),)
    assert (delivery.fate, delivery.words) == (fate, f"{code} {words}")
    assert post.taken == []


@pytest.mark.parametrize("recipient", ["cut@x.example", "cut-data@x.example"])
def test_a_line_that_is_cut_is_tried_again(server: SmtpServer, recipient: str) -> None:
    (answer,) = send(server, recipient).answers

    assert (answer.fate, answer.code) == (Fate.RETRY, 0)
    assert answer.words


def test_a_server_that_says_nothing_is_tried_again(post: Post, server: SmtpServer) -> None:
    hasty = SmtpServer(host=server.host, port=server.port, timeout=0.2)

    assert send(hasty, "silent@x.example").fate is Fate.RETRY


def test_a_server_that_is_not_there_is_tried_again(unused_port: int) -> None:
    delivery = send(SmtpServer(host="127.0.0.1", port=unused_port, timeout=5), "a@x.example")

    assert delivery.fate is Fate.RETRY
    assert delivery.words.startswith("no connection to 127.0.0.1: ")


@pytest.fixture
def unused_port(post: Post) -> int:
    """A port that was free a moment ago."""
    (port,) = serve(post)
    return port


def test_each_recipient_has_an_answer_of_his_own(post: Post, server: SmtpServer) -> None:
    delivery = send(server, "550@x.example", "a@x.example", "450@x.example")

    assert [(answer.recipient, answer.fate) for answer in delivery.answers] == [
        ("550@x.example", Fate.FAILED),
        ("a@x.example", Fate.SENT),
        ("450@x.example", Fate.RETRY),
    ]
    assert delivery.fate is Fate.RETRY
    assert [recipients for _, recipients, _ in post.taken] == [["a@x.example"]]


@pytest.mark.parametrize(
    ("sender", "recipient"),
    [
        (SENDER, "a@x.example>\r\nRCPT TO:<b@x.example"),
        (SENDER, "<a@x.example>"),
        (SENDER, "a@x.example\n"),
        (SENDER, "zoë@x.example"),
        (SENDER, ""),
        (SENDER, "nobody"),
        ("x@y.example> SIZE=1", "a@x.example"),
    ],
)
def test_an_address_that_is_none_fails_before_anything_is_said(
    post: Post, server: SmtpServer, sender: str, recipient: str
) -> None:
    delivery = send(server, recipient, sender=sender)

    assert delivery.fate is Fate.FAILED
    assert delivery.words.endswith("is no address that a letter can have")
    assert post.taken == []


def test_several_letters_leave_over_one_connection(post: Post, server: SmtpServer) -> None:
    async def several() -> list[Fate]:
        async with connection(server) as line:
            recipients = ("a@x.example", "550@x.example", "b@x.example", "554-data@x.example", "c@x.example")
            return [(await line.send(LETTER, SENDER, [one])).fate for one in recipients]

    assert run(several()) == [Fate.SENT, Fate.FAILED, Fate.SENT, Fate.FAILED, Fate.SENT]
    assert (len(post.taken), len(post.sessions)) == (3, 1)


def test_a_server_that_takes_two_letters_over_a_line_gets_the_third_over_a_new_one(
    post: Post, server: SmtpServer
) -> None:
    post.most = 2

    async def several() -> list[Fate]:
        async with connection(server) as line:
            return [(await line.send(LETTER, SENDER, [f"{number}@x.example"])).fate for number in range(5)]

    assert run(several()) == [Fate.SENT] * 5
    assert [recipients for _, recipients, _ in post.taken] == [[f"{number}@x.example"] for number in range(5)]
    assert len(post.begun) == 3


def test_after_a_cut_the_next_letter_finds_a_new_connection(post: Post, server: SmtpServer) -> None:
    async def several() -> list[Fate]:
        async with connection(server) as line:
            recipients = ("cut@x.example", "a@x.example", "421@x.example", "b@x.example")
            return [(await line.send(LETTER, SENDER, [one])).fate for one in recipients]

    assert run(several()) == [Fate.RETRY, Fate.SENT, Fate.RETRY, Fate.SENT]
    assert [recipients for _, recipients, _ in post.taken] == [["a@x.example"], ["b@x.example"]]


# ------------------------------------------------------------------------------------------------------- encryption


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_letter_leaves_encrypted(post: Post, authority: trustme.CA, security: Any) -> None:
    own = certificate(authority)
    settings: dict[str, Any] = (
        {"ssl_context": own} if security == "tls" else {"tls_context": own, "require_starttls": True}
    )
    for port in serve(post, **settings):
        known = SmtpServer(host="127.0.0.1", port=port, security=security, certificates=trusting(authority), timeout=5)
        assert send(known, "a@x.example").fate is Fate.SENT
    assert post.encrypted == [True]


@pytest.mark.parametrize("security", ["starttls", "tls"])
@pytest.mark.parametrize("fault", ["unknown authority", "other name"])
def test_a_letter_never_leaves_for_a_server_that_cannot_prove_itself(
    post: Post, authority: trustme.CA, security: Any, fault: str
) -> None:
    own = certificate(authority, "mail.x.example" if fault == "other name" else "127.0.0.1")
    trust = trusting(authority if fault == "other name" else trustme.CA())
    settings: dict[str, Any] = {"ssl_context": own} if security == "tls" else {"tls_context": own}
    for port in serve(post, **settings):
        server = SmtpServer(host="127.0.0.1", port=port, security=security, certificates=trust, timeout=5)
        assert send(server, "a@x.example").fate is Fate.RETRY
    assert post.taken == []


def test_a_letter_never_leaves_in_the_clear_where_encryption_is_asked_for(post: Post, server: SmtpServer) -> None:
    strict = SmtpServer(host=server.host, port=server.port, security="starttls", timeout=5)

    assert send(strict, "a@x.example").fate is Fate.RETRY
    assert post.taken == []


# ------------------------------------------------------------------------------------------------------- login


def check(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
    right = isinstance(data, LoginPassword) and (data.login, data.password) == (b"office", b"secret")
    return AuthResult(success=right, handled=False)


@pytest.mark.parametrize(("password", "fate"), [("secret", Fate.SENT), ("wrong", Fate.RETRY), ("", Fate.RETRY)])
def test_a_wrong_password_puts_letters_off_and_loses_none(
    post: Post, authority: trustme.CA, password: str, fate: Fate
) -> None:
    settings = {"tls_context": certificate(authority), "auth_required": True, "authenticator": check}
    for port in serve(post, **settings):
        server = SmtpServer(
            host="127.0.0.1",
            port=port,
            security="starttls",
            certificates=trusting(authority),
            user="office" if password else "",
            password=password,
            timeout=5,
        )
        assert send(server, "a@x.example").fate is fate
    assert len(post.taken) == (fate is Fate.SENT)


def test_the_password_is_not_shown() -> None:
    assert "secret" not in repr(SmtpServer(host="x.example", user="office", password="secret"))


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("a@x.example", True),
        ("gpw+b.1.abc@office.example", True),
        ("a@[127.0.0.1]", True),
        ("a@x", True),
        ("a@@x", False),
        ("a@x.example ", False),
        ("a@-x.example", False),
        ("a@x..example\x00", False),
    ],
)
def test_addresses_of_an_envelope(address: str, *, good: bool) -> None:
    assert is_envelope_address(address) is good
