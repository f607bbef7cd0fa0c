"""Coming in: by a link or a code out of a real mail, once, in the browser that asked."""

from __future__ import annotations

import re
import time
from pathlib import Path

import httpx
import pytest

from pbem.desk.office.office import HOUR
from pbem.desk.post import delivery
from pbem.storage import outbox
from tests.kit.demos import copy_of
from tests.kit.room import Room, left_at, open_room, send
from tests.web.conftest import FRENCH, GM

LINK = re.compile(r"http://127\.0\.0\.1:\d+(/sign-in/link/[\w-]+)")
CODE = re.compile(r"^\s*\**(\d{3} \d{3})\**\s*$", re.MULTILINE)


def mailed(room: Room, to: str) -> str:
    """The newest letter of the office to an address, as text."""
    deadline = 200
    while deadline:
        mails = [one for one in delivery.listing(room.office) if one.cause.startswith("sign-in/")]
        found = [shown for one in mails if (shown := delivery.shown(room.office, one.id)).to == to]
        if found:
            return found[-1].text
        deadline -= 1
        _wait()
    raise AssertionError(f"no letter came to {to}")


def _wait() -> None:
    time.sleep(0.02)


@pytest.mark.parametrize("who", [FRENCH, GM])
def test_a_link_out_of_a_mail_lets_in_who_asked_once_and_in_his_browser_alone(room: Room, who: str) -> None:
    browser, other = room.stranger(), room.stranger()
    send(browser, "/sign-in", address=who)
    path = LINK.search(mailed(room, who))
    assert path is not None

    page = browser.get(path[1])
    assert (page.status_code, browser.get("/me").status_code) == (200, 303)
    assert send(other, path[1]).status_code == 409
    assert send(browser, path[1]).headers["location"] == "/me"  # which was asked for before
    home = browser.get("/", follow_redirects=True)
    assert home.url.path == ("/desk" if who == GM else "/games")
    assert "of no use here" in send(other, path[1]).text


def test_who_has_signed_in_comes_to_the_page_that_he_asked_for(room: Room) -> None:
    browser = room.stranger()
    wanted = "/games/stprivat-demo/french/turns/3B"
    assert browser.get(wanted).headers["location"] == "/sign-in"
    assert send(browser, f"/sign-in/link/{room.secret(FRENCH)}").headers["location"] == wanted
    browser.cookies.set("pbem-wanted", "//evil.example/", domain="127.0.0.1", path="/")
    assert send(browser, f"/sign-in/link/{room.secret(FRENCH)}").headers["location"] == "/"


def test_a_program_that_opens_links_uses_none_up(room: Room) -> None:
    browser = room.stranger()
    send(browser, "/sign-in", address=FRENCH)
    path = LINK.search(mailed(room, FRENCH))
    assert path is not None
    for _ in range(3):
        room.stranger().get(path[1])
        room.stranger().head(path[1])

    assert send(browser, path[1]).status_code == 303


def test_a_code_lets_in_and_five_wrong_ones_end_it(room: Room) -> None:
    browser = room.stranger()
    send(browser, "/sign-in", address=FRENCH)
    code = CODE.search(mailed(room, FRENCH))
    assert code is not None
    wrong = "000 000" if code[1] != "000 000" else "111 111"

    answers = [send(browser, "/sign-in/code", page="/sign-in/sent", code=wrong) for _ in range(4)]
    assert [one.status_code for one in answers] == [409] * 4
    assert "One attempt is left" in answers[-1].text
    assert send(browser, "/sign-in/code", page="/sign-in/sent", code=code[1]).headers["location"] == "/"
    assert browser.get("/games").status_code == 200


def test_after_five_wrong_codes_the_right_one_is_of_no_use(room: Room) -> None:
    browser = room.stranger()
    send(browser, "/sign-in", address=FRENCH)
    code = CODE.search(mailed(room, FRENCH))
    assert code is not None
    for _ in range(5):
        send(browser, "/sign-in/code", page="/sign-in/sent", code="000000" if code[1] != "000 000" else "111111")

    assert "of no use here" in send(browser, "/sign-in/code", page="/sign-in/sent", code=code[1]).text


