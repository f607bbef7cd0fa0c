"""The adjudicator's test cases, played by sheets as players write them.

    python tests/datc_cases.py

prints a table by section.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct, field
from pbem_diplomacy.board import province_of
from pbem_diplomacy.map import BOARD
from pbem_diplomacy.outcomes import (
    ArmyConvoyed,
    MoveFailed,
    UnitBuilt,
    UnitHeld,
    UnitMoved,
    UnitRemoved,
    UnitRetreated,
    UnitSupported,
)

from pbem.kernel.names import Role
from pbem.kernel.office import Option
from pbem.rules import registry
from pbem.suite.play import Game

FOLDER = Path(__file__).parent / "datc"
ROLES = {role[:3].upper(): Role(role) for role in ("austria", "england", "france", "germany", "italy", "russia")}
ROLES["TUR"] = Role("turkey")

READINGS: Mapping[str, Mapping[str, Option]] = {
    "": {},
    "1971": {"nearby": "any", "removals": "home"},
    "1982": {},
    "2023": {},
    "dptg": {"nearby": "said"},
    "fallback": {"nearby": "own_or_land"},
}
"""By which options an entry is played, by its edition."""

FALLBACK = "t6g11_a_convoy_to_an_adjacent_place_with_a_paradox"
"""The one entry of the file in which an army walks because its convoy is broken."""

Orders = dict[str, Literal["Succeeds", "Fails"] | None]


class Before(Struct):
    """The moves before a retreat."""

    orders: Orders


class Case(Struct, kw_only=True):
    """One entry."""

    name: str
    phase: Literal["Main", "Retreat", "Build"] = "Main"
    orders: Orders
    edition: str = ""
    starting_state: list[str] = field(default_factory=list)
    preceding_main_phase: Before | None = None
    occupiers: dict[str, str] = field(default_factory=dict)
    civil_disorder: list[str] = field(default_factory=list)
    instead: str = ""
    why: str = ""

    @property
    def number(self) -> str:
        """The number of the document."""
        found = re.match(r"t6([a-j])(\d\d)", self.name)
        assert found
        return f"6.{found[1].upper()}.{int(found[2])}"

    @property
    def called(self) -> str:
        """By what it is named in the tests."""
        variant = "-variant" if "variant" in self.name or "second" in self.name else ""
        return f"{self.number}{variant}{'-' if self.edition else ''}{self.edition}{'-ours' if self.why else ''}"


def of_the_file() -> list[Case]:
    """The entries of the file."""
    entries = json.loads((FOLDER / "datc-3.0.json").read_text("utf-8"))["cases"]
    return [msgspec.convert(entry, Case) for entry in entries]


def of_the_document() -> list[Case]:
    """What the file leaves out, or has otherwise than the document."""
    return msgspec.convert(tomllib.loads((FOLDER / "document.toml").read_text("utf-8"))["case"], list[Case])


def cases() -> list[Case]:
    """All that is played: the file, with what the document has instead."""
    ours = of_the_document()
    instead = {case.instead for case in ours}
    theirs = [case for case in of_the_file() if case.name not in instead]
    for case in theirs:
        if case.name == FALLBACK:
            case.edition = "fallback"
    return sorted([*theirs, *ours], key=lambda case: case.name)


# ------------------------------------------------------------------ a position


def _parted(line: str) -> tuple[Role, str, str, str]:
    """Role, kind, place, and the whole order as a player writes it."""
    side, order = line.split(": ", 1)
    kind, place = order.split()[:2]
    coast = re.sub(r"\(([a-z])c?\)", r"/\1c", place)
    return ROLES[side], kind, coast, order.replace("->", "-")


def set_up(game: Game, case: Case, orders: Sequence[str]) -> None:
    """Put the units on the board that a case names or orders."""
    there: dict[str, str] = {}
    for line in (*case.starting_state, *orders):
        role, kind, place, _ = _parted(line)
        if province_of(place) not in there:
            there[province_of(place)] = role
            game.rule(f"place {role} {kind} {place}")
    if case.phase != "Build":
        return
    for key, province in BOARD.provinces.items():
        if province.centre:
            by = case.occupiers.get(key, "")
            holder = there.get(key) or (ROLES[by] if by else province.home)
            if holder:
                game.rule(f"give {key} {holder}")
    game.rule("set phase 1901 autumn builds")


def play(game: Game, orders: Sequence[str]) -> dict[str, str]:
    """Send orders, each power its own, and say what became of each."""
    sheets: dict[Role, list[str]] = {}
    place: dict[str, tuple[Role, int]] = {}
    for line in orders:
        role, _, _, order = _parted(line)
        sheets.setdefault(role, []).append(order)
        place[line] = (role, len(sheets[role]))
    before, units = len(game.facts), dict(game.world.truth.units)
    game.play({role: "\n".join(lines) for role, lines in sheets.items()})
    facts = game.facts[before:]
    driven = {getattr(fact, "unit", "") for fact in facts if type(fact).__name__ == "UnitDislodged"}
    became: dict[tuple[Role, int], str] = {}
    for fact in facts:
        role = getattr(fact, "side", None) or (units[fact.unit].side if getattr(fact, "unit", "") in units else None)
        if role and getattr(fact, "line", 0):
            became[role, fact.line] = "Succeeds" if _succeeds(fact, driven) else "Fails"
    return {line: became.get(place[line], "Fails") for line in orders}


def _succeeds(fact: Any, driven: set[str]) -> bool:
    """Whether an order was carried out, as the document says it."""
    match fact:
        case UnitMoved() | UnitRetreated() | UnitBuilt():
            return True
        case UnitSupported() | ArmyConvoyed():
            return fact.fate == "done"
        case UnitHeld():
            return fact.unit not in driven
        case UnitRemoved():
            return fact.cause == "ordered"
        case MoveFailed():
            return False
    return False


def amiss(case: Case) -> Iterator[str]:
    """What became otherwise than a case has it."""
    game = Game(registry.load("diplomacy"), "standard", bare=True, options=READINGS[case.edition])
    first = case.preceding_main_phase.orders if case.preceding_main_phase else {}
    set_up(game, case, [*first, *(() if case.phase == "Build" else case.orders)] if first or case.orders else [])
    if first:
        yield from _compared(first, play(game, list(first)))
    if case.phase == "Build" and not case.orders:
        before = set(game.world.truth.pieces)
        game.play({})
        gone = sorted(before - set(game.world.truth.pieces))
        wanted = sorted(province_of(_parted(line)[2]) for line in case.civil_disorder)
        if gone != wanted:
            yield f"removed {gone}, and not {wanted}"
        return
    yield from _compared(case.orders, play(game, list(case.orders)))


def _compared(wanted: Orders, got: Mapping[str, str]) -> Iterator[str]:
    for line, outcome in wanted.items():
        if outcome is not None and got[line] != outcome:
            yield f"{line} {got[line]}"


def table() -> list[tuple[str, int, int, int]]:
    """For each section: entries of the file, what is played besides, and what fails."""
    rows = []
    all_of_them, theirs = cases(), of_the_file()
    for letter in "ABCDEFGHIJ":
        head = f"6.{letter}."
        played = [case for case in all_of_them if case.number.startswith(head)]
        failed = [case for case in played if list(amiss(case))]
        given = sum(case.number.startswith(head) for case in theirs)
        rows.append((head[:-1], given, len(played), len(failed)))
    return rows


if __name__ == "__main__":
    print("section  in the file  played  failed")
    rows = table()
    for section, given, played, failed in [*rows, ("all", *(sum(row[n] for row in rows) for n in (1, 2, 3)))]:
        print(f"{section:7}  {given:11}  {played:6}  {failed:6}")
