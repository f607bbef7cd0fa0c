"""On the road: whom of the enemy a rider or a riding commander comes upon, and what becomes of him (KS-MSG-07)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, Shape, apart, distance, gap, line
from pbem.ground.way import at as way_at
from pbem.ground.way import length, marks, steps
from pbem.kernel.event import Throw
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command.papers import paces_ridden, rider_way
from pbem.systems.kriegsspiel.field.field import is_formed, outline
from pbem.systems.kriegsspiel.field.works_standing import side_terrain, true_terrain
from pbem.systems.kriegsspiel.knowing.reports import captured_paper
from pbem.systems.kriegsspiel.knowing.sighting import Scan, eye_of, rider_eye
from pbem.systems.kriegsspiel.play.play import Die, Play
from pbem.systems.kriegsspiel.scene.ways import Way
from pbem.systems.kriegsspiel.tables import knowledge as of_knowledge
from pbem.systems.kriegsspiel.world.bodies import is_worn_out
from pbem.systems.kriegsspiel.world.dispatches import TRUCE, Paper, Person
from pbem.systems.kriegsspiel.world.outcomes import PaperCaptured, RiderDiverted
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import ENEMY, Unit

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


def _looks(leg: Way) -> Iterator[tuple[int, Point]]:
    """Where a rider looks about on his way in a move, and how far he has come."""
    yield 0, leg[0]
    yield from steps(leg, EVERY)


@rule("KS-MSG-07", "KS-SIT-02", "KS-NIG-01")
def met(play: Play, paper: Paper, leg: Way) -> bool:
    """Whether an enemy comes in the way of a rider in this move; each body tries him once, and none a flag of truce.

    *leg*: the piece of his way that he rides in it.
    Whom he sees in time he goes round; whom night, fog or the ground hide until he is upon it may take him.
    """
    if paper.sender == TRUCE:
        return False
    ridden = line(leg)
    near = [
        enemy
        for enemy in play.on_map(ENEMY[paper.side])
        if enemy.key not in paper.met
        and enemy.key not in paper.tried
        and not is_worn_out(enemy)
        and not apart(ridden.box, outline(enemy).box, of_knowledge.DETOUR)
        and gap(ridden, outline(enemy)).far <= of_knowledge.DETOUR
    ]
    if not near:
        return False
    scan = Scan(play, play.war)
    found = [one for enemy in near if (one := _first_seen(play, scan, paper, leg, enemy)) is not None]
    if not found:
        return False
    first = min(found, key=lambda one: (one.far, one.away, one.enemy.key))
    if first.away <= _takes_within(first.enemy):
        _try(play, paper, first.enemy, first.at)
    else:
        _divert(play, paper, first.enemy, of_knowledge.DETOUR_MOVES)
    return True


def _first_seen(play: Play, scan: Scan, paper: Paper, leg: Way, enemy: Unit) -> Meeting | None:
    """Where on his way a rider first sees a body; None: not in this move."""
    moving = length(leg) > of_knowledge.SIGHT_MOVING
    for far, at in _looks(leg):
        eye = rider_eye(play.war, paper.side, at, moving=moving)
        if scan.sees(eye, enemy):
            return Meeting(far, gap(Shape((at,)), outline(enemy)).far, at, enemy)
    return None


@rule("KS-MSG-07")
def _takes_within(enemy: Unit) -> int:
    """Paces within which a body that a rider has not seen before may take him."""
    limit = of_knowledge.MET_AT["cavalry" if enemy.arm == "cavalry" else "infantry"]
    return max(limit, of_knowledge.SKIRMISH_FIRE + enemy.strength.chain.ahead) if enemy.strength.chain.zugs else limit


def _divert(play: Play, paper: Paper, enemy: Unit, moves: int, throws: tuple[Throw, ...] = ()) -> None:
    """He goes round; the way is planned again."""
    ride_now = paper.ride
    assert ride_now is not None
    terrain = side_terrain(play.scene, play.war, paper.side)
    way = rider_way(
        terrain, paper.at, ride_now.way[-1], shun=((enemy.place.at, of_knowledge.DETOUR),), table=play.table
    )
    before = paces_ridden(true_terrain(play.scene, play.war), ride_now, play.move - 1, play.table)
    ridden = ride_now.ridden + (length(ride_now.way) if before is None else before)
    ride = replace(ride_now, way=way, set_out=play.move + moves, delay=0, ridden=ridden)
    tried = (*paper.tried, enemy.key) if throws else paper.tried
    on = replace(paper, met=(*paper.met, enemy.key), tried=tried, ride=ride)
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
    die: Die = "IV" if foot_post and of_knowledge.MET_DIE["foot_post"] == "IV" else "II"
    face, throws = play.decide("messenger", f"{paper.id}/{enemy.key}", die)
    if face.circle == "black":
        _divert(play, paper, enemy, of_knowledge.ESCAPE_MOVES, throws)
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
        captured_paper(play, enemy, paper)


# ------------------------------------------------------------------ commanders


@rule("KS-CMD-01", "KS-SIT-02", "KS-NIG-01")
def barred(play: Play, person: Person, leg: Way) -> int | None:
    """How far along *leg* a ride ends, a formed enemy in its way: 300 paces before him, or where he is first seen."""
    if play.mind(person) is None or len(leg) < 2:
        return None
    ridden, keeps = line(leg), of_knowledge.MET_AT["cavalry"]
    close = [
        enemy
        for enemy in play.on_map(ENEMY[person.side])
        if is_formed(enemy)
        and not apart(ridden.box, outline(enemy).box, keeps)
        and gap(ridden, outline(enemy)).far < keeps
    ]
    scan = Scan(play, play.war) if close else None
    stops = [far for enemy in close if scan and (far := _stops(play, scan, person, leg, enemy)) is not None]
    return min(stops, default=None)


def _stops(play: Play, scan: Scan, person: Person, leg: Way, enemy: Unit) -> int | None:
    """How far he rides before he halts for a body that he sees; None: he does not see it, or has it about him."""
    shape = outline(enemy)
    start, nearest = leg[0], _along(leg, gap(line(leg), shape).here)
    if gap(Shape((start,)), shape).far < of_knowledge.MET_AT["cavalry"] and _in_sight(play, scan, person, start, enemy):
        return None
    first = max(0, nearest - of_knowledge.MET_AT["cavalry"])
    looks: tuple[int, ...] = (*range(first, nearest, EVERY), nearest)
    return next((far for far in looks if _in_sight(play, scan, person, way_at(leg, far), enemy)), None)


def _along(leg: Way, at: Point) -> int:
    """How far along a leg one of its places lies."""
    found = zip(pairwise(leg), marks(leg), strict=False)
    off = ((distance(a, at) + distance(at, b) - distance(a, b), begun + distance(a, at)) for (a, b), begun in found)
    return min(off)[1]


@rule("KS-SIT-02")
def _in_sight(play: Play, scan: Scan, person: Person, at: Point, enemy: Unit) -> bool:
    eye = eye_of(play.war, replace(person, at=at))
    return eye is not None and scan.sees(eye, enemy)
