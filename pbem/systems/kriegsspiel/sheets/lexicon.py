"""The names that a commander may write: of his own order of battle and of the map (KS-ORD-11)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from pbem.orders.names import name_key
from pbem.orders.suggest import closest
from pbem.rules.lately import lately
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.world.mind import Mind

Kind = Literal["unit", "person", "place"]

MARKS: Mapping[Kind, str] = {"unit": "\ue000", "person": "\ue001", "place": "\ue002"}
"""What a name found in a line begins with."""

REST = "\ue00f"
"""What stands for every other character of a name, so that columns stay."""

_MARKED = re.compile(f"[{''.join(MARKS.values())}]{REST}*")


class Name(NamedTuple):
    """A name in a line: from and to which character, what it names, and how far off which way is meant."""

    start: int
    end: int
    kind: Kind
    key: str
    offset: str = ""


class Marked(NamedTuple):
    """A line with its names marked, every character in its column."""

    text: str
    original: str
    names: tuple[Name, ...]
    no_receipt: bool
    """The words `no receipt` stood somewhere in it."""

    def restored(self, said: str, column: int) -> str:
        """What was said of the word at a column of the marked line, in the words of the line as written."""
        here = self.at(column - 1)
        if here is None:
            return said
        written = self.written(here)
        return said.replace(self.text[here.start : here.end], written).replace(MARKS[here.kind], written)

    def unmarked(self, line: str) -> str:
        """A line made of the marked one, with its names as written; empty where that would lose a word."""
        names = iter(self.names)
        return "" if self.no_receipt else _MARKED.sub(lambda _: self.written(next(names)), line)

    def written(self, name: Name) -> str:
        """A name as it was written."""
        return self.original[name.start : name.end]

    def at(self, start: int) -> Name | None:
        """The name that begins at a character."""
        return next((name for name in self.names if name.start == start), None)


@lately(4)
def _units(scene: Scene, mind: Mind) -> tuple[dict[str, str], dict[str, str]]:
    """The units that a commander may name, by their keys, and as they are written."""
    roll = scene.rolls[mind.side]
    ids, written = dict(roll.ids), {unit: unit for unit in roll.written}
    for unit in (*mind.own, *ordered(mind)):
        ids.setdefault(name_key(unit), unit)
        written[unit] = unit
    for key, unit in roll.called:
        ids.setdefault(key, unit)
    return ids, written


class Lexicon:
    """The names that a role may use."""

    def __init__(self, scene: Scene, mind: Mind) -> None:
        self.scene = scene
        roll = scene.rolls[mind.side]
        ids, written = _units(scene, mind)
        self.units = dict(ids)
        """Ids of units and groups, by their keys."""
        self.persons = roll.persons
        self.places: Mapping[str, tuple[tuple[str, str], ...]] = scene.chart.names
        self.made: dict[str, str] = {}
        """Ids that detachments of this sheet get, by their keys."""
        self.shown: dict[Kind, dict[str, str]] = {
            "unit": dict(written), "person": roll.people, "place": scene.chart.written,
        }  # fmt: skip
        """For suggestions: each name as it is written."""

    def add(self, name: str) -> None:
        """Take in the id that a detachment of this sheet gets."""
        self.made[name_key(name)] = name
        self.units.setdefault(name_key(name), name)
        self.shown["unit"][name] = name

    def taken(self, name: str) -> bool:
        """Whether a name is already in the order of battle or on an earlier paper."""
        key = name_key(name)
        return key in self.units and key not in self.made

    def like(self, word: str, *kinds: Kind) -> str | None:
        """The name that a word is most like, of those that the writer may know."""
        near = closest(word, [name for kind in kinds for name in self.shown[kind]])
        if near is not None or "place" not in kinds:
            return near
        # `the highway`: the one road that has the word in its name.
        roads = [one.id for one in self.scene.chart.roads.values() if word.casefold() in one.name.casefold().split()]
        return roads[0] if len(roads) == 1 else None


def ordered(mind: Mind) -> dict[str, str]:
    """The detachments that a commander has ordered, and the units that they are of, by his own papers."""
    return {
        line.order.unit: line.unit
        for papers in mind.orders.values()
        for _, lines in papers
        for line in lines
        if line.order is not None and line.order.verb == "detach"
    }
