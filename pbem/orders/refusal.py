"""Why a line is no order, for its writer."""

from __future__ import annotations

from typing import NamedTuple

from pbem.kernel.names import RuleId
from pbem.orders.grammar import Word, bare
from pbem.orders.sheet import Complaint, Judgement, Line


class Wrong(NamedTuple):
    """What stands in the way of an order, the rule that says so, and what would do."""

    why: str
    rule: str = ""
    instead: str = ""


def not_asked_for(what: str, rule: str) -> Wrong:
    """That an order is of a sort that does not count in this exchange."""
    return Wrong(f"this exchange does not ask for {what}; the line is kept and not used", rule)


class BadWord(Exception):
    """A word that the grammar takes, and that the game does not have; without one, it is the whole line."""

    def __init__(self, wrong: Wrong, token: Word | None = None) -> None:
        super().__init__(wrong.why)
        self.wrong, self.token = wrong, token


def complaint(line: Line, judgement: Judgement, wrong: Wrong, token: Word | None = None) -> Complaint:
    """A complaint about a line, or about one word of it."""
    text = bare(line.text)
    column = token.column if token is not None and token.column else len(text) - len(text.lstrip()) + 1
    width = (token.end_column or column) - column if token is not None else len(text.strip())
    if line.typed:
        column, width = as_typed(line, column, width)
    rule = RuleId(wrong.rule) if wrong.rule else None
    return Complaint(line.number, column, judgement, wrong.why, rule, wrong.instead, max(width, 1))


def mended(line: Line, token: Word, meant: str) -> str:
    """The line with what was probably meant in the place of a word; empty: nothing was."""
    if not (meant and token.column and token.end_column):
        return ""
    text = bare(line.text)
    return f"{text[: token.column - 1]}{meant}{text[token.end_column - 1 :]}".strip()


def as_typed(line: Line, column: int, width: int) -> tuple[int, int]:
    """Where in what was typed that stands which stands at a place of the line written out of it, and how wide it is.

    Where it does not, the whole line is meant: column 0.
    """
    at = bare(line.typed).casefold().find(line.text[column - 1 : column - 1 + width].casefold())
    return (at + 1, width) if at >= 0 and width < len(line.text) else (0, 1)
