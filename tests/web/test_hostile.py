"""Bad requests: each has a clear answer, loses nothing and shows nothing."""

from __future__ import annotations

import socket
import time

import httpx
import pytest

from pbem.desk.books.dossiers import load
from pbem.kernel.office import OrdersAccepted
from pbem.web import guard
from tests.kit.room import Room, seal_of, send
from tests.web.conftest import FRENCH, GAME, GM

HOME = f"/games/{GAME}/french"


@pytest.fixture(scope="module")
def french(quiet: Room) -> httpx.Client:
    return quiet.visitor(FRENCH)


def raw(room: Room, *parts: bytes, pause: float = 0.0) -> bytes:
    """What comes back when these bytes are sent, with a pause between them."""
    with socket.create_connection(("127.0.0.1", room.port), timeout=40) as line:
        for part in parts:
            line.sendall(part)
            time.sleep(pause)
        found = b""
        while piece := line.recv(65536):
            found += piece
            if b"\r\n\r\n" in found and pause == 0.0:
                break
        return found


def in_words(answer: httpx.Response) -> bool:
    """Whether somebody who reads it learns what is wrong, and nothing of the office."""
    said = answer.text
    return "Traceback" not in said and "sqlite" not in said.lower() and "<h1>" in said and "/pbem/" not in said


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:1", "", "127.0.0.1@evil.example"])
def test_another_host_is_no_name_of_the_office(quiet: Room, host: str) -> None:
    answer = quiet.stranger().get("/sign-in", headers={"host": host})

    assert answer.status_code in (400, 421)
    assert "evil" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null", "sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "cross-site", "origin": ""},
    ],
)
def test_a_form_from_another_site_does_nothing(quiet: Room, french: httpx.Client, headers: dict[str, str]) -> None:
    seal = seal_of(french.get(f"{HOME}/orders").text)
    before = _seq(quiet)
    answer = french.post(f"{HOME}/orders", data={"seal": seal, "sheet": "hold all"}, headers=headers)

    assert answer.status_code == 403
    assert in_words(answer)
    assert _seq(quiet) == before


def test_a_form_without_its_seal_or_with_that_of_another_does_nothing(quiet: Room, french: httpx.Client) -> None:
    other = seal_of(quiet.visitor(GM).get("/desk/campaigns").text)
    before = _seq(quiet)
    for seal in ("", "x" * 40, other):
        answer = french.post(f"{HOME}/orders", data={"seal": seal, "sheet": "hold all"})
        assert answer.status_code == 409
        assert in_words(answer)

    assert _seq(quiet) == before


def test_a_sheet_that_is_sent_twice_is_taken_once(room: Room) -> None:
    browser = room.visitor(FRENCH)
    page = browser.get(f"{HOME}/orders").text
    fields = {"seal": seal_of(page), "sheet": "hold all\n", "once": "the same", "do": "send"}
    before = _sheets(room)
    first, again = (browser.post(f"{HOME}/orders", data=fields) for _ in range(2))

    assert "/receipts/" in first.headers["location"]
    assert again.status_code == 303
    assert "taken once" in browser.get(again.headers["location"]).text
    assert _sheets(room) == before + 1


def test_a_deed_that_is_sent_twice_is_done_once(room: Room) -> None:
    gm = room.visitor(GM)
    fields = {"once": "the same", "reason": "The umpire travels.", "hours": "24", "until": ""}
    path = f"/desk/games/{GAME}/do/extend"
    first = send(gm, path, page=f"/desk/games/{GAME}", **fields)
    due = _due(room)
    again = send(gm, path, page=f"/desk/games/{GAME}", **fields)

    assert (first.status_code, again.status_code, _due(room)) == (303, 303, due)


def test_a_deed_upon_a_log_that_has_grown_is_not_done(room: Room) -> None:
    gm, french = room.visitor(GM), room.visitor(FRENCH)
    page = gm.get(f"/desk/games/{GAME}").text
    send(french, f"{HOME}/letters", text="A word.", to="umpire", once="a")
    fields = {"seal": seal_of(page), "once": "b", "seq": str(_seq(room) - 1), "early": "on"}
    answer = gm.post(f"/desk/games/{GAME}/do/run", data=fields)

    assert answer.status_code == 409
    assert "has come in since" in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/static/../pbem.toml",
        "/static/%2e%2e/%2e%2e/office.key",
        "/public/..%2f..%2foffice.key",
        "/public/%2e%2e/office.key",
        "/public/x/..%5c..%5coffice.key",
        f"/games/{GAME}/french/turns/../../../../etc/passwd",
        f"/games/{GAME}/french/receipts/1%00",
        f"/games/{GAME}'%20OR%201=1/french",
        "/scenarios/..%2f../graveyard",
        "/scenarios/st-privat/..%2fgraveyard",
        "/%ff%fe",
        "//evil.example/",
        "/" + "a" * 3000,
    ],
)
def test_no_path_leads_out_of_the_office(quiet: Room, french: httpx.Client, path: str) -> None:
    answer = raw(
        quiet,
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{quiet.port}\r\nCookie: {_cookies(french)}\r\n"
        "Connection: close\r\n\r\n".encode("latin-1"),
    )

    assert int(answer.split()[1]) in (400, 404, 409, 414), answer[:200]
    assert b"Traceback" not in answer
    assert b"root:" not in answer


