"""A reel as its page reads it: drawn, everything drawn once said once, each beat as what is other than before.

It is made from the reel and from what is given beside it, and from nothing else: what is said once by number is
numbered in the order in which these eyes came upon it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.picture import Mark, Picture, Track
from pbem.kernel.event import Throw
from pbem.kernel.names import Moment
from pbem.reports.drawing.frame import frame_of
from pbem.reports.drawing.sides import Needs, css_of, definitions, looks_of, needs, side_of, sides, together
from pbem.reports.replay.beside import Beside
from pbem.reports.replay.scene import IDS, Befell, Scene, Scenes, Stands, Went, board, scenes
from pbem.rules.reel import Beat, Cast, Draw, Figures, Known, Reel, Seen, Side, pictures
from pbem.rules.view import Note, Table, Told

VERSION = 1


class Row(Struct, frozen=True, array_like=True):
    """A sign and where it stands: numbers of drawings, pixels, degrees."""

    svg: int
    x: float
    y: float
    scale: float
    turn: int
    over: int
    label: int
    words: str
    parts: tuple[str, ...]


class Way(Struct, frozen=True, array_like=True):
    """A way that was taken: its drawing, its kind, its points one after the other, and who went."""

    svg: int
    kind: str
    points: tuple[float, ...]
    of: tuple[str, ...]
    words: str


class Spot(Struct, frozen=True, array_like=True):
    """What befell whom, where."""

    svg: int
    x: float
    y: float
    of: tuple[str, ...]
    words: str


class Small(Struct, frozen=True, omit_defaults=True):
    """A line of small print; dice by their numbers."""

    text: str
    dice: tuple[int, ...] = ()
    rules: tuple[str, ...] = ()


class Line(Struct, frozen=True, omit_defaults=True):
    """One thing that was told."""

    text: str
    phase: str = ""
    lead: str = ""
    quote: str = ""
    notes: tuple[Small, ...] = ()
    tables: tuple[Table, ...] = ()
    line: int = 0
    result: str = ""
    of: str = ""
    """Of a line of a sheet, of which exchange or halt it is."""


class Shown(Struct, frozen=True, omit_defaults=True):
    """A beat through one pair of eyes; what is not said is as it was before."""

    drawn: bool = False
    """Whether anything of the picture is other; all that follows down to `befell` is of it."""
    signs: dict[str, Row] = {}
    gone: tuple[str, ...] = ()
    beds: tuple[int, ...] = ()
    went: tuple[tuple[int, int], ...] = ()
    """All ways to be seen, each with 1 if it is new."""
    befell: tuple[tuple[int, int], ...] = ()
    told: tuple[Line, ...] = ()
    lines: dict[str, tuple[Line, ...]] = {}
    figures: dict[str, tuple[int | None, int | None, int | None]] = {}
    """Of each side: lost, left, score."""
    clock: str = ""
    headline: str = ""
    weight: int = 0
    units: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    throws: tuple[int, ...] = ()
    draws: tuple[int, ...] = ()
    known: dict[str, dict[str, Known]] = {}


class Moments(Struct, frozen=True, omit_defaults=True):
    """A beat."""

    name: str
    moment: str
    phase: str
    seen: dict[str, Shown]
    weight: int = 0
    annulled: bool = False


class Thrown(Struct, frozen=True, array_like=True):
    """A throw: with which pair of seeds, in which beat."""

    name: str
    sides: int
    faces: tuple[int, ...]
    seed: str
    by: str
    pair: int
    beat: int
    side: str
    good: str


class Drawn(Struct, frozen=True, array_like=True):
    """A shuffle or a salt that decided something: with which pair of seeds, in which beat."""

    name: str
    lay: tuple[str, ...]
    came: tuple[str, ...]
    digits: str
    start: int
    pair: int
    beat: int


class Eyes(Struct, frozen=True):
    """A pair of eyes, and what it is called."""

    name: str
    called: str


class Record(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A whole game as its page reads it."""

    v: int
    campaign: str
    title: str
    game: str
    rules: str
    over: str
    board: str
    """The class of its maps."""
    size: tuple[float, float]
    sides: tuple[tuple[str, ...], ...]
    """Name, what it is called, how it is drawn; of more than two, also its letter."""
    eyes: tuple[Eyes, ...]
    names: dict[str, int]
    """Of the ground, by eyes."""
    svgs: tuple[str, ...]
    ways: tuple[Way, ...]
    spots: tuple[Spot, ...]
    beats: tuple[Moments, ...]
    throws: tuple[Thrown, ...]
    draws: tuple[Drawn, ...]
    beside: Beside
    patterns: str = ""
    """What more sides than two need, and provinces: for the page, and not in what it carries."""
    css: str = ""


