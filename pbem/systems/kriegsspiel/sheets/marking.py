"""Names, found in a line before it is parsed: each is then one word, marked by what it names (KS-ORD-11)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from pbem.ground.bearing import COMPASS
from pbem.orders.grammar import bare
from pbem.orders.names import name_key
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.sheets.language import KEYWORDS
from pbem.systems.kriegsspiel.sheets.lexicon import MARKS, REST, Lexicon, Marked, Name

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
_PLAIN = re.compile(r"[\d:.,%+-]+|e\d+|w\d+", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _keyed(phrase: str) -> tuple[str, str] | None:
    """Some words as a name is looked up, and how far off which way is meant; None: they cannot be a name."""
    if ":" in phrase or "(" in phrase or not any(letter.isalpha() for letter in phrase):
        return None
    offset = _OFFSET.fullmatch(phrase)
    return name_key(offset[1] if offset else phrase), f"{offset[2]}{offset[3]}" if offset else ""


def learn(lexicon: Lexicon, text: str) -> list[tuple[str, str]]:
    """Take the ids of detachments that a line orders into the names; each with the unit that it is of, if named."""
    line = bare(text)
    found = []
    for order in _DETACH.finditer(line):
        name, key = order[3].strip(".;"), name_key(order[3])
        before = [one for one in _names(lexicon, line[: order.start()]) if one.kind == "unit"]
        if key and key not in lexicon.units and before:
            lexicon.add(name)
            found.append((name, lexicon.units[before[-1].key]))
    return found


@rule("KS-ORD-11")
def mark(lexicon: Lexicon, line: str) -> Marked:
    """Find the names of a line, the longest first; words of courtesy are blotted out."""
    original = bare(line)
    free = _FREE.search(original)
    stop = free.end() if free else len(original)
    head = original[:stop]
    text = list(original)
    receipt = _NO_RECEIPT.search(head)
    if receipt:
        text[receipt.start() : receipt.end()] = " " * (receipt.end() - receipt.start())
    names = tuple(_names(lexicon, head))
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


def _names(lexicon: Lexicon, head: str) -> Iterator[Name]:
    lumps = list(_LUMP.finditer(head))
    at = 0
    while at < len(lumps):
        for count in range(min(LONGEST, len(lumps) - at), 0, -1):
            name = _name(lexicon, head, lumps[at].start(), lumps[at + count - 1].end())
            if name is not None and not _is_keyword(lexicon, name, head, lumps, at):
                yield name
                at += count
                break
        else:
            at += 1


def _name(lexicon: Lexicon, head: str, start: int, end: int) -> Name | None:
    phrase = head[start:end]
    keyed = _keyed(phrase) if len(phrase) <= LENGTH else _keyed.__wrapped__(phrase)
    if keyed is None:
        return None
    key, offset = keyed
    if not offset and key in lexicon.units:
        return Name(start, end, "unit", key)
    if not offset and key in lexicon.persons:
        return Name(start, end, "person", key)
    if key in lexicon.places:
        return Name(start, end, "place", key, offset)
    return None


def _is_keyword(lexicon: Lexicon, name: Name, head: str, lumps: list[re.Match[str]], at: int) -> bool:
    """Whether a word that is a name as well is meant as a word: `outposts from …`, `in reserve`."""
    if head[name.start : name.end].casefold() not in KEYWORDS:
        return False
    begins = at == 0 or ":" in head[lumps[at - 1].end() : name.start]
    if not begins:
        return lumps[at - 1][0].casefold() not in BEFORE_NAMES
    following = lumps[at + 1] if at + 1 < len(lumps) else None
    if following is None:
        return False
    return following[0].casefold() == "from" or bool(_name(lexicon, head, following.start(), following.end()))


def stranger(lexicon: Lexicon, marked: Marked, before: int, told: Collection[str] = ()) -> tuple[int, str] | None:
    """The first word of a line, up to a column, that is neither a name nor a word of the language.

    *told*: words of another language that are none either.
    """
    inside = {at for name in marked.names for at in range(name.start, name.end)}
    for lump in _LUMP.finditer(marked.text):
        if lump.start() > before:
            return None
        word = lump[0].strip(".;!?")
        known = (
            word.casefold() in KEYWORDS or word.casefold() in told or _PLAIN.fullmatch(word) or word.upper() in COMPASS
        )
        if word and lump.start() not in inside and not known:
            return lump.start(), word
    return None
