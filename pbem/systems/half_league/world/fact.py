"""What every fact of the game carries, and who learns how much of it.

A fact carries in *units*, *leaders* and *game* what it makes of the battle, and in its own fields how that came about.
A side learns what becomes of its own pieces from the facts themselves, and of the enemy's from `sighting` alone, which
`mind.fog` makes by comparing the truth with its mind.  So every form of a fact but the whole comes without the pieces
of the other side, and names those as its reader does: by id what he has identified, else `contact 3`, or `unseen`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from functools import cache
from types import NoneType
from typing import ClassVar, Literal, TypedDict, TypeVar, get_args, get_origin, get_type_hints

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from pbem.kernel.event import Outcome
from pbem.kernel.names import Aspect, Role, RuleId
from pbem.rules.contract import default_of
from pbem.rules.ledger import cited
from pbem.systems.half_league.world.patches import GamePatch, LeaderPatch, UnitPatch
from pbem.systems.half_league.world.pieces import ENEMY, Leader, Unit, side_of

Aimed = TypeVar("Aimed", Unit, UnitPatch)

OWNER = Aspect("owner")
"""All of it but the other side's pieces, and the throws of `BESIDES`."""
IDENTIFIED = Aspect("identified")
"""What the enemy sees of a unit that he has identified: all but what is its owner's alone."""
PUBLIC = Aspect("public")
"""What the enemy sees of any unit in sight: besides that, not what chits, class or points could be told from."""

BESIDES = frozenset({"command_points", "move", "leader_move", "leader_reinforce", "successor", "reinforce"})
"""Purposes of throws that no form of a fact bears: their faces stand in its own fields, for its owner."""

UNSEEN = "unseen"
"""A piece that the reader of a fact does not see."""

SPENDING = RuleId("HL-CMD-02")
"""What such a modifier cites then."""

PAID = ("command_point", "brigadier")
"""Modifiers that tell who paid for a benefit; the enemy reads `benefit`."""


TELLTALE = frozenset({f"HL-CMD-{number:02}" for number in range(2, 14)})
"""Rules of points and brigadiers: which of them a die or a move went by tells who paid."""
CHITS_RULE = RuleId("HL-MOR-01")
"""All that is read of a chit for something out of sight."""
SHADED = frozenset({"HL-MOV-10", "HL-MOR-02"})
"""Rules that tell of chits."""


class Modifier(Struct, frozen=True):
    """What is added to a die, and the rule that says so."""

    why: str
    """`chit`, `command_point`, `behind_trench` …: the names of the tables."""
    value: int
    rule: RuleId


class Dropped(Struct, frozen=True):
    """A die that was lost on the way, and to what, by name: a friend, worse ground, a line that was crossed."""

    value: int
    reason: str


Stopped = Literal["dice", "destination", "maximum", "edge", "enemy", "friend", "ground", "line", "turned"]
"""What ended a walk."""

Whose = Literal["owner", "identified", "in sight", "both"]
"""Who learns of a fact: its owner alone; the enemy who has identified the unit; who sees it; in any case."""


class Fact(Outcome, frozen=True, kw_only=True):
    """The common part of all facts of the game.

    *side* is its owner.  Fields that are his alone, those of `owners` and those that *private* names, stand at their
    defaults under the other aspects, and under `public` those of `shaded` too.
    """

    only_seen: ClassVar[bool] = False
    """Whether it changes what a side knows, and in truth no piece."""
    whose: ClassVar[Whose] = "in sight"
    shaded: ClassVar[tuple[str, ...]] = ()
    """Fields from which chits, class or points could be told."""
    owners: ClassVar[tuple[str, ...]] = ()
    """Fields that are the owner's alone."""
    covert: ClassVar[tuple[str, ...]] = ()
    """Of a fact with a `firer`: fields from which could be told who and where he is, by who does not see him."""
    trail: ClassVar[tuple[str, ...]] = ()
    """Of a unit that goes somewhere: fields from which it could be told where, by who lost sight of it."""

    turn: int = 0
    segment: int = 0
    side: Role | None = None
    units: dict[str, UnitPatch] = {}
    new_units: tuple[Unit, ...] = ()
    leaders: dict[str, LeaderPatch] = {}
    new_leaders: tuple[Leader, ...] = ()
    removes: tuple[str, ...] = ()
    """Ids of pieces that are no more."""
    sides: dict[str, Role] = {}
    """The side of every piece that it names."""
    names: dict[Role, dict[str, str]] = {}
    """What each side calls those pieces that it does not know by their ids."""
    game: GamePatch | None = None
    private: tuple[str, ...] = ()


