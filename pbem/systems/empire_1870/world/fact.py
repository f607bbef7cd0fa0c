"""What every fact of the game carries, and who learns how much of it.

A fact carries in *stacks*, *hqs* and *game* what it makes of the theatre of war, and in its own fields how that
came about.  A side learns what happens to its own pieces from the facts themselves, and what becomes of the
enemy's from `sighted` alone, which `fog` makes after every step of play by comparing the truth with its mind.  So a
fact under the aspect `public` comes without the pieces of the other side and without what is its owner's alone.
"""

from __future__ import annotations

from typing import ClassVar, TypedDict

from msgspec import UNSET, Struct
from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.kernel.event import Outcome
from pbem.kernel.names import FULL, Aspect, Role, RuleId
from pbem.rules.contract import default_of
from pbem.rules.ledger import cited
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, GERMAN, Hq, Seal
from pbem.systems.empire_1870.world.patches import GamePatch, HqPatch
from pbem.systems.empire_1870.world.stacks import Stack, Strength

PUBLIC = Aspect("public")
"""Without the other side's pieces and without what is the owner's alone."""


OPEN = Aspect("open")
"""Under the option `fog` open: with the pieces of both sides and their RP, without plans and policies."""


class Head(TypedDict):
    """What stands at the head of every fact: whose it is, if it is one side's, who knows it, and by which rules."""

    side: Role | None
    known: dict[Role, Aspect]
    rules: tuple[RuleId, ...]


def owner_only(side: Role, *rules: str) -> Head:
    """Known to *side* alone."""
    return {"side": side, "known": {side: FULL}, "rules": cited(*rules)}


def in_part(side: Role, *rules: str) -> Head:
    """Known to *side* as it stands, to its enemy as `public`."""
    return {"side": side, "known": {side: FULL, ENEMY[side]: PUBLIC}, "rules": cited(*rules)}


def both(side: Role | None, *rules: str) -> Head:
    """Known to both; each gets its own pieces from it."""
    return {"side": side, "known": {FRENCH: PUBLIC, GERMAN: PUBLIC}, "rules": cited(*rules)}


class Modifier(Struct, frozen=True):
    """What changed a number, and the rule that says so."""

    name: str
    value: int
    rule: RuleId


class Fact(Outcome, frozen=True, kw_only=True):
    """The common part of all facts of the game.

    *private* names fields that only *side*, the owner, gets; under the aspect `public` the other side gets them
    at their defaults.
    """

    only_seen: ClassVar[bool] = False
    """Whether it changes what a side knows, and nothing in truth."""

    turn: int = 0
    pulse: int = 0
    activation_no: int = 0
    side: Role | None = None
    """Whose fact it is, if it is one side's."""
    stacks: dict[Role, dict[Hex, Stack]] = {}
    """What stands in a hex after it; empty: nothing."""
    hqs: dict[str, HqPatch] = {}
    hq_sides: dict[str, Role] = {}
    """The side of each HQ in *hqs*."""
    new_hqs: tuple[Hq, ...] = ()
    toll: dict[Role, int] = {}
    """SP that it takes off the map, by side; below 0: that it brings onto it."""
    game: GamePatch | None = None
    private: tuple[str, ...] = ()
    secret_dice: bool = False
    """Whether its dice are the owner's alone."""


PLANS = ("entry", "policy", "order_line", "line")
"""Fields of facts that are their owner's alone under every option."""
_APART = ("game", "dice", "rules", "new_hqs")
"""Fields of facts that are no figures of SP."""
_SECRET_TABLES = ("programme", "standing", "administration")
_HIDDEN = ("passed_by_entry", "done")
"""Attributes that the enemy never learns."""


def game_for(game: GamePatch, role: Role, *, mine: bool, open_table: bool) -> GamePatch:
    """What *role* may know of a patch; *mine*: the fact is its own; *open_table*: under `fog` open."""
    changes: dict[str, object] = {}
    for name in (*_SECRET_TABLES, *(() if open_table else ("resource_points",))):
        table = getattr(game, name)
        if table is not UNSET:
            changes[name] = {side: value for side, value in table.items() if side == role} or UNSET
    if game.placed is not UNSET:
        changes["placed"] = {side: seal if side == role else Seal(seal.seal) for side, seal in game.placed.items()}
    if not mine:
        changes |= dict.fromkeys(_HIDDEN, UNSET)
        if role == GERMAN and not open_table:
            changes["rail_sp_used"] = UNSET
    return replace(game, **changes)


def _rested(value: object) -> object:
    """A part of a fact as both sides see it: who of the SP has acted is not to be seen."""
    match value:
        case Strength():
            return replace(value, spent=0)
        case tuple():
            return tuple(map(_rested, value))
        case Struct():
            return replace(value, **_unspent(value))
    return value


def _unspent(whole: Struct) -> dict[str, object]:
    """Every figure of SP in a fact, or in a part of one, without those that are spent; by the fields that change."""
    parts = {name: getattr(whole, name) for name in whole.__struct_fields__ if name not in _APART}
    changed = {name: _rested(part) for name, part in parts.items() if isinstance(part, Struct | tuple)}
    return {name: part for name, part in changed.items() if part != parts[name]}


def seen(fact: Fact, aspect: Aspect, role: Role) -> Fact:
    """The form of *fact* that *role* gets under `public`, or under `open`."""
    open_table = aspect == OPEN
    mine = fact.side == role
    plans = tuple(name for name in PLANS if name in fact.__struct_fields__)
    private = () if mine else (*(() if open_table else fact.private), *plans)
    game = fact.game and game_for(fact.game, role, mine=fact.side in (None, role), open_table=open_table)
    dice = tuple(one for one in fact.dice if one.seed == "open" and (mine or open_table or not fact.secret_dice))
    shown = replace(fact, game=game, private=(), dice=dice, **{name: default_of(fact, name) for name in private})
    if open_table:
        return shown
    return replace(
        shown,
        **_unspent(shown),
        stacks={side: table for side, table in fact.stacks.items() if side == role},
        hqs={name: patch for name, patch in fact.hqs.items() if fact.hq_sides.get(name) == role},
        new_hqs=tuple(hq for hq in fact.new_hqs if hq.side == role),
    )
