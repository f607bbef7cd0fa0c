"""Facts into beats: what each pair of eyes has of a game, told together, with the picture after it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.picture import Picture
from pbem.kernel.event import Outcome, kind_of
from pbem.kernel.names import Moment, Role
from pbem.rules.contract import World
from pbem.rules.cutting import Step, cut
from pbem.rules.knowing import compared
from pbem.rules.past import AnyPast, Both
from pbem.rules.reel import TRUTH, Beat, Cast, Change, Draw, Figures, Known, Seen, between
from pbem.rules.telling import plain
from pbem.rules.view import Told


class Stands(Struct, frozen=True, omit_defaults=True):
    """Where the making of beats stands."""

    pictures: dict[str, Picture] = {}
    """What each of the eyes that has any picture was shown last."""
    known: dict[str, dict[str, Known]] = {}
    """What each of the roles had wrong of the truth then."""
    names: dict[str, str] = {}
    """Whom names stand for, by all facts until then."""


class Here(NamedTuple):
    """A fact, as each of the eyes has it that learn anything of it."""

    moment: Moment
    """Its exchange."""
    run: int
    annulled: bool
    forms: Mapping[str, Outcome]
    told: Mapping[str, tuple[Told, ...]]
    lines: Mapping[str, Mapping[Role, tuple[Told, ...]]]
    """What became of lines of sheets, by eyes, and by whose they were."""
    before: World[Any, Any]
    after: World[Any, Any]
    seq: int
    """Of the fact; no reel holds it."""
    still: bool
    """It leaves the truth as it was, and is not for all: somebody saw something."""


def runs(past: AnyPast, eyes: Sequence[str], seen: Sequence[Here]) -> Iterator[Sequence[Here]]:
    """What makes a beat each, of what the *eyes* have *seen* of whole exchanges."""
    steps = [
        Step(next(iter(one.forms.values())), one.moment, one.run, _first(one, eyes), still=one.still) for one in seen
    ]
    for run in cut(steps, past.cut):
        yield [seen[at] for at in run]


def _first(here: Here, eyes: Sequence[str]) -> tuple[Told, ...]:
    """What the first of the eyes that is told anything is told."""
    return next((told for one in eyes if (told := here.told.get(one))), ())


def heads(
    past: AnyPast, eyes: Sequence[str], seen: Sequence[Here], numbers: Counter[tuple[Moment, int]]
) -> Iterator[tuple[Beat, Sequence[Here]]]:
    """The beats of what *eyes* have *seen* of whole exchanges, without anything in them, and the facts of each.

    *numbers*: how many there were before, of each run of an exchange; it goes on counting.
    """
    for run in runs(past, eyes, seen):
        first = run[0]
        numbers[first.moment, first.run] += 1
        phase = next((told[0].phase for here in run if (told := _first(here, eyes))), "")
        beat = Beat(
            moment=first.moment, number=numbers[first.moment, first.run], phase=phase, run=first.run,
            annulled=first.annulled, seen={},
        )  # fmt: skip
        yield beat, run


@dataclass
class _Eye:
    """What was last shown to a pair of eyes."""

    mind: object = None
    picture: Picture | None = None
    figures: tuple[Figures, ...] = ()
    clock: str = ""
    turn: int = -1
    facts: list[Outcome] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    """Of that turn."""
    beside: tuple[Picture, Picture | None] | None = None
    """The true picture and its own, when they were last laid beside each other."""
    known: dict[str, Known] = field(default_factory=dict)
    """What came of that."""


class Making:
    """Makes beats, one after the other: what a beat shows is what differs from the one before."""

    def __init__(self, past: AnyPast, scene: object, eyes: Sequence[str]) -> None:
        self.past, self.scene = past, scene
        self.eyes = {one: _Eye() for one in eyes}
        self.numbers: Counter[tuple[Moment, int]] = Counter()
        self.names: dict[str, str] = {}
        """Whom names stand for, by all facts so far."""

    def resume(self, shown: Stands, world: World[Any, Any]) -> None:
        """Go on at the end of a turn, after which the world was *world* and each of the eyes had been *shown* that."""
        self.names = dict(shown.names)
        for one, picture in shown.pictures.items():
            eye, mind = self.eyes[one], self._mind(one, world)
            eye.mind, eye.picture, eye.known = mind, picture, shown.known.get(one, {})
            eye.figures, eye.clock = tuple(self.past.figures(self.scene, mind)), self.past.clock(self.scene, mind)

    @property
    def shown(self) -> Stands:
        """Where it stands now."""
        return Stands(
            {one: eye.picture for one, eye in self.eyes.items() if eye.picture is not None},
            {one: eye.known for one, eye in self.eyes.items() if eye.known},
            dict(self.names),
        )

    def beats(self, seen: Sequence[Here]) -> Iterator[Beat]:
        """What the eyes have *seen* of whole exchanges, in the order of the log, beat by beat."""
        for beat, run in heads(self.past, tuple(self.eyes), seen, self.numbers):
            yield self._whole(beat, run)

    def _whole(self, beat: Beat, run: Sequence[Here]) -> Beat:
        seen = {one: some for one, eye in self.eyes.items() if (some := self._seen(one, eye, run)) is not None}
        if TRUTH in seen:
            seen[TRUTH] = replace(seen[TRUTH], known=self._known(run))
        return replace(beat, seen=seen)

    def _seen(self, eyes: str, eye: _Eye, run: Sequence[Here]) -> Seen | None:
        known = [here for here in run if eyes in here.forms]
        if not known:
            return None
        facts = [here.forms[eyes] for here in known]
        told = tuple(line for here in known for line in here.told.get(eyes, ()))
        heaviest = max(told, key=lambda line: line.weight, default=None)
        about = [self.past.rests(fact) for fact in facts]
        change, figures, clock = self._shown(eyes, eye, run[-1], facts, told)
        return Seen(
            told=tuple(map(plain, told)),
            lines=_together(here.lines.get(eyes, {}) for here in known),
            change=change,
            figures=figures,
            clock=clock,
            headline=heaviest.headline if heaviest is not None else "",
            weight=heaviest.weight if heaviest is not None else 0,
            kinds=_once(kind_of(fact).rpartition(".")[2] for fact in facts),
            units=_once(name for one in about for name in one.units),
            places=_once(name for one in about for name in one.places),
            rules=tuple(dict.fromkeys(rule for fact in facts for rule in fact.rules)),
            throws=tuple(self._casts(facts)),
            draws=tuple(draw for here in known for draw in self._draws(eyes, here)),
        )

    def _shown(
        self, eyes: str, eye: _Eye, last: Here, facts: Sequence[Outcome], told: Sequence[Told]
    ) -> tuple[Change, tuple[Figures, ...], str]:
        """What is other than before: the picture, the figures, the hour."""
        if eye.turn != last.moment.turn:
            eye.turn, eye.facts, eye.told = last.moment.turn, [], []
        eye.facts += facts
        eye.told += told
        mind = self._mind(eyes, last.after)
        if mind is eye.mind:
            return Change(), (), ""
        picture = self._picture(eyes, eye, last)
        figures, clock = tuple(self.past.figures(self.scene, mind)), self.past.clock(self.scene, mind)
        found = (
            between(eye.picture, picture),
            figures if figures != eye.figures else (),
            clock if clock != eye.clock else "",
        )
        eye.mind, eye.picture, eye.figures, eye.clock = mind, picture, figures, clock
        return found

    @staticmethod
    def _mind(eyes: str, world: World[Any, Any]) -> object:
        return world.truth if eyes == TRUTH else world.minds[Role(eyes)]

    def _known(self, run: Sequence[Here]) -> dict[Role, dict[str, Known]]:
        """What each role has of the truth, where it is other than before."""
        for here in run:
            self.names |= self.past.names(here.forms[TRUTH])
        there, found = self.eyes[TRUTH].picture, {}
        assert there is not None
        for one, eye in self.eyes.items():
            if one == TRUTH or (eye.beside is not None and eye.beside[0] is there and eye.beside[1] is eye.picture):
                continue
            eye.beside = (there, eye.picture)
            held = eye.picture or Picture(title="", whose="", box=there.box)
            both = Both(Role(one), self.eyes[TRUTH].mind, eye.mind, there, held, self.names)
            known = dict(self.past.known(self.scene, both)) if eye.picture else dict(compared(there, held))
            if known != eye.known:
                found[both.role] = eye.known = known
        return found

    def _picture(self, eyes: str, eye: _Eye, last: Here) -> Picture:
        if eyes == TRUTH:
            return self.past.truth(self.scene, last.after.truth, last.after.minds, eye.facts, last.moment)
        return self.past.picture(self.scene, last.after.minds[Role(eyes)], Role(eyes), eye.told, last.moment)

    def _draws(self, eyes: str, here: Here) -> Sequence[Draw]:
        before = here.before.truth if eyes == TRUTH else here.before.minds[Role(eyes)]
        return self.past.draws(self.scene, before, here.forms[eyes])

    def _casts(self, facts: Sequence[Outcome]) -> Iterator[Cast]:
        for fact in facts:
            for throw in fact.dice:
                favour = self.past.favour(self.scene, fact, throw)
                if favour is None:
                    yield Cast(throw, fact.rules)
                else:
                    yield Cast(throw, fact.rules, favour.side, favour.good, favour.worth)


def _together(lines: Iterable[Mapping[Role, tuple[Told, ...]]]) -> dict[Role, tuple[Told, ...]]:
    found: dict[Role, tuple[Told, ...]] = {}
    for one in lines:
        for role, some in one.items():
            found[role] = (*found.get(role, ()), *map(plain, some))
    return found


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
