"""The reel: a game as one reader may see it, cut into beats.

One shape for all that shows a past: the terminal, a page, a file that leaves the house.  `VERSION` grows with whatever
a reader of an earlier one would take amiss.  A reel is made from what its eyes may know, and holds nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Literal, TypeVar

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from pbem.ground.picture import (
    Arc,
    Area,
    Block,
    Box,
    Grid,
    Honeycomb,
    House,
    Label,
    Look,
    Mark,
    Picture,
    Plane,
    Province,
    SideStyle,
    Site,
    Stack,
    Tint,
    Track,
    Troop,
    Way,
)
from pbem.kernel.event import Throw
from pbem.kernel.names import Moment, Role, RuleId
from pbem.rules.view import Told

VERSION = 2

TRUTH = "truth"
"""The eyes that see all; all others are those of a role, and bear its name."""

Sign = TypeVar("Sign", Block, Stack, Troop)


class Side(Struct, frozen=True, omit_defaults=True):
    """A side of the game: there may be any number of them, the first first."""

    name: str
    called: str
    """`the French`"""
    drawn: SideStyle
    roles: tuple[Role, ...] = ()
    look: Look | None = None
    """How its style is drawn, if not as it ships."""


class Figures(Struct, frozen=True, omit_defaults=True):
    """How a side stands, in numbers; None: not known to these eyes, or not counted by the game."""

    side: str
    lost: int | None = None
    """Since the game began, in the game's own figures."""
    left: int | None = None
    score: int | None = None


class Cast(Struct, frozen=True, omit_defaults=True):
    """A throw, and to whom it was good."""

    throw: Throw
    rules: tuple[RuleId, ...] = ()
    side: str = ""
    """For whom it was thrown; empty: for nobody."""
    good: Literal["high", "low", "table", ""] = ""
    """Which faces are good for it; empty: none are."""
    worth: tuple[int | None, ...] = ()
    """Of a die with results printed on it (`table`), what each face is worth to its side; None: it is thrown again."""

    @property
    def marks(self) -> tuple[int | None, ...]:
        """What each face counts for its side, from the first on; None: it is thrown again.  Empty: none is good.

        >>> Cast(Throw("3B/melee/H-8", "open", 6, (5,)), side="french", good="low").marks
        (6, 5, 4, 3, 2, 1)
        """
        faces = tuple(range(1, self.throw.sides + 1))
        return self.worth or {"high": faces, "low": faces[::-1]}.get(self.good, ())

    @property
    def came(self) -> tuple[int, ...]:
        """What the faces that came counted."""
        return tuple(one for face in self.throw.faces if self.marks and (one := self.marks[face - 1]) is not None)

    @property
    def luck(self) -> Fraction:
        """What came, less what was to be expected, in pips that were good for its side, or in the measure of *worth*.

        >>> Cast(Throw("3B/melee/H-8", "open", 6, (5, 4)), side="french", good="low").luck
        Fraction(-2, 1)
        >>> Cast(Throw("3B/melee/I", "closed", 3, (1,)), side="red", good="table", worth=(1, 0, None)).luck
        Fraction(1, 2)
        """
        counts = [one for one in self.marks if one is not None]
        return sum(self.came) - Fraction(len(self.came) * sum(counts), len(counts)) if counts else Fraction(0)


class Draw(Struct, frozen=True, omit_defaults=True):
    """A shuffle or a salt that decided something, as `kernel.dice` makes them of the closed seed, and what came of it.

    Of a shuffle the cards as they lay and as they came, the first on top; of a salt its digits from *start* on, or as
    many of them as the fact shows.
    """

    name: str
    """`deck/deck`, `salt/french`: below its moment."""
    lay: tuple[str, ...] = ()
    came: tuple[str, ...] = ()
    digits: str = ""
    start: int = 0


class Known(Struct, frozen=True, omit_defaults=True):
    """What a role has of a body that is truly there."""

    how: Literal["unseen", "in part", "seen", "elsewhere"]
    """Not known at all; as a body, not which, how strong, or not all of it; seen, and not known for what it is;
    believed in another place."""
    key: str = ""
    """Its sign in that role's own picture, if it has one there."""
    off: int = 0
    """How far from where it truly is, in units of the picture."""


