"""What lines and waters cost who crosses them, and the gaps that are cut for guns (KS-MAP-05, KS-MAP-06)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from pbem.ground.plane import Point, distance
from pbem.ground.way import at as way_at
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import trail_behind
from pbem.systems.kriegsspiel.field.works_standing import BUILT
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.terrain import TWELFTHS, Piece, Terrain
from pbem.systems.kriegsspiel.scene.ways import GUNS, toll_of
from pbem.systems.kriegsspiel.tables.fire import MAN_TW
from pbem.systems.kriegsspiel.tables.knowledge import GAP_PARTY, LINES
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.forms import is_column, room_of
from pbem.systems.kriegsspiel.world.outcomes import ColumnDelay
from pbem.systems.kriegsspiel.world.outcomes_works import BridgeWork
from pbem.systems.kriegsspiel.world.parts import Feature
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Unit

IMPASSABLE = ("plank_off", "broken", "destroyed", "barricaded", "building", "burning")
"""States of a crossing over which nobody comes."""

CUT = ("hedge", "fence", "ditch")
"""Lines in which a gap can be cut."""

GAP = 10
"""Paces to either side of it in which a gap takes a column."""

PARTY_NEAR = 100
"""Paces within which the party for a train must be; gunners cut their own gap."""


@rule("KS-ORD-09")
def blocked(play: Play, unit: Unit, name: str) -> bool:
    """Whether a crossing, of the map or built since, holds a unit up; without a name there is none in the way."""
    if not name:
        return False
    feature = play.war.features.get(name)
    arm = {"pioneers": "infantry", "train": "wagons"}.get(unit.arm, unit.arm)
    if feature is not None and feature.allows and arm not in feature.allows:
        return True
    return play.field.crossing_state(name) in IMPASSABLE


@rule("KS-MOV-09")
def is_temporary(play: Play, name: str) -> bool:
    """Whether a crossing was built or repaired in haste, before the game or in it."""
    feature, crossing = play.war.features.get(name), play.scene.chart.crossings.get(name)
    kinds = {feature.kind if feature is not None else "", crossing.kind if crossing is not None else ""}
    return not kinds.isdisjoint((*BUILT, "repaired"))


@rule("KS-MOV-09", "KS-MOV-19")
def at_the_walk(play: Play, terrain: Terrain, unit: Unit) -> list[tuple[int, int]]:
    """The stretches of a body's way on which it walks: from its head's step on to a temporary bridge to its tail's off.

    In twelfths of a pace along the way, for its head.
    """
    deep = room_of(unit) * TWELFTHS if is_column(unit) else 0
    found = [
        (piece.start, piece.end + deep)
        for piece in terrain.pieces(unit.march.way)
        if piece.crossing and is_temporary(play, piece.crossing)
    ]
    done = unit.march.done
    behind = terrain.pieces(trail_behind(unit)) if deep else ()
    return found + [
        (done, done - piece.start + deep) for piece in behind if piece.crossing and is_temporary(play, piece.crossing)
    ]


def cut_at(pieces: Iterable[Piece], stretches: Sequence[tuple[int, int]]) -> Iterator[Piece]:
    """The same pieces of a way, cut where one of the stretches begins or ends."""
    bounds = sorted({bound for stretch in stretches for bound in stretch})
    for piece in pieces:
        inner = [bound for bound in bounds if piece.start < bound < piece.end]
        if not inner:
            yield piece
            continue
        for start, end in pairwise((piece.start, *inner, piece.end)):
            yield piece._replace(start=start, end=end)


class Toll(NamedTuple):
    """A line or water that a step would cross."""

    far: int
    """Twelfths of a pace along the way."""
    ticks: int | None
    """What it costs; None: it cannot be crossed."""
    id: str


@rule("KS-MAP-05", "KS-MAP-06")
def first_toll(play: Play, terrain: Terrain, unit: Unit, rate: int, done: int, target: int) -> Toll | None:
    """The first line or water that a step from *done* to *target* would cross, and that costs something."""
    if unit.place.formation == "skirmish_order":
        return None
    for met in terrain.met(unit.march.way):
        if not max(done, unit.march.passed) <= met.far <= target:
            continue
        ticks = toll_of(met, unit.arm, rate, terrain)
        if needs_gap(play, unit, met.id):
            if is_cut(play, met.id, way_at(unit.march.way, met.far // TWELFTHS)):
                continue
            ticks = ticks if has_party(play, unit) else None
        if ticks != 0:
            return Toll(met.far, ticks, met.id)
    return None


def delays(play: Play, unit: Unit, toll: Toll, ticks: int) -> list[Fact]:
    """That a unit waits before what it crosses, and cuts its gap if it needs one."""
    at = way_at(unit.march.way, toll.far // TWELFTHS)
    wait = ColumnDelay(
        unit=unit.key, place=at, twelfths=ticks, rule="KS-MAP-05", rules=cited("KS-MAP-05", "KS-MAP-06"),
        changes=Changes(),
    )  # fmt: skip
    return [wait, cut(play, unit, toll.id, at)] if needs_gap(play, unit, toll.id) else [wait]


def gap_id(line: str, at: Point) -> str:
    """The id of a gap in a line."""
    return f"gap_{line}_{at.x}_{at.y}"


@rule("KS-MAP-05")
def needs_gap(play: Play, unit: Unit, line: str) -> bool:
    """Whether a unit passes a line only by a gap."""
    found = play.scene.chart.lines.get(line)
    return unit.arm in GUNS and found is not None and found.kind in CUT


@rule("KS-MAP-05")
def is_cut(play: Play, line: str, at: Point) -> bool:
    """Whether there is a gap by now where a way crosses a line."""
    return any(
        feature.kind == "gap" and feature.water == line and distance(feature.at, at) <= GAP
        and feature.begun + feature.needed // 12 <= play.move
        for feature in play.war.features.values()
    )  # fmt: skip


@rule("KS-MAP-05")
def has_party(play: Play, unit: Unit) -> bool:
    """Whether 25 men are there to cut a gap."""
    if unit.arm == "artillery":
        return True
    return any(
        other.arm in ("infantry", "pioneers") and other.strength.tw >= GAP_PARTY * MAN_TW
        for other in play.field.near(unit.place.at, PARTY_NEAR, unit.side)
    )


@rule("KS-MAP-05")
def cut(play: Play, unit: Unit, line: str, at: Point) -> BridgeWork:
    """A gap is begun; those who come after its moves pass through."""
    price = LINES[play.scene.chart.lines[line].kind].guns or (0, 1)
    moves = price[0] // price[1]
    feature = Feature(
        gap_id(line, at), work="gap", needed=moves * 12, begun=play.move, side=unit.side, at=at, kind="gap", water=line
    )
    return BridgeWork(
        crossing=feature.id, work="gap", done="0", needed=str(moves), unit=unit.key, rules=cited("KS-MAP-05"),
        changes=Changes(features=(feature,)),
    )  # fmt: skip
