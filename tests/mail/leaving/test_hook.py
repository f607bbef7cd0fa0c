"""A program is told at an https address: signed, at no host of the office's own network, and led nowhere else."""

from __future__ import annotations

import base64
import hashlib
import hmac
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import closing
from ipaddress import ip_address, ip_network

import pytest

from pbem.mail.leaving import hook
from pbem.mail.leaving.fate import Fate
from pbem.mail.leaving.hook import BadPlace, Place, Told, may_be_asked, place_of, reached, tell
from tests.kit.told import Program, program

HERE = (ip_network("127.0.0.0/8"), ip_network("::1/128"))
BODY = b'{"type":"test"}'
SECRET = b"k" * 32


@pytest.fixture
def there() -> Iterator[Program]:
    with program() as it:
        yield it


def told(it: Program, address: str = "", allowed: tuple[hook.Network, ...] = HERE) -> Told:
    trust = ssl.create_default_context()
    it.authority.configure_trust(trust)
    return tell(address or it.address, BODY, id="a1", at=1_795_212_001, secret=SECRET, allowed=allowed, trust=trust)


def test_it_is_told_and_can_prove_by_whom(there: Program) -> None:
    assert told(there) == Told(Fate.SENT, "answered 204")

    [(path, headers, body)] = there.posted
    assert (path, body, headers["content-type"]) == ("/pbem", BODY, "application/json")
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    digest = hmac.new(SECRET, signed, hashlib.sha256).digest()
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"
    assert headers["webhook-id"] == "a1"


@pytest.mark.parametrize(("status", "fate"), [(500, Fate.RETRY), (404, Fate.RETRY), (410, Fate.FAILED)])
def test_another_answer_is_tried_again_and_gone_is_not(there: Program, status: int, fate: Fate) -> None:
    there.status = status

    came = told(there)
    assert (came.fate, came.gone) == (fate, status == 410)


def test_an_answer_leads_nowhere_else(there: Program) -> None:
    there.status = 302

    assert told(there) == Told(Fate.RETRY, "answered 302")
    assert len(there.posted) == 1


def test_a_host_of_the_own_network_is_not_asked(there: Program) -> None:
    came = told(there, allowed=())

    assert came == Told(Fate.RETRY, "there is no host localhost on the whole net")
    assert not there.posted


def test_a_host_that_is_another_is_not_told() -> None:
    with program("elsewhere.example") as it:
        came = told(it)

        assert came.fate is Fate.RETRY
        assert "certificate" in came.words.lower()
        assert not it.posted


@pytest.mark.parametrize(
    "ip",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:10.0.0.1", "64:ff9b::a00:1",
        "2002:7f00:1::", "2001:0:7f00:1:0:0:80ff:fffe",
    ],
)  # fmt: skip
def test_no_address_of_a_network_within_is_asked_however_it_is_wrapped(ip: str) -> None:
    assert not may_be_asked(ip_address(ip), ())


@pytest.mark.parametrize("ip", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:93.184.215.14"])
def test_an_address_of_the_whole_net_is_asked(ip: str) -> None:
    assert may_be_asked(ip_address(ip), ())


@pytest.mark.parametrize("name", ["127.1", "2130706433", "0x7f.1", "0177.0.0.1", "localhost.", "[::1]"])
def test_other_ways_to_write_this_machine_are_this_machine(name: str) -> None:
    with pytest.raises(BadPlace, match="no host"):
        reached(place_of(f"https://{name}/"), ())


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("http://bot.example/", "https"),
        ("ftp://bot.example/", "https"),
        ("https://ann:secret@bot.example/", "password"),
        ("https:///pbem", "no address"),
        ("https://bot.example/#a", "no address"),
        ("https://bot.example:99999/", "no address"),
        ("https://bot.example/\r\nX: 1", "no address"),
        ("https://bot.example/a b", "no address"),
        (f"https://bot.example/{'a' * 500}", "500"),
        ("https://bøt.example/", "no address"),
    ],
)
def test_what_is_no_address_of_a_program_says_why(address: str, why: str) -> None:
    with pytest.raises(BadPlace, match=why):
        place_of(address)


def test_one_who_never_answers_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook, "WHOLE", 0.5)
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        port = silent.getsockname()[1]
        began = time.monotonic()
        came = tell(
            f"https://127.0.0.1:{port}/", BODY, id="a", at=1, secret=SECRET, allowed=HERE,
            trust=ssl.create_default_context(),
        )  # fmt: skip
    assert came.fate is Fate.RETRY
    assert time.monotonic() - began < 8


def test_one_who_is_slow_to_answer_is_left(there: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hook, "WHOLE", 0.5)
    there.wait = 5.0
    began = time.monotonic()

    assert told(there).fate is Fate.RETRY
    assert time.monotonic() - began < 4


def test_an_address_is_taken_apart() -> None:
    assert place_of("https://bot.example:8443/a?b=c") == Place("bot.example", 8443, "/a?b=c")
    assert place_of("https://bot.example") == Place("bot.example", 443, "/")
