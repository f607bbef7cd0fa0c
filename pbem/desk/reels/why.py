"""Why something came to pass: the line that ordered it, what led to it, by which rules and dice, and what followed.

Of one role it is told from what that role knows: its own sheets, the forms that it had of facts, and nothing else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.books import dossiers
from pbem.desk.office.office import Office
from pbem.desk.reels.evidence import Evidence, Sheet, evidence
from pbem.kernel.errors import Refused
from pbem.kernel.event import Outcome, kind_of
from pbem.kernel.names import Moment, Role, RuleId
from pbem.kernel.numbers import whole
from pbem.orders.suggest import closest
from pbem.rules.causes import Counted, Piece, Web, counted, is_line
from pbem.rules.leafing import address, among
from pbem.rules.reel import TRUTH, Beat
from pbem.rules.reeling import Here, heads
from pbem.rules.registry import ledger_of
from pbem.rules.view import Note, Told

LASTING = ("standing", "sent", "given")
"""Of a line that became of it, the fate of one that may have its effect in a later exchange."""
MOST = 8
"""Things that are told of what was before, and of what followed."""
_LINE = re.compile(r"(?P<role>[^@]+)@(?P<moment>[^:@]+):(?P<line>\d{1,4})")


class Step(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A fact in the chain."""

    beat: str
    phase: str
    text: str
    seq: int = 0
    """In the log; 0: it is told to a role."""
    units: tuple[str, ...] = ()
    quote: str = ""
    notes: tuple[Note, ...] = ()
    counted: tuple[Counted, ...] = ()
    """What was added, by which rule."""
    rules: tuple[RuleId, ...] = ()
    asked: bool = False
    """It is what was asked about."""


