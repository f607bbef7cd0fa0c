"""What is said of commands, words and directives is what the program has; `make golden ARGS=tests/guides` writes it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from pbem.desk.library import guides
from pbem.rules import registry
from pbem.rules.registry import BUILT_IN
from tests.guides.reference import PAGES, manual
from tests.kit.guide import blocks, commands

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", PAGES)
def test_a_reference_is_as_the_program_is(name: str, golden: Callable[[Path, bytes], None]) -> None:
    golden(DOCS / "reference" / f"{name}.md", PAGES[name]().encode())


def test_the_manual_page_is_as_the_program_is(golden: Callable[[Path, bytes], None]) -> None:
    golden(DOCS / "man" / "pbem.1", manual().encode())


@pytest.mark.parametrize("system", BUILT_IN)
def test_the_gms_book_shows_every_directive_of_every_system(system: str) -> None:
    module = import_module(registry.load(system).direct.__module__)
    ruled = [
        directive.split()[0].casefold()
        for block in blocks(guides.find("gm").source)
        for words in commands(block.text if block.kind == "shell" else "")
        if words[:2] == ["pbem", "rule"] and _is_of(words[2], system)
        for directive in words[3:]
        if not directive.startswith("--")
    ]

    assert set(module.VERBS) - set(ruled) == set()


def _is_of(campaign: str, system: str) -> bool:
    games = {"stprivat-autumn": "st-privat", "try-woerth": "empire-1870", "try-kreuzweg": "kriegsspiel"}
    return {**games, "try-bulganak": "half-league", "try-folie": "crossroads"}[campaign] == system