class OfUnit(TypedDict):
    """What a fact that befalls a unit has."""

    rules: tuple[RuleId, ...]
    side: Role
    unit: str


def of_unit(unit: Unit, *rules: str) -> OfUnit:
    """The head of a fact that befalls a unit, by these rules."""
    return {"rules": cited(*rules), "side": unit.side, "unit": unit.id}


_OWN_TABLES = ("command", "policies")
_HIDDEN = ("labels", "contacts", "fights")
"""Attributes of the game that no side learns."""


def game_for(game: GamePatch, side: Role) -> GamePatch:
    """What a side may know of a patch."""
    changes: dict[str, object] = dict.fromkeys(_HIDDEN, UNSET)
    for name in _OWN_TABLES:
        table = getattr(game, name)
        if table is not UNSET:
            changes[name] = {role: value for role, value in table.items() if side_of(role) == side} or UNSET
    if game.course is not UNSET:
        course = game.course
        fallen = {side: course.fallen[side]} if side in course.fallen else {}
        changes["course"] = replace(course, fallen=fallen, points={})
    return replace(game, **changes)


def seen(fact: Fact, aspect: Aspect, role: Role) -> Fact:
    """The form of *fact* that *role* gets under `owner`, `identified` or `public`."""
    side = side_of(role)
    names = fact.names.get(side, {})
    sides = fact.sides
    if fact.only_seen:
        # It names pieces as its reader does already; which ids his names stand for it keeps to itself.
        told = mentioned((fact.new_units, fact.new_leaders, fact.removes, getattr(fact, "sights", ())), sides)
        sides = {name: whose for name, whose in sides.items() if whose == side or name in told}
    cut: dict[str, object] = {}
    if aspect != OWNER:
        unseen = names.get(getattr(fact, "firer", "")) == UNSEEN
        gone = (
            *fact.owners, *fact.private, *(fact.shaded if aspect == PUBLIC else ()), *(fact.covert if unseen else ()),
        )  # fmt: skip
        cut = {name: default_of(fact, name) for name in gone}
    theirs = ENEMY.get(side)
    dice = tuple(
        throw
        for throw in fact.dice
        if not any(hidden in throw.name for hidden in names)
        and throw.purpose not in BESIDES
        and f"/initiative/{theirs}" not in throw.name
    )
    cut |= {
        "units": {name: _aimed(patch, names) for name, patch in fact.units.items() if fact.sides.get(name) == side},
        "new_units": tuple(
            unit if fact.only_seen else _aimed(unit, names)
            for unit in fact.new_units
            if unit.side == side or fact.only_seen
        ),
        "leaders": {name: patch for name, patch in fact.leaders.items() if fact.sides.get(name) == side},
        "new_leaders": tuple(leader for leader in fact.new_leaders if leader.side == side or fact.only_seen),
        "removes": tuple(name for name in fact.removes if fact.only_seen or fact.sides.get(name) == side),
        "sides": {names.get(name, name): whose for name, whose in sides.items() if names.get(name) != UNSEEN},
        "names": {},
        "private": (),
        "game": fact.game and game_for(fact.game, side),
        "dice": () if fact.side == theirs and (aspect == PUBLIC or fact.private) else dice,
    }
    own = {
        name: _told(cut[name] if name in cut else getattr(fact, name), names, side, fact.sides, fact.side)
        for name in _own_words(type(fact))
    }
    return replace(fact, **{**cut, **own}, rules=_rules_for(fact, aspect, side, own))


_AIMS = ("charge_target", "fired_at", "fired_before", "from_rear")
"""Attributes of a unit that name enemies."""


