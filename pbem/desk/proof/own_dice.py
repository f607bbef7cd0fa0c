"""What a player can check by himself: the dice of the reports that he was sent, by what they print, without an office.

Reports as files, receipts, and letters as they came (`.eml`) are read together: the report before tells what was
promised, that of the exchange the seed and the words, a receipt the player's own word.  What is printed is what is
checked, for the values are marked in the pages where they stand.  What two papers say otherwise is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from email import message_from_bytes
from email.policy import default
from html.parser import HTMLParser

from msgspec import Struct

from pbem.desk.books.seeds import Pair
from pbem.desk.proof.audit import Audit, Audited, Fall, Promised, Said, Whose, fall_of, fits
from pbem.desk.worlds.revealed import moment_of, seed_of
from pbem.kernel.dice import given, word, worded
from pbem.kernel.errors import BadMoment, Refused
from pbem.kernel.event import Seed, Throw
from pbem.kernel.lot import LOT
from pbem.kernel.names import Moment, Role, ThrowName
from pbem.kernel.office import Promises

SEEDS: tuple[Seed, Seed] = ("open", "closed")
MARKS = ("promise", "seed", "word", "sheet")
"""Of values in a page: `data-seed="4B open"`, `data-word="4B french"`."""


_ANEW = "  If you were told that its orders were opened again, or its dice promised anew, check each file alone."

_IN_WORDS = re.compile(r"\b(muster|lot|S?\d+[A-Z]?), (open|closed) +([0-9a-f]{64})\b")
"""A seed in the letter that ends a game: `1B, closed  …`."""


_OF_LOT = re.compile(r"\blot, (?:(promise)d|(word|sheet) of) (open|closed|\d+) +([0-9a-f]{64})\b")
_LOT_THROW = re.compile(r"(?<![\w./])(S0\.1/lot/\d+) +(\d+) of (\d+)\b")
"""What the letters of a lot print: its promises, the words of candidates, what one wrote, and the throws."""


class Own(Struct, frozen=True):
    """What came of a player's own papers: the audit, and what they say otherwise than each other, in sentences."""

    audit: Audit
    otherwise: tuple[str, ...]


class Value(Struct, frozen=True):
    """What a page prints of one thing: a mark of `MARKS` or `letter`, the moment, and a seed's name or a role."""

    mark: str
    moment: Moment
    of: str


class Paper(Struct, frozen=True):
    """What one paper prints of dice."""

    values: tuple[tuple[Value, str], ...]
    throws: tuple[Throw, ...]


def audit_own(files: Mapping[str, bytes]) -> Own:
    """Check the dice of the papers *files*, by their names.

    :raises Refused: if nothing of dice is in them, or what is there cannot be read.
    """
    said: dict[Value, tuple[str, str]] = {}
    throws: dict[ThrowName, tuple[Throw, str]] = {}
    otherwise: list[str] = []
    for name, raw in files.items():
        paper = _read(name, raw)
        for value, text in paper.values:
            first, where = said.setdefault(value, (text, name))
            if first != text:
                what = f"the {value.mark} {value.of} of {value.moment}"
                otherwise.append(f"{what} is {text[:16]}… in {name}, and {first[:16]}… in {where}.{_ANEW}")
        for throw in paper.throws:
            fell, where = throws.setdefault(throw.name, (throw, name))
            if fell != throw:
                otherwise.append(f"{throw.name} is not in {name} what it is in {where}.")
    values = {value: text for value, (text, _) in said.items()}
    if not values:
        named = ", ".join(files)
        raise Refused(f"nothing of dice is printed in {named}: save a report, or a letter as it came, and give that.")
    return Own(_audit(values, [throw for throw, _ in throws.values()]), tuple(otherwise))


def _audit(values: Mapping[Value, str], throws: Iterable[Throw]) -> Audit:
    thrown = [(_moment(throw.name.partition("/")[0]), throw) for throw in throws]
    moments = sorted({value.moment for value in values} | {moment for moment, _ in thrown})
    known = {moment: _known(values, moment) for moment in moments}
    return Audit(
        throws=tuple(
            Audited(seq=0, moment=moment, throw=throw, fall=_fall(throw, moment, known[moment]))
            for moment, throw in thrown
        ),
        promises=tuple(_promised(values, moment, known[moment]) for moment in moments),
        words=tuple(one for moment in moments for one in _said(values, moment, known[moment])),
    )


def _known(values: Mapping[Value, str], moment: Moment) -> Pair:
    """The office's seeds, and the words, as they are printed."""
    seeds = [values.get(Value("seed", moment, seed)) for seed in SEEDS]
    words = {Role(value.of): text for value, text in values.items() if (value.mark, value.moment) == ("word", moment)}
    shown = [None if seed is None else seed_of(seed) for seed in seeds]
    return Pair(shown[0], shown[1], words or None)


