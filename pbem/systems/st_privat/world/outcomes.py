"""What may come to pass.  Names are the ledger's; fire and melee stand in `outcomes_combat`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.kernel.event import Throw, kinds_of
from pbem.kernel.names import Aspect, Role, ThrowName
from pbem.rules.ledger import cited
from pbem.rules.view import Result
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import Die, DummyCause, Fact, RevealCause, StopReason
from pbem.systems.st_privat.world.pieces import Facing, Formation, Place

# ------------------------------------------------------------------ set-up and the clock


class SiegeZoneRolled(Fact, frozen=True, kw_only=True, tag="st-privat.siege_zone_rolled"):
    """The two dice that fix where the siege gun may stand (SP-SET-03)."""

    die_file: int
    die_row: int
    files: str
    row: int


class SetupCompleted(Fact, frozen=True, kw_only=True, tag="st-privat.setup_completed"):
    """A side is on the board.  *defaulted* names what was placed by the default set-up."""

    side: Role
    placements: tuple[str, ...] = ()
    """Set-up orders that would make this set-up; secret."""
    defaulted: tuple[str, ...] = ()
    seal: str = ""
    """SHA-256 of salt, a newline, and the placements joined by newlines."""
    salt: str = ""


class SetupRevealed(Fact, frozen=True, kw_only=True, tag="st-privat.setup_revealed"):
    """At the end: the salt and the placements under a seal, for anyone to check."""

    side: Role
    seal: str
    salt: str
    placements: tuple[str, ...]


class PhaseBegan(Fact, frozen=True, kw_only=True, tag="st-privat.phase_began"):
    """Play went on to another phase, or to another turn."""


class InitiativeRolled(Fact, frozen=True, kw_only=True, tag="st-privat.initiative_rolled"):
    """Who moves first and second in the next turn (SP-TRN-03)."""

    french_die: int
    prussian_die: int
    rerolls: int
    winner: Role
    choice: Literal["first", "second"]
    first_mover: Role
    second_mover: Role


class WithdrawalOrdered(Fact, frozen=True, kw_only=True, tag="st-privat.withdrawal_ordered"):
    """The French are told to march for Metz (SP-GEN-03)."""

    square: Square


class ReactionSet(Fact, frozen=True, kw_only=True, tag="st-privat.reaction_set"):
    """A standing reaction was given or withdrawn."""

    side: Role
    text: str


class OrderPlayed(Fact, frozen=True, kw_only=True, tag="st-privat.order_played"):
    """What became of one line of a side's sheet; known to that side alone."""

    side: Role
    line: int
    result: Result
    text: str
    reason: str = ""


# ------------------------------------------------------------------ movement


class UnitMoved(Fact, frozen=True, kw_only=True, tag="st-privat.unit_moved"):
    """Stands went along a path; its first square is where they stood."""

    side: Role
    units: tuple[str, ...]
    path: tuple[Square, ...]
    cost_steps: tuple[int, ...]
    cost: int
    allowance: int
    road_bonus_used: bool = False
    formation: Formation = "line"
    facing: Facing | None = None
    place: Place = "outside"
    count: int = 0
    """Stands moved, where their names are secret."""


class MoveStopped(Fact, frozen=True, kw_only=True, tag="st-privat.move_stopped"):
    """A move ended before its order's end."""

    side: Role
    units: tuple[str, ...]
    square: Square
    reason: StopReason


class EntryBlocked(Fact, frozen=True, kw_only=True, tag="st-privat.entry_blocked"):
    """Cards, some of them real, barred a step (SP-HID-06)."""

    unit: str
    side: Role
    start: Square
    card_square: Square


class DummiesRemoved(Fact, frozen=True, kw_only=True, tag="st-privat.dummies_removed"):
    """Dummies were found out and taken off."""

    square: Square
    count: int
    cause: DummyCause


class CardsRevealed(Fact, frozen=True, kw_only=True, tag="st-privat.cards_revealed"):
    """Face-down units were turned up, for good (SP-HID-04)."""

    square: Square
    units: tuple[str, ...]
    cause: RevealCause


class CardMoved(Fact, frozen=True, kw_only=True, tag="st-privat.card_moved"):
    """Cards changed their square within a town, or turned, face down (SP-HID-03)."""

    card_count: int
    start: Square
    end: Square
    units: tuple[str, ...] = ()
    facing: Facing | None = None