class Change(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a picture has that the one before had not: signs by their keys, all else whole where it differs."""

    blocks: dict[str, Block] = {}
    stacks: dict[str, Stack] = {}
    troops: dict[str, Troop] = {}
    provinces: dict[str, Province] = {}
    gone: tuple[str, ...] = ()
    """Keys of signs that are no longer there; of a province its key after `province `."""
    title: str | UnsetType = UNSET
    whose: str | UnsetType = UNSET
    box: Box | UnsetType = UNSET
    sides: tuple[str, ...] | UnsetType = UNSET
    looks: tuple[Look, ...] | UnsetType = UNSET
    """Not said of a first picture that has none."""
    grid: Grid | UnsetType | None = UNSET
    hexes: Honeycomb | UnsetType | None = UNSET
    plane: Plane | UnsetType | None = UNSET
    areas: tuple[Area, ...] | UnsetType = UNSET
    ways: tuple[Way, ...] | UnsetType = UNSET
    houses: tuple[House, ...] | UnsetType = UNSET
    labels: tuple[Label, ...] | UnsetType = UNSET
    tracks: tuple[Track, ...] | UnsetType = UNSET
    marks: tuple[Mark, ...] | UnsetType = UNSET
    tints: tuple[Tint, ...] | UnsetType = UNSET
    sites: tuple[Site, ...] | UnsetType = UNSET
    arcs: tuple[Arc, ...] | UnsetType = UNSET
    focus: Box | UnsetType | None = UNSET
    caption: str | UnsetType = UNSET
    focus_caption: str | UnsetType = UNSET
    words: tuple[tuple[str, str], ...] | UnsetType = UNSET


class Seen(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A beat as one pair of eyes has it."""

    told: tuple[Told, ...] = ()
    lines: dict[Role, tuple[Told, ...]] = {}
    """What became of lines of sheets, by whose they were: a role has its own alone."""
    change: Change = Change()
    figures: tuple[Figures, ...] = ()
    """Of each side, where they are others than before."""
    clock: str = ""
    """The hour of the game, where it is another than before."""
    headline: str = ""
    weight: int = 0
    kinds: tuple[str, ...] = ()
    """Of its facts, as they are known to these eyes."""
    units: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    rules: tuple[RuleId, ...] = ()
    throws: tuple[Cast, ...] = ()
    draws: tuple[Draw, ...] = ()
    known: dict[Role, dict[str, Known]] = {}
    """Of the truth alone: what each of the other eyes has of which sign, but for what it has right; of those for whom
    it is other than before."""


class Beat(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is told together."""

    moment: Moment
    number: int
    """In its exchange, and in this reel, from 1."""
    phase: str
    run: int = 1
    """Which run of its exchange, where one was annulled and run again."""
    annulled: bool = False
    seen: dict[str, Seen]
    """By eyes; who learnt nothing of it is not named."""

    @property
    def weight(self) -> int:
        """How much it matters, to whom it matters most."""
        return max((one.weight for one in self.seen.values()), default=0)

    @property
    def name(self) -> str:
        """`3B.22`; of an exchange that was run more than once `3B#1.22`.

        >>> Beat(moment=Moment(3, 2), number=22, phase="", seen={}).name
        '3B.22'
        """
        return f"{self.moment}{f'#{self.run}' if self.run > 1 or self.annulled else ''}.{self.number}"


class Reel(Struct, frozen=True, kw_only=True):
    """A game through one or several pairs of eyes."""

    v: int = VERSION
    campaign: str
    title: str
    system: str
    game: str
    """The title of the rules."""
    rules: str
    """Their version."""
    sides: tuple[Side, ...]
    eyes: tuple[str, ...]
    called: dict[str, str]
    """What each pair of eyes is called: `the French commander, Marshal Canrobert`."""
    over: str = ""
    """How it has ended, if it has."""
    beats: tuple[Beat, ...] = ()


# ------------------------------------------------------------------ pictures, and what lies between two


_SIGNS = ("blocks", "stacks", "troops", "provinces")
"""What a change has by its keys."""

_PLAIN = tuple(name for name in Change.__struct_fields__ if name not in (*_SIGNS, "gone"))
"""What a change has whole."""


def keyed(signs: Iterable[Sign]) -> dict[str, Sign]:
    """Signs by their keys, in their order: a key that another bears already gets a number.

    What is not known by name is known by its side and place alone: it has no identity, and does not glide.
    """
    found: dict[str, Sign] = {}
    for sign in signs:
        own = key_of(sign)
        key, number = own, 2
        while key in found:
            key, number = f"{own}#{number}", number + 1
        found[key] = sign
    return found


def key_of(sign: Block | Stack | Troop) -> str:
    """The key that a system gave to a sign; else `?`, its side, and where it stands."""
    named = sign.parts[0] if isinstance(sign, Block) and sign.parts else "" if isinstance(sign, Block) else sign.key
    return named or f"?{sign.side}@{sign.at[0]},{sign.at[1]}"


def between(before: Picture | None, after: Picture) -> Change:
    """What *after* has that *before* had not; without one before, all of it."""
    if before is after:
        return Change()
    old = {} if before is None else _signs(before)
    new = _signs(after)
    changed = {key: sign for key, sign in new.items() if old.get(key) != sign}
    plain = {
        name: getattr(after, name)
        for name in _PLAIN
        if (name != "looks" or after.looks if before is None else getattr(before, name) != getattr(after, name))
    }
    return Change(
        blocks={key: sign for key, sign in changed.items() if isinstance(sign, Block)},
        stacks={key: sign for key, sign in changed.items() if isinstance(sign, Stack)},
        troops={key: sign for key, sign in changed.items() if isinstance(sign, Troop)},
        provinces={sign.key: sign for sign in changed.values() if isinstance(sign, Province)},
        gone=tuple(key for key in old if key not in new),
        **plain,
    )


def after(before: Picture | None, change: Change) -> Picture:
    """The picture that a change makes of the one before; signs that are new come last.

    :raises ValueError: if there is none before, and the change is not all of one.
    """
    plain = {name: value for name in _PLAIN if (value := getattr(change, name)) is not UNSET}
    signs = {} if before is None else _signs(before)
    signs = {key: sign for key, sign in signs.items() if key not in change.gone}
    signs |= {**change.blocks, **change.stacks, **change.troops}
    signs |= {_of_province(key): one for key, one in change.provinces.items()}
    found = replace(
        Picture(title="", whose="", box=(0, 0, 0, 0)) if before is None else before,
        blocks=tuple(sign for sign in signs.values() if isinstance(sign, Block)),
        stacks=tuple(sign for sign in signs.values() if isinstance(sign, Stack)),
        troops=tuple(sign for sign in signs.values() if isinstance(sign, Troop)),
        provinces=tuple(sign for sign in signs.values() if isinstance(sign, Province)),
    )
    if before is None and plain.keys() | {"looks"} != {*_PLAIN}:
        raise ValueError("there is no picture before the first, and this is not all of one")
    return replace(found, **plain)


def pictures(reel: Reel, eyes: str) -> Iterator[tuple[Beat, Picture | None]]:
    """Each beat with the picture after it, as those eyes have it; None before there is any."""
    picture: Picture | None = None
    for beat in reel.beats:
        seen = beat.seen.get(eyes)
        if seen is not None and seen.change != Change():
            picture = after(picture, seen.change)
        yield beat, picture


class Shown(Struct, frozen=True, kw_only=True):
    """How things stood after a beat, as one pair of eyes has them."""

    picture: Picture
    figures: tuple[Figures, ...] = ()
    clock: str = ""


def stood(reel: Reel, eyes: str, last: int) -> Shown | None:
    """How things stood after the beat of that place (from 0); None: those eyes had seen nothing yet."""
    found: Shown | None = None
    for (_, picture), beat in zip(pictures(reel, eyes), reel.beats[: last + 1], strict=False):
        if picture is not None:
            seen = beat.seen.get(eyes)
            found = Shown(
                picture=picture,
                figures=(seen.figures if seen else ()) or (found.figures if found else ()),
                clock=(seen.clock if seen else "") or (found.clock if found else ""),
            )
    return found


def _signs(picture: Picture) -> Mapping[str, Block | Stack | Troop | Province]:
    provinces = {_of_province(one.key): one for one in picture.provinces}
    return {**keyed(picture.blocks), **keyed(picture.stacks), **keyed(picture.troops), **provinces}


def _of_province(key: str) -> str:
    return f"province {key}"
