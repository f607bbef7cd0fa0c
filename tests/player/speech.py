"""A grammar turned about: it makes order lines where a parser takes them, and counts what it has made."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from random import Random
from re import _constants as sign
from re import _parser as patterns
from typing import Any, NamedTuple

from lark import Token, Tree
from lark.grammar import NonTerminal, Rule, Terminal
from lark.lexer import PatternStr

from pbem.orders.grammar import Grammar
from pbem.orders.sheet import Complaint, Line
from pbem.orders.table import lark_of

DEEP = 9
"""Below this, the shortest way out of a rule is taken."""
LONG = 0.35
"""How likely a list goes on."""
FEW = 9
"""A range of more letters than this is no list of words."""
HOPES = 8
"""Having been tried in vain so many times counts as having been taken once."""
NAMED = re.compile(r"[^\s,:()=>]+")
"""A word or a name."""
MANY = 60
"""A pattern of more values than this is no list of words."""

Word = Callable[[str, Sequence[str]], str | None]
"""A word for a terminal, after the words already said; None: none of its own."""


class Said(NamedTuple):
    """A line, the verb it is of, and every part of the language that it uses."""

    text: str
    verb: str
    parts: frozenset[str]
    steps: tuple[int, ...]


def folded(text: str) -> str:
    """A word that may be written in several ways, in one.

    >>> folded("Attack_column")
    'attack column'
    """
    return re.sub(r"[\s_-]+", " ", text).casefold()


def values(pattern: str) -> tuple[str, ...] | None:
    """All that a pattern takes, if it is a list of words.

    >>> values("cavalry|superior[ _-]force")
    ('cavalry', 'superior force')
    >>> values(r"[a-z]+") is None
    True
    """
    try:
        found = tuple(dict.fromkeys(_words(list(patterns.parse(pattern)))))
    except OverflowError:
        return None
    return found if len(found) <= MANY else None


def _words(parsed: Sequence[Any]) -> list[str]:
    found = [""]
    for kind, what in parsed:
        found = [before + after for before in found for after in _one(kind, what)]
        if len(found) > MANY:
            raise OverflowError
    return found


def _one(kind: Any, what: Any) -> list[str]:
    if kind is sign.LITERAL:
        return [chr(what)]
    if kind is sign.BRANCH:
        return [word for branch in what[1] for word in _words(list(branch))]
    if kind is sign.SUBPATTERN:
        return _words(list(what[-1]))
    if kind is sign.IN:
        return _of_set(what)
    if kind is sign.MAX_REPEAT and what[1] == 1:
        return ["", *_words(list(what[2]))] if what[0] == 0 else _words(list(what[2]))
    if kind is sign.MAX_REPEAT and what[0] == 1 and next(iter(what[2]))[0] is sign.IN:
        return _words(list(what[2]))
    if kind in (sign.ASSERT, sign.ASSERT_NOT, sign.AT):
        return [""]
    raise OverflowError


def _of_set(what: Any) -> list[str]:
    """One of a set of signs: any of a few letters, but only the first of what merely parts words."""
    if what[0][0] is sign.NEGATE:
        raise OverflowError
    if any(kind is sign.CATEGORY and one is sign.CATEGORY_SPACE for kind, one in what):
        return [" "]
    signs: list[str] = []
    for kind, one in what:
        if kind is sign.LITERAL:
            signs.append(chr(one))
        elif kind is sign.RANGE and one[1] - one[0] < FEW:
            signs += [chr(letter) for letter in range(one[0], one[1] + 1)]
        else:
            raise OverflowError
    return signs if all(one.isalnum() for one in signs) else signs[:1]


class Speech:
    """One system's language, and how often each part of it has been taken for an order."""

    def __init__(self, grammar: Grammar) -> None:
        lark, self._grammar = lark_of(grammar.text), grammar
        self._hoped: Counter[str] = Counter()
        """How often each part stood in a line that might have been taken."""
        self._said: dict[str, frozenset[str]] = {}
        """Lines that would be taken, until they are."""
        self._rules: dict[str, list[tuple[int, Rule]]] = {}
        for number, rule in enumerate(lark.rules):
            self._rules.setdefault(rule.origin.name, []).append((number, rule))
        self._rules = {name: list(self._forms(name)) for name in self._rules}
        self._literal = {
            one.name: str(one.pattern.value) for one in lark.terminals if isinstance(one.pattern, PatternStr)
        }
        self._values = {
            one.name: (str(one.pattern.value),) if one.name in self._literal else values(one.pattern.to_regexp())
            for one in lark.terminals
        }
        self._words = {
            one
            for word in [*self._literal.values(), *chain(*filter(None, self._values.values()))]
            for one in NAMED.findall(word)
        }
        self._shapes: dict[str, frozenset[str]] = {}
        """The parts of lines that differ in their names alone."""
        self._folded = {(name, folded(one)): one for name, some in self._values.items() for one in some or ()}
        self._example = {
            name: found[-1].strip()
            for name, words in grammar._words.items()
            if (found := re.findall(r"like ([^,]+?)(?: or .*)?$", words))
        }
        for one in lark.terminals:
            fits = (word for word in ("1", "mill", "20%") if re.fullmatch(one.pattern.to_regexp(), word))
            self._example.setdefault(one.name, next(fits, "1"))
        self._depth = _depths(lark.rules)
        self.taken: Counter[str] = Counter()
        """How often each part stood in a line that was taken for an order."""
        self._used: Counter[int] = Counter()
        self._tried: Counter[tuple[str, int]] = Counter()
        self._fit: Counter[tuple[str, int]] = Counter()
        self.parts = frozenset(self._parts())

    def _forms(self, name: str) -> Iterator[tuple[int, Rule]]:
        """The forms of a part; of a table that stands there by its name alone, each of its own."""
        for number, rule in self._rules[name]:
            first, *more = rule.expansion or (None,)
            if _inlined(rule) and isinstance(first, NonTerminal) and not more and first.name != name:
                yield from self._forms(first.name)
            else:
                yield number, rule

    def say(self, random: Random, word: Word, when: str = "", verbs: Mapping[str, float] | None = None) -> Said:
        """A line; *when* names the time, for what fits now is said rather than what does not.

        *verbs* weighs the verbs; one that it does not name is not said.
        """
        choices = self._rules["order"]
        if verbs is not None:
            choices = [one for one in choices if _name(one[1]) in verbs]
        fit, tried, used = self._fit.get, self._tried.get, self._used.get
        weights = [
            (fit((when, number), 0) + 1)
            / (tried((when, number), 0) + 2)
            / (1 + used(number, 0)) ** 0.5
            * (1.0 if verbs is None else verbs[_name(rule)])
            for number, rule in choices
        ]
        number, rule = random.choices(choices, weights)[0]
        said, parts, steps = list[str](), set[str](), list[int]()
        self._derive(rule, number, _name(rule), 0, random, word, said, parts, steps)
        return Said(" ".join(said), _name(rule), frozenset({_name(rule), *parts}), tuple(steps))

    def heard(self, said: Said, when: str, *, taken: bool) -> None:
        """Remember whether a line was taken for an order."""
        self._tried[when, said.steps[0]] += 1
        if taken:
            self._fit[when, said.steps[0]] += 1
            self._used.update(set(said.steps))
            self._said[said.text] = said.parts

    def scarcest(self, blocks: Sequence[str], most: int, random: Random) -> list[str]:
        """Of lines, or blocks of lines, those that hold what was taken least, in the order given.

        What was tried often and never taken is tried less.
        """
        held = [self._held(block) for block in blocks]
        chosen = set[int]()
        order = sorted(range(len(blocks)), key=lambda number: (self._least(held[number]), random.random()))
        for number in order:
            if len(chosen) == most:
                break
            chosen.add(number)
            self._hoped.update(held[number])
        return [blocks[number] for number in sorted(chosen)]

    def _least(self, parts: frozenset[str]) -> float:
        """How often that part was taken that was taken least."""
        return min((self.taken[part] + self._hoped[part] / HOPES for part in parts), default=0)

    def _held(self, block: str) -> frozenset[str]:
        """The parts of a line, or of the lines of a block."""
        found = frozenset[str]()
        for line in block.splitlines():
            shape = NAMED.sub(self._named, line.casefold())
            if shape not in self._shapes:
                self._shapes[shape] = self._parts_of(line)
            found |= self._shapes[shape]
        return found

    def _named(self, found: re.Match[str]) -> str:
        """A word of the language; anything else is a name, and one name is as good as another."""
        return found[0] if found[0] in self._words else "@"

    def ordered(self, text: str) -> None:
        """Count the parts of a line that was an order of a sheet that was played."""
        parts = self._said.pop(text, None)
        self.taken.update(self._parts_of(text) if parts is None else parts)

    def _parts_of(self, text: str) -> frozenset[str]:
        tree = self._grammar.parse(Line(1, text))
        return frozenset() if isinstance(tree, Complaint) else frozenset(self._in(tree, ""))

    def _in(self, tree: Tree[Token], inside: str) -> Iterator[str]:
        """The parts of a line that is read."""
        name = str(tree.data)
        yield f"{inside}/{name}" if inside else name
        for child in tree.children:
            if isinstance(child, Tree):
                yield from self._in(child, name)
            elif (value := self._folded.get((getattr(child, "type", ""), folded(str(child))))) is not None:
                yield f"{name}/{child.type}={value}"

    # ------------------------------------------------------------ one line

    def _derive(
        self, rule: Rule, number: int, inside: str, depth: int, random: Random, word: Word,
        said: list[str], parts: set[str], steps: list[int],
    ) -> None:  # fmt: skip
        steps.append(number)
        for symbol in rule.expansion:
            if isinstance(symbol, Terminal):
                text = self._word(symbol, inside, random, word, said, parts)
                said.append(text)
                continue
            choice, chosen = self._choose(symbol.name, depth, random)
            within = inside if _inlined(chosen) else _name(chosen)
            if within != inside or not _inlined(chosen):
                parts.add(f"{inside}/{within}")
            self._derive(chosen, choice, within, depth + 1, random, word, said, parts, steps)

    def _choose(self, name: str, depth: int, random: Random) -> tuple[int, Rule]:
        choices = self._rules[name]
        if depth > DEEP:
            return min(choices, key=lambda one: self._cost(one[1]))
        if name.startswith("__"):
            return random.choices(choices, [LONG if _goes_on(rule) else 1 - LONG for _, rule in choices])[0]
        return random.choices(choices, [(1 + self._used.get(number, 0)) ** -0.5 for number, _ in choices])[0]

    def _cost(self, rule: Rule) -> int:
        return max([0, *(self._depth[one.name] for one in rule.expansion if isinstance(one, NonTerminal))])

    def _word(
        self, symbol: Terminal, inside: str, random: Random, word: Word, said: Sequence[str], parts: set[str]
    ) -> str:
        if symbol.name in self._literal:
            text = self._literal[symbol.name]
            if not symbol.filter_out:
                parts.add(f"{inside}/{symbol.name}={text}")
            return text
        text_ = word(symbol.name, said)
        listed = self._values[symbol.name]
        if text_ is None and listed:
            weights = [(1 + self.taken[f"{inside}/{symbol.name}={one}"]) ** -0.5 for one in listed]
            text_ = random.choices(listed, weights)[0]
        if text_ is None:
            text_ = self._example[symbol.name]
        if listed and text_ in listed:
            parts.add(f"{inside}/{symbol.name}={text_}")
        return text_

    # ------------------------------------------------------------ the whole language

    def _parts(self) -> Iterator[str]:
        """Every part that there is: each verb, each option of each, each value of each that is a list of words."""
        met, left = set[tuple[str, str]](), [("order", "")]
        while left:
            name, inside = left.pop()
            if (name, inside) in met:
                continue
            met.add((name, inside))
            for _, rule in self._rules[name]:
                within = inside if name != "order" and _inlined(rule) else _name(rule)
                if (name, inside) == ("order", ""):
                    yield within
                elif name == "order" or within != inside or not _inlined(rule):
                    yield f"{inside}/{within}"
                for symbol in rule.expansion:
                    if isinstance(symbol, NonTerminal):
                        left.append((symbol.name, within))
                    elif symbol.name not in self._literal:
                        for one in self._values[symbol.name] or ():
                            yield f"{within}/{symbol.name}={one}"
                    elif not symbol.filter_out:  # type: ignore[attr-defined]
                        yield f"{within}/{symbol.name}={self._literal[symbol.name]}"


def _name(rule: Rule) -> str:
    return str(rule.alias or rule.origin.name)


def _inlined(rule: Rule) -> bool:
    """Whether a rule leaves no node of its own: a list, or one that is only another by name."""
    kept = [one for one in rule.expansion if not getattr(one, "filter_out", False)]
    return rule.alias is None and (rule.origin.name.startswith("_") or (rule.options.expand1 and len(kept) == 1))


def _goes_on(rule: Rule) -> bool:
    return any(one.name == rule.origin.name for one in rule.expansion)


def _depths(rules: Sequence[Rule]) -> dict[str, int]:
    """How deep the shortest way out of each rule is."""
    found = {rule.origin.name: 1000 for rule in rules}
    for _ in found:
        for rule in rules:
            inner = [found[one.name] for one in rule.expansion if isinstance(one, NonTerminal)]
            found[rule.origin.name] = min(found[rule.origin.name], 1 + max([0, *inner]))
    return found


@cache
def speech_of(grammar: Grammar) -> Speech:
    """The language of *grammar*; its counts are nobody's."""
    return Speech(grammar)
