"""A game that has begun, for who reads a guide as a player of it."""

from __future__ import annotations

import re

from pbem.desk.library.scenarios import find_scenario
from tests.kit.guide import Block, Reader, blocks


def begin(reader: Reader, scenario: str) -> None:
    """Have an office with one game, every role of it played, and all briefed."""
    for words in (
        ["init", "office", "--address", "office@example.org", "--gm", "gm@example.org"],
        ["cd", "office"],
        ["campaign", "new", "autumn", scenario],
    ):
        reader.types(words if words[0] == "cd" else ["pbem", *words])
    for part in find_scenario(None, scenario).card.roles:
        name = part.commander or part.name
        reader.types(
            ["pbem", "player", "add", "autumn", part.role, "--name", name, "--address", f"{part.role}@player.example"]
        )
    reader.types(["pbem", "campaign", "start", "autumn"])
    reader.waits()


def chapters_of(system: str, source: str) -> list[Block]:
    """What a player of *system* is to do: its own chapter, and before that of the first what holds for all."""
    own = re.compile(r"\(`([a-z0-9-]+)`\)")
    found = []
    for block in blocks(source):
        of = own.search(block.chapter)
        if (of[1] if of else FIRST) == system:
            found.append(block)
    return found


FIRST = "st-privat"
