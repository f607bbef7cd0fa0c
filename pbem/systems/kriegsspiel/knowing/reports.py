"""What officers report of themselves (KS-MSG-08): by word of mouth to a commander who is there, else by a rider."""

from __future__ import annotations

from typing import Literal, NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.names import Role, RuleId
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.knowing.interrupts import raise_interrupt
from pbem.systems.kriegsspiel.knowing.knowledge import enter, sees_own
from pbem.systems.kriegsspiel.knowing.sighting import as_told, size_of, tiding_of
from pbem.systems.kriegsspiel.knowing.whereabouts import addressee, believed_at
from pbem.systems.kriegsspiel.mind.own_units import own_state
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.scene.wording import state_words, tiding_words, who
from pbem.systems.kriegsspiel.tables.knowledge import CHANGE_AFTER, IDLE_AFTER, OBSERVER_EVERY, REPORT_EVERY, REPORTS
from pbem.systems.kriegsspiel.world.bodies import is_lost, is_sent_out, is_staff
from pbem.systems.kriegsspiel.world.dispatches import OwnState, Paper, Person, Tiding
from pbem.systems.kriegsspiel.world.mind import Known, Learned
from pbem.systems.kriegsspiel.world.outcomes import ReportWritten
from pbem.systems.kriegsspiel.world.outcomes_knowledge import OfficerReported
from pbem.systems.kriegsspiel.world.patches import Changes, ClockPatch
from pbem.systems.kriegsspiel.world.troops import Duty, Unit, UnitPatch


class Word(NamedTuple):
    """What an officer has to tell."""

    text: str
    tidings: tuple[Tiding, ...]
    state: OwnState
    events: tuple[str, ...]
    """By the names of `REPORTS`; of a crossing its id and how it is."""
    urgent: bool

    @property
    def priority(self) -> Literal["normal", "urgent"]:
        """How it goes on its way."""
        return "urgent" if self.urgent else "normal"


@rule("KS-MSG-08", "KS-GM-07")
def write_reports(play: Play) -> None:
    """Every unit that has something to tell writes, once in two moves at most; what came between is told together."""
    for unit in list(play.on_map()):
        if is_lost(unit):
            continue
        events = [*unit.duty.pending, *play.noted.get(unit.key, ())]
        found = _sightings(play, unit)
        events += found
        events += _idle(play, unit)
        if not events:
            continue
        if play.move - unit.duty.reported < REPORT_EVERY:
            kept = replace(unit.duty, pending=tuple(dict.fromkeys(events)))
            if kept != unit.duty:
                play.change(unit, "to report", duty=kept)
            continue
        report(play, play.unit(unit.key), list(dict.fromkeys(events)))
    play.noted.clear()


# ------------------------------------------------------------------ what there is to tell


@rule("KS-MSG-08", "KS-MSG-09")
def _sightings(play: Play, unit: Unit) -> list[tuple[str, str]]:
    """First sights, and what has changed or gone."""
    events: list[tuple[str, str]] = []
    patrol = is_sent_out(unit)
    ignores = unit.duty.reactions.get("enemy_seen", "").startswith("ignore")
    for glimpse in play.war.glimpses.get(unit.key, ()):
        enemy = play.war.units.get(glimpse.body)
        if enemy is None:
            continue
        if glimpse.last == play.move and glimpse.body not in unit.duty.found:
            if size_of(enemy) == "formed" and not ignores:
                events.append(("first_sight", f"body {glimpse.body}"))
            elif patrol:
                name = "patrol_sight" if unit.duty.found else "patrol_first_sight"
                events.append((name, f"body {glimpse.body}"))
        elif glimpse.body in unit.duty.found and glimpse.last == play.move - CHANGE_AFTER:
            events.append(("change", f"gone {glimpse.body}"))
    if is_staff(unit) and (play.move - unit.duty.reported) >= OBSERVER_EVERY and play.war.glimpses.get(unit.key):
        events.append(("change", ""))
    return events


