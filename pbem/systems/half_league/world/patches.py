"""What a fact makes of a battle: the attributes that it sets, under the names of what it changes."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.systems.half_league.world.course import Command, Ended, Half, Mark, Phase
from pbem.systems.half_league.world.options import Options
from pbem.systems.half_league.world.orders import Benefit, Policy
from pbem.systems.half_league.world.pieces import Activity, Arm, Class, Formation, Guns, Mode, Status


class UnitPatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of a unit that a fact sets, under the names of `Unit`."""

    stand_figures: tuple[int, ...] | UnsetType = UNSET
    formation: Formation | UnsetType = UNSET
    front: Point | UnsetType = UNSET
    bearing: int | UnsetType = UNSET
    chits: int | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    command_points: int | UnsetType = UNSET
    command_points_start: int | UnsetType = UNSET
    commander_lost: int | UnsetType = UNSET
    wins_ties: bool | UnsetType = UNSET
    charge_target: str | UnsetType = UNSET
    charge_else: bool | UnsetType = UNSET
    charge_place: Point | UnsetType | None = UNSET
    charged: bool | UnsetType = UNSET
    charge_test: Literal["", "passed", "failed"] | UnsetType = UNSET
    stood: Literal["", "stood", "failed"] | UnsetType = UNSET
    charged_from: Point | UnsetType | None = UNSET
    from_rear: tuple[str, ...] | UnsetType = UNSET
    activity: Activity | UnsetType = UNSET
    pulled_too: bool | UnsetType = UNSET
    last_forward: int | UnsetType = UNSET
    stationary_turns: int | UnsetType = UNSET
    stirred: bool | UnsetType = UNSET
    fired: bool | UnsetType = UNSET
    engaged: bool | UnsetType = UNSET
    fired_at: tuple[str, ...] | UnsetType = UNSET
    fired_before: tuple[str, ...] | UnsetType = UNSET
    began: Point | UnsetType | None = UNSET
    began_bearing: int | UnsetType = UNSET
    benefits_used: tuple[Benefit, ...] | UnsetType = UNSET
    favours: tuple[Benefit, ...] | UnsetType = UNSET
    sixes: int | UnsetType = UNSET
    owed_chits: tuple[str, ...] | UnsetType = UNSET
    fallen: int | UnsetType = UNSET
    shown_turn: int | UnsetType = UNSET
    cls: Class | UnsetType = UNSET
    arm: Arm | UnsetType = UNSET
    may_skirmish: bool | UnsetType = UNSET


class LeaderPatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of a leader that a fact sets, under the names of `Leader`."""

    name: str | UnsetType = UNSET
    front: Point | UnsetType = UNSET
    attached_to: str | UnsetType = UNSET
    attached_since_start_of_turn: bool | UnsetType = UNSET
    status: Literal["ok", "killed_replaced", "dead"] | UnsetType = UNSET
    modes: dict[str, Mode] | UnsetType = UNSET
    pulls: int | UnsetType = UNSET
    favour: Benefit | Literal[""] | UnsetType = UNSET
    successor: Literal["", "gives", "gives not"] | UnsetType = UNSET


class GamePatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of the game that a fact sets, under the names of `Battle`.

    Tables by side, role or id replace the entries that they name; *course* adds one.
    """

    turn: int | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    initiative: Role | UnsetType | None = UNSET
    held: Role | UnsetType | None = UNSET
    chose: Role | UnsetType | None = UNSET
    flank: Half | Literal[""] | UnsetType = UNSET
    charge_flank: Half | Literal[""] | UnsetType = UNSET
    wins: dict[Role, int] | UnsetType = UNSET
    won_before: dict[Role, int] | UnsetType = UNSET
    guns: dict[str, Guns] | UnsetType = UNSET
    command: dict[Role, Command] | UnsetType = UNSET
    policies: dict[Role, tuple[Policy, ...]] | UnsetType = UNSET
    labels: dict[Role, dict[str, str]] | UnsetType = UNSET
    """The whole table of each side that it names."""
    contacts: dict[Role, int] | UnsetType = UNSET
    fights: tuple[tuple[str, ...], ...] | UnsetType = UNSET
    released: bool | UnsetType = UNSET
    exits: dict[Role, int] | UnsetType = UNSET
    options: Options | UnsetType = UNSET
    ended: Ended | UnsetType | None = UNSET
    course: Mark | UnsetType = UNSET


MERGED = ("wins", "won_before", "guns", "command", "policies", "labels", "contacts", "exits")
"""Attributes of a patch that are tables, of which it replaces entries."""
