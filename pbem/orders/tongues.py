"""Orders in other languages: what their words mean, from tables of data, one file a language.

A line that the order language takes as it stands is read so; only of another is it asked what it says in a tongue.
Each word then means what has a place where it stands, and the line is written out as the order language has it: that is
what is read, judged and kept.  So a sheet may mix languages, and nothing that was read depends on the tables later.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from lark import Token
from msgspec import Struct, convert
from msgspec.structs import replace

from pbem.kernel import marks
from pbem.orders.kindness import LITTLE, Dialect
from pbem.orders.lexing import TEXT, Machine, canonical
from pbem.orders.names import WRITTEN_OUT
from pbem.orders.retelling import Groups, Takes, retold

TABLES = Path(__file__).parent / "languages"
_WORD = re.compile(r"(?<![\w@/-])[^\W\d_]+(?![\w/-])")
_OTHERWISE = 60
"""So many other meanings of single words of a line are tried."""
_LETTERS = 4
"""A word of fewer letters does not show by itself in which language a line is written, unless a letter of it does."""


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the table of a language: of all systems, or of one."""

    words: Mapping[str, str] = {}
    """For each word of the order language those that mean it, parted by commas; the first is offered."""
    lengths: tuple[str, ...] = ()
    """What may stand behind a number."""
    forms: Mapping[str, str] = {}
    """Other ways to write a line, each a pattern and what is written for it."""


class Office(Struct, frozen=True, forbid_unknown_fields=True):
    """The words to the office, and those that may follow them."""

    words: Mapping[str, str] = {}
    said: Mapping[str, str] = {}


class Language(Struct, frozen=True):
    """The table of a language."""

    code: str
    name: str
    """In the language itself."""
    little: frozenset[str]
    """Words passed over where the language of orders has no place for them."""
    parted: tuple[str, ...]
    """Endings of verbs that may stand apart from them: of `rücke vor` is written `rücke nach … vor`."""
    common: Section
    systems: Mapping[str, Section]
    office: Office
    """What is written to the office."""


@cache
def languages() -> tuple[Language, ...]:
    """The languages that there is a table of."""
    return tuple(_language(path) for path in sorted(TABLES.glob("*.toml")))


def _language(path: Path) -> Language:
    table = tomllib.loads(path.read_text("utf-8"))
    little = frozenset(form for word in table.pop("little").split() for form in spellings(word))
    name, parted = table.pop("name"), tuple(table.pop("parted", "").split())
    office = convert(table.pop("office", {}), Office)
    common = convert({key: table.pop(key) for key in ("words", "lengths", "forms")}, Section)
    systems = {system: convert(section, Section) for system, section in table.items()}
    return Language(path.stem, name, little, parted, common, systems, office)


def spellings(word: str) -> tuple[str, ...]:
    """A word in small letters, and with its umlauts written out, if it has any.

    >>> spellings("Höhe"), spellings("halten")
    (('höhe', 'hoehe'), ('halten',))
    """
    small = word.casefold().replace("ss", "ß") if "ß" in word else word.casefold()
    out = small
    for letter, letters in WRITTEN_OUT:
        out = out.replace(letter, letters)
    return (small,) if out == small else (small, out)


def listed_in(row: str) -> list[str]:
    """The words of a row of a table."""
    return [word.strip() for word in row.split(",") if word.strip()]


