"""What all order languages share: how a line becomes the tree of an order, and what is said when it is none.

A system writes its language in Lark's notation and gives it to `Grammar`, with the `Dialect` of its players.  The rule
`order` is one line; every order has a literal word, its verb.  Common to all, and so not in any system's grammar:

- blanks, commas and a last full stop part words and mean nothing; `#` begins a comment;
- literal words are read in any case, and by any beginning of three letters or more that only one of the words
  possible at that place has; a whole word beats a beginning;
- letters of other keyboards are read as meant: a no-break space is a blank, a long dash a hyphen;
- what `kindness` lists is taken where it can mean one thing, and what `retelling` can write out as one order or
  several is read as those;
- what is no order so is read in the other languages that there are tables of (`tongues`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from lark import Token, Tree
from msgspec.structs import replace

from pbem.orders.kindness import PLAIN, Dialect
from pbem.orders.lexing import END, TYPED_FOR, WORD, Cutter, Failure, Machine, bare, begins
from pbem.orders.prose import listed
from pbem.orders.retelling import Groups, looked_in_vain, may_look_elsewhere, retold, run_on
from pbem.orders.sheet import Complaint, Judgement, Line
from pbem.orders.suggest import like, look_into
from pbem.orders.table import Table, table_of
from pbem.orders.tongues import Tongue, heard, languages

__all__ = ["TYPED_FOR", "Grammar", "Node", "Word", "bare", "begins", "child", "part", "parts_in", "words_in", "written"]

Word = Token
"""A word of an order line, as a system finds it in the line's tree."""
Node = Tree
"""A part of an order line, by the name that the system's grammar gives it."""

LONGEST = 40
"""How many letters of what is not understood are quoted."""

MOST = 6
"""How much of what could stand at a place is named."""

LONGEST_TOLD = 240
"""A longer line is read in the order language alone."""

_JOINED = re.compile(r"[^\W_]+")


