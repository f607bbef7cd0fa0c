"""A paper is put into a hand: what it does there (KS-MSG-05, KS-MSG-06, KS-MSG-09, KS-CMD-06, KS-CMD-11)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.ground.plane import distance
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command import papers as writing
from pbem.systems.kriegsspiel.command.command import has_word, take_lines
from pbem.systems.kriegsspiel.command.groups import lines_for
from pbem.systems.kriegsspiel.command.handing import commander_has_word, units_have_word
from pbem.systems.kriegsspiel.command.succession import charged
from pbem.systems.kriegsspiel.field.works_standing import side_terrain
from pbem.systems.kriegsspiel.knowing.interrupts import raise_interrupt
from pbem.systems.kriegsspiel.knowing.knowledge import enter
from pbem.systems.kriegsspiel.knowing.reports import hand_on
from pbem.systems.kriegsspiel.knowing.whereabouts import heard_from
from pbem.systems.kriegsspiel.mind.own_units import own_state
from pbem.systems.kriegsspiel.play.play import Play, side_unit
from pbem.systems.kriegsspiel.tables.knowledge import COLUMN_PASSES_ON, DETOUR, PAUSE_WITH_ADDRESSEE, READING_MOVES
from pbem.systems.kriegsspiel.world.bodies import is_on_map, is_totally_defeated, may_defend
from pbem.systems.kriegsspiel.world.dispatches import OwnState, Paper, Person, Ride
from pbem.systems.kriegsspiel.world.forms import depth_of
from pbem.systems.kriegsspiel.world.mind import Known, Learned, Mind, Received, Sent
from pbem.systems.kriegsspiel.world.orders import Dispatch
from pbem.systems.kriegsspiel.world.outcomes import PaperDelivered, PaperRead, PaperWaiting
from pbem.systems.kriegsspiel.world.outcomes_knowledge import PaperReceived, PaperSent, ReceiptReceived
from pbem.systems.kriegsspiel.world.patches import Changes, ClockPatch
from pbem.systems.kriegsspiel.world.state import paper_key
from pbem.systems.kriegsspiel.world.troops import Unit


@rule("KS-MSG-05", "KS-MSG-06")
def deliver(play: Play, paper: Paper, *, home: bool = False) -> None:
    """Put a paper into the hand of whom it is for; *home*: a rider comes back with a receipt, or with nothing."""
    if home:
        if paper.answers or paper.states:
            _receipt(play, paper)
        return
    delivered = replace(paper, state="delivered", received=play.move)
    play.add(
        PaperDelivered(
            message_id=paper.id,
            to=paper.to,
            at=paper.at,
            rules=cited("KS-MSG-05"),
            changes=Changes(papers=(delivered,)),
        )
    )
    person = play.war.persons.get(paper.to)
    if paper.to == writing.HIGHER:
        _done(play, delivered, None)
        return
    if person is not None and person.side == paper.side:
        _to_person(play, delivered, person)
        return
    unit = writing.leading_unit(play, paper.side, paper.to)
    if unit is None:
        _done(play, delivered, None)
        return
    commander = play.war.persons.get(unit.commander)
    if paper.kind == "letter" and commander is not None and commander.role and _with(play, commander, unit):
        _to_person(play, delivered, commander)
        return
    moves = READING_MOVES["unit"] + passing_on(play, paper)
    play.keep("reads", Changes(papers=(replace(delivered, read=play.move + moves),)))
    _send_back(play, delivered, own_state(unit, play.move, unit.id))


@rule("KS-CMD-02", "KS-MSG-01")
def _with(play: Play, person: Person, unit: Unit) -> bool:
    """Whether a commander is with a unit of his, and reads the letter that is addressed to it."""
    able = person.stand == "map" and person.state != "captured"
    return able and play.field.present(person, unit, play.war.options.voice_range)


@rule("KS-CMD-11")
def passing_on(play: Play, paper: Paper) -> int:
    """Moves more until all of a group know what its leading unit was told: one for each 500 paces of its column."""
    units = play.scene.units_of(paper.side, paper.to)
    if len(units) < 2:
        return 0
    found = [side_unit(play, paper.side, name) for name in units]
    there = [unit for unit in found if unit is not None and is_on_map(unit)]
    if len(there) < 2:
        return 0
    return column_passes(max(distance(there[0].place.at, unit.place.at) + depth_of(unit) for unit in there))


@rule("KS-CMD-11")
def column_passes(long: int) -> int:
    """Moves in which an order goes down a column of so many paces."""
    return -(-long // COLUMN_PASSES_ON)


def _done(play: Play, paper: Paper, state: OwnState | None) -> None:
    """Nothing more comes of it but the rider, who goes back."""
    _send_back(play, paper, state)
    play.keep("done", Changes(done_papers=(paper.id,)))


@rule("KS-MSG-03", "KS-MSG-09")
def _send_back(play: Play, paper: Paper, state: OwnState | None) -> None:
    """The rider leaves again two moves after, with a receipt if one is wanted, clear of what is seen from there."""
    home = (
        paper.home
        or writing.place_of(play, paper.side, paper.bearer)
        or writing.place_of(play, paper.side, paper.sender)
    )
    if home is None or not paper.bearer:
        return
    unit = writing.leading_unit(play, paper.side, paper.to)
    clock = play.war.clock
    seen = writing.in_sight_of(play, paper.side, unit.id if unit is not None else paper.to)
    shun = tuple((enemy.place.at, DETOUR) for enemy in seen)
    way = writing.rider_way(side_terrain(play.scene, play.war, paper.side), paper.at, home, shun=shun, table=play.table)
    back = Paper(
        id=clock.papers + 1,
        kind="receipt",
        side=paper.side,
        sender=paper.to,
        to=paper.sender,
        written=play.move,
        place=paper.at,
        state="returning",
        ride=Ride(
            way=way,
            set_out=play.move + PAUSE_WITH_ADDRESSEE,
            to=paper.sender,
            foot=paper.ride.foot if paper.ride else False,
        ),
        at=paper.at,
        aim=home,
        received=play.move,
        answers=paper.no if paper.wants_receipt else 0,
        states=(state,) if state is not None and paper.wants_receipt else (),
        bearer=paper.bearer,
        met=writing.before_him(seen, paper.at),
        tried=paper.tried,
    )
    play.keep("rider returns", Changes(papers=(back,), clock=ClockPatch(papers=clock.papers + 1)))


@rule("KS-MSG-09", "KS-SIT-09")
def _receipt(play: Play, paper: Paper) -> None:
    """The receipt of a paper comes back: received when and where, and the state of whom it was for."""
    person = play.war.persons.get(paper.bearer)
    mind = play.mind(person) if person is not None else None
    if person is None or mind is None or not paper.answers:
        return
    sent = next((one for one in mind.sent if one.no == paper.answers), None)
    if sent is None or sent.receipt_in is not None:
        return
    state = paper.states[0] if paper.states else None
    own = {}
    if state is not None and (state.unit not in mind.own or mind.own[state.unit].state.seen < state.seen):
        own[state.unit] = Known(state, play.move)
    play.tell(
        person.role,
        ReceiptReceived(
            no=sent.no, to=sent.to, received=paper.received, at=paper.place, state=state, rules=cited("KS-MSG-09")
        ),
        Learned(sent=(replace(sent, received=paper.received, receipt_in=play.move),), own=own),
    )


# ------------------------------------------------------------------ persons


@rule("KS-MSG-05", "KS-CMD-06", "KS-SIT-08")
def _to_person(play: Play, paper: Paper, person: Person) -> None:
    """A player has it in his hand and reads at once; a staff commander passes it on after a move."""
    _send_back(play, paper, None)
    if person.role:
        _read_by_player(play, paper, person)
        if not _read(play, paper, person.id, "KS-MSG-05"):
            return
        if paper.charge is not None and paper.kind == "order":
            commander_has_word(play, paper.charge)
        if paper.lines and writing.overrides(play, paper.sender):
            pass_on(play, person, paper)
        return
    play.keep("staff reads", Changes(papers=(replace(paper, read=play.move + READING_MOVES["staff_commander"]),)))


@rule("KS-CMD-07", "KS-MSG-07")
def _read(play: Play, paper: Paper, by: str, why: str) -> bool:
    """A paper has been read, and is of no further use; says whether it is the first of its copies."""
    known = play.war.papers.get(paper_key(paper.id), paper).known
    others = (one for one in play.papers() if paper.no and one.id != paper.id and one.kind == paper.kind)
    copies = tuple(replace(one, known=True) for one in others if (one.sender, one.no) == (paper.sender, paper.no))
    play.add(
        PaperRead(message_id=paper.id, by=by, rules=cited(why), changes=Changes(papers=copies, done_papers=(paper.id,)))
    )
    return not known


def _read_by_player(play: Play, paper: Paper, person: Person) -> None:
    mind = play.minds[Role(person.role)]
    tidings = paper.tidings
    entries, told = enter(mind, tidings, play.move, own_eyes=False)
    own = {
        state.unit: Known(state, play.move)
        for state in paper.states
        if not (known := mind.own.get(state.unit)) or known.state.seen < state.seen
    }
    crossings = {
        name: (state, play.move) for name, _, state in (text.partition("=") for text in paper.events if "=" in text)
    }
    received = Received(
        kind=paper.kind,
        sender=paper.sender,
        written=paper.written,
        received=play.move,
        place=paper.place,
        at=person.at,
        bearer=paper.bearer,
        text=paper.text,
        lines=paper.lines,
        urgent=paper.priority == "urgent",
        tidings=tidings,
        events=tuple(one for one in paper.events if "=" not in one),
        entries=tuple(told),
    )
    play.tell(
        person.role,
        PaperReceived(paper=received, rules=cited("KS-MSG-01", "KS-MSG-05", *(["KS-SIT-08"] if told else []))),
        charged(
            play.scene,
            mind,
            paper.charge,
            Learned(entries=entries, own=own, received=(received,), crossings=crossings),
        ),
    )
    if paper.kind in ("letter", "order") or paper.sender == writing.HIGHER:
        raise_interrupt(play, person.id, "W4", f"a paper from {paper.sender}")
    elif paper.priority == "urgent":
        raise_interrupt(play, person.id, "W5", f"an urgent report from {paper.sender}")


# ------------------------------------------------------------------ staff commanders


@rule("KS-CMD-06")
def staff_papers(play: Play) -> None:
    """Staff commanders pass on what they have read: by voice within 200 paces, else by riders of their own."""
    for paper in list(play.papers()):
        person = play.war.persons.get(paper.to)
        if paper.state != "delivered" or person is None or person.role or paper.read < 0 or paper.read > play.move:
            continue
        if person.state == "down":
            # He sees to it when he is up again.
            continue
        if not _read(play, paper, person.id, "KS-CMD-06"):
            continue
        heard_from(play, person.id, paper.sender, paper.place, paper.written)
        if paper.kind == "report":
            hand_on(play, person, paper)
            continue
        if paper.charge is not None:
            commander_has_word(play, paper.charge)
        pass_on(play, person, paper)


@rule("KS-CMD-06")
def pass_on(play: Play, person: Person, paper: Paper) -> None:
    """Each order line goes on to its unit."""
    names = dict.fromkeys(name for line in paper.lines for name in play.scene.units_of(paper.side, line.unit))
    for unit_id in names:
        unit = side_unit(play, paper.side, unit_id)
        lines = lines_for(play, paper.side, unit_id, paper.lines)
        if unit is None or not lines:
            continue
        near = is_on_map(unit) and play.field.present(person, unit, play.war.options.voice_range)
        if near:
            # A commander who is played passes on what binds them without him, one of the rules orders it himself.
            rank = paper.rank if person.role else writing.level_of(play, person.id)
            sender = "" if person.role else person.id
            take_lines(play, unit, lines, by="voice", rank=rank, written=writing.dated(paper), sender=sender)
        else:
            current = play.war.persons[person.id]
            # The move of handling is the move of copying: it leaves at the start of the next.
            writing.begin_paper(play, current, Dispatch(line=0, to=unit_id, lines=lines, receipt=False), copied=paper)


# ------------------------------------------------------------------ receipts that do not come

RECEIPT_AFTER = 15
"""Moves after a paper has left in which its receipt should have come."""


@rule("KS-CMD-08", "KS-MSG-09")
def repeat_papers(play: Play) -> None:
    """`messenger_missing repeat`: a paper of which no receipt has come is written again, if it is still the newest."""
    for person in list(play.war.persons.values()):
        mind = play.mind(person)
        if mind is None or person.state == "captured":
            continue
        newest = {sent.to: sent for sent in sorted(mind.sent, key=lambda one: one.no) if not sent.cancelled}
        for sent in newest.values():
            if not _missed(play, sent) or not _repeats(mind, play.scene.units_of(person.side, sent.to)):
                continue
            again = PaperSent(no=sent.no, to=sent.to, what="repeated", rules=cited("KS-MSG-09", "KS-CMD-08"))
            play.tell(person.role, again)
            sheet = Dispatch(line=0, to=sent.to, lines=sent.lines, text=sent.text, urgent=sent.urgent)
            writing.begin_paper(play, play.war.persons[person.id], sheet, charge=sent.charge)


@rule("KS-MSG-09")
def _missed(play: Play, sent: Sent) -> bool:
    """Whether the receipt of a paper should have come by now, and has not."""
    gone = sent.kind == "order" and sent.receipt_wanted and not sent.waiting and sent.back is None
    return gone and sent.receipt_in is None and play.move - sent.leaves >= RECEIPT_AFTER


@rule("KS-CMD-08")
def _repeats(mind: Mind, units: tuple[str, ...]) -> bool:
    """Whether he has ordered so of any of the units that the paper is for."""
    said = [
        line.react[1]
        for unit in units
        for _, lines in mind.orders.get(unit, ())
        for line in lines
        if line.react is not None and line.react[0] == "messenger_missing"
    ]
    return bool(said) and said[-1] == "repeat"


@rule("KS-MSG-06")
def _cannot_read(play: Play, unit: Unit) -> bool:
    """Whether a unit is hand to hand with the enemy, or totally defeated."""
    return unit.trial.contact >= 0 or (is_totally_defeated(unit) and not may_defend(unit, play.move))


@rule("KS-MSG-06", "KS-CMD-11")
def _keep_for(play: Play, unit: Unit, paper: Paper) -> None:
    """What the others of its group have read waits for a unit that cannot read now."""
    number = play.war.clock.papers + 1
    kept = replace(
        paper, id=number, no=0, to=unit.id, state="delivered", read=play.move, dated=writing.dated(paper), bearer="",
        ride=None, wants_receipt=False, charge=None,
    )  # fmt: skip
    play.keep("waits for a unit", Changes(papers=(kept,), clock=ClockPatch(papers=number)))


@rule("KS-MSG-06")
def read_papers(play: Play) -> None:
    """Units that have read a paper take its orders; one in hand-to-hand, or totally defeated, reads it later."""
    for paper in list(play.papers()):
        if paper.state != "delivered" or paper.read < 0 or paper.read >= play.move or paper.to in play.war.persons:
            continue
        leader = writing.leading_unit(play, paper.side, paper.to)
        if leader is not None and _cannot_read(play, leader):
            play.add(
                PaperWaiting(
                    message_id=paper.id,
                    cause="in_combat" if leader.trial.contact >= 0 else "totally_defeated",
                    rules=cited("KS-MSG-06"),
                    changes=Changes(papers=(replace(paper, read=play.move),)),
                )
            )
            continue
        if not _read(play, paper, paper.to, "KS-MSG-06"):
            continue
        units = play.scene.units_of(paper.side, paper.to)
        if paper.charge is not None:
            under = [unit for one in units if (unit := side_unit(play, paper.side, one)) is not None]
            units_have_word(play, paper.charge, under, sender=paper.sender)
        for unit_id in units:
            unit = side_unit(play, paper.side, unit_id)
            if unit is None:
                continue
            if len(units) > 1 and _cannot_read(play, unit):
                _keep_for(play, unit, paper)
                continue
            unit = has_word(play, unit, paper.sender)
            heard_from(play, unit.key, paper.sender, paper.place, paper.written)
            lines = lines_for(play, paper.side, unit_id, paper.lines)
            if lines:
                sender = paper.sender if paper.sender in play.war.persons else ""
                take_lines(
                    play, unit, lines, by=str(paper.id), rank=paper.rank, written=writing.dated(paper), sender=sender
                )
