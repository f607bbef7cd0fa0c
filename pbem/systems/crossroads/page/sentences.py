"""What all sentences of a report are made of: headings, the line itself, and lines that are one paragraph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from pbem.kernel.names import Moment
from pbem.orders.prose import cap
from pbem.rules.telling import footnote, small_print
from pbem.rules.view import Told
from pbem.systems.crossroads.scene.words import length, names
from pbem.systems.crossroads.world.fact import Fact, Modifier
from pbem.systems.crossroads.world.state import Battle

Colour = Literal["", "red", "black"]


COSTS: Mapping[str, str] = {
    "linear": "obstacle",
    "friend": "passing a friend",
    "difficult": "difficult ground",
    "backwards": "going backwards",
    "road": "bonus of the road",
}
"""What a move pays for, where it is called otherwise in words."""

DECISIVE = 6
"""The least weight of what is told of a card beside what weighs most in it."""


class ReportLine(Told, frozen=True, kw_only=True, omit_defaults=True):
    """A line of a report, with what its page needs beside."""

    colour: Colour = ""
    """Of a card on which nothing came to pass that is known; such cards in a row are told together."""
    stood: str = ""
    """Who stood on it; empty: it is not known whose it was."""
    seq: int = 0
    """The number of its card."""
    gist: str = ""
    """The line in a sentence, for the top of the page."""

    def opening(self) -> ReportLine:
        """The same line, as the beginning of a paragraph."""
        return replace(self, follows=False)


def heading(fact: Fact) -> str:
    """Under which heading a fact is told."""
    if fact.phase in ("turn_end", "over"):
        return f"The end of turn {fact.turn}"
    return "The cards" if fact.seq else f"The start of turn {fact.turn}"


def told(
    fact: Fact, mind: Battle, text: str, *, lead: str = "", note: str = "", weight: int = 0, headline: str = ""
) -> ReportLine:
    """A line that goes on in a paragraph, out of *fact*: its small print has the fact's dice and rules."""
    phase = heading(fact)
    carded = phase == "The cards"
    return ReportLine(
        moment=Moment(fact.turn, mind.exchange),
        phase=phase,
        text=text,
        lead=lead,
        notes=footnote(fact, note),
        follows=True,
        place=f"c{fact.seq}" if carded else "",
        weight=weight,
        headline=headline if weight else "",
        gist=text if weight else "",
        seq=fact.seq if carded else 0,
    )


def changes(base: str, modifiers: Iterable[Modifier], unit: str = "") -> str:
    """A number and what changed it: `8 dice of level 0, column -2, half fire -3`."""
    return ", ".join([base, *(f"{spelt(one.name)} {one.value:+d}{unit}" for one in modifiers)])


def spelt(name: str) -> str:
    """The name of a modifier in words.

    >>> spelt("french_cover"), spelt("half_fire")
    ('French cover', 'half fire')
    """
    return name.replace("_", " ").replace("french", "French").replace("prussian", "Prussian")


def paid(event: str, tenths: int) -> str:
    """A cost of a move: `contour 3`."""
    return f"{COSTS.get(event, event)} {length(tenths)}"


# ------------------------------------------------------------------ paragraphs


def gathered(lines: Sequence[ReportLine]) -> tuple[ReportLine, ...]:
    """What happened, paragraph by paragraph: a card is one, and so are idle cards in a row."""
    paragraphs: list[ReportLine] = []
    for line in lines:
        last = paragraphs[-1] if paragraphs else None
        if last is not None and line.follows and _spot(last) == _spot(line):
            paragraphs[-1] = _joined(last, line)
        else:
            paragraphs.append(line)
    return tuple(line for line in _idle_together(paragraphs) if line.text or line.lead)


def _spot(line: ReportLine) -> tuple[Moment, str, str]:
    return line.moment, line.phase, line.place


def _joined(first: ReportLine, line: ReportLine) -> ReportLine:
    heavier = line.weight > first.weight
    # A card stays one on which nothing came to pass while all that is said is that its unit stood.
    idle = not line.text or (line.stood != "" and not first.text)
    return replace(
        first,
        text=f"{first.text} {line.text}".strip(),
        notes=small_print((*first.notes, *line.notes)),
        tables=(*first.tables, *line.tables),
        weight=max(first.weight, line.weight),
        headline=line.headline if heavier else first.headline,
        gist=_gist(first, line),
        colour=first.colour if idle else "",
        stood=line.stood or first.stood,
    )


def _gist(first: ReportLine, line: ReportLine) -> str:
    """What a paragraph comes to in brief: the weightiest of it, and all that decides."""
    if min(first.weight, line.weight) >= DECISIVE:
        return f"{first.gist} {line.gist}"
    return line.gist if line.weight > first.weight else first.gist


def _idle_together(paragraphs: Sequence[ReportLine]) -> Iterable[ReportLine]:
    run: list[ReportLine] = []
    for line in paragraphs:
        idle = line.colour != "" and line.text != ""
        if run and (not idle or _sort(line) != _sort(run[0])):
            yield _run(run)
            run = []
        if idle:
            run.append(line)
        else:
            yield line
    if run:
        yield _run(run)


def _sort(line: ReportLine) -> tuple[Moment, str, bool]:
    return line.moment, line.colour, line.stood != ""


def _run(run: Sequence[ReportLine]) -> ReportLine:
    if len(run) == 1:
        return run[0]
    lead = f"Cards {names(str(line.seq) for line in run)}, {run[0].colour}."
    stood = [line.stood for line in run if line.stood]
    text = f"{cap(names(stood))} stood." if stood else "Units that you do not see."
    notes = small_print([note for line in run for note in line.notes])
    return replace(run[0], lead=lead, text=text, notes=notes)
