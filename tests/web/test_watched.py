"""What the reading room tells programs that watch over the office, and whom."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace as changed
from starlette.responses import Response

from pbem.desk.office.office import Office
from pbem.desk.office.settings import read_settings
from pbem.kernel.errors import Refused
from pbem.web.guard import place_of_url
from pbem.web.watched import Watched
from tests.kit.room import Room

URL = "https://games.example.org"


def asked(
    office: Office, path: str, *, sender: str = "10.1.2.3", host: str = "web:8080", watchers: tuple[str, ...] = ()
) -> httpx.Response:
    web = changed(office.settings.web, url=URL, metrics=watchers)
    there = replace(office, settings=changed(office.settings, web=web))
    app = Watched(Response("a page", 404), office=there, place=place_of_url(URL, web.bind))

    async def get() -> httpx.Response:
        transport = httpx.ASGITransport(app, client=(sender, 4711))
        async with httpx.AsyncClient(transport=transport, base_url="http://web") as client:
            return await client.get(path, headers={"host": host})

    return asyncio.run(get())


@pytest.mark.parametrize("host", ["web:8080", "games.example.org", "127.0.0.1:8080"])
def test_anybody_is_told_whether_it_lives_and_is_ready_by_whatever_name(host: str, quiet: Room) -> None:
    assert asked(quiet.office, "/healthz", host=host).text == "the office is served\n"
    answer = asked(quiet.office, "/readyz", host=host)
    assert (answer.status_code, answer.text) == (200, "ready\n")
    assert answer.headers["cache-control"] == "no-store"


def test_who_is_in_a_network_of_the_settings_reads_the_metrics(quiet: Room) -> None:
    answer = asked(quiet.office, "/metrics", watchers=("10.0.0.0/8",))

    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert "pbem_campaigns_due 0\n" in answer.text


@pytest.mark.parametrize(
    ("sender", "host", "watchers"),
    [
        ("10.1.2.3", "web:8080", ()),
        ("192.0.2.7", "web:8080", ("10.0.0.0/8",)),
        ("testclient", "web:8080", ("10.0.0.0/8",)),
        ("127.0.0.1", "games.example.org", ("127.0.0.1",)),
    ],
)
def test_nobody_else_finds_such_a_page_nor_by_the_name_that_the_net_has(
    sender: str, host: str, watchers: tuple[str, ...], quiet: Room
) -> None:
    answer = asked(quiet.office, "/metrics", sender=sender, host=host, watchers=watchers)

    assert (answer.status_code, answer.text) == (404, "a page")


def test_who_may_read_them_is_written_as_networks(tmp_path: Path) -> None:
    place = tmp_path / "pbem.toml"
    place.write_text('address = "office@office.example"\n[web]\nmetrics = ["127.0.0.1", "10.0.0.0/8"]\n')
    assert [str(one) for one in read_settings(tmp_path).web.watchers] == ["127.0.0.1/32", "10.0.0.0/8"]
    place.write_text(place.read_text().replace("10.0.0.0/8", "10.0.0.0/99"))
    with pytest.raises(Refused, match=r"web\.metrics.*is no network"):
        read_settings(tmp_path)