class Ordered(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line of a sheet, what its receipt said of it, and what became of it."""

    role: Role
    moment: str
    receipt: int
    line: int
    text: str
    judged: tuple[tuple[str, str, str], ...] = ()
    """A judgement, why, and its rule."""
    became: tuple[tuple[str, str], ...] = ()
    """A word, and a sentence."""


class Why(Struct, frozen=True, kw_only=True):
    """Why something came to pass."""

    asked: str
    campaign: str
    title: str
    role: Role | None
    """From what it knows; None: from the truth."""
    orders: tuple[Ordered, ...]
    before: tuple[Step, ...]
    """What had befallen the same earlier in the turn."""
    steps: tuple[Step, ...]
    after: tuple[Step, ...]
    more: int
    """How many more things followed."""
    titles: dict[RuleId, str]
    """Of all rules that are named."""


def why_of(office: Office, campaign: str, asked: str, eyes: str | None = None) -> Why:
    """Why that came to pass in *campaign* which *asked* names, for who sees all, or from what a role knows.

    :raises UnknownCampaign: if there is none of that name.
    :raises UnknownRole: if there is no such role.
    :raises Refused: as `why` does.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        return why(evidence(dossier, dossier.role(eyes) if eyes else TRUTH), asked)


def why(proof: Evidence, asked: str) -> Why:
    """Why that came to pass which *asked* names: `f7@3B`, `3B.22`, an event's number, or a line, `french@3B:4`.

    :raises Refused: if it names nothing that these eyes have seen, with what would.
    """
    return Causes(proof).why(asked)


class Causes:
    """All that one pair of eyes has seen of a game, fact by fact, to be asked again and again."""

    def __init__(self, proof: Evidence) -> None:
        self._known = _Known(proof)

    def why(self, asked: str) -> Why:
        """Why that came to pass which *asked* names.

        :raises Refused: as `why` does.
        """
        return _answered(self._known, asked)


def _answered(known: _Known, asked: str) -> Why:
    if found := _LINE.fullmatch(asked.strip()):
        return _of_line(known, asked, found["role"], found["moment"], int(found["line"]))
    unit, _, moment = asked.strip().rpartition("@")
    number = whole(asked.strip())
    if number is not None:
        return _told(known, asked, [known.event(number)], ())
    names = known.unit(unit) if unit else ()
    return _told(known, asked, known.facts(moment, names), names)


def _told(known: _Known, asked: str, places: Sequence[int], names: Sequence[str]) -> Why:
    chain = sorted({one for place in places for one in known.web.led_to(place, known.ends)})
    lines = [line for place in chain if (line := known.line(place)) is not None]
    lines = lines or [line for place in places if (line := known.of_deed(place)) is not None]
    before = known.earlier(min(chain), names)
    before = [place for place in before if place not in chain]
    return _made(known, asked, lines, before, chain, places)


def _of_line(known: _Known, asked: str, name: str, moment: str, number: int) -> Why:
    role = known.role_of(name)
    sheet = known.sheet(role, Moment.parse(moment), number)
    places = [place for place in known.of_exchange(sheet.moment) if known.is_of(place, sheet, number)]
    thrown = [place for place in known.followers(places) if known.has_dice(place)]
    return _made(known, asked, [known.standing_line(sheet, number)], [], sorted([*places, *thrown]), places)


def _made(
    known: _Known,
    asked: str,
    lines: Iterable[_Line],
    before: Sequence[int],
    chain: Sequence[int],
    places: Sequence[int],
) -> Why:
    after = [place for place in known.followers(places) if known.is_told(place) and place not in chain]
    orders = tuple(known.ordered(*line) for line in {(one.sheet.seq, *one[1:]): one for one in lines}.values())
    named = not any(known.is_told(place) for place in (*chain, *after))
    steps = tuple(step for place in chain for step in known.steps(place, asked=place in places, named=named))
    earlier = tuple(step for place in before[-MOST:] for step in known.steps(place))
    later = tuple(step for place in after[:MOST] for step in known.steps(place))
    rules = [rule for step in steps for rule in (*step.rules, *(one.rule for one in step.counted))]
    rules += [RuleId(rule) for order in orders for _, _, rule in order.judged if rule]
    return Why(
        asked=asked.strip(),
        campaign=known.of.campaign,
        title=known.of.title,
        role=known.of.role,
        orders=orders,
        before=earlier,
        steps=steps,
        after=later,
        more=max(len(after) - MOST, 0),
        titles=known.titles(rules),
    )


class _Line(NamedTuple):
    sheet: Sheet
    number: int
    run: int
    """Of its exchange: what became of it hangs on that."""


class _Known:
    """All that one pair of eyes has seen of a game, fact by fact."""

    def __init__(self, proof: Evidence) -> None:
        self.of, self.past = proof, proof.past
        self.seen: list[Here] = []
        self.beats: list[Beat] = []
        self.beat_of: list[int] = []
        numbers: Counter[tuple[Moment, int]] = Counter()
        for seen in proof.chapters:
            places: dict[int, int] = {}
            for beat, run in heads(self.past, proof.eyes, seen, numbers):
                places |= {id(here): len(self.beats) for here in run}
                self.beats.append(beat)
            self.seen += seen
            self.beat_of += [places[id(here)] for here in seen]
        self.pieces = [self._piece(here) for here in self.seen]
        self.web = Web(self.past, self.pieces)
        self._lines: dict[int, _Line | None] = {}
        self._ledger = ledger_of(proof.system.name).rules

    def _fact(self, place: int) -> Outcome:
        return self.seen[place].forms[self.of.eyes[0]]

    def _piece(self, here: Here) -> Piece:
        fact = here.forms[self.of.eyes[0]]
        return Piece(fact, here.moment, here.run, self.past.rests(fact), bool(here.told.get(self.of.eyes[0])))

    def role_of(self, name: str) -> Role:
        """The role *name*, whose sheets may be read.

        :raises Refused: if there is none, or it is another's.
        """
        role = Role(name.strip().casefold())
        if role not in self.of.roles:
            whose = ", ".join(self.of.roles)
            raise Refused(f"there is no sheet of “{name.strip()[:40]}” that may be read here, but of {whose}.")
        return role

    def is_told(self, place: int) -> bool:
        """Whether it is told in words."""
        return self.pieces[place].told

    def has_dice(self, place: int) -> bool:
        """Whether dice decided it."""
        return bool(self._fact(place).dice)

    def standing_line(self, sheet: Sheet, number: int) -> _Line:
        """That line, in the run of its exchange that stands."""
        return _Line(sheet, number, self._stands.get(sheet.moment.whole, 1))

    def is_of(self, place: int, sheet: Sheet, number: int) -> bool:
        """Whether a fact, or the deed that it is part of, came of that line."""
        found = self.line(place) or self.of_deed(place)
        return found is not None and (found.sheet.seq, found.number) == (sheet.seq, number)

    def followers(self, places: Sequence[int]) -> tuple[int, ...]:
        """What rests on any of those facts."""
        return self.web.followed(places) if places else ()

    # -------------------------------------------------------------- what is asked about

    def event(self, number: int) -> int:
        """The fact that is that event of the log.

        :raises Refused: if it is none, or these eyes may not count events.
        """
        if self.of.role:
            raise Refused(f"what {self.of.role} knows has no numbers of the log: name a moment, as {self._example()}.")
        found = next((place for place, here in enumerate(self.seen) if here.seq == number), None)
        if found is None:
            raise Refused(f"event {number} is no fact of the game: ask as {self._example()}.")
        return found

    def _example(self) -> str:
        told = [place for place in range(len(self.seen)) if self.is_told(place) and self.pieces[place].rests.units]
        if not told:
            return "f7@3B"
        last = max(told, key=lambda place: (bool(self._fact(place).dice), place))
        return f"{self.pieces[last].rests.units[0]}@{self.seen[last].moment}"

    @cached_property
    def _units(self) -> tuple[str, ...]:
        world = self.seen[-1].after if self.seen else None
        state = None if world is None else world.truth if self.of.role is None else world.minds[self.of.role]
        named = (name for piece in self.pieces for name in piece.rests.units)
        return tuple(dict.fromkeys((*named, *getattr(state, "pieces", ()))))

    def unit(self, said: str) -> tuple[str, ...]:
        """The names of the unit that *said* names, in whatever case: with its side, and without where one alone has it.

        :raises Refused: if there is none, with what is near, or more than one.
        """
        name = said.strip().casefold()
        found = tuple(one for one in self._units if name in (one.casefold(), one.casefold().rpartition(":")[2]))
        if found and sum(":" in one for one in found) <= 1:
            return found
        if found:
            raise Refused(f"“{said.strip()[:40]}” is more than one: {', '.join(found)}.")
        near = closest(said.strip(), self._units) or closest(said.strip().upper(), self._units)
        hint = f"Perhaps {near}?" if near else f"There are {', '.join(self._units[:12])} …" if self._units else ""
        raise Refused(f"nothing is known of a unit “{said.strip()[:40]}”.  {hint}".strip())

    def facts(self, moment: str, names: Sequence[str]) -> list[int]:
        """The facts told at a moment that befell that unit; without one, all those of a single beat.

        :raises Refused: if nothing did, with the moments at which something did.
        """
        there = address(moment)
        if not names and not there.number:
            raise Refused(f"“{moment.strip()[:40]}” is many things: say of whom, as {self._example()}.")
        named = {*map(id, among(self.beats, there))}
        found = [
            place
            for place, piece in enumerate(self.pieces)
            if id(self.beats[self.beat_of[place]]) in named
            and (not names or {*names} & {*piece.rests.units})
            and not is_line(piece)
        ]
        told = [place for place in found if self.is_told(place)]
        if told or (found and not names):
            return told or found
        if not names:
            raise Refused(f"there is no beat {moment.strip()[:40]}.")
        when = [self.beats[self.beat_of[place]].name for place in self._of(names) if self.is_told(place)]
        hint = f"It was at {', '.join(dict.fromkeys(when[-MOST:]))}." if when else "Nothing is told of it at all."
        raise Refused(f"nothing befell {names[0]} at {moment.strip()[:40]}.  {hint}")

    def _of(self, names: Sequence[str]) -> Iterator[int]:
        return (place for place, piece in enumerate(self.pieces) if {*names} & {*piece.rests.units})

    def earlier(self, first: int, names: Sequence[str]) -> list[int]:
        """What befell a unit in the turn of a fact before it."""
        one = self.seen[first]
        if not names:
            return []
        return [
            place
            for place in self._of(names)
            if place < first and self.is_told(place) and self.seen[place].moment.turn == one.moment.turn
            and self.seen[place].annulled == one.annulled
        ]  # fmt: skip

    def of_exchange(self, moment: Moment) -> list[int]:
        """The facts of an exchange and of what was played of its turn after it, but for runs that were annulled."""
        return [
            place
            for place, here in enumerate(self.seen)
            if not here.annulled and here.moment >= moment.whole and not is_line(self.pieces[place])
        ]

    def sheet(self, role: Role, moment: Moment, number: int) -> Sheet:
        """The sheet of a role for an exchange that has a line of that number: what stood, else what was refused.

        :raises Refused: if there is none.
        """
        of = [one for one in self.of.sheets if (one.role, one.moment.whole) == (role, moment.whole)]
        stood = self.of.standing(role, moment, 1 << 62)
        with_line = [one for one in (*stood, *reversed(of)) if one.line(number)]
        if with_line:
            return with_line[0]
        if of:
            most = max(len(one.text.splitlines()) for one in of)
            raise Refused(f"the sheet of {role} for {moment} has no line {number}: it has 1 to {most}.")
        when = ", ".join(dict.fromkeys(str(one.moment.whole) for one in self.of.sheets if one.role == role))
        raise Refused(f"{role} sent no sheet for {moment}.  {f'There are those for {when}.' if when else ''}".strip())

    # -------------------------------------------------------------- lines of sheets

    def ends(self, place: int) -> bool:
        """Whether a fact was ordered, and rests on nothing else that the rules name."""
        return type(self._fact(place)) not in self.past.leads and self.line(place) is not None

    def line(self, place: int) -> _Line | None:
        """The line of which a fact itself came."""
        if place not in self._lines:
            self._lines[place] = self._found(place)
        return self._lines[place]

    def of_deed(self, place: int) -> _Line | None:
        """The line of which the deed came that a fact is part of."""
        rests = self.web.line_of_deed(place)
        return self._at(place, rests.role, rests.line, rests.sheet) if rests is not None else None

    def _at(self, place: int, role: Role, number: int, sheet: int) -> _Line | None:
        here = self.seen[place]
        for exchange in (sheet or here.moment.exchange, *range(here.moment.exchange, 0, -1)):
            for one in self.of.standing(role, Moment(here.moment.turn, exchange), here.seq):
                if one.line(number):
                    return _Line(one, number, here.run)
        return None

    def _found(self, place: int) -> _Line | None:
        rests, here = self.pieces[place].rests, self.seen[place]
        if rests.line:
            return self._at(place, rests.role, rests.line, rests.sheet)
        for role in self.of.roles:
            for sheet in self.of.standing(role, here.moment, here.seq):
                if number := self._asked(place, role, sheet, lasting=False):
                    return _Line(sheet, number, here.run)
            for sheet in self.of.earlier(role, here.moment, here.seq):
                if number := self._asked(place, role, sheet, lasting=True):
                    return _Line(sheet, number, self._stands.get(sheet.moment.whole, 1))
        return None

    def _asked(self, place: int, role: Role, sheet: Sheet, *, lasting: bool) -> int:
        orders = self.of.orders(sheet)
        if lasting:
            orders = [one for one in orders if self._lasts(role, sheet, one.line)]
        world = self.seen[place].before
        state = world.truth if self.of.role is None else world.minds[self.of.role]
        return self.past.ordered(self.of.scene, state, self._fact(place), role, orders) if orders else 0

    @cached_property
    def _fates(self) -> Mapping[tuple[Role, Moment, int, int], Sequence[Told]]:
        """What became of lines, by whose they are, the exchange of their sheet and its run, and their number."""
        found: dict[tuple[Role, Moment, int, int], list[Told]] = {}
        for here in self.seen:
            for role, some in here.lines.get(self.of.eyes[0], {}).items():
                for told in some:
                    found.setdefault((role, told.moment.whole, here.run, told.line), []).append(told)
        return found

    def _lasts(self, role: Role, sheet: Sheet, number: int) -> bool:
        moment = sheet.moment.whole
        fates = self._fates.get((role, moment, self._stands.get(moment, 1), number), ())
        return any(told.result in LASTING for told in fates)

    @cached_property
    def _stands(self) -> Mapping[Moment, int]:
        """The run of each exchange that stands."""
        return {here.moment: here.run for here in self.seen if not here.annulled}

    def ordered(self, sheet: Sheet, number: int, run: int) -> Ordered:
        """A line as it was written, what its receipt said, and what became of it."""
        told = self._fates.get((sheet.role, sheet.moment.whole, run, number), ())
        fates = [(one.result or "", one.text) for one in told]
        judged = [(one.judgement, one.why, one.rule) for one in sheet.told if one.line in (number, 0)]
        if not sheet.taken:
            judged.append(("refused", sheet.refused, ""))
        return Ordered(
            role=sheet.role,
            moment=str(sheet.moment),
            receipt=sheet.receipt,
            line=number,
            text=sheet.line(number).strip(),
            judged=tuple(judged),
            became=tuple(dict.fromkeys(fates)),
        )

    # -------------------------------------------------------------- words

    def steps(self, place: int, *, asked: bool = False, named: bool = False) -> Iterator[Step]:
        """A fact in its words, line by line; one without any by its kind, if it is to be *named*."""
        fact, beat, here = self._fact(place), self.beats[self.beat_of[place]], self.seen[place]
        seq = 0 if self.of.role else here.seq
        told = here.told.get(self.of.eyes[0], ())
        for number, line in enumerate(told):
            first = number == 0
            yield Step(
                beat=beat.name,
                phase=beat.phase,
                text=f"{line.lead} {line.text}".strip(),
                seq=seq,
                units=self.pieces[place].rests.units if first else (),
                quote=line.quote,
                notes=tuple(replace(note, text="") if note.text == line.text else note for note in line.notes),
                counted=counted(fact) if first else (),
                rules=fact.rules if first else (),
                asked=asked,
            )
        if not told and named:
            name = kind_of(fact).rpartition(".")[2].replace("_", " ")
            yield Step(beat=beat.name, phase=beat.phase, text=f"({name})", seq=seq, rules=fact.rules, asked=asked)

    def titles(self, rules: Iterable[RuleId]) -> dict[RuleId, str]:
        """The titles of rules, as the ledger has them."""
        return {rule: self._ledger[rule].title if rule in self._ledger else "" for rule in dict.fromkeys(rules)}
