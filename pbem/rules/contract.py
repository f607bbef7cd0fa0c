"""The contract between the office and a rules system.

A system is a frozen record of pure functions.  What lasts from call to call stands in its State, put there by
a fact: standing orders, programmes, papers on the road, unplayed cards, rulings that wait for their moment.
Nothing here reads a clock, a file or a network, and nothing draws chance except through `Dice`.

Words.  *turn*: what the campaign counts and seeds; 0 is set-up.  *exchange*: one round of mail for everybody
inside a turn, from 1.  *halt*: a private call to one role inside an exchange.  *phase*, move, pulse, card: the
system's own words; nothing outside it is keyed on them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.picture import Look, Track
from pbem.kernel.dice import Dice
from pbem.kernel.event import Outcome
from pbem.kernel.names import FULL, Aspect, Moment, Role, RuleId
from pbem.kernel.office import Option
from pbem.kernel.owed import Answers, Call, Pause, Query
from pbem.orders.sheet import Line, Reading
from pbem.rules.chances import Chances
from pbem.rules.checks import Checks
from pbem.rules.past import Past
from pbem.rules.view import Told, View

Scene = TypeVar("Scene")
"""Scenario and map, parsed, never changed; outside the state."""
State = TypeVar("State")
"""The truth; a frozen Struct; holds the options in force."""
Mind = TypeVar("Mind")
"""What one role knows; a frozen Struct, often of the same class as State."""
Order = TypeVar("Order")
"""A union of tagged Structs, imperative."""
Fact = TypeVar("Fact", bound=Outcome)
"""A union of tagged Structs, past participle."""


@dataclass(frozen=True, slots=True)
class World(Generic[State, Mind]):
    """The truth, and beside it what each role knows of it.  Only `apply` makes a new one."""

    truth: State
    minds: Mapping[Role, Mind]


class Resolution(Struct, Generic[Fact], frozen=True):
    """Facts up to a place where the state is whole; then questions, or the next `Pause`, or the end."""

    facts: tuple[Fact, ...]
    asks: tuple[Query, ...] = ()


class Verdict(Struct, frozen=True):
    """Who has won (None: nobody), and how."""

    winner: str | None
    how: str
    rules: tuple[RuleId, ...] = ()


class Ask(Struct, frozen=True):
    """A question that a conformance case may put to board and tables, and the rules that answer it."""

    answer: Callable[..., object]
    """Called with scene, state and the case's arguments; gives plain values, comparable to TOML."""
    rules: tuple[RuleId, ...]


def ask(answer: Callable[..., object], *rules: str) -> Ask:
    """A question by what answers it, and the rules that do."""
    return Ask(answer, tuple(map(RuleId, rules)))


class Asked(Exception):
    """Raised within `resolve` where it cannot go on without an answer; what was begun of the stretch is thrown away."""

    def __init__(self, query: Query) -> None:
        super().__init__(query.key)
        self.query = query


@dataclass(frozen=True, slots=True)
class Fold:
    """How the facts of a game count: for the truth, for who learns of them, and which form of them he gets.

    These are `System`'s, apart from it for its own play (`rules.stretch`).
    """

    evolve: Callable[[Any, Any], Any]
    learn: Callable[[Any, Any], Any]
    seen: Callable[[Any, Aspect, Role], Any]


