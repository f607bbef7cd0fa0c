"""The table that Lark makes of a language of orders, as this project keeps it.

To make one takes Lark longer than all else that a letter costs from a cold start; to read one takes next to nothing.
So those of the five systems lie in `tables`, each with the digest of the grammar that it was made of: where the grammar
has changed since, or the system is another's, Lark makes it anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from lark import Lark, Tree
from lark.grammar import Rule as LarkRule
from lark.lexer import PatternStr
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_parser_state import ParseConf
from msgspec import DecodeError, Struct, json

TABLES = Path(__file__).parent / "tables"
"""A file for each system that has one: `st-privat.json`."""

Kept = int | tuple[int] | None
"""One child of a part: that of this number, the children of that one in its place, or nothing, where nothing stood."""

Build = Callable[[list[object]], object]


class Rule(Struct, frozen=True, array_like=True):
    """How the last parts of a line become one."""

    origin: str
    """What they are together: the symbol that is looked up next."""
    name: str
    """By what name the part stands in the tree."""
    size: int
    """How many they are."""
    kept: tuple[Kept, ...]
    alone: bool
    """Whether a single child stands for the part."""

    def build(self) -> Build:
        """What makes the part of its children."""
        name, kept, alone = self.name, self.kept, self.alone
        whole = kept == tuple(range(self.size))

        def build(children: list[object]) -> object:
            found = children if whole else _chosen(kept, children)
            return found[0] if alone and len(found) == 1 else Tree(name, found)

        return build


class Table(Struct, frozen=True):
    """The table of a language: what may stand at each place of a line, and what it leads to."""

    grammar: str
    """The digest of the grammar that it was made of."""
    literals: dict[str, str]
    """The words of the language by their names, in small letters."""
    patterns: dict[str, str]
    """All other terminals: regular expressions, by their names."""
    end: int
    """The state in which a line is an order; it begins in the first."""
    rules: tuple[Rule, ...]
    symbols: tuple[str, ...]
    states: tuple[tuple[tuple[int, int], ...], ...]
    """In each state for a symbol, by its number, the next state; or the rule that holds there, counted from -1 down."""

    def steps(self, state: int) -> Mapping[str, int]:
        """What each symbol leads to in a state."""
        return {self.symbols[symbol]: step for symbol, step in self.states[state]}


def table_of(text: str, system: str = "") -> Table:
    """The table of the language of a grammar: that which lies ready for the *system*, or a new one."""
    try:
        found = json.decode((TABLES / f"{system}.json").read_bytes(), type=Table)
    except (OSError, DecodeError):
        return made(text)
    return found if found.grammar == digest(text) else made(text)


def digest(text: str) -> str:
    """By what a grammar is told from every other."""
    return sha256(text.encode()).hexdigest()


def lark_of(text: str) -> Lark:
    """What Lark makes of a grammar, `order` the rule for a line."""
    return Lark(text, start="order", parser="lalr", lexer="basic")


def made(text: str) -> Table:
    """The table of a language, made by Lark: the same each time."""
    lark = lark_of(text)
    conf = lark.parse_interactive("").parser_state.parse_conf
    words = [one for one in lark.terminals if isinstance(one.pattern, PatternStr)]
    literals = {str(one.name): str(one.pattern.value).casefold() for one in words}
    patterns = {str(one.name): one.pattern.to_regexp() for one in lark.terminals if one.name not in literals}
    numbers = _numbered(conf)
    steps = {number: sorted(conf.states[state].items()) for state, number in numbers.items()}
    rules = dict.fromkeys(to for there in steps.values() for _, (action, to) in there if action is not Shift)
    at = {rule: -number for number, rule in enumerate(rules, start=1)}
    symbols = sorted({str(symbol) for there in steps.values() for symbol, _ in there})
    return Table(
        grammar=digest(text),
        literals=literals,
        patterns=patterns,
        end=numbers[conf.end_state],
        rules=tuple(map(_rule, rules)),
        symbols=tuple(symbols),
        states=tuple(
            tuple((symbols.index(symbol), numbers[to] if action is Shift else at[to]) for symbol, (action, to) in there)
            for there in steps.values()
        ),
    )


def _numbered(conf: ParseConf[int]) -> dict[int, int]:
    """The states in the order in which they are come to: Lark numbers them by chance."""
    found, queue = {conf.start_state: 0}, [conf.start_state]
    for state in queue:
        for _, (action, to) in sorted(conf.states[state].items()):
            if action is Shift and to not in found:
                found[to] = len(found)
                queue.append(to)
    return found


def _rule(rule: LarkRule) -> Rule:
    return Rule(
        str(rule.origin.name),
        str(rule.alias or rule.options.template_source or rule.origin.name),
        len(rule.expansion),
        tuple(_kept(rule)),
        bool(rule.options.expand1 and not rule.alias),
    )


def _kept(rule: LarkRule) -> Iterator[Kept]:
    """What stays of the children of a part, as Lark's tree builder has it: no word that the grammar has in quotes."""
    symbols = iter(enumerate(rule.expansion))
    for nothing in rule.options.empty_indices or [False] * len(rule.expansion):
        if nothing:
            yield None
            continue
        at, symbol = next(symbols)
        if not symbol.is_term and symbol.name.startswith("_"):
            yield (at,)
        elif rule.options.keep_all_tokens or not getattr(symbol, "filter_out", False):
            yield at


def _chosen(kept: Iterable[Kept], children: list[object]) -> list[object]:
    found: list[object] = []
    for one in kept:
        if one is None:
            found.append(None)
        elif isinstance(one, int):
            found.append(children[one])
        else:
            part = children[one[0]]
            assert isinstance(part, Tree)
            found += part.children
    return found
