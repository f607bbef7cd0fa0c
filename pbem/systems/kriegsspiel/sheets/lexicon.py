"""The names that a commander may write, found in a line: of his own order of battle and of the map (KS-ORD-11)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple

from pbem.ground.bearing import COMPASS
from pbem.orders.grammar import bare
from pbem.orders.names import name_key
from pbem.orders.suggest import closest
from pbem.rules.lately import lately
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.sheets.language import KEYWORDS, MARKS, REST
from pbem.systems.kriegsspiel.world.mind import Mind

Kind = Literal["unit", "person", "place"]

LONGEST = 6
"""The most words of a name that are looked for."""

LENGTH = 100
"""The longest words that are remembered with their key."""

FILLERS = ("the", "your", "please", "with")
"""Words of courtesy, passed over (KS-ORD-11)."""

BEFORE_NAMES = (
    "to", "voice", "dispatch", "of", "for", "join", "deploy", "follow", "support", "cover", "rejoin", "relieve", "hand",
    "give", "enter", "start", "unit", "ride", "with",
)  # fmt: skip
"""Behind these words a name is a name, though it is a word of the language as well."""

_LUMP = re.compile(r"[^\s,:()]+")
_OFFSET = re.compile(r"(.*[^+])\+(\d{1,4})([nsew]{1,3})", re.IGNORECASE)
_FREE = re.compile(r"\b(?:text|parley|intention|words)\s*:|(?:^|:)\s*(?:say|letter)\b[^:]*:", re.IGNORECASE)
_NO_RECEIPT = re.compile(r"(?<![\w/])no\s+receipt(?![\w/])", re.IGNORECASE)
_DETACH = re.compile(r"\bdetach\s+(?:half\s+(left|right)|squadron\s+(\d+))\s+as\s+([^\s,:()]+)", re.IGNORECASE)
_MARKED = re.compile(f"[{''.join(MARKS.values())}]{REST}*")
_PLAIN = re.compile(r"[\d:.,%+-]+|e\d+|w\d+", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _keyed(phrase: str) -> tuple[str, str] | None:
    """Some words as a name is looked up, and how far off which way is meant; None: they cannot be a name."""
    if ":" in phrase or "(" in phrase or not any(letter.isalpha() for letter in phrase):
        return None
    offset = _OFFSET.fullmatch(phrase)
    return name_key(offset[1] if offset else phrase), f"{offset[2]}{offset[3]}" if offset else ""


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

    def _unit(self, name: str, unit: str) -> None:
        self.units.setdefault(name_key(name), unit)
        self.shown["unit"][name] = unit

    def learn(self, text: str) -> list[tuple[str, str]]:
        """Take the ids of detachments that a line orders into the names; each with the unit that it is of, if named."""
        line = bare(text)
        found = []
        for order in _DETACH.finditer(line):
            name, key = order[3].strip(".;"), name_key(order[3])
            before = [one for one in self._names(line[: order.start()]) if one.kind == "unit"]
            if key and key not in self.units and before:
                self.made[key] = name
                self._unit(name, name)
                found.append((name, self.units[before[-1].key]))
        return found

    def taken(self, name: str) -> bool:
        """Whether a name is already in the order of battle or on an earlier paper."""
        key = name_key(name)
        return key in self.units and key not in self.made

    # ------------------------------------------------------------ lines

    @rule("KS-ORD-11")
    def mark(self, line: str) -> Marked:
        """Find the names of a line, the longest first; words of courtesy are blotted out."""
        original = bare(line)
        free = _FREE.search(original)
        stop = free.end() if free else len(original)
        head = original[:stop]
        text = list(original)
        receipt = _NO_RECEIPT.search(head)
        if receipt:
            text[receipt.start() : receipt.end()] = " " * (receipt.end() - receipt.start())
        names = tuple(self._names(head))
        inside = {at for name in names for at in range(name.start, name.end)}
        before = ""
        for lump in _LUMP.finditer(head):
            word = lump[0].casefold()
            if lump.start() not in inside and word in FILLERS and before != "ride":
                text[lump.start() : lump.end()] = " " * len(word)
            before = word
        for name in names:
            text[name.start : name.end] = MARKS[name.kind] + REST * (name.end - name.start - 1)
        return Marked("".join(text), original, names, receipt is not None)

    def _names(self, head: str) -> Iterator[Name]:
        lumps = list(_LUMP.finditer(head))
        at = 0
        while at < len(lumps):
            for count in range(min(LONGEST, len(lumps) - at), 0, -1):
                name = self._name(head, lumps[at].start(), lumps[at + count - 1].end())
                if name is not None and not self._is_keyword(name, head, lumps, at):
                    yield name
                    at += count
                    break
            else:
                at += 1

    def _name(self, head: str, start: int, end: int) -> Name | None:
        phrase = head[start:end]
        keyed = _keyed(phrase) if len(phrase) <= LENGTH else _keyed.__wrapped__(phrase)
        if keyed is None:
            return None
        key, offset = keyed
        if not offset and key in self.units:
            return Name(start, end, "unit", key)
        if not offset and key in self.persons:
            return Name(start, end, "person", key)
        if key in self.places:
            return Name(start, end, "place", key, offset)
        return None

    def _is_keyword(self, name: Name, head: str, lumps: list[re.Match[str]], at: int) -> bool:
        """Whether a word that is a name as well is meant as a word: `outposts from …`, `in reserve`."""
        if head[name.start : name.end].casefold() not in KEYWORDS:
            return False
        begins = at == 0 or ":" in head[lumps[at - 1].end() : name.start]
        if not begins:
            return lumps[at - 1][0].casefold() not in BEFORE_NAMES
        following = lumps[at + 1] if at + 1 < len(lumps) else None
        if following is None:
            return False
        return following[0].casefold() == "from" or bool(self._name(head, following.start(), following.end()))

    def stranger(self, marked: Marked, before: int) -> tuple[int, str] | None:
        """The first word of a line, up to a column, that is neither a name nor a word of the language."""
        inside = {at for name in marked.names for at in range(name.start, name.end)}
        for lump in _LUMP.finditer(marked.text):
            if lump.start() > before:
                return None
            word = lump[0].strip(".;!?")
            known = word.casefold() in KEYWORDS or _PLAIN.fullmatch(word) or word.upper() in COMPASS
            if word and lump.start() not in inside and not known:
                return lump.start(), word
        return None

    # ------------------------------------------------------------ suggestions

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
