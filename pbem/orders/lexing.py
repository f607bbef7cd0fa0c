"""How a line is cut into words, and run through the table of its language.

Lark's own contextual lexer would take the first of two words that begin alike.  `Cutter` does what that one does
(only what can stand at a place is looked for there), but leaves what is not clear, and takes what the language's
dialect has for it.  Lark makes the table of the language; `Machine` runs it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from lark import Token, Tree

from pbem.orders.kindness import COMPASS, SIGNS, Dialect
from pbem.orders.table import Build, Table

TYPED_FOR = str.maketrans(
    dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\t", " ")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u00b4`", "'")
    | dict.fromkeys("\u201c\u201d\u201e", '"')
)
"""One character for one, so that columns stay."""


SHORTEST = 3
"""How many letters of a word are enough, if no other begins so."""

END, STRANGE, PASSED = "$END", "STRANGE", "PASSED"
"""The kinds of what no grammar names: the end of a line, a word that cannot stand at its place, one passed over."""

NUMBER = "NUMBER"
"""What every language calls its numbers: behind one may stand the measure of it."""

TEXT = "TEXT"
"""What every language calls free text, of which no word is another's."""

_BETWEEN = re.compile(r"[\s,]*(?:\.[\s,]*$)?")
WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*(?![\w])")
"""A word of letters alone."""

_LUMP = re.compile(r"[\w'-]+|\S")
_MEASURE = re.compile(r"[\"'\u2032\u2033\u00b0]+")


def bare(text: str) -> str:
    """A line without its comment and the blanks at its end, every character in its old column.

    >>> bare("move p1 to Q\u20139   # the hill")
    'move p1 to Q-9'
    """
    typed = text if text.isascii() and "\t" not in text else text.translate(TYPED_FOR)
    return typed.partition("#")[0].rstrip()


REMEMBERED, LINE = 1024, 200
"""So many lines, and none of more letters, are remembered with their trees: a line is read more than once."""

_Takes = tuple[dict[str, str], dict[str, re.Pattern[str]]]
"""What the parser can take at a place: the names of literals by their words, and patterns by their names."""