Until = Literal["pause", "phase"]
"""How far to play on: to the next pause, or (for a conformance case) to the end of the phase that it stands in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class System(Generic[Scene, State, Mind, Order, Fact]):
    """A game, as a record of pure functions."""

    name: str
    """`st-privat`"""
    title: str
    version: str
    facts: tuple[type[Fact], ...]
    """Every kind of fact that its log may hold; the codec is built from them."""
    orders: tuple[type[Any], ...]
    """Every kind of order, tagged."""
    state: type[State]
    """The class of its states.  Conformance cases read `pieces` (by name) and `vp` (by side) of it, where they expect
    any."""
    mind: type[Mind]

    scene: Callable[[Mapping[str, Any]], Scene]
    """Parse a scenario: `{"scenario": …, "map": …, "forces": …}` as its TOML files say.

    :raises BadScenario: naming file, table and what is wrong.
    """
    blank: Callable[[Scene, Mapping[str, Option]], World[State, Mind]]
    """The empty field under these options: the start of every fold.  Its minds name the roles.

    :raises Refused: on an option that the system does not have, or a value that it cannot take.
    """
    muster: Callable[[Scene, World[State, Mind], Dice], Sequence[Fact]]
    """Set the field up, as far as that needs no orders."""
    evolve: Callable[[State, Fact], State]
    """Apply one fact to the truth.  Total: throws no dice, reads no table, refuses nothing."""
    learn: Callable[[Mind, Fact], Mind]
    """Apply one fact, as seen, to what a role knows.  Total, also on a field known in part."""
    seen: Callable[[Fact, Aspect, Role], Fact | None]
    """The form of a fact that this aspect shows.  Never called with FULL; sees no state."""
    awaits: Callable[[State], Pause]
    """Where play stands, and what is owed there."""
    read: Callable[[Scene, Sequence[Line], Mind, Role, Call | None], Reading[Order]]
    """A whole sheet (with all that was added) into orders.  No call: a sheet for later; only words are judged.

    Judges by the mind: a refusal cannot tell a secret.
    """
    resolve: Callable[
        [Scene, World[State, Mind], Mapping[Role, Sequence[Order]], Answers, Dice, Until], Resolution[Fact]
    ]
    """Play on.  Silence is an absent role.  Never raises on what `read` passed: an order that cannot be carried
    out is itself a fact.

    Called where the state stands at a halt it is given the sheets for that halt alone: what was ordered for the
    exchange and is not played yet stands in the state.  The dice bear the name of the exchange, so that the same fall
    whether there was a halt or not."""
    view: Callable[[Scene, Mind, Role, Sequence[Told], Pause], View]
    """One role's page.  It cannot see the truth: it is not given it.  The pause has this role's calls alone."""
    tell: Callable[[Scene, Fact, Mind, Role], Sequence[Told]]
    """A fact, as seen, in words, with the names this role had for things just before it.

    What became of a line of the role's own sheet is a `Told` of its own, with `line` and `result`; the page has it
    under what was ordered, and not among what happened.
    """
    verdict: Callable[[State], Verdict | None]
    """Who has won and how, or None while play goes on."""
    direct: Callable[[Scene, World[State, Mind], Sequence[Line], Mapping[Role, Aspect]], Reading[Fact]]
    """The GM's language, into facts known to the roles he marks (to all that the fact itself concerns, if he
    marks none).  A ruling on what is still to come is a fact that the State keeps and `resolve` looks up."""
    asks: Mapping[str, Ask]
    """What conformance cases may ask of board and tables, by name."""
    counts: Callable[[State], Mapping[str, int | Fraction]]
    """What is conserved, by name: figures on the field, removed, off the board; the sum never changes.

    A name that begins with the side, `french figures fallen`, tells a study what each side lost.
    """

    forms: Mapping[str, str]
    """For each verb of its orders, one full example."""
    forecast: Callable[[Scene, Mind, Role, Sequence[Order]], Sequence[tuple[int, str]]]
    """What orders that `read` passed would come to, by what their writer knows: the number of a line and a sentence.

    From the mind alone: what he does not know may make it otherwise.
    """
    idle: Callable[[Scene, Mind, Role, Sequence[Order], Call], Sequence[str]]
    """Sentences: what of the role's own has no order among these, and what it then does."""
    looks: tuple[Look, ...] = ()
    """How its sides are drawn, as its pictures have it too, if not as `STYLES` of `ground.picture` ships.

    All systems stand in one style sheet of the web: colours of its own are those of styles that bear its name, as
    `toy-red`."""
    seals: Callable[[State], bool] | None = None
    """Whether no seed is shown before the game has ended, under the options in force.  None: open ones are shown with
    the reports of their exchange."""
    opens: Callable[[str], bool] | None = None
    """Whether a line begins a block of several, up to a line `end`; what stands in it is no word to the office.

    None: no order has a text of its own.
    """
    nests: Callable[[str], bool] | None = None
    """Whether a line begins a block of orders that a line `end` closes, and that may hold another.

    None: every order is one line, but for what `opens`.
    """
    plans: Callable[[Scene, Mind, Role, Sequence[Order]], Sequence[tuple[int, Track]]] | None = None
    """The same as `forecast`, to be drawn: the number of a line, and where it takes whom (`of`), or at whom he fires.

    None: nothing of it is drawn."""
    umpire: Callable[[Scene, World[State, Mind], Sequence[Fact], Sequence[Fact], Moment], View] | None = None
    """The GM's own page of an exchange: the whole truth, and what each role holds for true beside what is so.

    Called with the world as it then stands, the facts from before the exchange, and those of it; the page bears the
    role `umpire`.  No player is ever sent it.  None: the GM is shown the roles' pages side by side.
    """
    recount: Callable[[Scene, Fact, State], Sequence[Told]] | None = None
    """A fact whole, in the words of one who sees all, with the names of just before it; nothing: it is a matter of
    what a role knows.  For the GM's log.  None: he reads what the roles are told of it."""
    past: Past[Scene, State, Mind, Fact] | None = None
    """How a game is looked back on.  None: its history is told in words alone."""
    chances: Chances[Scene, State, Mind, Order] | None = None
    """What is said of chances.  None: nothing is."""
    checks: Checks[Scene] | None = None
    """What a check of a scenario of it says beyond what `scene` refuses.  None: nothing."""
    staff: Callable[[Scene, Sequence[Role], bool], str] | None = None
    """The directive of `direct` that leaves roles without a player to the rules of the game, or (True) leaves them to
    players again; empty: one of them must have a player.  None: every role must."""
    out: Callable[[State], Collection[Role]] | None = None
    """Roles that are out of the game, as everybody knows: nothing is asked of them any more; their players go on
    reading, and have no vote.  None: none ever is."""
    own_forms: Callable[[Scene, Mind, Role], Mapping[str, str]] | None = None
    """The examples of `forms` in the names of a role: its own troops, the places of this field.  None: as they are."""
    written: Callable[[object], str | None] | None = None
    """A value of its states as the game writes it, where that is not as it is kept: a place in inches for one in tenths
    of them; None of a value: as it is kept.  For the GM, who is shown states."""
    carries_letters: bool = False
    """Letters between roles are orders of the game, and travel in it; the office then carries none."""


