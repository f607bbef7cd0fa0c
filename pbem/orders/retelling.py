"""A line that says several things, or says them in another order, written out as orders of the language.

`p1-4`, `PR-1, 2 and 3`, `all hold`, orders parted by `;` or `then`, a verb before the units or behind them, a length
before its direction: each is a form of words, tried one after the other, and what comes of it counts only if the
language takes all of it.  Nothing is left out and no word put in that was not written, but the names of which one was
written for several.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache

from pbem.orders.kindness import Dialect, compass_words
from pbem.orders.lexing import bare
from pbem.orders.prose import NUMBERS
from pbem.orders.sheet import Line

Groups = Mapping[str, Sequence[str]]
"""For `all`, `infantry`, `cavalry` and `guns`: the units of that kind that have no order of their own."""

Takes = Callable[[str], bool]
"""Whether a text is an order of the language."""

LONGEST = 400
"""A longer line is taken as it is written, or not at all."""

TRIES = 24
"""So many forms of one line are tried in vain."""

FRUITLESS = 30
"""Of so many lines of a text it is tried in vain what they say."""

WIDEST = 40
"""So many units are the most that a range stands for."""

_MARK = re.compile(r"^\s*(?:[-*+>\u2022\u00b7]|\(?\d{1,2}[.)])\s+")
_LATER = re.compile(
    r"^(?:and\s+then|then|and|also|next|after\s+that|afterwards|finally|lastly)\b[\s,:]*", re.IGNORECASE
)
_THEREON = re.compile(r"(?:and\s+)?then\b", re.IGNORECASE)
_SURE, _THEN = r"\s*;\s*|\s+/+\s+|[.!]\s+(?=[^\W\d_])", r"\s*,?\s*\b(?:and\s+)?then\b[\s,]*"
_PARTS = (
    re.compile(_SURE),
    re.compile(rf"{_SURE}|{_THEN}", re.IGNORECASE),
    re.compile(rf"{_SURE}|{_THEN}|\s*,?\s*\band\b[\s,]*|\s*,\s+", re.IGNORECASE),
)  # fmt: skip
"""What may part one order from the next, the surest first."""

_RANGE = re.compile(
    r"(?<![\w@])([^\W\d_][\w/-]*?|\d+/[^\W\d_]+/)(\d{1,3})\s*(?:-|\.{2,}|\bto\b|\bthrough\b|\bthru\b)\s*([^\W\d_][\w/-]*?)?"
    r"(\d{1,3})(?![\w/]|[.:]\d)",
    re.IGNORECASE,
)
_ROW = re.compile(
    r"(?<![\w@])([^\W\d_][\w-]*?)(\d{1,3})((?:\s*(?:,\s*and\b|,|&|\+|/|\band\b)\s*\d{1,3}(?![\w.:]))+)", re.IGNORECASE
)
_LOOSE = re.compile(r"(?<![\w/-])([^\W\d_]{1,3})[ _.]?([^\W_]{1,4})(?![\w-])")
_WAY = re.compile(
    rf"(?P<far>\d+(?:\.\d+)?|{'|'.join(NUMBERS[1:])})\s*(?P<measure>[^\W\d_]*|[\"']+)\s+(?:to\s+the\s+|towards?\s+(?:the\s+)?)?"
    rf"(?P<way>{compass_words()})(?![\w-])",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"\b(?:{'|'.join(NUMBERS[1:])})\b", re.IGNORECASE)
_BETWEEN = r"\s*(?:,\s*and\b|,|\+|&|\band\b|\s)\s*"
_ALL = re.compile(
    r"\b(?:all|everybody|everyone|every|rest|everything)\b(?P<kind>(?:\s+(?:my|the|of|our|others?|else|them|units|unit|rest|remaining|"
    r"troops|infantry|cavalry|guns|artillery|foot|horse))*)",
    re.IGNORECASE,
)  # fmt: skip
_HOLD = ("hold", "halt", "stay", "wait", "nothing", "none")
"""What is for all where nobody is named."""
_KINDS = {"guns": "guns", "artillery": "guns", "infantry": "infantry", "foot": "infantry",
          "cavalry": "cavalry", "horse": "cavalry"}  # fmt: skip


@dataclass(slots=True)
class Budget:
    """How many more lines of a text are tried of which nothing comes, and in other languages."""

    left: int
    others: int = FRUITLESS


_BUDGET: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def bounded() -> Iterator[Budget]:
    """Within it only `FRUITLESS` lines are tried in vain; then all are taken as they are written, or not at all."""
    budget = Budget(FRUITLESS)
    token = _BUDGET.set(budget)
    try:
        yield budget
    finally:
        _BUDGET.reset(token)


def may_look_elsewhere() -> bool:
    """Whether it is asked of one more line what it says in another language."""
    budget = _BUDGET.get()
    return budget is None or budget.others > 0


def looked_in_vain() -> None:
    """Count a line that says nothing in another language."""
    budget = _BUDGET.get()
    if budget is not None:
        budget.others -= 1


class _Trial:
    """Asks whether a text is an order, `TRIES` times in vain at the most."""

    def __init__(self, takes: Takes) -> None:
        self._takes, self._left = takes, TRIES

    @property
    def spent(self) -> bool:
        """Whether it says no to whatever is asked."""
        return not self._left

    def __call__(self, text: str) -> bool:
        if self._left and self._takes(text):
            return True
        self._left -= self._left > 0
        return False


def retold(
    text: str,
    takes: Takes,
    dialect: Dialect,
    names: Collection[str] = (),
    groups: Groups | None = None,
    *,
    again: bool = False,
) -> tuple[str, ...]:
    """The orders that a line says which is none as it is written; nothing, if it cannot be told which.

    *names*: those that the writer may know.  *again*: it was tried before, and counts no more if it is in vain.
    """
    budget = _BUDGET.get()
    if len(text) > LONGEST or (budget is not None and not budget.left):
        return ()
    trial = _Trial(takes)
    if found := _retold(text, trial, dialect, names, groups or {}):
        return found
    if budget is not None and not again:
        budget.left -= 1
    return ()


def _retold(text: str, takes: _Trial, dialect: Dialect, names: Collection[str], groups: Groups) -> tuple[str, ...]:
    known = _known(frozenset(names))
    said = _spread(_MARK.sub("", text, count=1).strip(), known, dialect)
    for parting in (None, *_PARTS):
        parts = [part for part in parting.split(said) if part.strip(" ,.")] if parting else [said]
        if parting and len(parts) < 2:
            continue
        if found := _all_told(parts, takes, dialect, groups):
            return found
    return ()


def _all_told(parts: Sequence[str], takes: _Trial, dialect: Dialect, groups: Groups) -> tuple[str, ...]:
    """All parts of a line, each told; one that names nobody is for those of the part before."""
    found: list[str] = []
    subject = ""
    for part in parts:
        told = _told(part, takes, dialect, groups)
        if not told and subject:
            told = _told(f"{subject} {part}", takes, dialect, groups)
        if not told:
            return ()
        found += told
        subject = _subject(part, dialect) or subject
    return tuple(found)


def _told(part: str, takes: _Trial, dialect: Dialect, groups: Groups) -> list[str]:
    """One part of a line as an order, or as one for each of several units."""
    tried = set[str]()
    for text in _forms(part.strip(" ,."), dialect, groups):
        if text in tried:
            continue
        if takes.spent:
            return []
        tried.add(text)
        if takes(text):
            return [text]
        single = _singly(text, dialect)
        if single and all(map(takes, single)):
            return single
    return []


def _forms(part: str, dialect: Dialect, groups: Groups) -> Iterator[str]:
    """A part in every order that its words may have."""
    for text in dict.fromkeys((part, _LATER.sub("", part))):
        for said in dict.fromkeys((text, *dialect.orders_of(text))):
            for named in (said, *_of_all(said, dialect, groups)):
                for turned in (named, _WAY.sub(r"\g<way> \g<far> \g<measure>", named), _figures(named)):
                    yield turned
                    yield from dialect.orders_of(turned)
                    yield _moved(turned, dialect)


def _figures(text: str) -> str:
    """A line with its numbers in figures."""
    return _NUMBER.sub(lambda found: str(NUMBERS.index(found[0].casefold())), text)


def _of_all(text: str, dialect: Dialect, groups: Groups) -> Iterator[str]:
    """A line for all, or for nobody, with the names of those it is for."""
    if not groups or not dialect.names:
        return
    found = _ALL.search(text)
    if found:
        ids = groups.get(_kind(found), ())
        rest = f"{text[: found.start()]}\0{text[found.end() :]}"
    elif text.casefold() in _HOLD:
        ids, rest = groups.get("all", ()), (f"\0 {text}" if dialect.leads else f"{text} \0")
    else:
        return
    if ids:
        yield rest.replace("\0", dialect.joined.join(ids))


def _singly(text: str, dialect: Dialect) -> list[str]:
    """A line for several units as one for each of them."""
    run = _run(dialect.names)
    found = run.search(text) if run else None
    if found is None or not dialect.names:
        return []
    ids = re.findall(dialect.names, found[0], re.IGNORECASE)
    if len(ids) < 2:
        return []
    return [f"{text[: found.start()]}{one}{text[found.end() :]}" for one in dict.fromkeys(ids)]


def _moved(text: str, dialect: Dialect) -> str:
    """A line with its verb before its units instead of behind them, or the other way; empty: it has not both."""
    run = _run(dialect.names)
    if run is None:
        return ""
    found = run.search(text)
    if found is None:
        return ""
    before, rest = text[: found.start()].strip(" ,:"), text[found.end() :].strip(" ,:")
    if dialect.leads and before and len(before.split()) <= 4:
        return f"{found[0]} {before} {rest}"
    if not dialect.leads and not before and rest:
        verb, _, more = re.sub(r"^to\s+", "", rest).partition(" ")
        return f"{verb} {dialect.joined.join(re.findall(dialect.names, found[0], re.IGNORECASE))} {more}".strip()
    return ""


def _subject(part: str, dialect: Dialect) -> str:
    """Whom a part is for, if its language begins with that."""
    if dialect.subject and (found := dialect.subject.match(part)):
        return found[0]
    run = _run(dialect.names) if dialect.leads else None
    found = run.search(part) if run else None
    return found[0] if found else ""


@lru_cache(maxsize=16)
def _run(names: str) -> re.Pattern[str] | None:
    """Names in a row."""
    return re.compile(rf"(?<![\w/@-])(?:{names})(?:{_BETWEEN}(?:{names}))*(?![\w/])", re.IGNORECASE) if names else None


@lru_cache(maxsize=64)
def _known(names: frozenset[str]) -> Mapping[str, str]:
    return {name.replace("-", "").casefold(): name for name in names}


def _spread(text: str, known: Mapping[str, str], dialect: Dialect) -> str:
    """A line with every name in full: its hyphen, all of a range, all of a row of numbers."""

    def named(*parts: str) -> str:
        return known.get("".join(parts).replace("-", "").casefold(), "")

    def loose(found: re.Match[str]) -> str:
        return (named(found[1], found[2]) if "-" in named(found[1], found[2]) else "") or found[0]

    def spread(found: re.Match[str]) -> str:
        head, first, other, last = found[1], int(found[2]), found[3], int(found[4])
        alike = not other or other.replace("-", "").casefold() == head.replace("-", "").casefold()
        if not alike or not first < last < first + WIDEST or not named(head, found[2]):
            return found[0]
        return dialect.joined.join(name for at in range(first, last + 1) if (name := named(head, str(at))))

    def row(found: re.Match[str]) -> str:
        numbers = [found[2], *re.findall(r"\d+", found[3])]
        names = [named(found[1], number) for number in numbers]
        return dialect.joined.join(names) if all(names) else found[0]

    if not known:
        return text
    return _ROW.sub(row, _RANGE.sub(spread, _LOOSE.sub(loose, text)))


def without_others(groups: Groups, texts: Sequence[str], dialect: Dialect, names: Collection[str]) -> Groups:
    """The *groups* without those units that a line of the sheet names first; `all` without those of its groups."""
    run, known = _run(dialect.names), _known(frozenset(names))
    if run is None or not any(_ALL.search(text) or text.strip().casefold() in _HOLD for text in texts):
        return groups
    firsts = [run.search(_spread(text, known, dialect)) for text in texts]
    named = [re.findall(dialect.names, found[0], re.IGNORECASE) for found in firsts if found]
    kinds = [kind for text in texts if (found := _ALL.search(text)) and (kind := _kind(found)) != "all"]
    ordered = {one.casefold() for ids in named for one in ids}
    left = {kind: [one for one in ids if one.casefold() not in ordered] for kind, ids in groups.items()}
    of_kind = {one for kind in kinds for one in left.get(kind, ())}
    return {**left, "all": [one for one in left.get("all", ()) if one not in of_kind]}


def _kind(found: re.Match[str]) -> str:
    """Of what arm all are meant."""
    said = found["kind"].casefold().split()
    return next((kind for word, kind in _KINDS.items() if word in said), "all")


def run_on(lines: Iterable[Line], says: Callable[[Line], int], glossed: Callable[[str], str]) -> Iterator[Line]:
    """The lines, one that begins with `then` as the end of the line above it, where both are one order.

    *says*: how many orders a line is; *glossed*: a line of another language, word by word.
    """
    above: Line | None = None
    for line in lines:
        text = bare(line.text).strip()
        if above is not None and (_THEREON.match(text) or _THEREON.match(glossed(text))):
            both = Line(above.number, f"{bare(above.text).rstrip(' ,.;')} {text}", above.text)
            if says(both) == 1:
                above = both
                continue
        if above is not None:
            yield above
        above = line
    if above is not None:
        yield above
