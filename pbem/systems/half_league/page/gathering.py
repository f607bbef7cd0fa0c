"""Lines that belong together become one paragraph: all fire at a target, a charge, a combat, the moves of a segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from pbem.orders.prose import cap, counted, listed, number
from pbem.rules.view import Note, Table
from pbem.systems.half_league.page.sentences import COLUMNS, FIGURES, Box, Chits, Line, Save
from pbem.systems.half_league.scene.words import brief

OF_ALL: tuple[Box, ...] = ("moves", "points", "rolled")
"""Tables of which each phase or segment has one, whoever is in it."""


SPOKEN: tuple[Box, ...] = ("", "moves")
"""Lines of these are told in words too, and not in a table alone."""
DEAR = 3
"""Figures lost at once that are worth a word in the summary."""
DEAR_WEIGHT = 2
"""How much such a word weighs there."""


class Paragraph:
    """Lines that are told as one."""

    def __init__(self, first: Line) -> None:
        self.lines = [first]
        self.about = set(first.about)

    def add(self, line: Line) -> None:
        """Go on with *line*."""
        self.lines.append(line)
        self.about |= set(line.about)

    def takes(self, line: Line) -> bool:
        """Whether *line* goes on with this: it is for the same table of all, or about the same pieces."""
        if line.box in OF_ALL or self.lines[0].box in OF_ALL:
            return line.box == self.lines[0].box
        return bool(self.about & set(line.about))

    def whole(self) -> Line:
        """All of it as one line."""
        heaviest = max(self.lines, key=lambda line: line.weight)
        dear = tuple(self._dear())
        return replace(
            self.lines[0],
            lead=next((line.lead for line in self.lines if line.lead), ""),
            text=" ".join((*self._benefits(), *self._shots(), *self._spoken(), *self._chits())),
            tables=(*self._tables(), *(table for line in self.lines for table in line.tables)),
            notes=tuple(self._small_print()),
            weight=max(heaviest.weight, DEAR_WEIGHT if dear else 0),
            headline=heaviest.headline if heaviest.weight else "",
            gist="",
            gists=(
                *((DEAR_WEIGHT, said) for said in dear),
                *dict.fromkeys((line.weight, line.gist) for line in self.lines if line.gist),
            ),
        )

    def _benefits(self) -> Iterator[str]:
        """What was bought or given, for whom: `fire for UK-7 and UK-33; morale for UK-23`."""
        by_benefit: dict[str, list[str]] = {}
        for line in self.lines:
            for name, benefit, *_ in line.rows if line.box == "points" else ():
                by_benefit.setdefault(benefit.partition(":")[0], []).append(name.partition(" (")[0])
        if by_benefit:
            said = "; ".join(f"{benefit} for {_twice(names)}" for benefit, names in by_benefit.items())
            yield f"Benefits used: {said}."
        rolled = [int(row[-1]) for line in self.lines if line.box == "rolled" for row in line.rows]
        if rolled:
            yield f"{cap(counted(len(rolled), 'unit'))} rolled for command points: {sum(rolled)} in all."

    def _shots(self) -> Iterator[str]:
        shots = [line.shot for line in self.lines if line.shot is not None]
        if shots:
            hits = sum(hits for _, hits in shots)
            thrown = cap(counted(sum(dice for dice, _ in shots), "die"))
            yield f"{thrown}, {counted(hits, 'possible hit') if hits else 'no hit'}."

    def _saved(self) -> dict[str, list[Save]]:
        """The saves of each unit, in order."""
        found: dict[str, list[Save]] = {}
        for line in self.lines:
            if line.save is not None:
                found.setdefault(line.save.unit, []).append(line.save)
        return found

    def _spoken(self) -> Iterator[str]:
        """What is said line by line; the saves of a unit together, where the first of them stands."""
        told: set[str] = set()
        for line in self.lines:
            if line.save is not None:
                if line.save.unit not in told:
                    told.add(line.save.unit)
                    yield self._saves(line.save.unit)
            elif line.stand is not None:
                if self._stands(line.stand[0])[0] is line:
                    yield self._fallen(line.stand[0])
            elif line.text and line.box in SPOKEN and line.chits is None:
                yield line.text

    def _stands(self, unit: str) -> list[Line]:
        return [line for line in self.lines if line.stand is not None and line.stand[0] == unit]

    def _fallen(self, unit: str) -> str:
        """All stands that a unit lost, in one sentence."""
        lines = self._stands(unit)
        if len(lines) == 1:
            return lines[0].text
        _, left, what = lines[-1].stand or (unit, 0, "stand")
        return (
            f"{cap(brief(unit))} lost {counted(len(lines), what)}: {number(left)} {'is' if left == 1 else 'are'} left."
        )

    def _saves(self, unit: str) -> str:
        saves = self._saved()[unit]
        lost = sum(not one.saved for one in saves)
        who = cap(brief(unit))
        if any(line.shot for line in self.lines):
            return f"{who} lost {counted(lost, 'figure')}." if lost else f"{who} saved all."
        hits = counted(len(saves), "possible hit")
        return f"{who} lost {counted(lost, 'figure')} by {hits}." if lost else f"{who} saved all of {hits}."

    def _chits(self) -> Iterator[str]:
        """The chits of each unit together: `Two chits on RU-9 for a combat lost and its withdrawal, 5 of 4 now.`."""
        by_unit: dict[str, list[Chits]] = {}
        for line in self.lines:
            if line.chits is not None:
                by_unit.setdefault(line.chits.unit, []).append(line.chits)
        for unit, chits in by_unit.items():
            many = sum(one.count for one in chits)
            reasons = listed(list(dict.fromkeys(one.reason for one in chits)))
            last = chits[-1]
            now = f", {last.now} of {last.limit} now" if last.limit else ""
            yield f"{cap(counted(many, 'chit'))} on {brief(unit)} for {reasons}{now}."

    def _dear(self) -> Iterator[str]:
        """What cost so much that the summary says it."""
        for saves in self._saved().values():
            lost = sum(not one.saved for one in saves)
            if lost >= DEAR:
                yield f"{cap(saves[0].called)} lost {counted(lost, 'figure')}."

    def _tables(self) -> Iterator[Table]:
        for box, columns in COLUMNS.items():
            rows = tuple(row for line in self.lines if line.box == box for row in line.rows)
            if rows:
                kept = [n for n in range(len(columns)) if any(row[n] for row in rows)]
                yield Table(
                    columns=tuple(columns[n] for n in kept),
                    rows=tuple(tuple(row[n] or "–" for n in kept) for row in rows),
                    numbers=tuple(place for place, n in enumerate(kept) if n in FIGURES[box]),
                )

    def _small_print(self) -> Iterator[Note]:
        """How it came about: words and dice in order, the saves of each unit together, then all rules at once."""
        told: set[str] = set()
        for line in self.lines:
            if line.save is not None:
                if line.save.unit not in told:
                    told.add(line.save.unit)
                    yield self._saves_note(line.save.unit)
            else:
                yield from (Note(note.text, note.dice) for note in line.notes if note.text or note.dice)
        rules = dict.fromkeys(rule for line in self.lines for note in line.notes for rule in note.rules)
        if rules:
            yield Note("", rules=tuple(rules))

    def _saves_note(self, unit: str) -> Note:
        """The saves of a unit in one line: `needed 4: 5, 6, 3 lost; needed 5: 4 lost`."""
        lines = [line for line in self.lines if line.save is not None and line.save.unit == unit]
        parts = []
        for (need, modifiers), group in groupby(self._saved()[unit], key=lambda one: (one.need, one.modifiers)):
            thrown = ", ".join(_thrown(one) for one in group)
            needed = f"needed {need}: " if need else ""
            parts.append(f"{f'{modifiers}, ' if modifiers else ''}{needed}{thrown}")
        dice = tuple(throw for line in lines for note in line.notes for throw in note.dice)
        return Note(f"Saves of {brief(unit)}: {'; '.join(parts)}.", dice)


def _twice(names: Sequence[str]) -> str:
    """Names in a row, each once: who has a benefit from his brigadier and for a point has it twice."""
    return listed([f"{name} twice" if names.count(name) > 1 else name for name in dict.fromkeys(names)])


def _thrown(save: Save) -> str:
    if not save.natural:
        return "no save, lost"
    return str(save.natural) if save.saved else f"{save.natural} lost"


def gathered(lines: Sequence[Line]) -> tuple[Line, ...]:
    """What happened, paragraph by paragraph, each under its heading."""
    found = []
    for _, group in groupby((line for line in lines if not line.line), key=lambda line: (line.moment, line.phase)):
        found += [one.whole() for one in _paragraphs(list(group))]
    return tuple(line for line in found if line.text or line.lead or line.tables)


def _paragraphs(lines: Sequence[Line]) -> list[Paragraph]:
    found: list[Paragraph] = []
    for line in lines:
        fitting = next((one for one in reversed(found) if one.takes(line)), None)
        if fitting is None and line.follows:
            fitting = next((one for one in reversed(found) if one.lines[0].box not in OF_ALL), None)
        if fitting is None:
            found.append(Paragraph(line))
        else:
            fitting.add(line)
    return found
