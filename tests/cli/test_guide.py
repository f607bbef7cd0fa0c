"""`pbem guide`: as text, as a page, into a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.desk.library import guides
from tests.kit.terminal import Terminal


def test_it_lists_the_guides_without_an_office(terminal: Terminal) -> None:
    said = terminal.does("guide")

    assert "The player's first turn" in said
    assert [one["name"] for one in terminal.shows("guide")] == [one.name for one in guides.listing()]


@pytest.mark.parametrize("name", [one.name for one in guides.listing()])
def test_a_guide_is_text_on_a_terminal_and_says_which_command_prints_another(terminal: Terminal, name: str) -> None:
    said = terminal.does("guide", name)

    assert guides.find(name).title.upper() in said
    assert "```" not in said
    assert ".md)" not in said


def test_a_guide_is_a_page_that_stands_alone(terminal: Terminal, tmp_path: Path) -> None:
    page = terminal.does("guide", "gm", "--html")
    terminal.does("guide", "gm", "--html", "-o", "gm.html")

    assert page.startswith("<!doctype html>")
    assert (tmp_path / "gm.html").read_text("utf-8") == page
    assert '<a href="#when-something-goes-wrong">' in page
    assert 'href="/guide' not in page
    assert "<script" not in page


def test_a_guide_that_there_is_not_is_refused_with_what_was_meant(terminal: Terminal) -> None:
    assert "Did you mean scenario?" in terminal.refused("guide", "scenarios")


def test_no_line_that_is_there_to_be_copied_is_broken(terminal: Terminal) -> None:
    line = "transport_maps = inline:{ { office@example.org = lmtp:inet:127.0.0.1:2424 } }"

    assert f"    {line}\n" in terminal.does("guide", "gm")
