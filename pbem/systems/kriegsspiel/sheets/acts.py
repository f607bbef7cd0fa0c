"""What a commander does himself: the verbs of his sheet, and what stands in their way ("Person lines")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from pbem.ground.plane import distance
from pbem.orders.grammar import Word
from pbem.orders.sentence import made_of
from pbem.orders.verbs import Verb
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.sheets.bench import Bench, Wrong, doubt
from pbem.systems.kriegsspiel.sheets.sentence import Sentence
from pbem.systems.kriegsspiel.tables.knowledge import INTERRUPTS
from pbem.systems.kriegsspiel.world import orders as say
from pbem.systems.kriegsspiel.world.orders import AnyAct

Kind = TypeVar("Kind", bound=say.Act)


def _act(kind: type[Kind], **fields: Callable[[Sentence], object]) -> Callable[[Sentence], Kind]:
    return made_of(kind, line=lambda told: told.line.number, **fields)


def _wake_if(told: Sentence) -> AnyAct:
    said = told.marked.original.split(maxsplit=2)[2].strip(" .,")
    return say.Wake(line=told.line.number, test=told.condition(said))


@rule("KS-TUR-08")
def _switch(told: Sentence) -> AnyAct:
    way, code = told.words()
    name = told.said(code).upper()
    known = INTERRUPTS.get(name)
    if known is None or not known.can_be_switched:
        can = ", ".join(one for one, interrupt in INTERRUPTS.items() if interrupt.can_be_switched)
        what = f"{name} cannot be switched" if known is not None else f"there is no interrupt {name}"
        told.note(code, Wrong(f"{what}; {can} can", "KS-TUR-08"))
    return say.Mute(line=told.line.number, code=name, off=way.type == "OFF")


@rule("KS-CMD-05")
def _say(told: Sentence) -> AnyAct:
    person, mind = told.person(), told.bench.mind
    there, reach = told.bench.person_at(person), mind.options.talk_range
    if person == mind.person:
        told.note(told.first, Wrong("that is yourself", "KS-CMD-05"))
    elif not (person in mind.near if mind.phase != "setup" else there is None or distance(mind.at, there) <= reach):
        far = distance(mind.at, there) if there is not None else 0
        where = f"he was {far} paces away" if far > reach else "he is not within call"
        told.note(told.first, doubt(f"{where}, and one talks within {reach}: it goes as a letter", "KS-CMD-05"))
    return say.Say(line=told.line.number, to=person, text=told.text())


def _commanded(why: str, rule_id: str) -> Callable[[Sentence], str]:
    """What reads a unit that he must have under him; *why*: what is said if he has not."""

    def read(told: Sentence) -> str:
        unit = told.unit()
        if not told.bench.commands(unit):
            told.note(told.first, Wrong(f"{unit} is not {why}", rule_id))
        return unit

    return read


@rule("KS-MSG-09")
def _observe(told: Sentence) -> AnyAct:
    to = told.place()
    if not told.bench.mind.staff:
        told.note(None, Wrong("no officer of your staff is free", "KS-MSG-09"))
    return say.StaffObserve(line=told.line.number, to=to, by=told.way())


@rule("KS-MSG-05")
def _cancel(told: Sentence) -> AnyAct:
    token, mind = told.the("NUMBER"), told.bench.mind
    number = told.count(token)
    paper = next((one for one in mind.sent if one.no == number), None)
    if paper is None:
        told.note(token, Wrong(f"you have written no paper {number}", "KS-MSG-05"))
    elif paper.cancelled or (paper.leaves and paper.leaves <= mind.move and not paper.waiting):
        told.note(token, Wrong(f"paper {number} is no longer being written", "KS-MSG-05"))
    return say.CancelPaper(line=told.line.number, number=number)


def _offer(told: Sentence) -> AnyAct:
    if told.bench.mind.superior:
        told.note(None, Wrong("only the commander-in-chief offers to end the game", "KS-ORD-01"))
    return say.OfferEnd(line=told.line.number)


@rule("KS-SIT-08")
def _entries(told: Sentence) -> list[str]:
    """The entries of his page that are named."""
    return [_entry(told, one.first) for one in told.all("entry")]


def _entry(told: Sentence, token: Word) -> str:
    said = told.said(token).casefold()
    name = said if said.startswith("e") else f"e{said}"
    if name not in told.bench.mind.entries:
        told.note(token, Wrong(f'"{name}" is no entry of your page', "KS-SIT-08"))
    return name


def _join(told: Sentence) -> AnyAct:
    one, other = _entries(told)
    return say.NoteJoin(line=told.line.number, one=one, other=other)


def _entry_road(told: Sentence) -> str:
    """The entry by which a unit is to come."""
    entry, entries = told.place("entry"), told.bench.chart.entries
    if entry.feature not in entries:
        why = f"{entry.text} is no entry; the map has {', '.join(entries)}"
        told.note(told.all("spot")[0].first, Wrong(why, "KS-GM-08"))
    return entry.feature


# ------------------------------------------------------------------ the verbs

HIMSELF: Mapping[str, Verb[Sentence, AnyAct]] = {
    "ride_to": Verb('"ride" "to" spot by?', _act(say.RideTo, to=Sentence.place, by=Sentence.way),
                    {"ride to": "ride to Galgenberg by nordquer"}),
    "ride_with": Verb('"ride" "with"? unit', _act(say.RideWith, unit=Sentence.unit), {"ride with": "ride with 3/I"}),
    "stay": Verb('"stay"', _act(say.Stay), {"stay": "stay"}),
    "look": Verb('"look" "at"? direction', _act(say.Look, facing=Sentence.facing),
                 {"look": "look NNE", "look at": "look at Galgenberg"}),
    "wake_at": Verb('"wake" "at" TIME', _act(say.Wake, test=Sentence.hour), {"wake at": "wake at 08:30"}),
    "wake_if": Verb('"wake" ("if" | "when") condition', _wake_if,
                    {"wake if": "wake if enemy within 800 of muehlrode_bridge"}),
    "wake_switch": Verb('"wake" (ON | OFF) CODE', _switch, {"wake off": "wake off W6"}),
    "say": Verb('"say" person ":" TEXT', _say, {"say": "say Kessel: I take the left."}),
    "take_command": Verb('"take" "command" "of" unit',
                         _act(say.TakeCommand, unit=_commanded("of your chain of command", "KS-CMD-04")),
                         {"take command": "take command of 3/F"}),
    "hand_over": Verb('"hand" unit "to" person',
                      _act(say.HandOver, unit=_commanded("under your command", "KS-CMD-04"), to=Sentence.person),
                      {"hand": "hand U3/1 to Kessel"}),
    "staff_observe": Verb('"staff" ":"? "observe" spot by?', _observe,
                          {"staff observe": "staff: observe Ostberg by oststrasse"}),
    "staff_back": Verb('"staff" ":"? "back"', _act(say.StaffObserve), {"staff back": "staff: back"}),
}  # fmt: skip
"""Where he goes, what he looks at, whom he talks to."""

NOTES: Mapping[str, Verb[Sentence, AnyAct]] = {
    "parley": Verb('"parley" ":" TEXT', _act(say.Parley, text=Sentence.text),
                   {"parley": "parley: I ask for an hour to bring in the wounded."}),
    "cancel_paper": Verb('"cancel" "paper" NUMBER', _cancel, {"cancel paper": "cancel paper 2"}),
    "offer_end": Verb('"offer" "end"', _offer, {"offer end": "offer end"}),
    "note_join": Verb('"note" "join" entry entry', _join, {"note join": "note join e12 e14"}),
    "note_drop": Verb('"note" "drop" entry', _act(say.NoteDrop, entry=lambda told: _entries(told)[0]),
                      {"note drop": "note drop e9"}),
}  # fmt: skip
"""What he does with his papers and his page."""

SETUP: Mapping[str, Verb[Sentence, AnyAct]] = {
    "start": Verb('"start" unit "at" spot (facing | in_form)*',
                  _act(say.Start, unit=Sentence.unit, at=Sentence.place,
                       facing=lambda told: told.facing_of("facing"), formation=lambda told: told.word_of("in_form")),
                  {"start": "start U3/1 at 3620,3900 facing N in cav_line"}),
    "enter": Verb('"enter" unit "by" spot', _act(say.Enter, entry=_entry_road, unit=Sentence.unit),
                  {"enter": "enter C4 by ost_hagen"}),
    "give": Verb('"give" unit "to" person',
                 _act(say.Give, unit=_commanded("under your command", "KS-GM-08"), to=Sentence.person),
                 {"give": "give 12F2 to Kessel"}),
    "intention": Verb('"intention" ":" TEXT', _act(say.Intention, text=Sentence.text),
                      {"intention": "intention: Hold both bridges till the brigade is up."}),
}  # fmt: skip
"""Dispositions before the first move."""

ACTS: Mapping[str, Verb[Sentence, AnyAct]] = {**HIMSELF, **NOTES, **SETUP}
"""Every act that is made of its line alone."""


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