def _promised(values: Mapping[Value, str], moment: Moment, known: Pair) -> Promised:
    promises = Promises(*(values.get(Value("promise", moment, seed), "") for seed in SEEDS))
    falls: list[Fall] = [
        fits(known.of(seed), promised) if promised else "sealed"
        for seed, promised in zip(SEEDS, (promises.open, promises.closed), strict=True)
    ]
    return Promised(moment=moment, promises=promises, open=falls[0], closed=falls[1])


def _fall(throw: Throw, moment: Moment, known: Pair) -> Fall:
    if throw.by != "seed":
        return "sealed"
    seed = known.of(throw.seed)
    if seed is not None and known.words:
        seed = worded(seed, moment, known.words)
    return fall_of(throw, seed)


def _said(values: Mapping[Value, str], moment: Moment, known: Pair) -> Iterator[Said]:
    """The words of *moment*; what each was made of shows the closed seed, of a receipt's also of which sheet."""
    for role, said in sorted((known.words or {}).items()):
        whose: Whose = ""
        fall: Fall = "sealed"
        sheet = values.get(Value("sheet", moment, role))
        if known.closed is not None and said == word(known.closed, moment, role):
            whose, fall = "the office's", "fits"
        elif known.closed is not None and sheet is not None:
            gave = given(values.get(Value("letter", moment, role), ""), sheet)
            whose, fall = "the role's", "fits" if said == word(known.closed, moment, role, gave) else "wrong"
        yield Said(seq=0, moment=moment, role=role, word=said, whose=whose, fall=fall)


def _read(name: str, raw: bytes) -> Paper:
    pages, answered = [raw.decode("utf-8", "replace")], ""
    if name.lower().endswith(".eml"):
        letter = message_from_bytes(raw, policy=default)
        answered = str(letter.get("In-Reply-To", ""))
        html = [part for part in letter.walk() if part.get_content_type() == "text/html"]
        pages = [str(part.get_content()) for part in html]
    values: list[tuple[Value, str]] = []
    throws: list[Throw] = []
    try:
        for page in pages:
            reader = _Marked()
            reader.feed(page)
            values += [(_value(mark, of), text) for mark, of, text in reader.values]
            values += [(_value("seed", f"{at} {seed}"), text) for at, seed, text in _IN_WORDS.findall(page)]
            values += [(Value(of or mark, LOT, whose), text) for of, mark, whose, text in _OF_LOT.findall(page)]
            throws += [
                Throw(ThrowName(name), "open", int(sides), (int(face),))
                for name, face, sides in _LOT_THROW.findall(page)
            ]
            throws += [_throw(how, pieces) for how, pieces in reader.throws]
    except (BadMoment, ValueError, IndexError) as error:
        raise Refused(f"{name} prints dice that cannot be read: {error}.") from None
    letters = [(Value("letter", one.moment, one.of), answered) for one, _ in values if one.mark == "sheet"]
    return Paper((*values, *letters), tuple(throws))


def _value(mark: str, of: str) -> Value:
    place, _, rest = of.partition(" ")
    return Value(mark, _moment(place), rest)


def _moment(place: str) -> Moment:
    return moment_of("muster" if place == "S0" else place)


def _throw(how: str, pieces: list[str]) -> Throw:
    sides, seed, by = how.split(" ")
    if seed not in SEEDS or by not in ("seed", "ruling"):
        raise ValueError(f"{how} is no throw")
    return Throw(
        ThrowName(pieces[0]),
        "open" if seed == "open" else "closed",
        int(sides),
        tuple(int(piece) for piece in pieces[2:]),
        "ruling" if by == "ruling" else "seed",
    )


class _Marked(HTMLParser):
    """The values that a page marks: what, of what, and the text that stands there."""

    def __init__(self) -> None:
        super().__init__()
        self.values: list[tuple[str, str, str]] = []
        self.throws: list[tuple[str, list[str]]] = []
        self._open: tuple[str, str, str] | None = None
        self._pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, of in attrs:
            mark = name.removeprefix("data-")
            if name != mark and mark in (*MARKS, "throw"):
                self._open, self._pieces = (tag, mark, of or ""), []

    def handle_data(self, data: str) -> None:
        if self._open and data.strip():
            self._pieces.append(data.strip())

    def handle_endtag(self, tag: str) -> None:
        if self._open is None or self._open[0] != tag:
            return
        _, mark, of = self._open
        if mark == "throw":
            self.throws.append((of, self._pieces))
        else:
            self.values.append((mark, of, "".join(self._pieces)))
        self._open = None
