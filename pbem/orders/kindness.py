"""What a line may be written with besides the form of its language: one list for all systems, by tables.

A word of these tables is taken only where the word itself can stand for nothing: what is an order as it is written is
read as it is written.  None of them turns a line into another order; what a system calls by words of its own it says
in its `Dialect`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from pbem.orders.prose import NUMBERS

_COURTESY = "the a an please kindly my our your"
_LITTLE = "and also just now at by for in into on onto over to toward towards up order will shall should must is are me"
_NOUNS = """
    unit units battalion battalions regiment regiments battery batteries squadron squadrons gun guns stand stands
    piece pieces square squares hex hexes point
"""

ARTICLES = frozenset(_COURTESY.split())
"""Words that say nothing at any place."""

LITTLE = ARTICLES | frozenset(_LITTLE.split()) | frozenset(_NOUNS.split())
"""Words passed over where the language has no place for them.  None of them is here that says whence or not."""

SIGNS = ":&"
"""Signs passed over likewise."""

DEGREES = frozenset(("degrees", "degree", "deg", "°"))
"""What may stand behind a number of degrees, in all systems."""

COMPASS = ["N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"]
"""The sixteen points."""
_PARTS = {"N": "north", "E": "east", "S": "south", "W": "west"}

_SAME: Sequence[str] = (
    "face facing faced", "move go goes march marches", "charge attack attacks assault", "fire shoot",
    "via through thru over across", "retire withdraw", "form change", "none nothing", "hold halt stay stand",
    "about", "all everybody everyone", "else otherwise", "then afterwards", "within", "max most maximum",
    "nearest closest", "toward towards",
)  # fmt: skip
"""Words that mean one thing: where the language has one of a row it takes the others."""

_SAID: Mapping[str, str] = {
    "about face": "about", "about turn": "about", "turn about": "about", "turn around": "about", "turn round": "about",
    "lie down": "prone", "go prone": "prone", "get down": "prone", "stand up": "rise", "get up": "rise",
    "hold your fire": "hold-fire", "hold their fire": "hold-fire", "withhold fire": "hold-fire",
    "fall back": "retire", "pull back": "retire", "do nothing": "none", "if not": "else", "or else": "else",
    "at most": "max", "up to": "max", "no more than": "max", "not more than": "max", "as far as": "to",
    "at least": ">=", "or more": ">=",
}  # fmt: skip
"""Words that together mean one."""

_FORMS = {
    r"\b(?:hold|withhold)\s+(?:(?:your|their|its|the)\s+)?fire\b": "hold fire",
    r"\babout[ -](?:face|turn)\b": "about",
}
"""Words that mean other words, in all systems."""


def _compass() -> dict[str, tuple[str, ...]]:
    """Every way to write a point of the compass: `south`, `south-east`, `southeast`, `SE`."""
    found: dict[str, tuple[str, ...]] = {}
    for point in COMPASS:
        parts = [_PARTS[letter] for letter in point]
        last = "".join(parts[1:]) if len(parts) > 1 else ""
        for written in (" ".join(parts), "".join(parts), f"{parts[0]} {last}".strip()):
            found[written] = found[f"{written}wards"] = found[f"{written}ward"] = (point.lower(),)
    return found


def compass_words() -> str:
    """A pattern of any way to write a point of the compass."""
    written = sorted({*_compass(), *(point.lower() for point in COMPASS)}, key=lambda words: (-len(words), words))
    return "|".join(words.replace(" ", r"[\s-]+") for words in written)


def _spoken(extra: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The words that each of them may stand for, the system's own first."""
    found: dict[str, tuple[str, ...]] = {word: (meant,) for word, meant in extra.items()}
    rows = [row.split() for row in _SAME]
    same = {word: tuple(one for one in row if one != word) for row in rows for word in row}
    numbers = {word: (str(number),) for number, word in enumerate(NUMBERS) if number}
    said = {words: (meant,) for words, meant in _SAID.items()}
    for table in (_compass(), numbers, said, same):
        for word, meant in table.items():
            found[word] = found.get(word, ()) + meant
    return found


class Dialect(Struct, frozen=True, kw_only=True, dict=True):
    """How the players of one system write: its measures, and words of theirs with those of the language."""

    lengths: Collection[str] = ()
    """What may stand behind a number, `inches`."""
    words: Mapping[str, str] = {}
    """A word or words, and the one word that is meant."""
    names: str = ""
    """The pattern of what a unit is called."""
    joined: str = ", "
    """What stands between several in one order, where it takes several."""
    leads: bool = False
    """Whether an order begins with the names of those that it is for, else with its verb."""
    little: Collection[str] = ()
    """Further words passed over."""
    prefix: str = ""
    """The pattern of what an order begins with that says whom it is for."""
    forms: Mapping[str, str] = {}
    """Other ways to write a line, each a pattern and what is written for it."""
    meant_by: Mapping[str, tuple[str, ...]] = {}
    """Words of another language, and those that each may mean."""

    def named(self, names: str) -> Dialect:
        """The same, with another pattern of what a unit is called."""
        return replace(self, names=names)

    @cached_property
    def measures(self) -> frozenset[str]:
        """All that may stand behind a number."""
        return frozenset(self.lengths) | DEGREES

    @cached_property
    def passed_over(self) -> frozenset[str]:
        """All words that are passed over."""
        return LITTLE | frozenset(self.little)

    @cached_property
    def subject(self) -> re.Pattern[str] | None:
        """What an order begins with that says whom it is for, if it can."""
        return re.compile(self.prefix, re.IGNORECASE) if self.prefix else None

    @cached_property
    def rewritten(self) -> Sequence[tuple[re.Pattern[str], str]]:
        """The ways to write a line otherwise, of all systems and of this."""
        return [(re.compile(form, re.IGNORECASE), written) for form, written in {**_FORMS, **self.forms}.items()]

    @cached_property
    def spoken(self) -> Mapping[str, tuple[str, ...]]:
        """For each word or words, small and with single blanks: what they may stand for."""
        found = _spoken(self.words)
        return found | {word: found.get(word, ()) + meant for word, meant in self.meant_by.items()}

    @cached_property
    def phrase(self) -> re.Pattern[str]:
        """Any of them at a place of a line; blank, hyphen and `_` are alike between two words."""
        longest = sorted(self.spoken, key=lambda words: (-len(words), words))
        either = "|".join(r"[\s_-]+".join(map(re.escape, words.split())) for words in longest)
        return re.compile(rf"(?:{either})(?![\w/-])", re.IGNORECASE)

    def meant(self, text: str, at: int) -> tuple[int, tuple[str, ...]]:
        """How far the words at a place reach that mean others, and which; nothing: nowhere."""
        found = self.phrase.match(text, at)
        if found is None:
            return at, ()
        return found.end(), self.spoken[" ".join(re.split(r"[\s_-]+", found[0].casefold()))]

    def orders_of(self, text: str) -> Iterator[str]:
        """A line as it may be written in the language's own form: each way of its own, and all together."""
        whole = text
        for form, written in self.rewritten:
            # To look first takes half the time of what mostly changes nothing.
            told = form.sub(written, text) if form.search(text) else text
            whole = form.sub(written, whole) if form.search(whole) else whole
            if told != text:
                yield told
        if whole != text:
            yield whole


PLAIN = Dialect()
"""Of a language that has no words of its own for anything."""
