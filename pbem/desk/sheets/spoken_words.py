"""Words to the office, as they are in the language that is spoken."""

from __future__ import annotations

from pbem.orders.tongues import languages
from pbem.reports.text.speech import language


def also_said(word: str) -> str:
    """The words to the office that mean one of them in the language that is spoken, in brackets; in English none."""
    return f"   ({row})" if (row := _row(word)) else ""


def as_spoken(word: str) -> str:
    """A word to the office as it is in the language that is spoken."""
    return _row(word).partition(",")[0] or word


def _row(word: str) -> str:
    return next((one.office.words.get(word, "") for one in languages() if one.code == language()), "")