class FormationChanged(Fact, frozen=True, kw_only=True, tag="st-privat.formation_changed"):
    """Infantry of one square regrouped."""

    group_square: Square
    units: tuple[str, ...]
    start: Formation
    end: Formation
    cost: int


class UnitTurned(Fact, frozen=True, kw_only=True, tag="st-privat.unit_turned"):
    """Stands turned in their square."""

    group_square: Square
    units: tuple[str, ...]
    start: Facing | None
    end: Facing
    cost: int


class PlaceChanged(Fact, frozen=True, kw_only=True, tag="st-privat.place_changed"):
    """Stands went into or out of the building of their square (SP-TER-06)."""

    units: tuple[str, ...]
    square: Square
    place: Place
    cost: int


class GunLimbered(Fact, frozen=True, kw_only=True, tag="st-privat.gun_limbered"):
    """A gun was hitched to its limber."""

    gun: str
    square: Square


class GunUnlimbered(Fact, frozen=True, kw_only=True, tag="st-privat.gun_unlimbered"):
    """A gun was taken off its limber."""

    gun: str
    square: Square
    facing: Facing


class GunProlonged(Fact, frozen=True, kw_only=True, tag="st-privat.gun_prolonged"):
    """A gun was pushed a square by its crew."""

    gun: str
    start: Square
    square: Square
    facing: Facing


class CrewDetached(Fact, frozen=True, kw_only=True, tag="st-privat.crew_detached"):
    """A crew left its gun (SP-CAP-05)."""

    gun: str
    crew: str
    square: Square
    place: Place


class GunManned(Fact, frozen=True, kw_only=True, tag="st-privat.gun_manned"):
    """A crew took to a gun."""

    gun: str
    crew: str
    square: Square


class FordStarted(Fact, frozen=True, kw_only=True, tag="st-privat.ford_started"):
    """A unit stands in the water."""

    unit: str
    square: Square
    points_paid: int = 0


class FordWaited(Fact, frozen=True, kw_only=True, tag="st-privat.ford_waited"):
    """A whole turn was stood in the ford."""

    unit: str
    square: Square


class FordCrossed(Fact, frozen=True, kw_only=True, tag="st-privat.ford_crossed"):
    """A unit left the water by the far bank."""

    unit: str
    square: Square
    points_paid: int = 0


class WallCrossed(Fact, frozen=True, kw_only=True, tag="st-privat.wall_crossed"):
    """A unit went over a wall."""

    unit: str
    edge: str
    points_paid: int


class SiegeGunPlaced(Fact, frozen=True, kw_only=True, tag="st-privat.siege_gun_placed"):
    """The siege gun stands on the table."""

    square: Square
    cause: Literal["ordered", "found"]


class SiegeRevealFailed(Fact, frozen=True, kw_only=True, tag="st-privat.siege_reveal_failed"):
    """The Prussians have no undisputed control of the gun's square (SP-SGE-02)."""

    reason: Literal["control_disputed"]


class UnitLost(Fact, frozen=True, kw_only=True, tag="st-privat.unit_lost"):
    """An order was for a piece that is no more."""

    unit: str
    line: int


class Sighted(Fact, frozen=True, kw_only=True, tag="st-privat.sighted"):
    """Under `fog_of_war` los: enemies came into a side's sight (*shows*) or went out of it (*forgets*)."""

    side: Role


# ------------------------------------------------------------------ end of turn


class TownControlChanged(Fact, frozen=True, kw_only=True, tag="st-privat.town_control_changed"):
    """A town changed hands (SP-VIC-03, SP-VIC-04)."""

    town: str
    start: str
    end: str
    points_awarded: int = 0
    points_subtracted: int = 0


class ScoreUpdated(Fact, frozen=True, kw_only=True, tag="st-privat.score_updated"):
    """The score after something that counts."""

    french: int
    prussian: int
    items: tuple[str, ...] = ()


class GameEnded(Fact, frozen=True, kw_only=True, tag="st-privat.game_ended"):
    """The game is over."""

    reason: Literal["turn_15", "no_town_turn_9"]
    winner: Literal["french", "prussian", "draw"]
    french: int
    prussian: int