# ------------------------------------------------------------------ made


def record(reel: Reel, beside: Beside, pair_of: Mapping[tuple[Moment, int], int]) -> Record:
    """*reel* drawn; *pair_of* says with which pair of seeds of *beside* the dice of which run of an exchange fell."""
    return _Writer(reel, beside, pair_of).record()


Value = TypeVar("Value")


class _Table(Generic[Value]):
    """What is said once, each thing by the number that its key had first."""

    def __init__(self, *first: Value) -> None:
        self.values = list(first)
        self._numbers: dict[object, int] = {value: number for number, value in enumerate(first)}

    def number(self, value: Value, key: object = None) -> int:
        known = value if key is None else key
        if known not in self._numbers:
            self._numbers[known] = len(self.values)
            self.values.append(value)
        return self._numbers[known]


class _Writer:
    """Numbers what is said once."""

    def __init__(self, reel: Reel, beside: Beside, pair_of: Mapping[tuple[Moment, int], int]) -> None:
        self.reel, self.beside, self.pair_of = reel, beside, pair_of
        self.svgs = _Table("")
        self.ways = _Table[Way]()
        self.spots = _Table[Spot]()
        self.throws = _Table[Thrown]()
        self.draws = _Table[Drawn]()

    def record(self) -> Record:
        reel, shown = self.reel, [dict[str, Shown]() for _ in self.reel.beats]
        names: dict[str, int] = {}
        first: Picture | None = None
        needed: list[Needs] = []
        for eyes in reel.eyes:
            every = list(pictures(reel, eyes))
            own = [picture for _, picture in every]
            new = [at for at, one in enumerate(own) if one is not None and (not at or one is not own[at - 1])]
            drawn = scenes([picture for at in new if (picture := own[at]) is not None])
            first = first or next((picture for picture in own if picture is not None), None)
            names[eyes] = self._svg(drawn.names)
            needed += [needs(picture) for at in new if (picture := own[at]) is not None]
            for at, one in enumerate(self._eye(eyes, dict(zip(new, drawn.each, strict=True)), drawn, own)):
                if one is not None:
                    shown[at][eyes] = one
        frame = frame_of(first) if first is not None else None
        need = together([*needed, _of_sides(reel.sides)])
        return Record(
            v=VERSION,
            campaign=reel.campaign,
            title=reel.title,
            game=reel.game,
            rules=reel.rules,
            over=reel.over,
            board=board(first) if first is not None else "",
            size=(_round(frame.width), _round(frame.height)) if frame else (0.0, 0.0),
            sides=tuple(_sided(reel, need)),
            eyes=tuple(Eyes(one, reel.called[one]) for one in reel.eyes),
            names=names,
            beats=tuple(self._moment(beat, seen) for beat, seen in zip(reel.beats, shown, strict=True)),
            svgs=tuple(self.svgs.values),
            ways=tuple(self.ways.values),
            spots=tuple(self.spots.values),
            throws=tuple(self.throws.values),
            draws=tuple(self.draws.values),
            beside=self.beside,
            patterns=definitions(need, IDS),
            css=css_of(need),
        )

    def _moment(self, beat: Beat, seen: dict[str, Shown]) -> Moments:
        return Moments(beat.name, f"{beat.moment}", beat.phase, seen, weight=beat.weight, annulled=beat.annulled)

    # -------------------------------------------------------------- one pair of eyes

    def _eye(
        self, eyes: str, at: Mapping[int, Scene], drawn: Scenes, own: Sequence[Picture | None]
    ) -> Iterator[Shown | None]:
        before: Scene | None = None
        ways, marks = Counter[Track](), Counter[Mark]()
        for number, beat in enumerate(self.reel.beats):
            seen = beat.seen.get(eyes)
            if seen is None:
                yield None
                continue
            scene = at.get(number)
            told = self._told(number, beat, seen)
            if scene is None:
                yield told
                continue
            rows = {key: self._row(sign) for key, sign in scene.signs.items()}
            old = {} if before is None else {key: self._row(sign) for key, sign in before.signs.items()}
            yield replace(
                told,
                drawn=True,
                signs={key: row for key, row in rows.items() if old.get(key) != row},
                gone=tuple(key for key in old if key not in rows),
                beds=tuple(map(self._svg, scene.beds)) if before is None or before.beds != scene.beds else (),
                went=tuple(_fresh(((self._way(one), one.track) for one in scene.went), ways)),
                befell=tuple(_fresh(((self._spot(one), one.mark) for one in scene.befell), marks)),
            )
            before = scene
            ways, marks = Counter(one.track for one in scene.went), Counter(one.mark for one in scene.befell)

    def _told(self, number: int, beat: Beat, seen: Seen) -> Shown:
        """What a beat says beside its picture."""
        pair = self.pair_of.get((beat.moment, beat.run), -1)

        casts = {cast.throw: cast for cast in seen.throws}

        def thrown(throw: Throw) -> int:
            cast = casts.get(throw, Cast(throw))
            one = Thrown(throw.name, throw.sides, throw.faces, throw.seed, throw.by, pair, number, cast.side, cast.good)
            return self.throws.number(one, (pair, throw))

        def line(told: Told) -> Line:
            notes = tuple(_small(note, tuple(map(thrown, note.dice))) for note in told.notes)
            return Line(
                told.text,
                told.phase,
                told.lead,
                told.quote,
                notes,
                told.tables,
                told.line,
                told.result or "",
                str(told.moment) if told.line else "",
            )

        return Shown(
            told=tuple(map(line, seen.told)),
            lines={role: tuple(map(line, some)) for role, some in seen.lines.items()},
            figures={one.side: _numbers(one) for one in seen.figures},
            clock=seen.clock,
            headline=seen.headline,
            weight=seen.weight,
            units=seen.units,
            places=seen.places,
            rules=seen.rules,
            throws=tuple(map(thrown, casts)),
            draws=tuple(self._draw(beat, draw, pair, number) for draw in seen.draws),
            known={role: dict(some) for role, some in seen.known.items()},
        )

    # -------------------------------------------------------------- what is said once

    def _svg(self, svg: str) -> int:
        return self.svgs.number(svg)

    def _row(self, sign: Stands) -> Row:
        x, y = sign.at
        return Row(
            self._svg(sign.svg), _round(x), _round(y), round(sign.scale, 2), sign.turn, sign.over,
            self._svg(sign.label), sign.words, sign.parts,
        )  # fmt: skip

    def _way(self, one: Went) -> int:
        points = tuple(_round(number) for point in one.points for number in point)
        way = Way(self._svg(one.svg), one.kind, points, one.track.of, one.track.words)
        return self.ways.number(way)

    def _spot(self, one: Befell) -> int:
        spot = Spot(self._svg(one.svg), _round(one.at[0]), _round(one.at[1]), one.mark.of, one.mark.words)
        return self.spots.number(spot)

    def _draw(self, beat: Beat, draw: Draw, pair: int, number: int) -> int:
        name = f"{beat.moment}/{draw.name}"
        one = Drawn(name, draw.lay, draw.came, draw.digits, draw.start, pair, number)
        return self.draws.number(one, (pair, name, draw))


def _of_sides(some: Sequence[Side]) -> Needs:
    """What the sides of a game need, in plots and on the timeline, as the game calls them."""
    return Needs(sides(looks_of(some), tuple(one.called for one in some)), frozenset(one.drawn for one in some))


def _sided(reel: Reel, need: Needs) -> Iterator[tuple[str, ...]]:
    for side in reel.sides:
        letter = (side_of(need.found, side.drawn).letter,) if len(reel.sides) > 2 else ()
        yield (side.name, side.called, side.drawn, *letter)


def _fresh(now: Iterable[tuple[int, Value]], before: Counter[Value]) -> Iterator[tuple[int, int]]:
    """Each thing by its number, with 1 if the picture before had it not."""
    left = Counter(before)
    for number, one in now:
        yield number, int(left[one] == 0)
        left[one] -= left[one] > 0


def _small(note: Note, dice: tuple[int, ...]) -> Small:
    return Small(note.text, dice, note.rules)


def _numbers(one: Figures) -> tuple[int | None, int | None, int | None]:
    return one.lost, one.left, one.score


def _round(number: float) -> float:
    return round(number, 1)