class Tongue:
    """The language of one system's orders in another language.

    *machine*: what reads a line, by the table of the system's own language, with the dialect of this one.
    """

    def __init__(self, language: Language, system: str, dialect: Dialect) -> None:
        own = language.systems.get(system, Section())
        self.language = language
        self.rows = [(word, row) for table in (own.words, language.common.words) for word, row in table.items()]
        meant_by = self._meant_by(dialect)
        passed = (word for word, meant in meant_by.items() if not dialect.passed_over.isdisjoint(meant))
        self.dialect = replace(
            dialect,
            lengths=(*dialect.lengths, *(one.casefold() for one in (*own.lengths, *language.common.lengths))),
            little=(*dialect.little, *language.little, *passed),
            forms={**own.forms, **language.common.forms, **self._apart(), **dialect.forms},
            meant_by=meant_by,
        )
        self.machine: Machine | None = None
        self._meaning: dict[frozenset[str], Sequence[str]] = {}

    @cached_property
    def said_for(self) -> Mapping[str, tuple[str, ...]]:
        """For each word of the order language those that mean it, in small letters."""
        found: dict[str, tuple[str, ...]] = {}
        for word, row in self.rows:
            found[word] = (*found.get(word, ()), *(one.casefold() for one in listed_in(row)))
        return found

    def _apart(self) -> Mapping[str, str]:
        """The forms of verbs whose ending stands apart from them."""
        found: dict[str, str] = {}
        for word, row in self.rows:
            for said in listed_in(row):
                verb, _, ending = said.rpartition(" ")
                if verb and ending in self.language.parted:
                    for form in spellings(verb):
                        for last in spellings(ending):
                            found.setdefault(rf"\b{form} (.+?) {last}(?![\w/-])", rf"{word} \1")
        return found

    def meaning(self, words: Collection[str]) -> Sequence[str]:
        """The single words that may mean one of these *words* of the order language."""
        asked = frozenset(words)
        if asked not in self._meaning:
            own = self.dialect.meant_by.items()
            self._meaning[asked] = [one for one, meant in own if " " not in one and not asked.isdisjoint(meant)]
        return self._meaning[asked]

    def _meant_by(self, dialect: Dialect) -> Mapping[str, tuple[str, ...]]:
        """For each word of the tongue the single words that it may mean, and what those mean in the dialect."""
        found: dict[str, dict[str, None]] = {}
        for word, row in self.rows:
            if " " not in word:
                meanings = dict.fromkeys((word, *dialect.spoken.get(word, ())))
                for said in listed_in(row):
                    for form in spellings(said):
                        found.setdefault(form, {}).update(meanings)
        return {form: tuple(meanings) for form, meanings in found.items()}

    @cached_property
    def _phrases(self) -> tuple[re.Pattern[str], Mapping[str, str]]:
        """What means several words of the order language, or begins with one of its own: `in Kolonne`."""
        return _pattern({
            form: word
            for word, row in reversed(self.rows)
            for said in listed_in(row)
            if " " in word or said.startswith("in ")
            for form in spellings(said)
        })  # fmt: skip

    @cached_property
    def _firsts(self) -> tuple[re.Pattern[str], Mapping[str, str]]:
        """What every word means first."""
        own = self.dialect.meant_by
        return _pattern({**{form: meant[0] for form, meant in own.items()}, **self._phrases[1]})

    @cached_property
    def _words(self) -> frozenset[str]:
        """Every word of the tongue that is not passed over in the order language itself."""
        return frozenset(part for form in self._firsts[1] for part in form.split()) - LITTLE

    @cached_property
    def _marks(self) -> frozenset[str]:
        """Of these the words that show a line to be of the tongue; points of the compass do in capitals."""
        points = {said for _, row in self.rows for said in listed_in(row) if said.isupper()}
        return frozenset(points | {one for one in self._words if len(one) >= _LETTERS or not one.isascii()})

    def marks(self, text: str, *, surely: bool = True) -> bool:
        """Whether a line has a word of the tongue; *surely*: one that shows by itself that it is of it."""
        typed = _WORD.findall(text)
        known = self._marks if surely else self._words
        return not (known.isdisjoint(typed) and known.isdisjoint(map(str.casefold, typed)))

    def phrased(self, text: str) -> str:
        """A line with the words that mean several of the order language written as those, and single blanks."""
        return _written(" ".join(text.split()), *self._phrases)

    def word_by_word(self, text: str) -> str:
        """A line with every word of the tongue written as what it means first, and single blanks."""
        return _written(" ".join(text.split()), *self._firsts)

    def orders_of(self, text: str) -> Iterator[str]:
        """What a line may say as one order, as the order language has it: each way to read it, the nearest first."""
        said = self.phrased(text)
        forms = dict.fromkeys((said, text, *self.dialect.orders_of(said), *islice(self._otherwise(said), _OTHERWISE)))
        for form in forms:
            if order := self.canonical(form, free=form == text) or self.canonical(form.strip(" ,.")):
                yield order

    def _otherwise(self, text: str) -> Iterator[str]:
        """A line with one of its words as each thing that it may mean."""
        for found in self._firsts[0].finditer(text):
            for meant in self.dialect.meant_by.get(_plain(found[0]), ()):
                yield f"{text[: found.start()]}{meant}{text[found.end() :]}"

    def retold(
        self, text: str, takes: Takes, dialect: Dialect, names: Collection[str], groups: Groups | None = None
    ) -> tuple[str, ...]:
        """The orders that a line says in parts or in another order, as the order language has them."""
        for said in dict.fromkeys((self.phrased(text), self.word_by_word(text))):
            if told := retold(said, lambda one: takes(self.canonical(one)), dialect, names, groups, again=True):
                return tuple(self.canonical(one) for one in told)
        return ()

    def canonical(self, text: str, *, free: bool = False) -> str:
        """An order as the order language has it; empty if it is none.

        *free*: it may hold free text, since nothing in it was rewritten.
        """
        assert self.machine is not None, "its grammar has made it"
        tokens: list[Token] = []
        taken = self.machine.cut(text, tokens) and (free or all(one.type != TEXT for one in tokens))
        return canonical(text, tokens) if taken else ""