class Cutter:
    """Cuts a line into tokens, each of a kind that the parser can take at that place.

    A literal word beats a pattern that reaches no farther (`e` is east, `E-1` a square), a longer pattern a
    shorter, and any of these the beginning of a literal.
    What is nothing of that becomes a token that no grammar takes.
    """

    def __init__(self, table: Table, dialect: Dialect, vague: Collection[str]) -> None:
        self.dialect, self.vague, self._literals = dialect, vague, table.literals
        self._patterns = {name: re.compile(one, re.IGNORECASE) for name, one in table.patterns.items()}

    def possible(self, names: Collection[str]) -> _Takes:
        """Among the terminals *names*, the literals, by their words, and the patterns."""
        return (
            {word: name for name, word in self._literals.items() if name in names},
            {name: pattern for name, pattern in self._patterns.items() if name in names},
        )

    def cut(
        self, text: str, at: int, literals: Mapping[str, str], patterns: Mapping[str, re.Pattern[str]], before: str
    ) -> Token:
        """The token at a place; a literal's word in full, as the grammar has it, its columns as typed.

        *before* is the kind of the one before.
        """
        word = WORD.match(text, at)
        found = []
        for name, pattern in patterns.items():
            if (match := pattern.match(text, at)) and self._whole(text, match.end(), name):
                found.append((match.end(), name))
        if word and (literal := word[0].casefold()) in literals and all(end <= word.end() for end, _ in found):
            return token_of(literals[literal], literal, at, word.end())
        end = max(found)[0] if found else 0
        best = next((name for reached, name in found if reached == end), "")
        if best and best not in self.vague:
            return token_of(best, text[at:end], at, end)
        if meant := self._meant(text, at, word, literals, patterns, before, end):
            return meant
        if best:
            return token_of(best, text[at:end], at, end)
        if word:
            full = [literal for literal in literals if begins(literal, word[0])]
            return token_of(literals[full[0]], full[0], at, word.end()) if len(full) == 1 else strange(text, at)
        signs = [literal for literal in literals if text.startswith(literal, at)]
        if signs and not signs[0].isalpha():
            return token_of(literals[signs[0]], signs[0], at, at + len(signs[0]))
        return token_of(PASSED, text[at], at, at + 1) if text[at] in SIGNS else strange(text, at)

    def _meant(
        self,
        text: str,
        at: int,
        word: re.Match[str] | None,
        literals: Mapping[str, str],
        patterns: Mapping[str, re.Pattern[str]],
        before: str,
        reached: int,
    ) -> Token | None:
        """What the dialect makes of a word that stands for nothing itself, or but for what any word may; None: nothing.

        *reached*: how far what any word may be goes.
        """
        if before == NUMBER and (measure := self._measure(text, at)):
            return token_of(PASSED, text[at:measure], at, measure)
        end, meant = self.dialect.meant(text, at) if word is not None else (at, ())
        for one in meant if end >= reached else ():
            if one in literals:
                return token_of(literals[one], one, at, end)
            for name, pattern in patterns.items():
                if name not in self.vague and pattern.fullmatch(one):
                    return token_of(name, one, at, end)
        if word is None or word.end() < reached:
            return None
        said = word[0].casefold()
        if said.endswith("s") and said[:-1] in literals:
            return token_of(literals[said[:-1]], said[:-1], at, word.end())
        return token_of(PASSED, word[0], at, word.end()) if said in self.dialect.passed_over else None

    def _measure(self, text: str, at: int) -> int:
        """Where the measure of a number ends that stands at a place; 0: there is none."""
        found = WORD.match(text, at) or _MEASURE.match(text, at)
        return found.end() if found and (found[0].casefold() in self.dialect.measures) else 0

    def _whole(self, text: str, end: int, name: str) -> bool:
        """Whether no word goes on at *end*, unless it is the measure of a number."""
        if end == len(text) or not (text[end - 1].isalnum() and text[end].isalnum()):
            return True
        return name == NUMBER and bool(self._measure(text, end))


def _end(match: re.Match[str] | None, otherwise: int = 0) -> int:
    return match.end() if match else otherwise


class _Typed(Token):
    """A token of a line, made with less ado: there are ten in an order."""

    __slots__ = ()

    def __new__(cls, kind: str, value: str, at: int, end: int) -> _Typed:
        made = str.__new__(cls, value)
        made.type, made.value = kind, value
        made.start_pos, made.line, made.column = at, 1, at + 1
        made.end_pos, made.end_line, made.end_column = end, 1, end + 1
        return made


def token_of(kind: str, value: str, at: int, end: int) -> Token:
    """A token of a kind, from one place of its line to another."""
    return _Typed(kind, value, at, end)


def strange(text: str, at: int) -> Token:
    """What stands at a place and can be nothing there."""
    lump = _LUMP.match(text, at)
    value = lump[0] if lump else text[at]
    return token_of(STRANGE, value, at, at + len(value))


def begins(whole: str, typed: str) -> bool:
    """Whether *typed* is enough of the beginning of *whole* to stand for it.

    >>> begins("charge", "Cha"), begins("charge", "ch"), begins("at", "at")
    (True, False, True)
    """
    typed = typed.casefold()
    return typed == whole or (len(typed) >= SHORTEST and whole.startswith(typed))


def canonical(text: str, tokens: Sequence[Token]) -> str:
    """A line as its *tokens* have it: words in full, nothing that was passed over; signs between them as typed.

    >>> canonical("FR-1 rücke nach 52,50", [token_of("MOVE", "move", 5, 10), token_of("TO", "to", 11, 15)])
    'move to'
    """
    parts, at = list[str](), None
    for token in tokens:
        start, end = token.start_pos or 0, token.end_pos or 0
        if at is not None:
            gap = text[at:start]
            parts.append(gap if not gap.strip(" ,\t") else " ")
        typed, word = text[start:end], str(token)
        meant = word.upper() if word.upper() in COMPASS else word
        parts.append(typed if typed.casefold() == word.casefold() else meant)
        at = end
    return "".join(parts)


