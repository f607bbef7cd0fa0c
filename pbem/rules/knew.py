"""Who knew what when: what a role had of a unit or a place, beat by beat, and how wrong it was.

Without the truth it is made from the eyes of that role alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

from pbem.ground.picture import Picture, Point
from pbem.ground.spots import measured, near, placed, spot
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment, Role
from pbem.orders.suggest import closest
from pbem.rules.knowing import Sign, off, parts_of, signs_of
from pbem.rules.past import AnyPast, Dated
from pbem.rules.reel import TRUTH, Beat, Known, after
from pbem.rules.reeling import Here, Making, heads

How = Literal["right", "in part", "seen", "elsewhere", "unseen", "held", "gone"]
"""As `Known` has it, and `right`; without the truth, whether anything is `held`.  `gone`: nothing is there any more."""
HINTS = 12
"""Names that are said where one is not known."""


class Learnt(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a role had since a beat."""

    beat: str
    phase: str
    clock: str = ""
    """Its own hour of the game."""
    how: How
    has: tuple[str, ...] = ()
    """What it had, as its map says it."""
    seen: str = ""
    """When that was so, if it is another hour than that at which the role came to know it."""
    reached: str = ""
    source: str = ""
    told: tuple[str, ...] = ()
    """What it was told of it in this beat."""
    truly: tuple[str, ...] = ()
    since: str = ""
    """The beat in which it came to be so in truth."""
    off: str = ""
    """How far off it was believed."""


class Knew(Struct, frozen=True, kw_only=True):
    """What a role had of a subject, from the beginning."""

    role: Role
    subject: str
    truth: bool
    """Whether it is laid beside the truth."""
    learnt: tuple[Learnt, ...]


class Knowledge:
    """What a role had of everything, to be asked again and again."""

    def __init__(
        self, past: AnyPast, scene: object, eyes: Sequence[str], chapters: Sequence[Sequence[Here]], role: Role
    ) -> None:
        self._past, self._scene, self._role, self._truth = past, scene, role, TRUTH in eyes
        self._moments = list(_moments(past, scene, eyes, chapters, role))
        self._names = _all_names(self._moments, truth=self._truth)

    def of(self, subject: str) -> Knew:
        """What the role had of a unit or a place.

        :raises Refused: as `knew` does.
        """
        moments = self._moments
        names = _units(self._names, subject)
        if names:
            found, called = self._of_unit(names), names[0]
        else:
            at = _place(moments, self._names, subject, truth=self._truth)
            found, called = _of_place(moments, at, truth=self._truth), subject.strip()
        return Knew(
            role=self._role,
            subject=called,
            truth=self._truth,
            learnt=tuple(found),
        )

    def _of_unit(self, names: Sequence[str]) -> Iterator[Learnt]:
        truth, since = self._truth, ""
        before: object = None
        there: Sign | None = None
        for moment in self._moments:
            key, sign = _find(moment.there, names)
            if sign is not None and (there is None or (sign.at, sign.words) != (there.at, there.words)):
                since = moment.beat.name
            there = sign
            how, mine = _held(moment, key, sign, names, truth=truth)
            had = signs_of(moment.own).get(mine) if moment.own is not None and mine else None
            state = (how, mine, had and (had.at, had.words))
            if state == before or (before is None and how in ("unseen", "gone")):
                continue
            before = state
            dated = self._dated(moment, mine)
            yield Learnt(
                beat=moment.beat.name,
                phase=moment.beat.phase,
                clock=moment.clock,
                how=how,
                has=() if had is None or moment.own is None else (_words(moment.own, had),),
                seen=dated.seen,
                reached=dated.reached,
                source=dated.source,
                told=_about(moment, (*names, mine)),
                truly=() if sign is None or moment.there is None else (_words(moment.there, sign),),
                since=since if sign is not None else "",
                off=_off(moment, sign, had) if how == "elsewhere" else "",
            )

    def _dated(self, moment: _Moment, key: str) -> Dated:
        """When what the role had was so, and when it came to know it; empty where both are its hour."""
        dated = self._past.dated(self._scene, moment.mind, key) if key else None
        return Dated("", "") if dated is None or dated.seen == dated.reached == moment.clock else dated


class _Moment(NamedTuple):
    """A beat, with the pictures after it."""

    beat: Beat
    own: Picture | None
    """What the role had."""
    there: Picture | None
    """What was so; None: that is not asked."""
    known: Mapping[str, Known]
    clock: str
    mind: object
    told: tuple[str, ...]


def _moments(
    past: AnyPast, scene: object, eyes: Sequence[str], chapters: Sequence[Sequence[Here]], role: Role
) -> Iterator[_Moment]:
    making, numbers = Making(past, scene, eyes), Counter[tuple[Moment, int]]()
    shown: dict[str, Picture] = {}
    known: Mapping[str, Known] = {}
    clock, mind = "", None
    for of_turn in chapters:
        runs = [run for _, run in heads(past, eyes, of_turn, numbers)]
        for beat, run in zip(making.beats(of_turn), runs, strict=True):
            for one, seen in beat.seen.items():
                shown[one] = after(shown.get(one), seen.change)
            own = beat.seen.get(role)
            clock = own.clock or clock if own is not None else clock
            if TRUTH in eyes:
                known = beat.seen[TRUTH].known.get(role, known)
            mine = [here for here in run if role in here.forms]
            mind = mine[-1].after.minds[role] if mine else mind
            told = () if own is None else tuple(f"{line.lead} {line.text}".strip() for line in own.told)
            yield _Moment(beat, shown.get(role), shown.get(TRUTH), known, clock, mind, told)


