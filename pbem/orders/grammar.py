"""What all order languages share: how a line is cut into words, and what is said when it is no order.

A system writes its language in Lark's notation and gives it to `Grammar`.  The rule `order` is one line;
every order begins with a literal word, its verb.  Common to all, and so not in any system's grammar:

- blanks, commas and a last full stop part words and mean nothing; `#` begins a comment;
- literal words are read in any case, and by any beginning of three letters or more that only one of the words
  possible at that place has; a whole word beats a beginning;
- letters of other keyboards are read as meant: a no-break space is a blank, a long dash a hyphen.

Lark's own contextual lexer would take the first of two words that begin alike.  `_ByContext` does what that
one does (only what the parser can take at a place is looked for there), but leaves what is not clear.
Lark makes the table of the language; `_Machine` runs it, and a line that it does not take is Lark's to explain.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from lark import Lark, Token, Tree, UnexpectedToken
from lark.common import LexerConf
from lark.lexer import Lexer, LexerState, PatternStr
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_parser_state import ParseConf, ParserState
from msgspec.structs import replace

from pbem.orders.prose import listed
from pbem.orders.sheet import Complaint, Judgement, Line
from pbem.orders.suggest import like, look_into

Word = Token
"""A word of an order line, as a system finds it in the line's tree."""
Node = Tree
"""A part of an order line, by the name that the system's grammar gives it."""

SHORTEST = 3
"""How many letters of a word are enough, if no other begins so."""

LONGEST = 40
"""How many letters of what is not understood are quoted."""

TYPED_FOR = str.maketrans(
    dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u202f\t", " ")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\u2018\u2019\u00b4`", "'")
    | dict.fromkeys("\u201c\u201d\u201e", '"')
)
"""One character for one, so that columns stay."""

MOST = 8
"""How much of what could stand at a place is named."""

_BETWEEN = re.compile(r"[\s,]*(?:\.[\s,]*$)?")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*(?![\w])")
_JOINED = re.compile(r"[^\W_]+")
_LUMP = re.compile(r"[\w'-]+|\S")
_END, _STRANGE = "$END", "STRANGE"


def bare(text: str) -> str:
    """A line without its comment and the blanks at its end, every character in its old column.

    >>> bare("move p1 to Q\u20139   # the hill")
    'move p1 to Q-9'
    """
    typed = text if text.isascii() and "\t" not in text else text.translate(TYPED_FOR)
    return typed.partition("#")[0].rstrip()