def _aimed(piece: Aimed, names: Mapping[str, str]) -> Aimed:
    """A unit, or what becomes of it, with the enemies that it names called as its own side calls them."""
    changes: dict[str, object] = {}
    for name in _AIMS:
        value = getattr(piece, name)
        if isinstance(value, str) and value in names:
            changes[name] = names[value]
        elif isinstance(value, tuple) and not names.keys().isdisjoint(value):
            changes[name] = tuple(names.get(one, one) for one in value)
    return replace(piece, **changes) if changes else piece


def _rules_for(fact: Fact, aspect: Aspect, side: Role, own: Mapping[str, object]) -> tuple[RuleId, ...]:
    """The rules that a side may read: not those by which the other side's points, or its chits far off, could be told.

    Those of modifiers that it reads are its own.
    """
    if fact.side == side:
        return fact.rules
    if "reason" in fact.private:
        return tuple(rule for rule in fact.rules if rule == CHITS_RULE)
    read = set(_modifier_rules(list(own.values())))
    hidden = TELLTALE | (SHADED if aspect == PUBLIC else frozenset())
    return tuple(rule for rule in fact.rules if rule in read or rule not in hidden)


def _modifier_rules(value: object) -> Iterator[RuleId]:
    """The rules of all modifiers in a value."""
    if isinstance(value, Modifier):
        yield value.rule
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _modifier_rules(one)
    elif isinstance(value, Struct):
        for name in _in_words(type(value)):
            yield from _modifier_rules(getattr(value, name))


_COMMON = frozenset(Fact.__struct_fields__)


def _told(value: object, names: Mapping[str, str], side: Role, sides: Mapping[str, Role], whose: Role | None) -> object:
    """A value with the names that *side* has for pieces; of what the other side paid for only that it was paid."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        # That there is somebody whom he does not see is not for him to count.
        seen_of = [one for one in value if not isinstance(one, str) or names.get(one) != UNSEEN]
        return tuple(_told(one, names, side, sides, whose) for one in seen_of)
    if isinstance(value, dict):
        return {names.get(key, key): _told(one, names, side, sides, whose) for key, one in value.items()}
    if isinstance(value, Modifier):
        paid = whose not in (side, None) and value.why in PAID
        return Modifier("benefit", value.value, SPENDING) if paid else value
    if isinstance(value, Struct) and (veiled := getattr(value, "veiled", None)) is not None:
        return value if getattr(value, "side", side) == side else replace(value, **veiled)
    if isinstance(value, Struct):
        unit = getattr(value, "unit", None)
        whose = sides.get(unit, whose) if isinstance(unit, str) else whose
        inner = {name: _told(getattr(value, name), names, side, sides, whose) for name in _in_words(type(value))}
        return replace(value, **inner)
    return value


def mentioned(value: object, known: Container[object]) -> set[str]:
    """The ids among *known* that stand anywhere in a value."""
    found, left = set[str](), [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            if one in known:
                found.add(one)
        elif isinstance(one, tuple):
            left += one
        elif isinstance(one, dict):
            left += one
            left += one.values()
        elif isinstance(one, Struct):
            left += filter(None, [getattr(one, name) for name in _in_words(type(one))])
    return found


_WORDLESS = frozenset({int, bool, NoneType, UnsetType, RuleId})


@cache
def _in_words(kind: type[Struct]) -> tuple[str, ...]:
    """The fields of a kind in which words stand that are not of the game itself: a piece is named in no other."""
    return tuple(name for name, hint in _hints(kind).items() if name in kind.__struct_fields__ and _has_words(hint))


@cache
def _own_words(kind: type[Struct]) -> tuple[str, ...]:
    """Those of them that not every fact has."""
    return tuple(name for name in _in_words(kind) if name not in _COMMON)


@cache
def _hints(kind: type) -> dict[str, object]:
    return get_type_hints(kind)


def _has_words(hint: object) -> bool:
    if hint in _WORDLESS or get_origin(hint) is Literal:
        return False
    if parts := get_args(hint):
        return any(_has_words(part) for part in parts)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return bool(_in_words(hint))
    if isinstance(hint, type) and hasattr(hint, "_fields"):
        return any(_has_words(part) for part in _hints(hint).values())
    return hint is not Ellipsis
