"""Step 2 of a move: riders and riding commanders move, papers are delivered, readings end (KS-MSG-02 to KS-MSG-09)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.plane import Point, distance
from pbem.ground.way import at as way_at
from pbem.ground.way import length, part
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command import papers as writing
from pbem.systems.kriegsspiel.command.delivery import deliver
from pbem.systems.kriegsspiel.command.meetings import barred, met
from pbem.systems.kriegsspiel.command.sent import do_acts
from pbem.systems.kriegsspiel.field.field import terrain_of, toward
from pbem.systems.kriegsspiel.field.works_standing import side_terrain, true_terrain
from pbem.systems.kriegsspiel.knowing.interrupts import raise_interrupt
from pbem.systems.kriegsspiel.knowing.knowledge import sees_own
from pbem.systems.kriegsspiel.knowing.sighting import rider_eye, sees
from pbem.systems.kriegsspiel.knowing.whereabouts import believed_at, heard_from
from pbem.systems.kriegsspiel.mind.beliefs import Via, shunned
from pbem.systems.kriegsspiel.play.play import Play, one, side_unit
from pbem.systems.kriegsspiel.tables.knowledge import ADDRESSEE_NEAR, DETOUR, ESCORT_PACES, MET_AT, SIGHTING, TOPS
from pbem.systems.kriegsspiel.world import outcomes as o
from pbem.systems.kriegsspiel.world.bodies import is_lost, is_on_map
from pbem.systems.kriegsspiel.world.dispatches import Paper, Person, Ride
from pbem.systems.kriegsspiel.world.mind import Learned
from pbem.systems.kriegsspiel.world.outcomes_knowledge import PaperSent, RodeTo
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.state import paper_key
from pbem.systems.kriegsspiel.world.troops import ENEMY, UnitPatch

WITH_IT = 900
"""Paces that one who rides with a unit makes up in a move."""


@rule("KS-TUR-02", "KS-MSG-01")
def ride(play: Play) -> None:
    """Papers leave, riders and commanders ride, what arrives is put into hands."""
    for paper in list(play.papers()):
        if paper.state in ("writing", "waiting") and max(paper.written + 1, paper.leaves) <= play.move:
            _depart(play, paper)
    _ride_papers(play)
    for person in list(play.persons()):
        _ride_person(play, person)


# ------------------------------------------------------------------ setting out


@rule("KS-MSG-02", "KS-MSG-04")
def _depart(play: Play, paper: Paper) -> None:
    """A rider takes the paper, if one is free; he rides to where the sender believes the addressee to be."""
    sender = side_unit(play, paper.side, paper.sender)
    if sender is not None and is_lost(sender):
        # Who is taken sends nobody any more.
        play.keep("taken with them", Changes(done_papers=(paper.id,)))
        return
    changes = _take_rider(play, paper)
    if changes is None:
        if paper.state != "waiting":
            play.add(
                o.PaperWaiting(
                    message_id=paper.id,
                    cause="no_rider",
                    rules=cited("KS-MSG-02"),
                    changes=Changes(papers=(replace(paper, state="waiting"),)),
                )
            )
            _sent(play, paper, "waiting")
        return
    start = writing.place_of(play, paper.side, _sends(play, paper)) or paper.at
    terrain = side_terrain(play.scene, play.war, paper.side)
    person = play.war.persons.get(paper.sender)
    mind = play.mind(person) if person is not None else None
    aim = _aim(play, paper)
    seen = writing.in_sight_of(play, paper.side, paper.sender)
    shun = shunned(mind) if mind else tuple((enemy.place.at, DETOUR) for enemy in seen)
    way = writing.rider_way(terrain, start, aim, shun=shun, via=Via(paper.by, paper.roads), table=play.table)
    if paper.copy > 1:
        # The second copy goes by the next-best way: off the one that the first rider took.
        middle = way[len(way) // 2]
        off = ((middle, DETOUR),) if len(way) > 2 else ()
        way = writing.rider_way(terrain, start, aim, shun=(*shun, *off), table=play.table)
    foot = _on_foot(play, paper)
    riding = replace(
        paper, state="riding", at=start, aim=aim, met=writing.before_him(seen, start), home=_found_again(play, paper),
        ride=Ride(way=way, set_out=play.move, to=paper.to, foot=foot),
    )  # fmt: skip
    play.add(
        o.PaperDeparted(
            message_id=paper.id,
            bearer=paper.bearer,
            at=start,
            rules=cited("KS-MSG-02", "KS-MSG-04"),
            changes=replace(changes, papers=(riding,)),
        )
    )
    if paper.copy == 1:
        _sent(play, paper, "left")


@rule("KS-CMD-06", "KS-MSG-04")
def _sends(play: Play, paper: Paper) -> str:
    """Who sends a rider: the writer, or the commander who hands on what another wrote."""
    person = play.war.persons.get(paper.bearer)
    return paper.bearer if person is not None and person.state != "captured" else paper.sender


@rule("KS-MSG-09", "KS-SIT-09")
def _found_again(play: Play, paper: Paper) -> Point | None:
    """Where a rider is to find his master again: where he leaves him, or where that rides to."""
    person = play.war.persons.get(paper.bearer)
    if person is not None and person.ride is not None:
        return person.ride.way[-1]
    return writing.place_of(play, paper.side, paper.bearer)


def _aim(play: Play, paper: Paper) -> Point:
    """Where a rider is sent: to where its writer believes the addressee, a report to where that is when he leaves."""
    person = play.war.persons.get(paper.to)
    if paper.kind != "report" or person is None:
        return paper.aim
    name = _sends(play, paper)
    sender = side_unit(play, paper.side, name)
    return believed_at(play, sender.key if sender is not None else name, person)


@rule("KS-MSG-02")
def _on_foot(play: Play, paper: Paper) -> bool:
    unit = side_unit(play, paper.side, paper.bearer)
    return unit is not None and unit.arm == "infantry" and unit.size in ("picket10", "picket25", "post")


def _take_rider(play: Play, paper: Paper) -> Changes | None:
    """A rider of the person or unit that sends; None: none is free.  Messages from beyond the map bring their own."""
    person = play.war.persons.get(paper.bearer)
    if person is not None:
        return Changes(persons=(replace(person, riders=person.riders - 1),)) if person.riders > 0 else None
    unit = side_unit(play, paper.side, paper.bearer)
    if unit is None:
        return Changes()
    if unit.strength.riders < 1:
        return None
    return one(unit, UnitPatch(strength=replace(unit.strength, riders=unit.strength.riders - 1)))


def _sent(play: Play, paper: Paper, what: str) -> None:
    """Tell the writer what he can see of his own paper: it waits, it has left, it has been brought back."""
    person = play.war.persons.get(paper.sender)
    mind = play.mind(person) if person is not None else None
    if person is None or mind is None or not paper.no:
        return
    sent = next((known for known in mind.sent if known.no == paper.no), None)
    if sent is None:
        return
    left = play.move if what == "left" else sent.leaves
    now = replace(sent, waiting=what == "waiting", leaves=left, back=play.move if what == "back" else None)
    rules = cited("KS-MSG-04" if what == "back" else "KS-MSG-02")
    play.tell(person.role, PaperSent(no=sent.no, to=sent.to, what=what, rules=rules), Learned(sent=(now,)))


# ------------------------------------------------------------------ on the way


@rule("KS-MSG-03", "KS-MSG-04", "KS-MSG-07")
def _ride_papers(play: Play) -> None:
    moved: dict[str, Point] = {}
    papers: list[Paper] = []
    terrain = true_terrain(play.scene, play.war)
    for paper in list(play.papers()):
        if paper.state == "searching":
            if play.move <= paper.search_until or (asked := _found_by_asking(play, paper)) is None:
                continue
            paper = asked
        if paper.state not in ("riding", "returning") or paper.ride is None or paper.ride.set_out > play.move:
            continue
        at, there = writing.ride_at(terrain, paper.ride, play.move, play.war.options.march_table)
        if met(play, paper, writing.leg_of(terrain, paper.ride, play.move, play.table)):
            continue
        current = play.war.papers.get(paper_key(paper.id), paper)
        if current is not paper:
            continue
        if there:
            _arrived(play, replace(paper, at=at))
        elif at != paper.at:
            moved[paper_key(paper.id)] = at
            papers.append(replace(paper, at=at))
    if moved:
        play.add(o.PaperRode(riders=moved, rules=cited("KS-MSG-03"), changes=Changes(papers=tuple(papers))))


@rule("KS-MSG-04")
def _arrived(play: Play, paper: Paper) -> None:
    """At the place that he was sent to: the addressee is there, or near and in sight, or must be looked for."""
    there = writing.place_of(play, paper.side, _looked_for(paper))
    if is_home(paper) and (there is None or distance(paper.at, there) <= ESCORT_PACES * 2):
        _back(play, paper)
        return
    if paper.to == writing.HIGHER:
        deliver(play, paper)
        return
    if there is None and writing.to_come(play, paper.side, paper.to):
        play.keep("waits for the addressee", Changes(papers=(paper,)))
        return
    if _in_enemy_hands(play, paper) and (there is None or distance(paper.at, there) > ADDRESSEE_NEAR):
        _lost(play, paper, "in enemy hands")
        return
    if there is None:
        _search(play, paper)
        return
    far = distance(paper.at, there)
    if far <= ESCORT_PACES * 2:
        deliver(play, paper)
        return
    eye = rider_eye(play.war, paper.side, paper.at, moving=False)
    seen_from = SIGHTING["presence"]["single" if _looked_for(paper) in play.war.persons else "formed"]
    if far <= ADDRESSEE_NEAR and sees(terrain_of(play.scene), eye, there, seen_from, TOPS["cavalry"]):
        play.keep("ride on", Changes(papers=(_goes_on(play, paper, there, play.move + 1),)))
        return
    _search(play, paper)


@rule("KS-MSG-04")
def _in_enemy_hands(play: Play, paper: Paper) -> bool:
    """Whether he for whom he looks cannot be there: the enemy stands at that place, and no troops of his own."""
    held = play.field.near(paper.at, MET_AT["infantry"], ENEMY[paper.side], formed=True)
    return bool(held) and not play.field.near(paper.at, MET_AT["infantry"], paper.side, formed=True)


def is_home(paper: Paper) -> bool:
    """Whether a rider is on his way back to his master."""
    return paper.kind == "receipt"


def _looked_for(paper: Paper) -> str:
    """Whom a rider is to find: a person, unit or group by its id."""
    return paper.bearer if is_home(paper) else paper.to


@rule("KS-MSG-04")
def _search(play: Play, paper: Paper) -> None:
    """He asks for his man round about, whether there is anybody to be found or not."""
    until = play.move + play.war.options.search_moves
    play.keep("search", Changes(papers=(replace(paper, state="searching", search_until=until),)))


def _found_by_asking(play: Play, paper: Paper) -> Paper | None:
    """He has asked, and rides on to where his man truly is; None: there is no such man."""
    there = writing.place_of(play, paper.side, _looked_for(paper))
    if there is None:
        if is_home(paper):
            _back(play, paper)
        else:
            _lost(play, paper, "not found")
        return None
    on = _goes_on(play, replace(paper, state="returning" if is_home(paper) else "riding"), there, play.move)
    play.keep("rides on", Changes(papers=(on,)))
    return play.war.papers[paper_key(paper.id)]


@rule("KS-MSG-03", "KS-MSG-04")
def _goes_on(play: Play, paper: Paper, to: Point, move: int) -> Paper:
    """The same ride, at the rate that it has come to, to another place."""
    way = writing.rider_way(side_terrain(play.scene, play.war, paper.side), paper.at, to, table=play.table)
    before = paper.ride or Ride(way=(paper.at,), set_out=move)
    ride = Ride(way=way, set_out=move, to=paper.to, foot=before.foot, ridden=before.ridden + length(before.way))
    return replace(paper, ride=ride, aim=to)


def _lost(play: Play, paper: Paper, cause: str) -> None:
    """The rider turns round with what he could not deliver."""
    home = paper.home or writing.place_of(play, paper.side, paper.sender)
    way = writing.rider_way(
        side_terrain(play.scene, play.war, paper.side), paper.at, home or paper.at, table=play.table
    )
    ride = Ride(way=way, set_out=play.move + 1, foot=paper.ride.foot if paper.ride is not None else False)
    back = replace(paper, state="returning", kind="receipt", answers=0, to=paper.sender, ride=ride)
    play.add(o.PaperLost(message_id=paper.id, cause=cause, rules=cited("KS-MSG-04"), changes=Changes(papers=(back,))))


def _back(play: Play, paper: Paper) -> None:
    """A rider is back with his master, and free."""
    changes = Changes(done_papers=(paper.id,))
    person = play.war.persons.get(paper.bearer)
    unit = side_unit(play, paper.side, paper.bearer)
    if person is not None:
        changes = replace(changes, persons=(replace(person, riders=person.riders + 1),))
    elif unit is not None:
        changes = replace(
            changes, units={unit.key: UnitPatch(strength=replace(unit.strength, riders=unit.strength.riders + 1))}
        )
    deliver(play, paper, home=True)
    play.keep("rider back", changes)
    if unit is not None and person is None:
        heard_from(play, unit.key, paper.sender, paper.place, paper.written)
    elif person is not None:
        heard_from(play, person.id, paper.sender, paper.place, paper.written)
    if paper.no:
        _sent(play, paper, "back")


# ------------------------------------------------------------------ commanders


@rule("KS-CMD-01", "KS-CMD-05")
def _ride_person(play: Play, person: Person) -> None:
    """A commander rides to his place, or with the unit that he goes with; to write or to look he halts."""
    if person.stand == "map" and _halts(play, person):
        riding = person.ride
        late = replace(riding, delay=riding.delay + 1) if riding and riding.set_out <= play.move else riding
        if person.moved or late is not riding:
            play.keep("halts", Changes(persons=(replace(person, moved=0, ride=late),)))
        return
    if person.rides_with and person.ride is None:
        _with_unit(play, person)
        person = play.war.persons[person.id]
        if person.ride is None:
            return
    riding = person.ride
    if riding is None or riding.set_out > play.move or person.state != "active":
        if person.moved:
            play.keep("halts", Changes(persons=(replace(person, moved=0),)))
        return
    at, there = writing.ride_at(true_terrain(play.scene, play.war), riding, play.move, play.war.options.march_table)
    leg = writing.leg_of(true_terrain(play.scene, play.war), riding, play.move, play.table)
    bar = barred(play, person, leg)
    if bar is not None:
        at, there, leg = way_at(leg, bar), True, part(leg, 0, bar)
    path = (person.at, at)
    still = replace(
        person,
        at=at,
        facing=toward(person.at, at) if at != person.at else person.facing,
        ride=None if there else riding,
        moved=length(leg),
        looks=None,
    )
    play.add(
        o.PersonMoved(
            person=person.id, path=path, arrived=there, rules=cited("KS-CMD-01"), changes=Changes(persons=(still,))
        )
    )
    _tell_ride(play, still, path, there=there, cut=bar is not None)
    if there:
        _on_arrival(play, still, cut=bar is not None)


@rule("KS-CMD-03", "KS-SIT-03")
def _halts(play: Play, person: Person) -> bool:
    """Whether he writes in this move, or looks through his telescope: neither can be done while riding."""
    return person.writes_until >= play.move or (person.looks is not None and person.looked == play.move)


def _tell_ride(play: Play, person: Person, path: tuple[Point, ...], *, there: bool, cut: bool) -> None:
    parts = Learned(
        at=person.at,
        facing=person.facing,
        riding_to="" if there else (person.ride.to if person.ride else ""),
        rides_with=person.rides_with,
        on_map=True,
    )
    if there:
        parts = replace(parts, way=())
    play.tell(person.role, RodeTo(path=path, arrived=there, cut=cut, rules=cited("KS-CMD-01")), parts)
    if there:
        raise_interrupt(
            play, person.id, "W10", "you are there, as far as the enemy lets you" if cut else "you are there"
        )


@rule("KS-CMD-01", "KS-MSG-04")
def _with_unit(play: Play, person: Person) -> None:
    """He goes where his unit goes; one that is too far away for that he begins to ride after, in this same move."""
    unit = side_unit(play, person.side, person.rides_with)
    away = distance(person.at, unit.place.at) if unit is not None and is_on_map(unit) else 0
    if unit is None or away <= ESCORT_PACES:
        if person.moved:
            play.keep("halts", Changes(persons=(replace(person, moved=0),)))
        return
    seen = sees_own(play, person, unit)
    # He who was with it goes where it goes, by night and in fog as well.
    was_with_it = away <= unit.place.moved + ESCORT_PACES
    if person.stand == "off" or (away <= WITH_IT and (seen or was_with_it)):
        at = unit.place.at
        moved = replace(
            person, at=at, facing=unit.place.facing, moved=away if person.stand == "map" else 0, stand="map"
        )
        play.add(
            o.PersonMoved(
                person=person.id, path=(person.at, at), arrived=False, rules=cited("KS-CMD-01"),
                changes=Changes(persons=(moved,)),
            )
        )  # fmt: skip
        _tell_ride(play, moved, (person.at, at), there=False, cut=False)
        return
    way = writing.rider_way(side_terrain(play.scene, play.war, person.side), person.at, unit.place.at, table=play.table)
    # Who does not see it asks for it, as a rider does.
    start = play.move if seen else play.move + play.war.options.search_moves
    play.keep("follows", Changes(persons=(replace(person, ride=Ride(way=way, set_out=start, to=unit.id)),)))


def _on_arrival(play: Play, person: Person, *, cut: bool) -> None:
    """What he meant to do there is done now; a ride that was cut off drops it (`on arrival`)."""
    acts = person.on_arrival
    current = replace(play.war.persons[person.id], on_arrival=())
    play.keep("arrived", Changes(persons=(current,)))
    if acts and not cut:
        do_acts(play, current, acts)
