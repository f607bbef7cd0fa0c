"""What all systems do with the lines of a report: their small print, the summary, and what only their page needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from pbem.kernel.event import Outcome
from pbem.kernel.names import Moment, RuleId
from pbem.kernel.owed import Call, Pause
from pbem.orders.prose import cap
from pbem.rules.contract import Verdict
from pbem.rules.view import Note, Told

WORDS = 80
"""As many as the summary at the top of a page may have."""


def footnote(fact: Outcome, text: str = "") -> tuple[Note, ...]:
    """The line under a sentence that has the dice and the rules of its *fact*; none, if there is nothing to say."""
    return (Note(text, fact.dice, fact.rules),) if text or fact.dice or fact.rules else ()


def small_print(notes: Sequence[Note], cited: Collection[RuleId] = ()) -> tuple[Note, ...]:
    """The notes of a paragraph: those that only name rules are drawn together at the end, without those *cited*."""
    spoken = [note for note in notes if note.text or note.dice]
    told = {*cited, *(rule for note in spoken for rule in note.rules)}
    named = dict.fromkeys(rule for note in notes if note not in spoken for rule in note.rules)
    rest = tuple(rule for rule in named if rule not in told)
    return (*spoken, *((Note("", rules=rest),) if rest else ()))


def weightiest(said: Sequence[tuple[int, str]], room: int, most: int | None = None) -> list[str]:
    """Of sayings with their weights the weightiest, in their order, as far as so many words go; at *most* so many.

    >>> weightiest([(1, "It rained."), (5, "St. Privat fell."), (3, "The Guard lost ten figures.")], room=6)
    ['It rained.', 'St. Privat fell.']
    """
    chosen = []
    for at in sorted(range(len(said)), key=lambda place: (-said[place][0], place))[:most]:
        words = len(said[at][1].split())
        if words <= room:
            chosen.append(at)
            room -= words
    return [said[at][1] for at in sorted(chosen)]


def plain(line: Told) -> Told:
    """A line without what only its system's page needs: a view holds nothing else."""
    return Told(**{name: getattr(line, name) for name in Told.__struct_fields__})


def played(told: Sequence[Told], pause: Pause, *, over: bool) -> list[Moment]:
    """The exchanges that a page tells of, those of its lines; the newest is the one that it is of.

    What opens the next exchange is told with the one before, but does not make the page that one's.
    """
    return [line.moment for line in told if over or line.moment < pause.moment]


def otherwise(call: Call | None) -> str:
    """What is taken for silence, as a sentence; empty, if nothing is waited for."""
    return cap(f"{call.otherwise}.") if call is not None and call.otherwise else ""


def ended(over: Verdict | None, called: Callable[[str], str]) -> str:
    """How the game has ended, in a sentence; *called* says what a side is called; empty, while it goes on."""
    if over is None:
        return ""
    return cap(f"{called(over.winner)} {over.how}." if over.winner is not None else f"{over.how}.")