# ------------------------------------------------------------------ who and what is asked about


def _units(names: Sequence[str], subject: str) -> tuple[str, ...]:
    """The names of the unit that is meant: with its side, and without; none, if it is no unit."""
    said = subject.strip().casefold()
    found = tuple(one for one in names if said in _said(one))
    sided = [one for one in found if ":" in one]
    if len(sided) > 1 and said not in (one.casefold() for one in sided):
        raise Refused(f"“{subject.strip()[:40]}” is more than one: {', '.join(sided)}.")
    return tuple(one for one in found if said == one.casefold() or not sided or one in sided)


def _said(name: str) -> tuple[str, ...]:
    plain = name.casefold()
    return (plain, plain.rpartition(":")[2], plain.removeprefix("@"))


def _all_names(moments: Sequence[_Moment], *, truth: bool) -> Sequence[str]:
    found: dict[str, None] = {}
    last: Picture | None = None
    for moment in moments:
        picture = moment.there if truth else moment.own
        if picture is not None and picture is not last:
            found |= {part: None for key, sign in signs_of(picture).items() for part in parts_of(key, sign)}
        last = picture
    return [name for name in found if not name.startswith(("?", "#"))]


def _place(moments: Sequence[_Moment], names: Sequence[str], subject: str, *, truth: bool) -> Point:
    pictures = [one for moment in moments if (one := moment.there if truth else moment.own) is not None]
    if pictures and (found := spot(pictures[-1], subject)) is not None:
        return found
    near_by = closest(subject.strip(), names) or closest(subject.strip().upper(), names)
    hint = f"Perhaps {near_by}?" if near_by else f"There are {', '.join(names[:HINTS])} …" if names else ""
    raise Refused(f"“{subject.strip()[:40]}” is no unit and no place that is known there.  {hint}".strip())


# ------------------------------------------------------------------ a unit


def _held(moment: _Moment, key: str, sign: Sign | None, names: Sequence[str], *, truth: bool) -> tuple[How, str]:
    """How the role has it, and by which of its own signs."""
    if not truth:
        own, _ = _find(moment.own, names)
        return ("held" if own else "unseen"), own
    if sign is None:
        own, _ = _find(moment.own, names)
        return ("elsewhere" if own else "gone"), own
    if (known := moment.known.get(key)) is not None:
        return known.how, known.key
    own, _ = _find(moment.own, (*names, *(name.rpartition(":")[2] for name in names)))
    return "right", own


def _find(picture: Picture | None, names: Sequence[str]) -> tuple[str, Sign | None]:
    """The sign in which one of those names stands, and its key."""
    if picture is not None:
        for key, sign in signs_of(picture).items():
            if {*names} & {*parts_of(key, sign)}:
                return key, sign
    return "", None


def _words(picture: Picture, sign: Sign) -> str:
    """What a sign says, and where it stands, if it does not say that."""
    where, words = placed(picture, sign.at), sign.words or sign.side
    return words if where in words or picture.plane is not None else f"{words}, at {where}"


def _off(moment: _Moment, sign: Sign | None, had: Sign | None) -> str:
    if sign is None or had is None or moment.there is None:
        return ""
    return measured(moment.there, off(sign.at, had.at))


def _about(moment: _Moment, names: Sequence[str]) -> tuple[str, ...]:
    """Of what the role was told in a beat, what names the subject."""
    said = [re.escape(name.rpartition(":")[2].removeprefix("@")) for name in names if name and not name.startswith("?")]
    if not said:
        return ()
    meant = re.compile(rf"(?<![\w-])(?:{'|'.join(said)})(?![\w-])", re.IGNORECASE)
    return tuple(line for line in moment.told if meant.search(line))


# ------------------------------------------------------------------ a place


def _of_place(moments: Sequence[_Moment], at: Point, *, truth: bool) -> Iterator[Learnt]:
    before: object = ()
    for moment in moments:
        has = _standing(moment.own, at)
        truly = _standing(moment.there, at)
        hows = tuple(moment.known[key].how if key in moment.known else "right" for key in truly)
        state = (has, hows)
        if state == before or (before == () and not has and not truly):
            continue
        before = state
        yield Learnt(
            beat=moment.beat.name,
            phase=moment.beat.phase,
            clock=moment.clock,
            how=_worst(hows, has, truth=truth),
            has=tuple(has.values()),
            told=_about(moment, [placed(moment.own, at)]) if moment.own is not None else (),
            truly=tuple(
                words if how == "right" else f"{words} ({SAID[how]})"
                for words, how in zip(truly.values(), hows, strict=True)
            ),
        )


SAID: Mapping[str, str] = {
    "unseen": "not known to it", "in part": "known to it in part", "seen": "seen, and not known for what it is",
    "elsewhere": "believed elsewhere",
}  # fmt: skip


def _standing(picture: Picture | None, at: Point) -> dict[str, str]:
    if picture is None:
        return {}
    reach = near(picture)
    return {key: sign.words or sign.side for key, sign in signs_of(picture).items() if off(sign.at, at) <= reach}


def _worst(hows: Sequence[str], has: Mapping[str, str], *, truth: bool) -> How:
    if not truth:
        return "held" if has else "unseen"
    order: tuple[How, ...] = ("unseen", "elsewhere", "seen", "in part")
    return next((one for one in order if one in hows), "right")
