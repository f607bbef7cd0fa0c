"""What commanders have sent for this run or halt: what each does, says and writes (mailed step T1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from msgspec.structs import replace

from pbem.ground.plane import distance
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command.command import speak, take_lines
from pbem.systems.kriegsspiel.command.handing import hand_over, take_command
from pbem.systems.kriegsspiel.command.papers import aim_of, begin_paper, rider_way
from pbem.systems.kriegsspiel.command.succession import within_call
from pbem.systems.kriegsspiel.command.truce import parley
from pbem.systems.kriegsspiel.field.field import toward
from pbem.systems.kriegsspiel.field.works_standing import mind_terrain
from pbem.systems.kriegsspiel.knowing.interrupts import raise_interrupt
from pbem.systems.kriegsspiel.mind.beliefs import shunned, split_by
from pbem.systems.kriegsspiel.play.play import Play, side_unit
from pbem.systems.kriegsspiel.scene.terrain import Terrain
from pbem.systems.kriegsspiel.world import orders as say
from pbem.systems.kriegsspiel.world.bodies import is_on_map, is_staff
from pbem.systems.kriegsspiel.world.dispatches import Person, Ride
from pbem.systems.kriegsspiel.world.mind import Learned, Mind
from pbem.systems.kriegsspiel.world.outcomes_knowledge import PaperSent, RodeTo, Said, SheetTaken, Taken, ToldAtOnce
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Duty, Place, Strength, Unit

_Kind = TypeVar("_Kind", bound=say.Act)


@rule("KS-TUR-02", "KS-CMD-02", "KS-MSG-05")
def take_sheets(play: Play) -> None:
    """Everybody's sheet: rides begin when the papers before them are written."""
    by_role = {person.role: person.id for person in play.war.persons.values() if person.role}
    for role in sorted(play.orders):
        name = by_role.get(role)
        if name is not None and play.orders[role]:
            taken = do_acts(play, play.war.persons[name], play.orders[Role(role)])
            tell_taken(play, role, taken)


def tell_taken(play: Play, role: str, taken: list[Taken]) -> None:
    """He knows what he did with each line of his sheet."""
    if taken:
        told = tuple(sorted(taken, key=lambda one: one.line))
        play.tell(role, SheetTaken(lines=told, rules=cited("KS-MSG-05")), Learned())


def do_acts(play: Play, person: Person, acts: tuple[say.AnyAct, ...]) -> list[Taken]:
    """Papers and words first, then what he does himself: one cannot write while riding (KS-CMD-03)."""
    if person.state != "active":
        return [Taken(line, "nothing", why=_unable(play, person)) for act in acts for line in lines_in(act)]
    done = [Taken(act.line, "on_arrival") for act in acts if isinstance(act, say.OnArrival)]
    # What was read for a later exchange, and set up somebody, comes too late.
    late = [act for act in acts if isinstance(act, say.Start | say.Enter | say.Give | say.Intention)]
    done += [Taken(act.line, "nothing", why="the opening was over") for act in late]
    acts = tuple(act for act in acts if act not in late)
    arrivals = tuple(act.then for act in acts if isinstance(act, say.OnArrival))
    if arrivals or (person.on_arrival and any(isinstance(act, say.RideTo | say.RideWith | say.Stay) for act in acts)):
        # What was kept for the end of another ride goes with that.
        play.keep("on arrival", Changes(persons=(replace(play.war.persons[person.id], on_arrival=arrivals),)))
    for act in (
        *(a for a in _spoken_together(acts) if not isinstance(a, say.RideTo | say.RideWith)),
        *(a for a in acts if isinstance(a, say.RideTo | say.RideWith)),
    ):
        if isinstance(act, say.OnArrival):
            continue
        begun, papers = len(play.facts), play.war.persons[person.id].papers
        deaf: tuple[str, ...] = ()
        if isinstance(act, tuple):
            deaf = _voice(play, play.war.persons[person.id], act)
        else:
            TAKES[type(act)](play, play.war.persons[person.id], act)
        why = next((fact.reason for fact in play.facts[begun:] if isinstance(fact, ToldAtOnce)), "")
        now = play.war.persons[person.id].papers
        done += _taken(act, now if now > papers else 0, why, () if why else deaf)
    return done


