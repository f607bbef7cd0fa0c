"""The umpire's page: the whole map as it is, both programmes, both purses.  Nobody else is ever given it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.kernel.names import Moment, Role
from pbem.orders.prose import cap
from pbem.rules.contract import World
from pbem.rules.telling import ended, plain
from pbem.rules.view import Fact as Figure
from pbem.rules.view import Table, Told, View
from pbem.systems.empire_1870.field.field import Field, field_of
from pbem.systems.empire_1870.mind.memory import trace_of
from pbem.systems.empire_1870.page.account import programme_table, score
from pbem.systems.empire_1870.page.drawing import true_picture
from pbem.systems.empire_1870.page.forces import away_table, own_table
from pbem.systems.empire_1870.page.gathering import gathered
from pbem.systems.empire_1870.page.sentences import Line
from pbem.systems.empire_1870.page.telling import tell
from pbem.systems.empire_1870.page.view import dateline
from pbem.systems.empire_1870.play.standing import standing_lines
from pbem.systems.empire_1870.play.victory import verdict
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.scene.words import ADJECTIVE, side_name
from pbem.systems.empire_1870.world.fact import Fact
from pbem.systems.empire_1870.world.outcomes import MovementSeen, Sighted
from pbem.systems.empire_1870.world.parts import FRENCH, SIDES
from pbem.systems.empire_1870.world.stacks import count
from pbem.systems.empire_1870.world.state import Trace, War

UMPIRE = Role("umpire")


def recount(scene: Scene, fact: Fact, war: War) -> Sequence[Told]:
    """A fact as one who sees all would tell it; what a side saw of the other is no fact of the war."""
    return () if isinstance(fact, MovementSeen | Sighted) else tell(scene, fact, war, UMPIRE)


def umpire(
    scene: Scene, world: World[War, War], earlier: Sequence[Fact], facts: Sequence[Fact], moment: Moment
) -> View:
    """The umpire's page of an exchange; *facts* are those of it."""
    war = world.truth
    lines, traces = told_of(scene, war, facts)
    field = field_of(scene, war)
    return View(
        role=UMPIRE,
        addressed="the umpire",
        moment=moment,
        title=f"The truth after {moment}",
        dateline=dateline(scene, war, moment),
        strip=tuple(_strip(war)),
        brief=(),
        picture=true_picture(field, traces, moment.turn, moment.exchange, lines),
        happened=tuple(plain(line) for line in gathered(scene, lines)),
        own=tuple(table for side in SIDES for table in _of(field, side, lines)),
        score=score(field, FRENCH, lines, moment.turn),
        over=ended(verdict(war), ADJECTIVE.__getitem__),
    )


def told_of(scene: Scene, war: War, facts: Sequence[Fact]) -> tuple[list[Line], list[Trace]]:
    """What came to pass by *facts*, in lines, and its traces on the map."""
    # What one side saw of the other's marches is not what came to pass, but a part of it.
    real = [fact for fact in facts if not isinstance(fact, MovementSeen | Sighted)]
    lines = [one for fact in real for one in tell(scene, fact, war, UMPIRE) if isinstance(one, Line)]
    return lines, [trace for fact in real if (trace := trace_of(fact)) is not None]


def _strip(war: War) -> Iterator[Figure]:
    yield Figure("National morale", str(war.vp), "as both sides know it")
    for side in SIDES:
        stacks = war.stacks.get(side, {})
        rp = war.resource_points.get(side, 0)
        yield Figure(cap(side_name(side)), f"{sum(map(count, stacks.values()))} SP", f"{rp} RP")


def _of(field: Field, side: Role, lines: Sequence[Line]) -> Iterator[Table]:
    """What only one side and the umpire may know: its forces, its programme, its standing orders."""
    war, whose = field.war, ADJECTIVE[side]
    forces, away, programme = own_table(field, side), away_table(field, side), programme_table(war, side)
    yield replace(forces, caption=f"{whose} forces.  {forces.caption}")
    if away is not None:
        yield replace(away, caption=f"{whose} HQs off the map")
    if programme is not None:
        yield replace(programme, caption=f"{whose} programme, as it still stands")
    yield Table(
        caption=f"{whose} standing orders; those behind # are the defaults",
        columns=("Order",),
        rows=tuple((line,) for line in standing_lines(war, side)),
    )
