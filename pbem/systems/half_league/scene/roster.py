"""The forces of a scenario: brigades, units, leaders and roles, and how they are read from its order of battle."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from pbem.ground.bearing import DEGREE
from pbem.kernel.errors import BadScenario
from pbem.kernel.names import Role
from pbem.rules import scene
from pbem.systems.half_league.scene.terrain import Table, point, rows
from pbem.systems.half_league.tables.charts import Charts
from pbem.systems.half_league.tables.printed import ARMS, COMMAND_DICE, FORMATIONS
from pbem.systems.half_league.world import pieces
from pbem.systems.half_league.world.pieces import SIDES, side_of

NATION: Mapping[Role, str] = {pieces.ALLIED: "british", pieces.RUSSIAN: "russian"}


class Brigade(Struct, frozen=True):
    """Units under a brigadier."""

    id: str
    name: str
    side: Role
    brigadier: str


class Commander(scene.Commander, frozen=True, forbid_unknown_fields=True):
    """A role of the scenario and who it stands for."""

    style: Literal["first", "second"]
    brigades: tuple[str, ...] = ()


_ID = re.compile(r"[A-Z]{1,3}-[A-Z0-9]{1,6}")


class _Leader(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    pos: object


class _Army(Struct, frozen=True, forbid_unknown_fields=True):
    side: Role
    name: str
    commander: _Leader | None = None


class _Brigade(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    side: Role
    name: str
    brigadier: _Leader


class _Unit(Struct, frozen=True, forbid_unknown_fields=True, rename={"cls": "class"}):
    id: str
    name: str
    brigade: str
    type: pieces.Type
    cls: pieces.Class
    arm: pieces.Arm
    formation: pieces.Formation
    pos: object
    stands: Annotated[int, Meta(ge=1, le=12)]
    facing: Annotated[int, Meta(ge=0, le=360)] = 0
    figures: Annotated[int, Meta(ge=1, le=12)] | None = None
    skirmish: bool = False
    nation: str = ""
    cp_dice: Annotated[int, Meta(ge=0, le=9)] | None = None
    wins_ties: bool | None = None


def read_side(found: str, where: str) -> Role:
    """A side.

    :raises BadScenario: if it is none.
    """
    if found not in SIDES:
        raise BadScenario(where, f"{found!r} is none of {', '.join(SIDES)}")
    return Role(found)


class Forces:
    """The order of battle, being read."""

    def __init__(self, charts: Charts) -> None:
        self.charts = charts
        self.armies: dict[Role, str] = {}
        self.brigades: dict[str, Brigade] = {}
        self.units: dict[str, pieces.Unit] = {}
        self.leaders: dict[str, pieces.Leader] = {}

    def named(self, name: str, where: str) -> str:
        """An id that nothing else has."""
        if not _ID.fullmatch(name) or name in {*self.brigades, *self.units, *self.leaders}:
            raise BadScenario(where, f'"{name}" is no id, or stands twice; ids are like UK-7')
        return name

    def leader(self, row: _Leader, where: str, kind: Literal["brigadier", "army"], side: Role, brigade: str) -> str:
        """A leader."""
        name, at = self.named(row.id, where), point(row.pos, where)
        self.leaders[name] = pieces.Leader(id=name, name=row.name, kind=kind, side=side, brigade=brigade, front=at)
        return name

    def unit(self, row: _Unit, where: str) -> None:
        """A unit."""
        if row.brigade not in self.brigades:
            raise BadScenario(where, f'"{row.brigade}" is no brigade')
        side = self.brigades[row.brigade].side
        nation = row.nation or NATION[side]
        if row.formation not in FORMATIONS[row.type] or (row.formation == "skirmish" and not row.skirmish):
            raise BadScenario(where, f"cannot stand in {row.formation}")
        if row.arm not in ARMS[row.type]:
            raise BadScenario(where, f"{row.type} has no {row.arm}; it may have {', '.join(ARMS[row.type])}")
        if nation not in COMMAND_DICE:
            raise BadScenario(where, f'"{nation}" is none of {", ".join(COMMAND_DICE)}')
        figures = (row.figures or self.charts.figures[row.type],) * row.stands
        name = self.named(row.id, where)
        self.units[name] = pieces.Unit(
            id=name,
            name=row.name,
            nation=nation,
            side=side,
            brigade=row.brigade,
            type=row.type,
            cls=row.cls,
            arm=row.arm,
            full=figures,
            stand_figures=figures,
            may_skirmish=row.skirmish,
            formation=row.formation,
            front=point(row.pos, where),
            bearing=row.facing % 360 * DEGREE,
            cp_dice=COMMAND_DICE[nation] if row.cp_dice is None else row.cp_dice,
            wins_ties=row.cls == "elite" if row.wins_ties is None else row.wins_ties,
        )


def read_forces(tables: Table, charts: Charts) -> Forces:
    """The order of battle.

    :raises BadScenario: naming table and what is wrong there.
    """
    forces = Forces(charts)
    for at, army in rows(tables.get("army", ()), _Army, "forces.toml, army"):
        side = read_side(army.side, at)
        forces.armies[side] = army.name
        if army.commander is not None:
            forces.leader(army.commander, at, "army", side, "")
    for at, brigade in rows(tables.get("brigade", ()), _Brigade, "forces.toml, brigade"):
        side, name = read_side(brigade.side, at), forces.named(brigade.id, at)
        chief = forces.leader(brigade.brigadier, at, "brigadier", side, name)
        forces.brigades[name] = Brigade(name, brigade.name, side, chief)
    for at, unit in rows(tables.get("unit", ()), _Unit, "forces.toml, unit"):
        forces.unit(unit, at)
    return forces


def read_roles(tables: object, brigades: Mapping[str, Brigade]) -> tuple[Commander, ...]:
    """The roles of a scenario.

    :raises BadScenario: naming the role and what is wrong with it.
    """
    found = tuple(row for _, row in rows(tables, Commander, scene.ROLES))
    for one in found:
        side = read_side(side_of(one.role), f"{scene.ROLES}, {one.role}")
        for brigade in one.brigades:
            if brigade not in brigades or brigades[brigade].side != side:
                raise BadScenario(f"{scene.ROLES}, {one.role}", f'"{brigade}" is no brigade of its side')
    if {side_of(one.role) for one in found} != set(SIDES):
        raise BadScenario(scene.ROLES, "both sides need a role")
    return found
