"""What every fact of the game carries, and who learns how much of it.

A fact carries in *changes*, *officers* and *game* what it makes of the field, and in its own fields how that came
about.  A side learns what happens to its own from the facts themselves, and how enemies stand from `sighting` alone,
which `fog` makes after every fact.  What a role gets of a fact is said by its `Lens`: units are named as it knows them
(`contact 3`, or nothing at all for one that it does not see), and what it may not know stands at its default.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import ClassVar

from msgspec import UNSET, Struct
from msgspec.structs import replace

from pbem.kernel.event import Outcome
from pbem.kernel.names import Aspect, Role, RuleId
from pbem.rules.contract import default_of
from pbem.systems.crossroads.world.patches import GamePatch, Mark, OfficerPatch, Patch, Turned

SEEN = Aspect("seen")
"""Through the role's lens."""

NAMED = ("unit", "units", "firer", "target", "au", "du", "winner", "loser", "by", "card_unit", "officer", "trigger")
"""Fields that name pieces."""


class Lens(Struct, frozen=True, omit_defaults=True):
    """How a role sees a fact."""

    labels: dict[str, str] = {}
    """By id, what it calls the pieces that it does not know by name; empty: it does not see them."""
    mine: tuple[str, ...] = ()
    """The pieces of *changes* and *officers* that are its own."""
    veil: tuple[str, ...] = ()
    """Fields that it does not get."""


class Modifier(Struct, frozen=True):
    """What changed a number, and the rule that says so."""

    name: str
    value: int
    rule_id: RuleId


class Cost(Struct, frozen=True):
    """What a move paid for on its way; *inches* in tenths."""

    event: str
    inches: int
    rule_id: RuleId


class Fact(Outcome, frozen=True, kw_only=True):
    """The common part of all facts of the game.

    :cvar OWNERS: fields that only *side* gets.
    :cvar CLOSE: fields that the other side gets only of a unit that it has identified.
    :cvar START, END: fields that say where a piece was before, and is after; for a side that saw it there.
    :cvar TELLTALE: by such a field, the rules that are cited for what it says.
    """

    OWNERS: ClassVar[tuple[str, ...]] = ()
    CLOSE: ClassVar[tuple[str, ...]] = ()
    START: ClassVar[tuple[str, ...]] = ()
    END: ClassVar[tuple[str, ...]] = ()
    TELLTALE: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    LOUD: ClassVar[bool] = False
    """Whether both sides learn it, seen or not."""

    turn: int = 0
    seq: int = 0
    """The card on which it happened; 0: before the first."""
    side: Role | None = None
    """Whose fact it is, if it is one side's."""
    changes: dict[str, Patch] = {}
    officers: dict[str, OfficerPatch] = {}
    game: GamePatch | None = None
    lenses: dict[Role, Lens] = {}


_SECRET = ("deck", "watch", "size")
_OWN_TABLES = ("orders", "policies")


def _game_for(game: GamePatch, role: Role, lens: Lens) -> GamePatch:
    changes: dict[str, object] = dict.fromkeys(_SECRET, UNSET)
    for name in _OWN_TABLES:
        table = getattr(game, name)
        if table is not UNSET:
            changes[name] = {side: value for side, value in table.items() if side == role} or UNSET
    if game.jokers is not UNSET:
        changes["jokers"] = tuple(name for name in game.jokers if name in lens.mine) or UNSET
    if game.left is not UNSET and "left" in lens.veil:
        changes["left"] = {side: count for side, count in game.left.items() if side == role} or UNSET
    if isinstance(game.course, Mark):
        changes["course"] = Mark(game.course.turn, {side: n for side, n in game.course.losses.items() if side == role})
    if isinstance(game.drawn, Turned):
        card = game.drawn
        unit = lens.labels.get(card.unit, card.unit)
        secret = "card" in lens.veil
        changes["drawn"] = Turned(card.seq, card.side, "" if secret else card.face, "" if "unit" in lens.veil else unit)
    return replace(game, **changes)


@cache
def names_in(kind: type[Fact]) -> tuple[str, ...]:
    """The fields of a kind of fact that name pieces."""
    return tuple(name for name in NAMED if name in kind.__struct_fields__)


def seen(fact: Fact, aspect: Aspect, role: Role) -> Fact:
    """The form of *fact* that *role* gets."""
    lens = fact.lenses.get(role, Lens())
    changes: dict[str, object] = {"lenses": {}}
    told = {one for name in lens.veil for one in fact.TELLTALE.get(name, ())}
    if told:
        changes["rules"] = tuple(one for one in fact.rules if one not in told)
    for name in lens.veil:
        if name in type(fact).__struct_fields__:
            changes[name] = default_of(fact, name)
    for name in names_in(type(fact)):
        value = changes.get(name, getattr(fact, name))
        if isinstance(value, str):
            changes[name] = lens.labels.get(value, value)
        elif isinstance(value, tuple):
            changes[name] = tuple(filter(None, (lens.labels.get(one, one) for one in value)))
    return replace(
        fact,
        **changes,
        changes={name: patch for name, patch in fact.changes.items() if name in lens.mine},
        officers={name: patch for name, patch in fact.officers.items() if name in lens.mine},
        game=fact.game and _game_for(fact.game, role, lens),
    )
