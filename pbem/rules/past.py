"""What a system says of a game that was played: beside the contract, and for nothing but to look back.

Nothing here decides anything.  What is asked of a mind is answered from it alone; what is asked of the truth is shown
to the GM, and to everybody when the game is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from msgspec import Struct

from pbem.ground.picture import Picture
from pbem.kernel.event import Outcome, Throw
from pbem.kernel.names import Moment, Role
from pbem.rules.knowing import compared
from pbem.rules.reel import Draw, Figures, Known, Side
from pbem.rules.view import Told

Scene = TypeVar("Scene")
State = TypeVar("State")
Mind = TypeVar("Mind")
Fact = TypeVar("Fact", bound=Outcome)

Cut = Literal["opens", "joins", "ends"]
"""Whether a fact begins a beat, goes on in the one before, or goes on in it and is its last."""


class Rests(Struct, frozen=True):
    """What a fact is about, and what it rests on."""

    units: tuple[str, ...] = ()
    """Those that it befell or that did it, by the keys of their signs, the first of all first."""
    places: tuple[str, ...] = ()
    """As orders write them."""
    role: Role = Role("")
    """By whose order; empty: by nobody's."""
    line: int = 0
    """Of the sheet for its exchange; 0: not by a line, or it does not itself say by which."""
    sheet: int = 0
    """The exchange of its turn for which that sheet was sent; 0: its own."""
    did: tuple[str, ...] = ()
    """Those of the units that did it to others, as who fires: nothing befell them."""
    deed: str = ""
    """Of what deed in its exchange it is a part, as a card or an activation; empty: of its phase."""


ANY_DEED = "*"
"""The deed of a fact that may rest on any before it, of whatever exchange."""

ALONE = "-"
"""The deed of a fact that rests on nothing but what its own words say."""


class Leads(NamedTuple):
    """What may lead to a fact of some kind."""

    kinds: tuple[type[Outcome], ...]
    every: bool = False
    """All of them that touch its units and places count, and not the last alone: volleys on one target."""


class Favour(Struct, frozen=True):
    """To whom a throw is good, and which faces of it."""

    side: str
    good: Literal["high", "low", "table"]
    worth: tuple[int | None, ...] = ()
    """Of a die with results printed on it (`table`), what each face is worth to that side; None: it is thrown again."""


class Both(NamedTuple, Generic[State, Mind]):
    """The truth, and beside it what a role has of it."""

    role: Role
    truth: State
    mind: Mind
    there: Picture
    """The true one."""
    held: Picture
    """Its own."""
    names: Mapping[str, str]
    """All that facts have said until then of names and whom they stand for (`Past.names`)."""


class Dated(Struct, frozen=True):
    """When what a role has of a body was so, and when it came to know it: hours of the game, in words."""

    seen: str
    reached: str
    source: str = ""
    """From whom; empty: from its own eyes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Past(Generic[Scene, State, Mind, Fact]):
    """How a system is looked back on, as a record of pure functions."""

    sides: Callable[[Scene], Sequence[Side]]
    """The sides of the game, the first first."""
    called: Callable[[Scene, Role], str]
    """What a role is called: `the French commander, Marshal Canrobert`."""
    picture: Callable[[Scene, Mind, Role, Sequence[Told], Moment], Picture]
    """What a role holds of the field, by itself, with the tracks of the turn; it was *told* so much of it so far."""
    truth: Callable[[Scene, State, Mapping[Role, Mind], Sequence[Fact], Moment], Picture]
    """The field as it is; the facts are those of its turn so far, whose tracks it shows."""
    figures: Callable[[Scene, State | Mind], Sequence[Figures]]
    """How each side stands: truly, or as a role knows it."""
    clock: Callable[[Scene, State | Mind], str]
    """The hour of the game: `Turn 4`, `06:14`."""
    rests: Callable[[Fact], Rests]
    """What a fact is about: of a form that a role has, what it knows of that."""
    ordered: Callable[[Scene, State | Mind, Fact, Role, Sequence[Any]], int] = lambda *asked: 0
    """The line of that one of a role's orders of which a fact came, by how things stood before it; 0: of none of them.
    For facts that do not say it themselves."""
    leads: Mapping[type[Outcome], Leads] = field(default_factory=dict)
    """By kind of fact, the kinds that may lead to it; to others may lead whatever befell the same units."""
    favour: Callable[[Scene, Fact, Throw], Favour | None]
    """To whom a throw of a fact was good; None: to nobody."""
    draws: Callable[[Scene, State | Mind, Fact], Sequence[Draw]] = lambda scene, before, fact: ()
    """What was shuffled or salted for a fact, as far as it shows what came of it: of a form, as far as that does."""
    cut: Callable[[Fact, Sequence[Told], Sequence[Told]], Cut | None] = lambda fact, told, before: None
    """Whether a fact with words begins a beat, by what was told in the one before; None: as `cutting` has it."""
    names: Callable[[Fact], Mapping[str, str]] = lambda fact: {}
    """Names that roles have for bodies since this fact, and the keys of the bodies in the true picture."""
    known: Callable[[Scene, Both[State, Mind]], Mapping[str, Known]] = lambda scene, both: compared(
        both.there, both.held
    )
    """What a role has of each sign of the true picture, by its key, but for those that it has right.  As it stands:
    for games in which a role calls what it knows by the names that it has in truth."""

    dated: Callable[[Scene, Mind, str], Dated | None] = lambda scene, mind, key: None
    """When what a role has of the sign of that key was seen, and when it reached it; None: when it was so."""


AnyPast = Past[Any, Any, Any, Any]


def own_names(whose: str, names: Mapping[str, str]) -> dict[str, str]:
    """Of names that begin with whose they are, those of one, as he has them.

    >>> own_names("french", {"french contact 3": "p1", "prussian contact 3": "f1"})
    {'contact 3': 'p1'}
    """
    return {name.removeprefix(f"{whose} "): body for name, body in names.items() if name.startswith(f"{whose} ")}


def named(fact: Outcome, fields: Sequence[str]) -> tuple[str, ...]:
    """What stands in some fields of a fact, names or several names, each once, in that order."""
    values = (getattr(fact, name) for name in fields if hasattr(fact, name))
    found = (one for value in values for one in ([value] if isinstance(value, str) else value or ()))
    return tuple(dict.fromkeys(one for one in found if isinstance(one, str) and one))
