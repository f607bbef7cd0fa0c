"""Words in a row, counts and beginnings: what sentences are made of, in receipts and in reports."""

from __future__ import annotations

import re
from collections.abc import Sequence

NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
ORDINALS = (
    "", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth",
)  # fmt: skip


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a row.

    >>> listed(["a square", "a piece", "off"], "or")
    'a square, a piece or off'
    """
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def stands_in(text: str, name: str) -> bool:
    """Whether a name or an address stands in a text as such, and not as a part of another.

    >>> stands_in("To: <ann@club.example>.", "ann@club.example"), stands_in("joann@club.example", "ann@club.example")
    (True, False)
    """
    return re.search(rf"(?<![\w.+%-]){re.escape(name)}(?!-?\w|\.\w)", text) is not None


def cap(text: str) -> str:
    """A sentence begins with a capital; the rest keeps what it has.

    >>> cap("the Germans rolled 4"), cap("UK-7 stood")
    ('The Germans rolled 4', 'UK-7 stood')
    """
    return text[:1].upper() + text[1:]


def number(count: int, most: int = 12) -> str:
    """A count in words up to *most*, at most twenty, then in figures.

    >>> number(3), number(15), number(15, most=20)
    ('three', '15', 'fifteen')
    """
    return NUMBERS[count] if 0 <= count <= min(most, len(NUMBERS) - 1) else str(count)


def ordinal(count: int) -> str:
    """`third`; past the fifteenth in figures.

    >>> ordinal(3), ordinal(16), ordinal(22), ordinal(111)
    ('third', '16th', '22nd', '111th')
    """
    if 0 < count < len(ORDINALS):
        return ORDINALS[count]
    teen = count // 10 % 10 == 1
    return f"{count}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(count % 10, 'th')}"


def counted(count: int, thing: str, things: str = "") -> str:
    """A count and its thing; *things* where the plural follows no rule.

    >>> counted(1, "corps HQ"), counted(4, "hex"), counted(2, "battery"), counted(0, "die"), counted(2, "man", "men")
    ('one corps HQ', 'four hexes', 'two batteries', 'no dice', 'two men')
    """
    return f"{number(count)} {thing if count == 1 else things or _plural(thing)}"


def _plural(thing: str) -> str:
    if thing == "die":
        return "dice"
    if thing.endswith("ry"):
        return f"{thing[:-1]}ies"
    return f"{thing}es" if thing.endswith("x") else f"{thing}s"


def signed(value: int) -> str:
    """A number with its sign, and a real minus.

    >>> signed(2), signed(-1), signed(0)
    ('+2', '−1', '0')
    """
    return f"+{value}" if value > 0 else f"−{-value}" if value else "0"