@rule("KS-MSG-08", "KS-CMD-08")
def _idle(play: Play, unit: Unit) -> list[tuple[str, str]]:
    """No orders left for three moves: told once."""
    duty = unit.duty
    if duty.queue or duty.told_idle or duty.parent or play.move - duty.idle_since < IDLE_AFTER:
        return []
    play.change(unit, "told idle", duty=replace(duty, told_idle=True))
    return [("no_orders", "We have no orders left.")] if play.move > IDLE_AFTER else []


# ------------------------------------------------------------------ telling it


def report(play: Play, unit: Unit, events: list[tuple[str, str]]) -> None:
    """Tell or write what has happened, what is seen, and how the unit stands."""
    named = [text.removeprefix("body ") for _, text in events if text.startswith("body ")]
    glimpses = {glimpse.body: glimpse for glimpse in play.war.glimpses.get(unit.key, ())}
    gone = [text.removeprefix("gone ") for _, text in events if text.startswith("gone ")]
    # Who has come in sight again meanwhile is not gone.
    gone = [body for body in gone if body not in glimpses or glimpses[body].last < play.move]
    in_sight = [
        body
        for body, glimpse in glimpses.items()
        if glimpse.last == play.move and (body in unit.duty.found or body in named)
    ]
    tidings: list[Tiding] = []
    for body in dict.fromkeys((*named, *in_sight)):
        glimpse, enemy = glimpses.get(body), play.war.units.get(body)
        if glimpse is not None and enemy is not None:
            tidings.append(tiding_of(enemy, glimpse, unit.place.at, unit.id, unit.key))
    for body in gone:
        glimpse, enemy = glimpses.get(body), play.war.units.get(body)
        if glimpse is not None and enemy is not None:
            tidings.append(
                replace(
                    tiding_of(enemy, glimpse, unit.place.at, unit.id, unit.key),
                    gone=True,
                    at=_last_place(play, glimpse.ref) or unit.place.at,
                )
            )
    tidings.sort(key=lambda one_: as_told(one_, unit.place.at))
    state = own_state(unit, play.move, unit.id)
    lines = [text for _, text in events if text and not text.startswith(("body ", "gone ", "crossing "))]
    seen = "; ".join(tiding_words(play.scene, tiding) for tiding in tidings if not tiding.gone)
    lines += [f"We see {seen}."] if seen else []
    lines += ["The enemy we reported is out of sight." for _ in gone[:1]]
    crossings = tuple(text.removeprefix("crossing ") for _, text in events if text.startswith("crossing "))
    names = tuple(dict.fromkeys(name for name, _ in events))
    urgent = any(REPORTS.get(name) == "urgent" for name in names)
    duty = replace(
        unit.duty,
        reported=play.move,
        pending=(),
        found=tuple(dict.fromkeys((*(one_ for one_ in unit.duty.found if one_ not in gone), *named))),
    )
    text = " ".join([*lines, f"{unit.id}: {state_words(play.scene, state)}."])
    _send(play, unit, duty, Word(text, tuple(tidings), state, (*names, *crossings), urgent))


def _last_place(play: Play, ref: str) -> Point | None:
    """Where a body was when it was last reported, if that paper is still on the road."""
    return next((tiding.at for paper in play.papers() for tiding in paper.tidings if tiding.ref == ref), None)


@rule("KS-MSG-08", "KS-MSG-02")
def _send(play: Play, unit: Unit, duty: Duty, word: Word) -> None:
    """Tell it to him whom it is for, if he is there; else send a rider."""
    person = addressee(play, unit)
    if person is None:
        play.change(unit, "nobody to tell", duty=duty)
        return
    near = person.stand == "map" and play.field.present(person, unit, play.war.options.voice_range)
    if near and person.role and sees_own(play, person, unit):
        play.add(
            ReportWritten(
                message_id=0, unit=unit.key, priority=word.priority, events=word.events, to=person.id,
                rules=_cites(unit), changes=one(unit, UnitPatch(duty=duty)),
            )
        )  # fmt: skip
        _tell_at_once(play, person, unit, word)
        return
    paper = _written(play, unit, person, word)
    if near and not person.role and sees_own(play, person, unit):
        # By word of mouth; he handles it as a paper.
        paper = replace(paper, state="delivered", received=play.move, read=play.move + 1, bearer="")
    play.add(
        ReportWritten(
            message_id=paper.id,
            unit=unit.key,
            priority=paper.priority,
            events=word.events,
            to=person.id,
            rules=_cites(unit),
            changes=Changes(units={unit.key: UnitPatch(duty=duty)}, papers=(paper,), clock=ClockPatch(papers=paper.id)),
        )
    )