def test_a_file_of_twenty_megabytes_is_turned_away_before_it_is_read(quiet: Room, french: httpx.Client) -> None:
    seal = seal_of(french.get(f"{HOME}/orders").text)
    head = (
        f"POST {HOME}/orders HTTP/1.1\r\nHost: 127.0.0.1:{quiet.port}\r\nOrigin: {quiet.address}\r\n"
        f"Cookie: {_cookies(french)}\r\nContent-Type: multipart/form-data; boundary=x\r\n"
        f"Content-Length: {20 * 1024 * 1024}\r\n\r\n"
    )
    answer = raw(quiet, head.encode(), b"--x\r\n" + seal.encode())

    assert answer.split()[1] == b"413"


def test_a_file_too_large_for_a_letter_is_turned_away_in_words(french: httpx.Client) -> None:
    seal = seal_of(french.get(f"{HOME}/orders").text)
    answer = french.post(
        f"{HOME}/orders", data={"seal": seal, "do": "file"}, files={"file": ("orders.txt", b"x" * 1_500_000)}
    )

    assert answer.status_code == 413
    assert "too large" in answer.text
    assert in_words(answer)


@pytest.mark.parametrize("data", [b"\x00\x01\x02\xff" * 500, b"PK\x03\x04" + b"\x00" * 400])
def test_a_file_that_is_no_text_is_refused_in_words(quiet: Room, french: httpx.Client, data: bytes) -> None:
    page = french.get(f"{HOME}/orders").text
    before = _seq(quiet)
    answer = french.post(
        f"{HOME}/orders", data={"seal": seal_of(page), "do": "file"}, files={"file": ("../../x.txt", data)}
    )

    assert answer.status_code in (303, 409)
    assert _seq(quiet) == before


def test_a_body_that_does_not_end_is_given_up(quiet: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "SLOWEST", 0.5)
    head = (
        f"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1:{quiet.port}\r\nOrigin: {quiet.address}\r\n"
        "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 400\r\nConnection: close\r\n\r\n"
    )
    answer = raw(quiet, head.encode(), b"addr", pause=1.0)

    assert answer.split()[1] == b"408"


def test_a_flood_of_headers_is_turned_away(quiet: Room) -> None:
    flood = "".join(f"X-{number}: {'y' * 100}\r\n" for number in range(1000))
    answer = raw(quiet, f"GET /sign-in HTTP/1.1\r\nHost: 127.0.0.1:{quiet.port}\r\n{flood}\r\n".encode())

    assert int(answer.split()[1]) in (400, 431)


@pytest.mark.parametrize(
    "body",
    [b"\xff\xfe\x00", b"a=" + b"%zz" * 50, b"&".join(b"f%d=1" % n for n in range(500)), b"seal=\xc3\x28"],
)
def test_a_form_that_cannot_be_read_is_refused_in_words(french: httpx.Client, body: bytes) -> None:
    kinds = {"content-type": "application/x-www-form-urlencoded"}
    answer = french.post(f"{HOME}/orders", content=body, headers=kinds)

    assert answer.status_code in (400, 409)
    assert in_words(answer)


def test_a_form_in_parts_that_are_broken_is_refused_in_words(french: httpx.Client) -> None:
    for kind in ("multipart/form-data", "multipart/form-data; boundary=x"):
        answer = french.post(f"{HOME}/orders", content=b"--x\r\nnonsense", headers={"content-type": kind})
        assert answer.status_code in (400, 409)
        assert in_words(answer)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_what_no_page_does_is_not_done(quiet: Room, method: str) -> None:
    answer = quiet.stranger().request(method, "/sign-in")

    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD, POST"


def test_what_is_written_is_shown_as_text(room: Room) -> None:
    nasty = "<script>alert(1)</script><img src=x onerror=alert(2)>{{ 7*7 }}"
    browser = room.visitor(FRENCH)
    send(browser, f"{HOME}/letters", text=nasty, to="umpire", once="n")
    shown = browser.get(f"{HOME}/letters").text

    assert "<script>alert" not in shown
    assert "<img src=x" not in shown
    assert "{{ 7*7 }}" in shown


def test_so_many_requests_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    bucket = guard.Bucket(60)
    taken = [bucket.takes("one", now=0.0) for _ in range(61)]

    assert taken == [True] * 60 + [False]
    assert bucket.takes("other", now=0.0)
    assert bucket.takes("one", now=1.0)


def test_no_answer_is_without_its_policy(quiet: Room, french: httpx.Client) -> None:
    for path in ("/sign-in", "/nothing", "/games", f"{HOME}/orders", "/static/x/room.css", "/api/v1/me"):
        answer = french.get(path)
        assert "default-src 'self'" in answer.headers["content-security-policy"], path
        assert "unsafe" not in answer.headers["content-security-policy"], path
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store" or path.startswith("/static/"), path


def test_nothing_that_opens_a_door_stands_in_the_log(room: Room) -> None:
    secret = room.secret(FRENCH)
    browser = room.stranger()
    send(browser, f"/sign-in/link/{secret}")
    made = send(browser, "/calendar", what="calendar").text
    path = made.partition("/calendar/")[2].partition(".ics")[0]
    browser.get(f"/calendar/{path}.ics")

    assert room.log
    assert secret not in "\n".join(room.log)
    assert path not in "\n".join(room.log)


def _cookies(browser: httpx.Client) -> str:
    return "; ".join(f"{one.name}={one.value}" for one in browser.cookies.jar)


def _seq(room: Room) -> int:
    with room.office.read() as connection:
        return load(room.office, connection, GAME).seq


def _sheets(room: Room) -> int:
    with room.office.read() as connection:
        return sum(isinstance(one.event, OrdersAccepted) for one in load(room.office, connection, GAME).own)


def _due(room: Room) -> int:
    with room.office.read() as connection:
        return load(room.office, connection, GAME).exchange().deadline
