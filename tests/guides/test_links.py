"""What a guide leads to is there: its own chapters, other guides, and chapters of these."""

from __future__ import annotations

import re

import pytest

from pbem.desk.library import guides
from pbem.kernel.errors import Refused
from pbem.reports.text import markdown

_LINK = re.compile(r"\]\(([^)\s]+)\)")
THERE = {one.name: one for one in guides.listing()}


@pytest.mark.parametrize("name", THERE)
def test_every_chapter_that_a_guide_leads_to_is_there(name: str) -> None:
    anchors = {
        found: {chapter.anchor for chapter in markdown.chapters(markdown.blocks(one.source))}
        for found, one in THERE.items()
    }
    wrong = []
    for target in _LINK.findall(THERE[name].source):
        file, _, chapter = target.partition("#")
        guide = file.rpartition("/")[2].removesuffix(".md") if file else name
        if chapter and guide in anchors and chapter not in anchors[guide]:
            wrong.append(target)

    assert wrong == []


def test_on_the_web_a_guide_leads_to_another_and_elsewhere_it_names_the_command() -> None:
    source, beyond = guides.for_web(THERE["gm"])

    assert "[The reviewer's book](/guide/review)" in source
    assert "/guide/review" in beyond
    assert "The reviewer's book (`pbem guide review`)" in guides.alone(THERE["gm"])
    assert ".md)" not in re.sub(r"```.*?```", "", guides.alone(THERE["gm"]), flags=re.DOTALL)


def test_what_stands_between_fences_is_left_as_it_is() -> None:
    for one in THERE.values():
        fenced = re.findall(r"^```.*?^```$", one.source, re.MULTILINE | re.DOTALL)
        assert re.findall(r"^```.*?^```$", guides.alone(one), re.MULTILINE | re.DOTALL) == fenced


def test_nothing_is_set_in_without_fences_for_it_would_run_together() -> None:
    for one in THERE.values():
        loose = "".join(part for part, fenced in guides.pieces(one.source) if not fenced)
        assert re.findall(r"\n\n    \S.*", loose) == [], one.name


def test_in_a_terminal_a_link_to_a_chapter_of_its_own_is_its_words() -> None:
    assert "[5.18](#518-versions-and-running-games)" in THERE["author"].source
    assert "](#" not in guides.printed(THERE["author"])


def test_a_guide_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(Refused, match="There are: player, gm"):
        guides.find("xyzzy")
    with pytest.raises(Refused, match="Did you mean player"):
        guides.find("players")