@rule("KS-MSG-08", "KS-MSG-02")
def _written(play: Play, unit: Unit, person: Person, word: Word) -> Paper:
    """A report as it is given to a rider, to be taken to where its writer believes the person to be."""
    return Paper(
        id=play.war.clock.papers + 1,
        kind="report",
        side=unit.side,
        sender=unit.id,
        to=person.id,
        priority=word.priority,
        written=play.move,
        place=unit.place.at,
        words=len(word.text.split()),
        text=word.text,
        tidings=word.tidings,
        states=(word.state,),
        events=word.events,
        at=unit.place.at,
        aim=believed_at(play, unit.key, person),
        bearer=_bearer(play, unit),
    )


def _cites(unit: Unit) -> tuple[RuleId, ...]:
    return cited("KS-MSG-08", "KS-GM-07", *(["KS-MSG-09"] if is_staff(unit) else []))


def _bearer(play: Play, unit: Unit) -> str:
    """Whose rider carries it: the unit's own, or, for a zug or a company, its battalion's."""
    return unit.id if unit.strength.riders or not unit.duty.parent else unit.duty.parent


def _tell_at_once(play: Play, person: Person, unit: Unit, word: Word) -> None:
    mind = play.minds[Role(person.role)]
    entries, told = enter(mind, word.tidings, play.move, own_eyes=False)
    crossings = {
        name: (what, play.move) for name, _, what in (one_.partition("=") for one_ in word.events if "=" in one_)
    }
    own = Known(word.state, play.move, in_sight=True, events=word.events)
    play.tell(
        person.role,
        OfficerReported(
            unit=unit.id,
            text=word.text,
            tidings=word.tidings,
            entries=tuple(told),
            urgent=word.urgent,
            rules=cited("KS-MSG-08"),
        ),
        Learned(entries=entries, own={unit.id: own}, crossings=crossings),
    )
    if word.urgent:
        raise_interrupt(play, person.id, "W5", f"{unit.id} reports")


# ------------------------------------------------------------------ captured papers, and those handed on


@rule("KS-MSG-07")
def captured_paper(play: Play, taker: Unit, paper: Paper) -> None:
    """The taker reads the paper and sends it on with its full text."""
    body = paper.text or "; ".join(f"{line.unit}: {line.text}" for line in paper.lines)
    sender, to = who(play.scene, paper.sender), who(play.scene, paper.to)
    bore = f"who brought back a paper of {sender}" if paper.kind == "receipt" else f"with a paper from {sender} to {to}"
    play.note(taker.key, "first_sight", f'We have taken a rider {bore}: "{body}"')


@rule("KS-CMD-06", "KS-MSG-08")
def hand_on(play: Play, person: Person, paper: Paper) -> None:
    """A staff commander sends the report of one of his units on to his superior."""
    superior = play.war.persons.get(person.superior)
    if superior is None:
        return
    clock = play.war.clock
    onward = replace(
        paper,
        id=clock.papers + 1,
        to=superior.id,
        state="writing",
        written=play.move,
        place=person.at,
        at=person.at,
        aim=believed_at(play, person.id, superior),
        bearer=person.id,
        ride=None,
        met=(),
        tried=(),
        received=-1,
        read=-1,
        wants_receipt=False,
    )
    play.keep("handed on", Changes(papers=(onward,), clock=ClockPatch(papers=clock.papers + 1)))