def written(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines that say something: neither blank nor all comment."""
    return (line for line in lines if bare(line.text).strip(" ,."))


EXPLAINED = 2_000
"""So many mistakes are remembered with what was wrong: a line is read more than once, and is sent again as it was."""


class Grammar:
    """The order language of one system.

    *text* is its grammar in Lark's notation, `order` the rule for a line.  *examples* has one full example
    for each verb, by the words that the order begins with (`hold`, `hold fire`).  *words* says in words what
    a terminal is that is no literal (`SQUARE`: `a square, like J-9`).  *vague* are the terminals that take nearly any
    word: that one of them takes it does not show that the word was meant so.  *dialect*: how its players write.
    *system*: by what name the tables of other languages know it.
    """

    def __init__(
        self,
        text: str,
        *,
        examples: Mapping[str, str],
        words: Mapping[str, str],
        vague: Collection[str] = (),
        dialect: Dialect = PLAIN,
        system: str = "",
    ) -> None:
        self.text, self._words, self.examples, self._vague = text, words, examples, vague
        self.dialect, self._system = dialect, system
        self._explained: dict[tuple[str, frozenset[str]], Complaint] = {}

    @cached_property
    def table(self) -> Table:
        """Looked up when the first line is read: most commands read none.

        :raises ValueError: if a terminal has no words by which it could be asked for.
        """
        table = table_of(self.text, self._system)
        if mute := [name for name in table.patterns if name not in self._words]:
            raise ValueError(f"no words for the terminals {', '.join(mute)}")
        return table

    @cached_property
    def _machine(self) -> Machine:
        return self._reads(self.dialect)

    def _reads(self, dialect: Dialect) -> Machine:
        return Machine(self.table, Cutter(self.table, dialect, self._vague))

    @cached_property
    def tongues(self) -> tuple[Tongue, ...]:
        """The language in other languages; made when a line is read that is no order in its own."""
        found = tuple(Tongue(language, self._system, self.dialect) for language in languages())
        for tongue in found:
            tongue.machine = self._reads(tongue.dialect)
        return found

    def parse(self, line: Line, names: Collection[str] = ()) -> Tree[Token] | Complaint:
        """The tree of one order line, or what is wrong with it.

        *names* are those that the writer may know; one of them is suggested for a word that is not known.
        Literal words stand in the tree in full and in small letters; every token has its column.
        """
        found = self._machine.run(bare(line.text))
        if not isinstance(found, Failure):
            return found
        mistake = (line.text, frozenset(names))
        if known := self._explained.get(mistake):
            return replace(known, line=line.number)
        if not look_into():
            # It is no order: what a long explanation of the last of many is good for, nobody would read.
            why = "it is no order, as were many lines above; mend those first"
            return Complaint(line.number, 0, Judgement.NOT_UNDERSTOOD, why)
        if len(self._explained) >= EXPLAINED:
            self._explained.clear()
        said = self._explained[mistake] = self._explain(line, found, names)
        return said

    def orders_in(
        self, line: Line, names: Collection[str] = (), groups: Groups | None = None
    ) -> list[tuple[Line, Tree[Token] | Complaint]]:
        """The orders of one line, each with its tree, or the line with what is wrong with it.

        A line that is no order as it is written is written out as one or several, if it can be.
        """
        text = bare(line.text)
        tree = self._machine.tree(text)
        if tree is not None:
            return [(line, tree)]
        told, other = self.translated(text), True
        if not told:
            told, other = retold(text, self.takes, self.dialect, names, groups), False
        if not told:
            told, other = self.translated(text, names, groups), True
        trees = [(Line(line.number, one, line.text), self._machine.tree(one)) for one in told]
        found = [(one, tree) for one, tree in trees if tree is not None]
        for one, _ in found if other else ():
            heard(line.number, one.text)
        return [*found] or [(line, self.parse(line, names))]

    def translated(
        self, text: str, names: Collection[str] | None = None, groups: Groups | None = None
    ) -> tuple[str, ...]:
        """The orders that a line says in another language, as the order language has them; nothing, if it says none.

        Without *names* it is one order; with those that the writer may know it may be several, as `retelling` has it.
        """
        for tongue in self.tongues_of(text, surely=names is None) if may_look_elsewhere() else ():
            if found := next(filter(self.takes, tongue.orders_of(text)), ""):
                return (found,)
            if names is not None and (told := tongue.retold(text, self.takes, tongue.dialect, names, groups)):
                return told
            looked_in_vain()
        return ()

    def tongues_of(self, text: str, *, surely: bool = True) -> Iterator[Tongue]:
        """The languages of which a line has words; *surely*: such as show it by themselves."""
        return (one for one in self.tongues if len(text) <= LONGEST_TOLD and one.marks(text, surely=surely))

    def glossed(self, text: str) -> str:
        """A line with each word of another language as what it means first; itself, if it has none that shows one."""
        return next((tongue.word_by_word(text) for tongue in self.tongues_of(text)), text)

    def joined(self, lines: Iterable[Line], names: Collection[str] = ()) -> Iterator[Line]:
        """The lines that say something; one that begins with `then` goes on with that above, if both are one."""
        says = lambda line: sum(isinstance(one, Tree) for _, one in self.orders_in(line, names))  # noqa: E731 - one use
        # What is an order as it stands goes on with nothing, in whatever language.
        return run_on(written(lines), says, lambda text: text if self.takes(text) else self.glossed(text))

    def tree(self, text: str) -> Tree[Token] | None:
        """The tree of an order; None if it is none."""
        return self._machine.tree(text)

    def takes(self, text: str) -> bool:
        """Whether a text is an order of the language."""
        return self.tree(text) is not None

    def read(
        self, lines: Iterable[Line], names: Collection[str] = (), groups: Groups | None = None
    ) -> tuple[list[tuple[Line, Tree[Token]]], list[Complaint]]:
        """The trees of all lines that are orders, and complaints on those that are not."""
        trees: list[tuple[Line, Tree[Token]]] = []
        complaints: list[Complaint] = []
        for typed in self.joined(lines, names):
            for line, parsed in self.orders_in(typed, names, groups):
                if isinstance(parsed, Complaint):
                    complaints.append(parsed)
                else:
                    trees.append((line, parsed))
        return trees, complaints

    def example(self, text: str, tongue: Tongue | None = None) -> str:
        """A full example of the order that *text* begins, be it in a *tongue*; empty if it begins none."""
        text = text if tongue is None else tongue.word_by_word(text)
        typed = [word[0] for word in WORD.finditer(bare(text))][:2]
        fits = [
            verb for verb in self.examples if len(verb.split()) <= len(typed) and all(map(begins, verb.split(), typed))
        ]
        return self.examples[max(fits, key=lambda verb: len(verb.split()))] if fits else ""

    def _explain(self, line: Line, failure: Failure, names: Collection[str]) -> Complaint:
        """What is wrong with a line; in the language in which more of it is an order."""
        said = self._complaint(line, failure, names)
        if said.instead:
            return said
        text = bare(line.text)
        for tongue in self.tongues:
            assert tongue.machine is not None, "it has been made with it"
            found = tongue.machine.run(text)
            if not isinstance(found, Failure) or _place(found) < _place(failure):
                continue
            other = self._complaint(line, found, names, tongue)
            if other.instead or (_place(found) > _place(failure) and tongue.marks(text)):
                return other
        return said

    def _complaint(
        self, line: Line, failure: Failure, names: Collection[str], tongue: Tongue | None = None
    ) -> Complaint:
        machine = tongue.machine if tongue is not None and tongue.machine is not None else self._machine
        token, expected = failure.token, machine.wanted(failure)
        text = bare(line.text)
        if token.type == END:
            return Complaint(
                line.number,
                len(text) + 1,
                Judgement.NOT_UNDERSTOOD,
                f"the order breaks off here; expected {self._wanted(expected, tongue=tongue)}",
                example=self.example(text, tongue),
            )
        typed = text[(token.start_pos or 0) : (token.end_pos or len(text))]
        column = token.column or 1
        literals = [self.table.literals[name] for name in expected if name in self.table.literals]
        meant = [literal for literal in literals if begins(literal, typed)]
        if len(meant) > 1:
            either = listed([f'"{word}"' for word in meant], "or")
            full = [f"{text[: column - 1]}{word}{text[column - 1 + len(typed) :]}".strip() for word in meant]
            fits = [one for one in full if self.takes(one)]
            return Complaint(
                line.number, column, Judgement.NOT_CLEAR, f'"{typed}" may be {either}; write it in full',
                instead=fits[0] if len(fits) == 1 else "", width=len(typed),
            )  # fmt: skip
        first = not text[: column - 1].strip(" ,")
        if tongue is None:
            guess = self._meant(text, column - 1, typed, literals, names)
        else:
            guess = self._meant_in(tongue, text, column - 1, typed, literals)
        why = f'"{typed[:LONGEST]}" is no order' if first else f'"{typed[:LONGEST]}" does not fit here'
        if guess and guess[0] in names and guess[0] not in literals:
            why = f'"{typed[:LONGEST]}" is no name'
        if guess is None:
            why = f"{why}; {'orders begin with' if first else 'expected'} {self._wanted(expected, typed, tongue)}"
            instead, example = "", self.example(text, tongue)
        else:
            example = ""
            word, instead = guess
            why = f'{why}; a ":" is missing before it' if word == ":" else f'{why}; did you mean "{word}"?'
        return Complaint(
            line.number, column, Judgement.NOT_UNDERSTOOD, why, instead=instead, example=example, width=len(typed)
        )  # fmt: skip

    def _meant_in(
        self, tongue: Tongue, text: str, at: int, typed: str, literals: Sequence[str]
    ) -> tuple[str, str] | None:
        """The word of another language that may have been meant, and the line with it, which is an order in that."""
        usual = [one for word in literals for one in tongue.said_for.get(word, ())[:1] if " " not in one]
        for word in dict.fromkeys((*like(typed, usual), *like(typed, tongue.meaning(literals)))):
            mended = f"{text[:at]}{word}{text[at + len(typed) :]}".strip()
            if word != typed and self.translated(mended):
                return word, mended
        return None

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
        wanting += [(f"{sign}{typed}", f"{before}{sign}{text[at:]}") for sign in literals if sign == "@"]
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

    def _wanted(self, expected: Sequence[str], typed: str = "", tongue: Tongue | None = None) -> str:
        """What could stand at a place, in words: the likeliest first, by the examples, and of many not all.

        Words of the language are said as those of a *tongue*, if one is given.
        """
        kinds = [self._words[name] for name in expected if name in self._words]
        literals = [self.table.literals[name] for name in expected if name in self.table.literals]
        ends = ["the end of the order"] if END in expected else []
        if len(literals) + len(set(kinds)) + len(ends) > MOST:
            near, usual = like(typed, literals), [verb.split()[0] for verb in self.examples]
            rank = {word: at for at, word in reversed(list(enumerate((*near, *usual))))}
            literals.sort(key=lambda word: rank.get(word, len(rank)))
        if tongue is not None:
            literals = list(dict.fromkeys([*tongue.said_for.get(word, ()), word][0] for word in literals))
        found = [*dict.fromkeys(kinds), *(f'"{word}"' for word in literals), *ends]
        if len(found) <= MOST + 1:
            return listed(found, "or")
        return f"{', '.join(found[:MOST])} and others"


def _place(failure: Failure) -> int:
    return failure.token.start_pos or 0


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
