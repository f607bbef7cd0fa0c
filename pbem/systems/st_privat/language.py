"""The order language, and an order as it is read from a line before anybody judges it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files

from lark import Token, Tree

from pbem.kernel.names import RuleId
from pbem.orders.grammar import Grammar, bare
from pbem.orders.sheet import Complaint, Judgement, Line
from pbem.systems.st_privat import orders as say
from pbem.systems.st_privat.refusal import Wrong

EXAMPLES: Mapping[str, str] = {
    "place": "place f1+f2+f3 at H-9 in face n",
    "section": "section fg1 limbered with limber 1",
    "dummy": "dummy fd1 at C-6",
    "show": "show f5+f6",
    "show orders": "show orders",
    "siege at": "siege at N-15",
    "siege reveal": "siege reveal",
    "command": "command f1+f9+f17",
    "cinc": "cinc fh2",
    "move": "move p1+p2+p3 via I-16 I-15 I-14",
    "turn": "turn @J-10 e",
    "form": "form @J-10 column order p4+p1+p2",
    "enter": "enter f3+f4",
    "leave": "leave f3+f4",
    "limber": "limber pg1",
    "unlimber": "unlimber pg1 face s",
    "prolong": "prolong fg2 to J-8 face n",
    "detach": "detach fg1 in",
    "man": "man fg1",
    "card": "card fd3 to C-7",
    "exit": "exit f1+f2",
    "demolish": "demolish p7+p8 wall H-9|H-10",
    "hold": "hold @J-9",
    "hold fire": "hold fire f3+f4",
    "fire": "fire f1+f2 at J-10 else I-10",
    "shoot": "shoot pg1 shell at H-9 structure",
    "targets": "targets all infantry guns nearest",
    "charge": "charge @H-10+@G-9 at H-9 with ph1 if odds 2-1",
    "initiative": "initiative first",
    "retreat": "retreat all toward e d1",
    "advance": "advance @H-10 2 via H-9 H-8",
    "losses": "losses f4+f2+f1",
    "reveal": "reveal f1+f2",
    "reset": "reset all",
}
"""One full example of each order, by the words that it begins with."""

WORDS = {
    "ID": "a piece, like p1",
    "SQUARE": "a square, like J-9",
    "NUMBER": "a number",
    "ODDS": "odds, like 2-1",
}
"""Terminals that are no literal words, in words."""

GRAMMAR = Grammar(
    files("pbem.systems.st_privat").joinpath("orders.lark").read_text("utf-8"), examples=EXAMPLES, words=WORDS
)

Node = Tree[Token]


@dataclass(frozen=True)
class Draft:
    """An order as read from a line, before anybody judges it."""

    line: Line
    order: say.Order
    spots: Mapping[str, Token] = field(default_factory=dict)
    """Where words stand, by what they are: `units`, `units.0`, `square`, `via.2`."""

    def complaint(self, judgement: Judgement, wrong: Wrong, spot: str = "") -> Complaint:
        """A complaint about this line, or about a word of it."""
        rule = RuleId(wrong.rule) if wrong.rule else None
        return complaint(self.line, judgement, wrong.why, self.spots.get(spot), rule=rule, instead=wrong.instead)

    def refused(self, wrong: Wrong, spot: str = "") -> Complaint:
        """The refusal of this line."""
        return self.complaint(Judgement.NOT_ALLOWED, wrong, spot)


def complaint(
    line: Line,
    judgement: Judgement,
    why: str,
    token: Token | None = None,
    *,
    rule: RuleId | None = None,
    instead: str = "",
) -> Complaint:
    """A complaint about a line, or about one word of it."""
    text = bare(line.text)
    column = token.column if token is not None and token.column else len(text) - len(text.lstrip()) + 1
    width = (token.end_column or column) - column if token is not None else len(text.strip())
    return Complaint(line.number, column, judgement, why, rule, instead, max(width, 1))