def test_nobody_learns_whether_an_address_is_known(room: Room) -> None:
    answers = []
    for address in (FRENCH, "nobody@elsewhere.example", "no address at all"):
        browser = room.stranger()
        answer = send(browser, "/sign-in", address=address)
        page = browser.get(answer.headers["location"])
        answers.append((answer.status_code, dict_of(answer), seals_out(page)))

    assert answers[0] == answers[1] == answers[2]


def dict_of(answer: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in answer.headers.items() if name not in ("date", "set-cookie")}


def seals_out(page: httpx.Response) -> str:
    return re.sub(r'(name="seal" value=")[^"]*', r"\1", page.text)


def asked(room: Room) -> int:
    """How many links were written."""
    with room.office.read() as connection:
        return sum(one.cause.startswith("sign-in/") for one in outbox.listing(connection))


def test_links_are_asked_for_so_often_and_no_more(room: Room) -> None:
    for _ in range(7):
        send(room.stranger(), "/sign-in", address=FRENCH)
    for _ in range(200):
        if asked(room) >= 4:
            break
        _wait()
    time.sleep(0.5)

    assert asked(room) == 4


@pytest.mark.parametrize(("minutes", "status"), [(14, 303), (16, 409)])
def test_a_link_is_of_use_for_a_quarter_of_an_hour(left: Path, tmp_path: Path, minutes: int, status: int) -> None:
    folder = copy_of(left, tmp_path / "office")
    hour = left_at(folder) + HOUR
    with open_room(folder, at=hour) as room:
        browser = room.stranger()
        send(browser, "/sign-in", address=FRENCH)
        path = LINK.search(mailed(room, FRENCH))
        assert path is not None
        cookies = {one.name: one.value or "" for one in browser.cookies.jar}
    with open_room(folder, at=hour + minutes * HOUR // 60) as room:
        later = room.stranger()
        for name, value in cookies.items():
            later.cookies.set(name, value, domain="127.0.0.1", path="/")
        assert send(later, path[1]).status_code == status


def test_a_session_is_ended_by_its_owner_and_by_new_secret_addresses(room: Room) -> None:
    one, two, gm = room.visitor(FRENCH), room.visitor(FRENCH), room.visitor(GM)
    send(one, "/me/end", page="/me", do="others")
    assert [browser.get("/me").status_code for browser in (one, two)] == [200, 303]

    player = re.search(r'class="hash">(\w+)</dd>', one.get("/me").text)
    assert player is not None
    assert send(gm, "/desk/do/rekey", page="/desk/people", who=player[1], once="1").status_code == 303
    assert one.get("/me").status_code == 303


def test_cookies_are_bound_to_the_host_and_to_tls(left: Path, tmp_path: Path) -> None:
    with open_room(copy_of(left, tmp_path / "office"), url="https://games.example.org") as room:
        browser = room.stranger()
        browser.headers["host"] = "games.example.org"
        page = browser.get(f"/sign-in/link/{room.secret(FRENCH)}")
        known = page.headers["set-cookie"]
        seal = re.search(r'name="seal" value="([^"]*)"', page.text)
        assert seal is not None
        answer = browser.post(page.url.path, data={"seal": seal[1]}, headers={"cookie": known.partition(";")[0]})

        assert answer.status_code == 303
        for cookie in (known, *answer.headers.get_list("set-cookie")):
            assert re.match(r"__Host-pbem[\w-]*=", cookie), cookie
            assert {"HttpOnly", "Secure", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
        assert answer.headers["strict-transport-security"]


def test_a_session_that_somebody_else_has_fixed_is_not_signed_in(room: Room) -> None:
    browser = room.stranger()
    browser.cookies.set("pbem", "chosen-by-somebody-else", domain="127.0.0.1", path="/")
    send(browser, f"/sign-in/link/{room.secret(FRENCH)}")

    assert "chosen-by-somebody-else" not in {one.value for one in browser.cookies.jar}
    fixed = room.stranger()
    fixed.cookies.set("pbem", "chosen-by-somebody-else")
    assert fixed.get("/games").status_code == 303
