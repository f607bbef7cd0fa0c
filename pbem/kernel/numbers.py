"""Whole numbers as people type them.

`str.isdigit` takes `²` and `①` for numbers, which `int` does not read; and `int` reads no number of 4,301 digits.
"""

from __future__ import annotations

import re

_WHOLE = re.compile(r"\d{1,9}")
_SIGNED = re.compile(r"[+\-\N{MINUS SIGN}]?\d{1,9}")


def whole(text: str, *, sign: bool = False) -> int | None:
    """The number that *text* is: of nine digits at most, of any script, with a *sign* only if it may have one.

    None if it is none.

    >>> whole("12"), whole(" 7 "), whole("\N{FULLWIDTH DIGIT FOUR}"), whole("-3", sign=True)
    (12, 7, 4, -3)
    >>> whole("\N{SUPERSCRIPT TWO}"), whole("-3"), whole("--3", sign=True), whole("1.5"), whole("9" * 5000), whole("")
    (None, None, None, None, None, None)
    """
    said = text.strip()
    if not (_SIGNED if sign else _WHOLE).fullmatch(said):
        return None
    return int(said.replace("\N{MINUS SIGN}", "-"))