class Failure(NamedTuple):
    """Where a line ceases to be an order: at which token, and where in the table of the language."""

    token: Token
    states: Sequence[int]


class Machine:
    """Runs the table of a language over one line; in half the time that Lark takes for it."""

    def __init__(self, table: Table, cutter: Cutter) -> None:
        self._end = table.end
        self._shifts: list[dict[str, int]] = []
        self._reductions: list[dict[str, tuple[int, str, Build]]] = []
        self._takes: dict[int, _Takes] = {}
        self._cutter, self._cut = cutter, cutter.cut
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._run)
        reduced = [(rule.size, rule.origin, rule.build()) for rule in table.rules]
        for steps in map(table.steps, range(len(table.states))):
            self._shifts.append({symbol: step for symbol, step in steps.items() if step >= 0})
            self._reductions.append({symbol: reduced[~step] for symbol, step in steps.items() if step < 0})

    def tree(self, text: str) -> Tree[Token] | None:
        """The tree of a line; None if it is no order."""
        found = self.run(text)
        return found if isinstance(found, Tree) else None

    def run(self, text: str) -> Tree[Token] | Failure:
        """The tree of a line, or where it is no order any more; whoever gets it leaves it as it is."""
        return self._remembered(text) if len(text) <= LINE else self._run(text)

    def cut(self, text: str, tokens: list[Token]) -> bool:
        """Whether a line is an order; its *tokens* are put into the list, without those passed over."""
        return isinstance(self._run(text, tokens), Tree)

    def _run(self, text: str, tokens: list[Token] | None = None) -> Tree[Token] | Failure:
        states, values, before = [0], list[object](), ""
        at, reduced = _end(_BETWEEN.match(text)), False
        while True:
            if at < len(text):
                token = self._cut(text, at, *self._could_be(states[-1]), before)
            else:
                token = token_of(END, "", len(text), len(text))
            kind = token.type
            if kind == PASSED:
                at = self._behind(text, token)
                continue
            while step := self._reductions[states[-1]].get(kind):
                reduced = True
                size, name, build = step
                first = len(values) - size
                value = build(values[first:])
                del values[first:], states[first + 1 :]
                states.append(self._shifts[states[-1]][name])
                values.append(value)
                if kind == END and states[-1] == self._end:
                    assert isinstance(value, Tree)
                    return value
            if kind in self._shifts[states[-1]]:
                states.append(self._shifts[states[-1]][kind])
                values.append(token)
                if tokens is not None:
                    tokens.append(token)
                before, reduced = kind, False
                at = self._behind(text, token)
            elif reduced and kind != END:
                # What could follow somewhere cannot here: it may be another word, or one to be passed over.
                reduced = False
            else:
                return Failure(token, tuple(states))

    def _could_be(self, state: int) -> _Takes:
        """What can be taken in a state; looked up when a line first comes to it."""
        found = self._takes.get(state)
        if found is None:
            found = self._takes[state] = self._cutter.possible({*self._shifts[state], *self._reductions[state]})
        return found

    def wanted(self, failure: Failure) -> list[str]:
        """The terminals that could stand where a line ceases to be an order."""
        last = failure.states[-1]
        return sorted(
            name for name in {*self._shifts[last], *self._reductions[last]} if self._stands(list(failure.states), name)
        )

    def _stands(self, states: list[int], kind: str) -> bool:
        while step := self._reductions[states[-1]].get(kind):
            size, name, _ = step
            del states[len(states) - size :]
            states.append(self._shifts[states[-1]][name])
            if kind == END and states[-1] == self._end:
                return True
        return kind in self._shifts[states[-1]] and (kind == END or kind.isupper() or kind.startswith("__"))

    @staticmethod
    def _behind(text: str, token: Token) -> int:
        """Where the next word begins."""
        assert token.end_pos is not None, "every token is made by token_of"
        return _end(_BETWEEN.match(text, token.end_pos), token.end_pos)