def _plain(said: str) -> str:
    return " ".join(re.split(r"[\s_-]+", said.casefold()))


def _spaced(form: str) -> str:
    return r"[\s_-]+".join(map(re.escape, form.split()))


def _pattern(table: Mapping[str, str]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    either = "|".join(_spaced(form) for form in sorted(table, key=lambda form: (-len(form), form)))
    return re.compile(rf"(?<![\w@/-])(?:{either or '(?!)'})(?![\w/-])", re.IGNORECASE), table


def _written(text: str, pattern: re.Pattern[str], table: Mapping[str, str]) -> str:
    return pattern.sub(lambda found: table[_plain(found[0])], text)


@cache
def spoken_for(system: str, verb: str) -> tuple[str, ...]:
    """The single words, in all languages, that mean a verb of a system; umlauts written out."""
    rows = [
        table.words.get(verb, "")
        for one in languages()
        for table in (one.systems.get(system, Section()), one.common)
    ]  # fmt: skip
    return tuple(dict.fromkeys(spellings(said)[-1] for row in rows for said in listed_in(row) if " " not in said))


# ------------------------------------------------------------------ words to the office


class _Office(NamedTuple):
    """How words to the office are found in one language: what a line begins with, and what may follow."""

    begins: re.Pattern[str]
    words: Mapping[str, str]
    follows: re.Pattern[str]
    said: Mapping[str, str]


@cache
def _offices() -> tuple[_Office, ...]:
    found = []
    for one in languages():
        words = {word: word for word in one.office.words} | _meanings(one.office.words)
        found.append(_Office(*_begun(words), *_pattern(_meanings(one.office.said))))
    return tuple(found)


def _meanings(rows: Mapping[str, str]) -> dict[str, str]:
    return {form: word for word, row in rows.items() for said in listed_in(row) for form in spellings(said)}


def _begun(table: Mapping[str, str]) -> tuple[re.Pattern[str], Mapping[str, str]]:
    either = "|".join(_spaced(form) for form in sorted(table, key=lambda form: (-len(form), form)))
    return re.compile(rf"\s*({either or '(?!)'})(?![\w/-])", re.IGNORECASE), table


def to_the_office(text: str) -> Iterator[tuple[str, str]]:
    """A line that begins with a word to the office: with that as the office has it, and with what follows so too.

    >>> next(to_the_office("Urlaub 24. Dez bis 2. Jan"))
    ('vacation 24. Dez bis 2. Jan', 'vacation 24. dec to 2. jan')
    """
    for one in _offices():
        if found := one.begins.match(text):
            word, rest = one.words[_plain(found[1])], text[found.end() :]
            yield f"{word}{rest}", f"{word}{_written(rest, one.follows, one.said)}"


END_OF_LETTER = "end letter"
"""The line to which a long text to somebody goes, as the office has it."""


def ends_letter(text: str) -> bool:
    """Whether a line is the one that ends a long text, in whichever language."""
    text = marks.said(text)
    return END_OF_LETTER in (text, *(one for one, _ in to_the_office(text)))


# ------------------------------------------------------------------ what was read

_HEARD: ContextVar[dict[int, list[str]] | None] = ContextVar("heard", default=None)


@contextmanager
def hearing() -> Iterator[Mapping[int, Sequence[str]]]:
    """Within it is kept, by the number of its line, what each line of another language was read as."""
    heard: dict[int, list[str]] = {}
    token = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(token)


def heard(number: int, text: str) -> None:
    """A line of another language was read as the order *text*."""
    kept = _HEARD.get()
    if kept is not None and text not in kept.setdefault(number, []):
        kept[number].append(text)