@rule("KS-CMD-10")
def _unable(play: Play, person: Person) -> str:
    """Why somebody gives no orders."""
    if person.state == "captured":
        return "you were a prisoner of the enemy"
    return f"you were wounded, and down until {play.scene.clock(person.down_until)}"


def lines_in(act: say.AnyAct) -> tuple[int, ...]:
    """The lines of the sheet of which an act was read."""
    if isinstance(act, say.Dispatch) and act.lines:
        return tuple(dict.fromkeys(line.line for line in act.lines))
    return (act.line,)


def _taken(act: say.AnyAct | tuple[say.Line, ...], no: int, why: str, deaf: tuple[str, ...]) -> list[Taken]:
    """What was done with the lines of one act; *no*: with the paper that was begun; *why*: why it was not done.

    *deaf*: those of a group who were too far off to hear it.
    """
    if isinstance(act, tuple):
        how, to, lines = "voice", act[0].unit, tuple(line.line for line in act)
    else:
        to, lines = act.to if isinstance(act, say.Dispatch | say.Say | say.HandOver) else "", lines_in(act)
        how = str(act.__struct_config__.tag)
        if isinstance(act, say.Dispatch | say.Say):
            letter = isinstance(act, say.Say) or act.letter
            how = ("letter" if letter else "paper") if no else how
    return [Taken(line, "nothing" if why else how, to, no, why, deaf) for line in lines]


def _spoken_together(acts: tuple[say.AnyAct, ...]) -> list[say.AnyAct | tuple[say.Line, ...]]:
    """What is said to one unit is one order, as the lines of one paper are."""
    found: dict[str, list[say.Line]] = {}
    for act in acts:
        if isinstance(act, say.Voice):
            found.setdefault(act.order.unit, []).append(act.order)
    together: list[say.AnyAct | tuple[say.Line, ...]] = []
    for act in acts:
        if not isinstance(act, say.Voice):
            together.append(act)
        elif act.order is found[act.order.unit][0]:
            together.append(tuple(found[act.order.unit]))
    return together


# ------------------------------------------------------------------ himself


def _ground(play: Play, mind: Mind | None) -> Terrain:
    """The ground as a commander knows it."""
    return mind_terrain(play.scene, mind) if mind is not None else play.scene.terrain


@rule("KS-CMD-01")
def _ride_to(play: Play, person: Person, act: say.RideTo) -> None:
    mind = play.mind(person)
    shun = shunned(mind) if mind else ()
    way = rider_way(
        _ground(play, mind), person.at, act.to.at, shun=shun, via=split_by(play.scene, act.by), table=play.table
    )
    start = max(play.move + 1, person.writes_until + 1)
    riding = replace(person, ride=Ride(way=way, set_out=start, to=act.to.text), rides_with="")
    if person.at == act.to.at and not person.on_arrival:
        riding = replace(person, ride=None, rides_with="")
    play.keep("rides", Changes(persons=(riding,)))
    play.tell(
        person.role,
        RodeTo(path=(person.at,), rules=cited("KS-CMD-01")),
        Learned(riding_to=act.to.text if riding.ride else "", way=way if riding.ride else (), rides_with=""),
    )


@rule("KS-CMD-01")
def _ride_with(play: Play, person: Person, act: say.RideWith) -> None:
    unit = side_unit(play, person.side, act.unit)
    if unit is None:
        return
    riding = replace(person, rides_with=unit.id, ride=None)
    if person.on_arrival:
        # He is there already: what he is to do on arrival he does in the next move.
        riding = replace(riding, ride=Ride(way=(person.at,), set_out=play.move + 1, to=unit.id))
    if is_on_map(unit) and distance(person.at, unit.place.at) > 50:
        mind = play.mind(person)
        goal = aim_of(play, person, unit.id)
        way = rider_way(_ground(play, mind), person.at, goal, table=play.table)
        start = max(play.move + 1, person.writes_until + 1)
        riding = replace(riding, ride=Ride(way=way, set_out=start, to=unit.id))
    play.keep("rides with", Changes(persons=(riding,)))
    play.tell(
        person.role,
        RodeTo(path=(person.at,), rules=cited("KS-CMD-01")),
        Learned(riding_to=unit.id if riding.ride else "", rides_with=unit.id),
    )