class Ruling(Fact, frozen=True, kw_only=True, tag="st-privat.umpire_ruling"):
    """The GM set something: *effect* is the directive."""

    text: str
    effect: str


FACTS: tuple[type[Fact], ...] = kinds_of(Fact)
"""Every kind of fact of the game: those of this module, and of `outcomes_combat`."""


POLICY_RULES = ("SP-RIF-07", "SP-ART-09")


def _known(names: tuple[str, ...], secret: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in secret)


def seen(fact: Fact, aspect: Aspect, role: Role) -> Fact | None:
    """The form of *fact* under the aspect `public`: without what its owner alone may know."""
    secret = fact.secret
    changes = {
        name: replace(patch, slot=UNSET, formation=UNSET) if name in fact.veiled else patch
        for name, patch in fact.changes.items()
        if name not in secret
    }
    bare = replace(fact, secret=(), veiled=(), changes=changes)
    match bare:
        case SetupCompleted():
            return replace(bare, placements=(), defaulted=(), salt="", game=None)
        case CardMoved():
            return replace(bare, units=_known(bare.units, secret))
        case UnitMoved():
            return replace(bare, units=_known(bare.units, secret), count=bare.count or len(bare.units))
        case c.FireDeclared():
            # A policy that chose the target is its owner's secret, and so is the rule by which it chose.
            open_rules = tuple(name for name in bare.rules if name not in POLICY_RULES)
            return replace(bare, source="", rules=open_rules, **_units(bare, secret))
        case c.RifleFireResolved() if secret:
            return _fired(bare, [_unseen(die) if die.shooter in secret else die for die in bare.fire])
        case c.ArtilleryFireResolved() if secret:
            dice = tuple(replace(one, name=_nameless(one)) for one in bare.dice)
            return replace(bare, **OUT_OF_SIGHT, dice=dice, aim_square=bare.hit_square)
        case c.UnitRemoved() if secret:
            return replace(bare, square=None)
        case c.ChargeCalledOff():
            return replace(bare, odds="", wanted="")
        case c.FellBack():
            return replace(bare, source="", **_units(bare, secret))
        case c.ManOrHorseRolled() | c.LossesApplied() | OrderPlayed() | ReactionSet() if secret:
            return None
        # Whatever else there is to tell holds no secret but names.
        case _:
            return replace(bare, **_units(bare, secret)) if secret else bare


OUT_OF_SIGHT: dict[str, object] = {
    "gun": "", "ammunition": "", "range": 0, "sector": "", "aim": "troops", "hit_max": 0, "modifiers": (),
    "modified": 0, "rules": cited("SP-OPT-01", "SP-GEN-01"),
}  # fmt: skip
"""What is left of a gun's fire for those who do not see it: where it fell, the dice, and what they did."""


def _unseen(die: Die) -> Die:
    """A die without who threw it and from where."""
    nowhere = Square("")
    return Die("", nowhere, range=0, hit_max=0, natural=die.natural, modified=0, hit=die.hit, kills=die.kills)


def _fired(fact: c.RifleFireResolved, fire: Sequence[Die]) -> c.RifleFireResolved:
    """Rifle fire with some dice from out of sight: those come last, the highest first, under no name."""
    throws = [
        replace(throw, name=throw.name if die.shooter else _nameless(throw))
        for throw, die in zip(fact.dice, fire, strict=True)
    ]
    order = sorted(
        range(len(fire)), key=lambda at: (not fire[at].shooter, 0 if fire[at].shooter else -fire[at].natural)
    )
    rules = fact.rules if any(die.shooter for die in fire) else cited("SP-OPT-01", "SP-GEN-01")
    return replace(fact, fire=tuple(fire[at] for at in order), dice=tuple(throws[at] for at in order), rules=rules)


def _nameless(throw: Throw) -> ThrowName:
    """The name of a throw without its place, which is the shooter."""
    return ThrowName("/".join((*throw.name.split("/")[:2], "unseen")))


def _units(fact: Fact, secret: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The fields of names of *fact*, without the secret ones."""
    return {
        field: _known(getattr(fact, field), secret)
        for field in ("units", "shooters", "attackers", "defenders")
        if hasattr(fact, field)
    }
