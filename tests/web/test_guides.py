"""Guides on the web: for everybody, with links from one to the other."""

from __future__ import annotations

import re

import pytest

from pbem.desk.library import guides
from tests.kit.room import Room

THERE = [one.name for one in guides.listing()]


def test_a_stranger_finds_every_guide(quiet: Room) -> None:
    page = quiet.stranger().get("/guide")

    assert page.status_code == 200
    assert re.findall(r'href="/guide/([a-z]+)"', page.text) == THERE
    assert 'href="/guide"' in quiet.stranger().get("/sign-in").text


@pytest.mark.parametrize("name", THERE)
def test_a_stranger_reads_a_guide_and_every_link_in_it_leads_somewhere(quiet: Room, name: str) -> None:
    browser = quiet.stranger()
    page = browser.get(f"/guide/{name}")
    led = re.findall(r'href="(/guide/[a-z]+)(?:#([^"]+))?"', page.text)

    assert page.status_code == 200
    assert "<style" not in page.text
    assert "style=" not in page.text
    for anchor in re.findall(r'href="#([^"]+)"', page.text):
        assert f'id="{anchor}"' in page.text, anchor
    for path, chapter in set(led):
        other = browser.get(path)
        assert other.status_code == 200, path
        assert not chapter or f'id="{chapter}"' in other.text, (path, chapter)


@pytest.mark.parametrize("name", ["xyzzy", "decisions", "..%2Fgm", "gm.md"])
def test_no_other_file_is_read_there(quiet: Room, name: str) -> None:
    assert quiet.stranger().get(f"/guide/{name}").status_code == 404