def written(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines that say something: neither blank nor all comment."""
    return (line for line in lines if bare(line.text).strip(" ,."))


_Takes = tuple[dict[str, str], dict[str, re.Pattern[str]]]
"""What the parser can take at a place: the names of literals by their words, and patterns by their names."""


class _ByContext(Lexer):
    """Cuts a line into tokens, each of a kind that the parser can take at that place.

    A literal word beats a pattern that reaches no farther (`e` is east, `E-1` a square), a longer pattern a
    shorter, and any of these the beginning of a literal.
    What is nothing of that becomes a token that no grammar takes.
    """

    __future_interface__ = 1

    def __init__(self, conf: LexerConf) -> None:
        self._literals = {
            one.name: str(one.pattern.value).casefold() for one in conf.terminals if isinstance(one.pattern, PatternStr)
        }
        self._patterns = {
            one.name: re.compile(one.pattern.to_regexp(), re.IGNORECASE)
            for one in conf.terminals
            if not isinstance(one.pattern, PatternStr)
        }

    def lex(self, lexer_state: LexerState, parser_state: ParserState[int]) -> Iterator[Token]:
        """The tokens of a line, each cut when the parser has taken the one before."""
        text = lexer_state.text.text
        states = parser_state.parse_conf.parse_table.states
        at = _end(_BETWEEN.match(text))
        while at < len(text):
            token = self.cut(text, at, *self.possible(states[parser_state.position]))
            yield token
            assert token.end_pos is not None, "every token is made by _token"
            at = _end(_BETWEEN.match(text, token.end_pos), token.end_pos)

    def possible(self, names: Collection[str]) -> _Takes:
        """Among the terminals *names*, the literals, by their words, and the patterns."""
        return (
            {word: name for name, word in self._literals.items() if name in names},
            {name: pattern for name, pattern in self._patterns.items() if name in names},
        )

    @staticmethod
    def cut(text: str, at: int, literals: Mapping[str, str], patterns: Mapping[str, re.Pattern[str]]) -> Token:
        """The token at a place; a literal's word in full, as the grammar has it, its columns as typed."""
        word = _WORD.match(text, at)
        found = []
        for name, pattern in patterns.items():
            if (match := pattern.match(text, at)) and _whole(text, match.end()):
                found.append((match.end(), name))
        if word and (literal := word[0].casefold()) in literals and all(end <= word.end() for end, _ in found):
            return _token(literals[literal], literal, at, word.end())
        if found:
            end = max(found)[0]
            name = next(name for reached, name in found if reached == end)
            return _token(name, text[at:end], at, end)
        if word:
            meant = [literal for literal in literals if begins(literal, word[0])]
            return _token(literals[meant[0]], meant[0], at, word.end()) if len(meant) == 1 else _strange(text, at)
        signs = [literal for literal in literals if text.startswith(literal, at)]
        if signs and not signs[0].isalpha():
            return _token(literals[signs[0]], signs[0], at, at + len(signs[0]))
        return _strange(text, at)


def _end(match: re.Match[str] | None, otherwise: int = 0) -> int:
    return match.end() if match else otherwise


def _whole(text: str, end: int) -> bool:
    """Whether no word goes on at *end*."""
    return end == len(text) or not (text[end - 1].isalnum() and text[end].isalnum())


class _Typed(Token):
    """A token of a line, made with less ado: there are ten in an order."""

    __slots__ = ()

    def __new__(cls, kind: str, value: str, at: int, end: int) -> _Typed:
        made = str.__new__(cls, value)
        made.type, made.value = kind, value
        made.start_pos, made.line, made.column = at, 1, at + 1
        made.end_pos, made.end_line, made.end_column = end, 1, end + 1
        return made


def _token(kind: str, value: str, at: int, end: int) -> Token:
    return _Typed(kind, value, at, end)


def _strange(text: str, at: int) -> Token:
    lump = _LUMP.match(text, at)
    value = lump[0] if lump else text[at]
    return _token(_STRANGE, value, at, at + len(value))


def begins(whole: str, typed: str) -> bool:
    """Whether *typed* is enough of the beginning of *whole* to stand for it.

    >>> begins("charge", "Cha"), begins("charge", "ch"), begins("at", "at")
    (True, False, True)
    """
    typed = typed.casefold()
    return typed == whole or (len(typed) >= SHORTEST and whole.startswith(typed))


class _Machine:
    """Runs the table that Lark has made of a language, over one line; in half the time that Lark takes for it."""

    def __init__(self, table: ParseConf[int], lexer: _ByContext) -> None:
        self._start, self._end = table.start_state, table.end_state
        self._shifts: dict[int, dict[str, int]] = {}
        self._reductions: dict[int, dict[str, tuple[int, str, Callable[[list[object]], object]]]] = {}
        self._takes: dict[int, _Takes] = {}
        self._cut = lexer.cut
        for state, steps in table.states.items():
            shifts, reductions = self._shifts.setdefault(state, {}), self._reductions.setdefault(state, {})
            self._takes[state] = lexer.possible(steps)
            for name, (action, to) in steps.items():
                if action is Shift:
                    shifts[name] = to
                else:
                    reductions[name] = (len(to.expansion), to.origin.name, table.callbacks[to])

    def tree(self, text: str) -> Tree[Token] | None:
        """The tree of a line; None if it is no order."""
        states, values = [self._start], list[object]()
        at = _end(_BETWEEN.match(text))
        while True:
            kind, token = _END, None
            if at < len(text):
                token = self._cut(text, at, *self._takes[states[-1]])
                kind = token.type
            while step := self._reductions[states[-1]].get(kind):
                size, name, build = step
                first = len(values) - size
                value = build(values[first:])
                del values[first:], states[first + 1 :]
                states.append(self._shifts[states[-1]][name])
                values.append(value)
                if token is None and states[-1] == self._end:
                    assert isinstance(value, Tree)
                    return value
            if token is None or kind not in self._shifts[states[-1]]:
                return None
            states.append(self._shifts[states[-1]][kind])
            values.append(token)
            assert token.end_pos is not None, "every token is made by _token"
            at = _end(_BETWEEN.match(text, token.end_pos), token.end_pos)


EXPLAINED = 2_000
"""So many mistakes are remembered with what was wrong: a line is read more than once, and is sent again as it was."""


class Grammar:
    """The order language of one system.

    *text* is its grammar in Lark's notation, `order` the rule for a line.  *examples* has one full example
    for each verb, by the words that the order begins with (`hold`, `hold fire`).  *words* says in words what
    a terminal is that is no literal (`SQUARE`: `a square, like J-9`).  *vague* are the terminals that take nearly any
    word: that one of them takes it does not show that the word was meant so.
    """

    def __init__(
        self, text: str, *, examples: Mapping[str, str], words: Mapping[str, str], vague: Collection[str] = ()
    ) -> None:
        self._text, self._words, self.examples, self._vague = text, words, examples, vague
        self._explained: dict[tuple[str, frozenset[str]], Complaint] = {}

    @cached_property
    def _lark(self) -> Lark:
        """Made when the first line is read: it takes a while, and most commands read none."""
        lark = Lark(self._text, start="order", parser="lalr", lexer=_ByContext)
        patterns = [one.name for one in lark.terminals if not isinstance(one.pattern, PatternStr)]
        if mute := [name for name in patterns if name not in self._words]:
            raise ValueError(f"no words for the terminals {', '.join(mute)}")
        return lark

    @cached_property
    def _machine(self) -> _Machine:
        table = self._lark.parse_interactive("").parser_state.parse_conf
        return _Machine(table, _ByContext(self._lark.lexer_conf))

    @cached_property
    def _literals(self) -> dict[str, str]:
        return {
            one.name: str(one.pattern.value).casefold()
            for one in self._lark.terminals
            if isinstance(one.pattern, PatternStr)
        }

    def parse(self, line: Line, names: Collection[str] = ()) -> Tree[Token] | Complaint:
        """The tree of one order line, or what is wrong with it.

        *names* are those that the writer may know; one of them is suggested for a word that is not known.
        Literal words stand in the tree in full and in small letters; every token has its column.
        """
        text = bare(line.text)
        tree = self._machine.tree(text)
        if tree is not None:
            return tree
        mistake = (line.text, frozenset(names))
        if known := self._explained.get(mistake):
            return replace(known, line=line.number)
        if not look_into():
            # It is no order: what a long explanation of the last of many is good for, nobody would read.
            why = "it is no order, as were many lines above; mend those first"
            return Complaint(line.number, 0, Judgement.NOT_UNDERSTOOD, why)
        try:
            return self._lark.parse(text)
        except UnexpectedToken as error:
            if len(self._explained) >= EXPLAINED:
                self._explained.clear()
            found = self._explained[mistake] = self._complaint(line, error, names)
            return found

    def read(
        self, lines: Iterable[Line], names: Collection[str] = ()
    ) -> tuple[list[tuple[Line, Tree[Token]]], list[Complaint]]:
        """The trees of all lines that are orders, and complaints on those that are not."""
        trees: list[tuple[Line, Tree[Token]]] = []
        complaints: list[Complaint] = []
        for line in written(lines):
            parsed = self.parse(line, names)
            if isinstance(parsed, Complaint):
                complaints.append(parsed)
            else:
                trees.append((line, parsed))
        return trees, complaints

    def example(self, text: str) -> str:
        """A full example of the order that *text* begins; empty if it begins none."""
        typed = [word[0] for word in _WORD.finditer(bare(text))][:2]
        fits = [
            verb for verb in self.examples if len(verb.split()) <= len(typed) and all(map(begins, verb.split(), typed))
        ]
        return self.examples[max(fits, key=lambda verb: len(verb.split()))] if fits else ""

    def _complaint(self, line: Line, error: UnexpectedToken, names: Collection[str]) -> Complaint:
        token, expected = error.token, sorted(error.accepts or error.expected)
        text = bare(line.text)
        if token.type == _END:
            return Complaint(
                line.number,
                len(text) + 1,
                Judgement.NOT_UNDERSTOOD,
                f"the order breaks off here; expected {self._wanted(expected)}",
                instead=self.example(text),
            )
        typed = text[(token.start_pos or 0) : (token.end_pos or len(text))]
        column = token.column or 1
        literals = [self._literals[name] for name in expected if name in self._literals]
        meant = [literal for literal in literals if begins(literal, typed)]
        if len(meant) > 1:
            either = listed([f'"{word}"' for word in meant], "or")
            return Complaint(
                line.number, column, Judgement.NOT_CLEAR, f'"{typed}" may be {either}',
                instead=f"write it in full: {either}", width=len(typed),
            )  # fmt: skip
        first = not text[: column - 1].strip(" ,")
        guess = self._meant(text, column - 1, typed, literals, names)
        why = f'"{typed[:LONGEST]}" is no order' if first else f'"{typed[:LONGEST]}" does not fit here'
        if guess and guess[0] in names and guess[0] not in literals:
            why = f'"{typed[:LONGEST]}" is no name'
        if guess is None:
            why = f"{why}; {'orders begin with' if first else 'expected'} {self._wanted(expected, typed)}"
            instead = self.example(text)
        else:
            word, instead = guess
            why = f'{why}; a ":" is missing before it' if word == ":" else f'{why}; did you mean "{word}"?'
        return Complaint(
            line.number, column, Judgement.NOT_UNDERSTOOD, why, instead=instead, width=len(typed)
        )  # fmt: skip

    def _meant(
        self, text: str, at: int, typed: str, literals: Sequence[str], names: Collection[str]
    ) -> tuple[str, str] | None:
        """What may have been meant by a word, and the line with that, which is an order; None if nothing is.

        It is a word like it, or else it wants the one word before it without which it does not fit.  Who leaves the
        hyphen out of one name does so in all.
        """
        before, after = text[:at], _hyphened(text[at + len(typed) :], names)
        for word in (*like(typed, literals), *like(typed, names)):
            mended = f"{before}{word}{after}".strip()
            if word != typed and self._machine.tree(mended) is not None:
                return word, mended
        if not before.strip():
            return None
        wanting = [(f"{word} {typed}", f"{before}{word} {text[at:]}") for word in literals if word.isalpha()]
        wanting += [(sign, f"{before.rstrip()}{sign} {text[at:]}") for sign in literals if sign == ":"]
        fits = [(words, line) for words, line in wanting if self._fits(line, len(line) - len(text) + at)]
        return fits[0] if len(fits) == 1 else None

    def _fits(self, text: str, at: int) -> bool:
        """Whether a line is an order in which the word at a place is what only such a word can be."""
        tree = self._machine.tree(text)
        if tree is None:
            return False
        here = [one for one in tree.scan_values(lambda one: isinstance(one, Token)) if one.start_pos == at]
        return text[:at].rstrip().endswith(":") or not any(one.type in self._vague for one in here)

    def _wanted(self, expected: Sequence[str], typed: str = "") -> str:
        """What could stand at a place, in words: the likeliest first, by the examples, and of many not all."""
        kinds = [self._words[name] for name in expected if name in self._words]
        literals = [self._literals[name] for name in expected if name in self._literals]
        ends = ["the end of the order"] if _END in expected else []
        if len(literals) + len(set(kinds)) + len(ends) > MOST:
            near, usual = like(typed, literals), [verb.split()[0] for verb in self.examples]
            rank = {word: at for at, word in reversed(list(enumerate((*near, *usual))))}
            literals.sort(key=lambda word: rank.get(word, len(rank)))
        found = [*dict.fromkeys(kinds), *(f'"{word}"' for word in literals), *ends]
        if len(found) <= MOST + 1:
            return listed(found, "or")
        return f"{', '.join(found[:MOST])} and {len(found) - MOST} others"


def _hyphened(text: str, names: Collection[str]) -> str:
    """*text* with every one of *names* in full that stands in it without its hyphen.

    >>> _hyphened("attach UK33, uk7", ["UK-33", "RU-7"])
    'attach UK-33, uk7'
    """
    known = {name.replace("-", "").casefold(): name for name in names if "-" in name}
    return _JOINED.sub(lambda one: known.get(one[0].casefold(), one[0]), text)


def words_in(node: Node[Word], kind: str = "") -> list[Word]:
    """The words that stand in a part itself; those of one *kind*, if it is given."""
    return [one for one in node.children if isinstance(one, Word) and (not kind or one.type == kind)]


def parts_in(node: Node[Word], *names: str) -> list[Node[Word]]:
    """The parts of a part; those of these *names*, if any are given."""
    return [one for one in node.children if isinstance(one, Node) and (not names or one.data in names)]


def part(node: Node[Word], *names: str) -> Node[Word] | None:
    """The first part of these names."""
    return next(iter(parts_in(node, *names)), None)


def child(node: Node[Word], *names: str) -> Node[Word]:
    """The first part of these names, where the grammar has one."""
    return parts_in(node, *names)[0]
