"""What a commander does himself: person lines and dispositions, made of their words and judged ("Person lines")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pbem.ground.plane import distance
from pbem.orders.grammar import Node, Word, child, part, parts_in, words_in
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.sheets.bench import Bench, Wrong, doubt
from pbem.systems.kriegsspiel.sheets.drafts import keyword
from pbem.systems.kriegsspiel.sheets.sentence import Sentence, first_word
from pbem.systems.kriegsspiel.tables.knowledge import INTERRUPTS
from pbem.systems.kriegsspiel.world.orders import (
    AnyAct,
    CancelPaper,
    Condition,
    Enter,
    Give,
    HandOver,
    Intention,
    Look,
    Mute,
    NoteDrop,
    NoteJoin,
    OfferEnd,
    Parley,
    RideTo,
    RideWith,
    Say,
    StaffObserve,
    Start,
    Stay,
    TakeCommand,
    Wake,
)


def _ride_to(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    return RideTo(line=sentence.line.number, to=sentence.spots(tree)[0], by=sentence.by(part(tree, "by")))


def _ride_with(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    return RideWith(line=sentence.line.number, unit=sentence.unit(parts_in(tree)[0]))


def _stay(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    return Stay(line=sentence.line.number)


def _look(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    return Look(line=sentence.line.number, facing=sentence.facing(parts_in(tree)[0]))


def _wake_at(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    token = words_in(tree)[0]
    return Wake(line=sentence.line.number, test=Condition("time", move=sentence.move(token), text=sentence.said(token)))


def _wake_if(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    said = sentence.marked.original.split(maxsplit=2)[2].strip(" .,")
    return Wake(line=sentence.line.number, test=sentence.condition(parts_in(tree)[0], said))


@rule("KS-TUR-08")
def _switch(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    way, code = words_in(tree)
    name = sentence.said(code).upper()
    known = INTERRUPTS.get(name)
    if known is None or not known.can_be_switched:
        can = ", ".join(one for one, interrupt in INTERRUPTS.items() if interrupt.can_be_switched)
        what = f"{name} cannot be switched" if known is not None else f"there is no interrupt {name}"
        sentence.note(code, Wrong(f"{what}; {can} can", "KS-TUR-08"))
    return Mute(line=sentence.line.number, code=name, off=way.type == "OFF")


@rule("KS-CMD-05")
def _say(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    person = sentence.person(parts_in(tree)[0])
    mind = sentence.bench.mind
    there = sentence.bench.person_at(person)
    token, reach = first_word(tree), mind.options.talk_range
    if person == mind.person:
        sentence.note(token, Wrong("that is yourself", "KS-CMD-05"))
    elif not (person in mind.near if mind.phase != "setup" else there is None or distance(mind.at, there) <= reach):
        far = distance(mind.at, there) if there is not None else 0
        where = f"he was {far} paces away" if far > reach else "he is not within call"
        sentence.note(token, doubt(f"{where}, and one talks within {reach}: it goes as a letter", "KS-CMD-05"))
    return Say(line=sentence.line.number, to=person, text=sentence.said(words_in(tree)[-1]))


@rule("KS-CMD-03", "KS-CMD-04")
def _take(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    unit = sentence.unit(parts_in(tree)[0])
    if not sentence.bench.commands(unit):
        sentence.note(first_word(tree), Wrong(f"{unit} is not of your chain of command", "KS-CMD-04"))
    return TakeCommand(line=sentence.line.number, unit=unit)


@rule("KS-CMD-04")
def _hand(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    unit, person = parts_in(tree)
    name = sentence.unit(unit)
    if not sentence.bench.commands(name):
        sentence.note(first_word(unit), Wrong(f"{name} is not under your command", "KS-CMD-04"))
    return HandOver(line=sentence.line.number, unit=name, to=sentence.person(person))


@rule("KS-MSG-09")
def _observe(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    to = sentence.spots(tree)[0]
    if not sentence.bench.mind.staff:
        sentence.note(None, Wrong("no officer of your staff is free", "KS-MSG-09"))
    return StaffObserve(line=sentence.line.number, to=to, by=sentence.by(part(tree, "by")))


def _back(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    return StaffObserve(line=sentence.line.number)


@rule("KS-MSG-05")
def _cancel(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    token, mind = words_in(tree)[0], sentence.bench.mind
    number = sentence.number(token)
    paper = next((one for one in mind.sent if one.no == number), None)
    if paper is None:
        sentence.note(token, Wrong(f"you have written no paper {number}", "KS-MSG-05"))
    elif paper.cancelled or (paper.leaves and paper.leaves <= mind.move and not paper.waiting):
        sentence.note(token, Wrong(f"paper {number} is no longer being written", "KS-MSG-05"))
    return CancelPaper(line=sentence.line.number, number=number)


def _offer(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    bench = sentence.bench
    if bench.mind.superior:
        sentence.note(None, Wrong("only the commander-in-chief offers to end the game", "KS-ORD-01"))
    return OfferEnd(line=sentence.line.number)


def _entry(sentence: Sentence, node: Node[Word]) -> str:
    token = first_word(node)
    said = sentence.said(token).casefold()
    name = said if said.startswith("e") else f"e{said}"
    if name not in sentence.bench.mind.entries:
        sentence.note(token, Wrong(f'"{name}" is no entry of your page', "KS-SIT-08"))
    return name


@rule("KS-SIT-08")
def _join(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    one, other = (_entry(sentence, node) for node in parts_in(tree))
    return NoteJoin(line=sentence.line.number, one=one, other=other)


@rule("KS-SIT-08")
def _drop(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    return NoteDrop(line=sentence.line.number, entry=_entry(sentence, parts_in(tree)[0]))


def _parley(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    return Parley(line=sentence.line.number, text=sentence.said(words_in(tree)[-1]))


# ------------------------------------------------------------------ dispositions


def _start(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    facing, form = part(tree, "facing"), part(tree, "in_form")
    return Start(
        line=sentence.line.number,
        unit=sentence.unit(child(tree, "unit")),
        at=sentence.spot(child(tree, "spot")),
        facing=sentence.facing(parts_in(facing)[0]) if facing is not None else None,
        formation=keyword(sentence.said(words_in(form)[0])) if form is not None else "",
    )


def _enter(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    unit, spot = parts_in(tree)
    entry = sentence.spot(spot, "entry")
    if entry.feature not in sentence.bench.chart.entries:
        known = ", ".join(sentence.bench.chart.entries)
        sentence.note(first_word(spot), Wrong(f"{entry.text} is no entry; the map has {known}", "KS-GM-08"))
    return Enter(line=sentence.line.number, unit=sentence.unit(unit), entry=entry.feature)


def _give(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    unit, person = parts_in(tree)
    name = sentence.unit(unit)
    if not sentence.bench.commands(name):
        sentence.note(first_word(unit), Wrong(f"{name} is not under your command", "KS-GM-08"))
    return Give(line=sentence.line.number, unit=name, to=sentence.person(person))


def _intention(sentence: Sentence, tree: Node[Word]) -> AnyAct:
    return Intention(line=sentence.line.number, text=sentence.said(words_in(tree)[-1]))


MAKERS: Mapping[str, Callable[[Sentence, Node[Word]], AnyAct]] = {
    "ride_to": _ride_to, "ride_with": _ride_with, "stay": _stay, "look": _look, "wake_at": _wake_at,
    "wake_if": _wake_if, "wake_switch": _switch, "say": _say, "take_command": _take, "hand_over": _hand,
    "staff_observe": _observe, "staff_back": _back, "cancel_paper": _cancel, "offer_end": _offer,
    "note_join": _join, "note_drop": _drop, "parley": _parley, "start": _start, "enter": _enter, "give": _give,
    "intention": _intention,
}  # fmt: skip
"""How each act is made of its words."""


# ------------------------------------------------------------------ voice


@rule("KS-CMD-04")
def _chief_of(bench: Bench, unit: str) -> str:
    """Whom he may ask for a unit that is not his: its commander as far as he knows, or his own; empty: nobody."""
    mind = bench.mind
    for name in (bench.commander(bench.members(unit)[0]), mind.superior):
        comrade = mind.comrades.get(name)
        if name not in (mind.person, mind.role) and comrade is not None and not comrade.captured:
            return bench.scene.persons[name].name if name in bench.scene.persons else ""
    return ""


@rule("KS-CMD-02", "KS-CMD-04")
def voice(bench: Bench, unit: str, *, later: bool = False) -> Iterator[Wrong]:
    """What keeps a unit from hearing him: it is not his, or too far off as far as he knows; *later*: he rides first."""
    if not bench.commands(unit):
        chief = _chief_of(bench, unit)
        yield Wrong(f"{unit} is not under your command", "KS-CMD-02", f"letter {chief}: ..." if chief else "")
        return
    if later:
        return
    reach = bench.mind.options.voice_range
    places = [at for name in bench.members(unit) if (at := bench.at(name)) is not None]
    if not places:
        yield Wrong(
            f"you know of no place of {unit} on the map, and voice carries {reach}", "KS-CMD-02", f"to {unit}: ..."
        )
        return
    far = min(distance(bench.mind.at, at) for at in places)
    if far > reach:
        yield Wrong(f"{far} paces, voice carries {reach}", "KS-CMD-02", f"to {unit}: ...")