def _stay(play: Play, person: Person, act: say.Stay) -> None:
    del act
    play.keep("stays", Changes(persons=(replace(person, ride=None, rides_with=""),)))
    play.tell(
        person.role,
        RodeTo(path=(person.at,), rules=cited("KS-CMD-01")),
        Learned(riding_to="", way=(), rides_with=""),
    )


@rule("KS-SIT-03")
def _look(play: Play, person: Person, act: say.Look) -> None:
    bearing = act.facing.bearing
    if bearing is None and act.facing.toward is not None:
        bearing = toward(person.at, act.facing.toward.at)
    if bearing is None:
        return
    looking = replace(person, looks=bearing, looked=play.move + 1, facing=bearing)
    play.keep("looks", Changes(persons=(looking,)))


def _wake(play: Play, person: Person, act: say.Wake) -> None:
    line = say.Line(act.line, "", act.test.text or act.test.kind, test=act.test)
    wakes = (*play.war.wakes.get(person.id, ()), line)
    play.keep("wake", Changes(wakes={person.id: wakes}))
    play.tell(person.role, RodeTo(path=(person.at,)), Learned(wakes=wakes))


def _mute(play: Play, person: Person, act: say.Mute) -> None:
    left = tuple(code for code in person.muted if code != act.code)
    muted = (*left, act.code) if act.off else left
    play.keep("mute", Changes(persons=(replace(person, muted=muted),)))
    play.tell(person.role, RodeTo(path=(person.at,)), Learned(muted=muted))


# ------------------------------------------------------------------ words and papers


@rule("KS-CMD-05")
def _say(play: Play, person: Person, act: say.Say) -> None:
    """Heard at once within 1000 paces; else it becomes a letter."""
    other = play.war.persons.get(act.to)
    if other is None or other.side != person.side:
        return
    if not within_call(play, person, other):
        begin_paper(play, person, say.Dispatch(line=act.line, to=act.to, text=act.text, letter=True))
        return
    for one in (person, other):
        play.tell(one.role, Said(speaker=person.id, to=other.id, text=act.text, rules=cited("KS-CMD-05")), Learned())
    raise_interrupt(play, other.id, "W4", f"{person.name} speaks to you")


def _voice(play: Play, person: Person, lines: tuple[say.Line, ...]) -> tuple[str, ...]:
    """He gives orders by word of mouth, and knows who was too far off to hear them; gives their names."""
    heard = speak(play, person, lines)
    mind = play.mind(person)
    if mind is None:
        return ()
    to = lines[0].unit
    orders = {unit: (*mind.orders.get(unit, ()), (play.move + 1, lines)) for unit in heard}
    play.tell(person.role, PaperSent(no=0, to=to, what="voice", rules=cited("KS-CMD-02")), Learned(orders=orders))
    return tuple(unit for unit in play.scene.units_of(person.side, to) if unit not in heard)


def _dispatch(play: Play, person: Person, act: say.Dispatch) -> None:
    begin_paper(play, person, act)


@rule("KS-MSG-05")
def _cancel(play: Play, person: Person, act: say.CancelPaper) -> None:
    """His own paper, while it is still being written."""
    own = [paper for paper in play.papers() if paper.sender == person.id and paper.no == act.number]
    if not own or any(paper.state not in ("writing", "waiting") for paper in own):
        play.tell(
            person.role,
            ToldAtOnce(
                line=act.line,
                order=f"cancel paper {act.number}",
                reason="it has left",
                rules=cited("KS-MSG-05"),
                learned=Learned(),
            ),
        )
        return
    play.keep("cancelled", Changes(done_papers=tuple(paper.id for paper in own)))
    mind = play.mind(person)
    if mind is not None:
        sent = tuple(replace(one, cancelled=True) for one in mind.sent if one.no == act.number)
        play.tell(person.role, PaperSent(no=act.number, to=own[0].to, what="cancelled"), Learned(sent=sent))


# ------------------------------------------------------------------ command


