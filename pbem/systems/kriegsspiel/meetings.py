"""On the road: whom of the enemy a rider or a riding commander comes upon, and what becomes of him (KS-MSG-07)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, Shape, apart, distance, gap
from pbem.ground.way import at as way_at
from pbem.kernel.event import Throw
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.built import side_terrain
from pbem.systems.kriegsspiel.dispatches import TRUCE, Paper, Person
from pbem.systems.kriegsspiel.field import is_formed, outline
from pbem.systems.kriegsspiel.outcomes import PaperCaptured, RiderDiverted
from pbem.systems.kriegsspiel.papers import rider_way
from pbem.systems.kriegsspiel.play import Die, Play
from pbem.systems.kriegsspiel.sighting import Scan, eye_of, rider_eye
from pbem.systems.kriegsspiel.state import Changes
from pbem.systems.kriegsspiel.tables_knowledge import (
    DETOUR,
    DETOUR_MOVES,
    ESCAPE_MOVES,
    MET_AT,
    MET_DIE,
    SKIRMISH_FIRE,
)  # fmt: skip
from pbem.systems.kriegsspiel.troops import ENEMY, Unit

EVERY = 50
"""Paces of way after which a rider looks about again."""


class Meeting(NamedTuple):
    """An enemy body that comes in sight of a rider."""

    far: int
    """Paces that he has ridden in this move when he first sees it."""
    away: int
    """How far it is then."""
    at: Point
    """Where he is then."""
    enemy: Unit


def _looks(start: Point, end: Point) -> Iterator[tuple[int, Point]]:
    """Where a rider looks about on his way in a move, and how far he has come."""
    whole = distance(start, end)
    for far in range(0, whole, EVERY):
        yield far, way_at((start, end), far)
    yield whole, end


@rule("KS-MSG-07", "KS-SIT-02", "KS-NIG-01")
def met(play: Play, paper: Paper, at: Point) -> bool:
    """Whether an enemy comes in the way of a rider in this move; each body tries him once, and none a flag of truce.

    Whom he sees in time he goes round; whom night, fog or the ground hide until he is upon it may take him.
    """
    if paper.sender == TRUCE:
        return False
    leg = Shape((paper.at, at)) if at != paper.at else Shape((at,))
    near = [
        enemy
        for enemy in play.on_map(ENEMY[paper.side])
        if enemy.key not in paper.met
        and enemy.trial.state not in ("captured", "destroyed", "remnant")
        and not apart(leg.box, outline(enemy).box, DETOUR)
        and gap(leg, outline(enemy)).far <= DETOUR
    ]
    if not near:
        return False
    scan = Scan(play, play.war)
    found = [one for enemy in near if (one := _first_seen(play, scan, paper, at, enemy)) is not None]
    if not found:
        return False
    first = min(found, key=lambda one: (one.far, one.away, one.enemy.key))
    if first.away <= _takes_within(first.enemy):
        _try(play, paper, first.enemy, first.at)
    else:
        _divert(play, paper, first.enemy, DETOUR_MOVES)
    return True


def _first_seen(play: Play, scan: Scan, paper: Paper, end: Point, enemy: Unit) -> Meeting | None:
    """Where on his way a rider first sees a body; None: not in this move."""
    for far, at in _looks(paper.at, end):
        eye = rider_eye(play.war, paper.side, at, moving=True)
        if scan.sees(eye, enemy):
            return Meeting(far, gap(Shape((at,)), outline(enemy)).far, at, enemy)
    return None


@rule("KS-MSG-07")
def _takes_within(enemy: Unit) -> int:
    """Paces within which a body that a rider has not seen before may take him."""
    limit = MET_AT["cavalry" if enemy.arm == "cavalry" else "infantry"]
    return max(limit, SKIRMISH_FIRE + enemy.strength.chain.ahead) if enemy.strength.chain.zugs else limit


def _divert(play: Play, paper: Paper, enemy: Unit, moves: int, throws: tuple[Throw, ...] = ()) -> None:
    """He goes round; the way is planned again."""
    ride_now = paper.ride
    assert ride_now is not None
    terrain = side_terrain(play.scene, play.war, paper.side)
    way = rider_way(terrain, paper.at, ride_now.way[-1], shun=((enemy.place.at, DETOUR),), table=play.table)
    on = replace(
        paper, met=(*paper.met, enemy.key), ride=replace(ride_now, way=way, set_out=play.move + moves, delay=0)
    )
    play.add(
        RiderDiverted(
            message_id=paper.id,
            body=enemy.key,
            delay=moves,
            dice=throws,
            rules=cited("KS-MSG-07", *(["KS-TUR-05", "KS-DIE-01"] if throws else [])),
            changes=Changes(papers=(on,)),
        )
    )


@rule("KS-MSG-07")
def _try(play: Play, paper: Paper, enemy: Unit, at: Point) -> None:
    """Die II, or IV against posts on foot alone: black, he escapes; white, he is taken."""
    foot_post = enemy.arm == "infantry" and not is_formed(enemy)
    die: Die = "IV" if foot_post and MET_DIE["foot_post"] == "IV" else "II"
    face, throws = play.decide("messenger", f"{paper.id}/{enemy.key}", die)
    if face.circle == "black":
        _divert(play, paper, enemy, ESCAPE_MOVES, throws)
        return
    taken = replace(paper, state="captured", at=at)
    play.add(
        PaperCaptured(
            message_id=paper.id,
            captor=enemy.key,
            at=at,
            dice=throws,
            rules=cited("KS-MSG-07"),
            changes=Changes(papers=(taken,)),
        )
    )
    if play.war.options.captured_papers_readable and (paper.text or paper.lines):
        from pbem.systems.kriegsspiel.reports import captured_paper

        captured_paper(play, enemy, paper)


# ------------------------------------------------------------------ commanders


@rule("KS-CMD-01", "KS-SIT-02", "KS-NIG-01")
def barred(play: Play, person: Person, at: Point) -> Point | None:
    """Where a ride ends because a formed enemy stands in the way: 300 paces before him, or where he is first seen."""
    if play.mind(person) is None or at == person.at:
        return None
    leg, keeps = Shape((person.at, at)), MET_AT["cavalry"]
    close = [
        enemy
        for enemy in play.on_map(ENEMY[person.side])
        if is_formed(enemy) and not apart(leg.box, outline(enemy).box, keeps) and gap(leg, outline(enemy)).far < keeps
    ]
    scan = Scan(play, play.war) if close else None
    stops = [far for enemy in close if scan and (far := _stops(play, scan, person, leg, enemy)) is not None]
    return way_at((person.at, at), min(stops)) if stops else None


def _stops(play: Play, scan: Scan, person: Person, leg: Shape, enemy: Unit) -> int | None:
    """How far he rides before he halts for a body that he sees; None: he does not see it, or has it about him."""
    shape = outline(enemy)
    lie = gap(leg, shape)
    start, nearest = person.at, distance(person.at, lie.here)
    if gap(Shape((start,)), shape).far < MET_AT["cavalry"] and _in_sight(play, scan, person, start, enemy):
        return None
    first = max(0, nearest - MET_AT["cavalry"])
    looks: tuple[int, ...] = (*range(first, nearest, EVERY), nearest)
    return next((far for far in looks if _in_sight(play, scan, person, way_at((start, lie.here), far), enemy)), None)


@rule("KS-SIT-02")
def _in_sight(play: Play, scan: Scan, person: Person, at: Point, enemy: Unit) -> bool:
    eye = eye_of(play.war, replace(person, at=at))
    return eye is not None and scan.sees(eye, enemy)
