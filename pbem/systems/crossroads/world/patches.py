"""What a fact makes of the field: the attributes that it sets, and the values of those that are more than a word."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.systems.crossroads.world.options import Options
from pbem.systems.crossroads.world.orders import AnyOrder, Formation

Status = Literal["good", "shaken", "withdrawn", "routed", "surrendered", "destroyed", "left_field"]
Phase = Literal["turn_start", "card", "turn_end", "over"]


class Patch(Struct, frozen=True, omit_defaults=True):
    """Attributes of a unit that a fact sets, under the names of `Unit`."""

    losses: int | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    formation: Formation | UnsetType = UNSET
    prone: bool | UnsetType = UNSET
    green: bool | UnsetType = UNSET
    jammed: bool | UnsetType = UNSET
    elite: bool | UnsetType = UNSET
    card: str | UnsetType = UNSET
    pos: Point | UnsetType | None = UNSET
    facing: int | UnsetType = UNSET
    acted: int | UnsetType = UNSET
    crossing: int | UnsetType | None = UNSET
    attached_officer: str | UnsetType = UNSET
    arrive: int | UnsetType = UNSET
    was: Status | UnsetType = UNSET
    exited: bool | UnsetType = UNSET
    guns: Literal["", "left", "captured"] | UnsetType = UNSET


def placed(
    to: Point,
    *,
    facing: int | UnsetType = UNSET,
    prone: bool | UnsetType = UNSET,
    green: bool | UnsetType = UNSET,
) -> Patch:
    """What a unit is that has come to another place: at no obstacle any more (GC-MOV-03)."""
    return Patch(pos=to, facing=facing, prone=prone, green=green, crossing=None)


class OfficerPatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of an officer that a fact sets."""

    pos: Point | UnsetType | None = UNSET
    attached: str | UnsetType = UNSET
    status: Literal["alive", "killed"] | UnsetType = UNSET
    moved: bool | UnsetType = UNSET
    led: bool | UnsetType = UNSET
    arrive: int | UnsetType = UNSET


class Policies(Struct, frozen=True, omit_defaults=True):
    """The standing reactions of a side."""

    shaken: Literal["cover", "prone"] = "cover"
    defensive_fire: bool = True
    advance: bool | None = None
    """None: the one who charged does, the defender does not (GC-MEL-05)."""
    after_melee: Literal["fire", "hold"] = "fire"
    joker_order: tuple[str, ...] = ()


class Watch(Struct, frozen=True, omit_defaults=True):
    """What a side has in sight, and its names for it; in truth alone."""

    seen: tuple[str, ...] = ()
    """Ids of enemy units and officers in sight now."""
    identified: tuple[str, ...] = ()
    """Ids of enemy units that it knows by name, for good."""
    labels: dict[str, str] = {}
    """By id, `contact 3`: of those in sight and not identified."""
    aliases: dict[str, str] = {}
    """By label, the id of units that bear it, or bore it until they were identified."""
    last: int = 0
    """The number of the last contact."""


class Turned(Struct, frozen=True, omit_defaults=True):
    """A card that has been turned: whose it was, and, where that is known, its face and unit."""

    seq: int
    side: Role | None
    """None: not known before it acts."""
    face: str = ""
    unit: str = ""


class Ended(Struct, frozen=True):
    """How the game ended."""

    winner: Role | None
    how: str


class Mark(Struct, frozen=True):
    """The figures lost by each side till the end of a turn, for the plots."""

    turn: int
    losses: dict[Role, int]


class GamePatch(Struct, frozen=True, omit_defaults=True):
    """Attributes of the battle that a fact sets, under the names of `Battle`.

    Those that are tables by side or place replace the entries that they name; *drawn*, *jokers* and *course* add.
    """

    turn: int | UnsetType = UNSET
    exchange: int | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    seq: int | UnsetType = UNSET
    deck: tuple[str, ...] | UnsetType = UNSET
    left: dict[Role, int] | UnsetType = UNSET
    size: int | UnsetType = UNSET
    drawn: Turned | UnsetType = UNSET
    controller: Role | UnsetType = UNSET
    jokers: tuple[str, ...] | UnsetType = UNSET
    orders: dict[Role, tuple[AnyOrder, ...]] | UnsetType = UNSET
    policies: dict[Role, Policies] | UnsetType = UNSET
    watch: dict[Role, Watch] | UnsetType = UNSET
    holders: dict[str, Role] | UnsetType = UNSET
    options: Options | UnsetType = UNSET
    ended: Ended | UnsetType | None = UNSET
    vp: dict[Role, int] | UnsetType = UNSET
    course: Mark | UnsetType = UNSET