@rule("KS-MSG-09", "KS-MSG-02")
def _staff(play: Play, person: Person, act: say.StaffObserve) -> None:
    """An officer of the staff rides out to observe, or all are called back."""
    if act.to is None:
        for unit in list(play.on_map(person.side)):
            if is_staff(unit) and unit.duty.to == person.id:
                back = say.Line(act.line, unit.id, "back", order=say.Order(verb="rejoin", text="back", unit=person.id))
                if play.field.present(person, unit, play.war.options.voice_range):
                    take_lines(play, unit, (back,), by="voice", rank=0, written=play.move)
                else:
                    sheet = say.Dispatch(line=act.line, to=unit.id, lines=(back,), receipt=False)
                    begin_paper(play, play.war.persons[person.id], sheet)
        return
    if person.staff < 1:
        play.tell(
            person.role,
            ToldAtOnce(
                line=act.line,
                order="staff: observe",
                reason="no officer free",
                rules=cited("KS-MSG-02"),
                learned=Learned(),
            ),
        )
        return
    names = (f"staff of {person.name} {number}" for number in range(1, play.war.options.staff_officers + 1))
    name = next(name for name in names if f"{person.side}:{name}" not in play.war.units)
    officer = Unit(
        side=person.side,
        id=name,
        name=name,
        arm="cavalry",
        kind="hussar",
        size="staff",
        place=Place(at=person.at, facing=person.facing, formation="cav_line"),
        strength=Strength(riders=0),
        commander=person.id,
        duty=Duty(
            queue=(say.Order(verb="post", text=f"observe {act.to.text}", to=(act.to,), by=act.by),),
            purpose="post",
            to=person.id,
            parent=person.id,
        ),
    )
    play.keep("staff officer", Changes(new_units=(officer,), persons=(replace(person, staff=person.staff - 1),)))


def _offer(play: Play, person: Person, act: say.OfferEnd) -> None:
    del act
    play.keep("offers the end", Changes(persons=(replace(person, offers_end=True),)))


# ------------------------------------------------------------------ his page


@rule("KS-SIT-08")
def _join(play: Play, person: Person, act: say.NoteJoin) -> None:
    mind = play.mind(person)
    if mind is None or act.one not in mind.entries or act.other not in mind.entries:
        return
    entry, other = mind.entries[act.one], mind.entries[act.other]
    joined = {
        entry.id: replace(entry, joined=tuple(dict.fromkeys((*entry.joined, other.id)))),
        other.id: replace(other, dropped=True),
    }
    play.tell(person.role, RodeTo(path=(person.at,)), Learned(entries=joined))


@rule("KS-SIT-08")
def _drop(play: Play, person: Person, act: say.NoteDrop) -> None:
    mind = play.mind(person)
    if mind is None or act.entry not in mind.entries:
        return
    dropped = {act.entry: replace(mind.entries[act.entry], dropped=True)}
    play.tell(person.role, RodeTo(path=(person.at,)), Learned(entries=dropped))


def _taker(
    kind: type[_Kind], take: Callable[[Play, Person, _Kind], None]
) -> tuple[type[say.Act], Callable[[Play, Person, say.Act], None]]:
    def taken(play: Play, person: Person, act: say.Act) -> None:
        if isinstance(act, kind):
            take(play, person, act)

    return kind, taken


TAKES: Mapping[type[say.Act], Callable[[Play, Person, say.Act], None]] = dict(
    (
        _taker(say.RideTo, _ride_to), _taker(say.RideWith, _ride_with), _taker(say.Stay, _stay), _taker(say.Look,
        _look),
        _taker(say.Wake, _wake), _taker(say.Mute, _mute), _taker(say.Say, _say),
        _taker(say.Dispatch, _dispatch), _taker(say.CancelPaper, _cancel), _taker(say.Parley, parley),
        _taker(say.TakeCommand, take_command), _taker(say.HandOver, hand_over), _taker(say.StaffObserve, _staff),
        _taker(say.OfferEnd, _offer), _taker(say.NoteJoin, _join), _taker(say.NoteDrop, _drop),
    )
)  # fmt: skip
"""What is done with each kind of line."""