Teller = Callable[..., Sequence[Told]]
"""How one kind of fact is told: called as `System.tell` is.  For a system's table from kinds of fact to tellers."""

AnySystem = System[Any, Any, Any, Any, Any]
"""A system as the office holds it."""


def form(fold: Fold | AnySystem, fact: Outcome, role: Role) -> Outcome | None:
    """The form of *fact* that *role* gets, `known` cut down to itself; None if it learns nothing.  The fog is here."""
    aspect = fact.known.get(role)
    if aspect is None:
        return None
    shown: Outcome | None = fact if aspect == FULL else fold.seen(fact, aspect, role)
    return None if shown is None else replace(shown, known={role: aspect})


def default_of(fact: Outcome, name: str) -> object:
    """The default of a field of *fact*, for a form in which it is not known; the empty word, if it has none."""
    fields, defaults = fact.__struct_fields__, fact.__struct_defaults__
    at = fields.index(name) - (len(fields) - len(defaults))
    return defaults[at] if at >= 0 else ""


def teach(fold: Fold | AnySystem, minds: dict[Role, Any], fact: Outcome) -> None:
    """Let each role of *minds* that knows *fact* `learn` its own form of it: the one way in which anybody does."""
    for role in fact.known:
        if role in minds and (shown := form(fold, fact, role)) is not None:
            minds[role] = fold.learn(minds[role], shown)


def apply(system: AnySystem, world: World[Any, Any], fact: Outcome) -> World[Any, Any]:
    """`evolve` the truth by *fact*, and `teach` it to whom it concerns."""
    minds = dict(world.minds)
    teach(system, minds, fact)
    return World(system.evolve(world.truth, fact), minds)
