"""Beats of a reel as lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.kernel.event import Throw
from pbem.kernel.names import Role
from pbem.reports.text.plain import printable
from pbem.rules.reel import Beat, Seen
from pbem.rules.view import Note, Told


def short(phase: str) -> str:
    """The beginning of a heading that tells it from the others.

    >>> short("Rifle fire, both sides at once"), short("Moves, 4: allied, in the west"), short("Melee")
    ('Rifle fire', 'Moves, 4', 'Melee')
    """
    head, colon, _ = phase.partition(":")
    return head if colon else phase.partition(",")[0]


def in_a_line(eyes: Sequence[str], beat: Beat, *, orders: bool = False) -> str:
    """What was told in a beat, or, with *orders*, what became of lines of sheets; of several eyes each by its name."""
    say = outcomes if orders else sentences
    found: dict[str, list[str]] = {}
    for one in eyes:
        if (seen := beat.seen.get(one)) is not None and (said := say(seen)):
            found.setdefault(said, []).append(one)
    line = " ".join(f"[{', '.join(whose)}] {said}" if len(eyes) > 1 else said for said, whose in found.items())
    return f"(annulled) {line}" if line and beat.annulled else line


def sentences(seen: Seen) -> str:
    """What was told in a beat, the dice of each sentence in parentheses after it."""
    return " ".join(filter(None, map(sentence, seen.told)))


def sentence(told: Told) -> str:
    """One thing that was told.

    >>> dice = (Note("", dice=(Throw("t", "open", 6, (4, 2)),)),)
    >>> sentence(Told(moment=None, phase="Fire", text="lost three.", lead="H-8", notes=dice))
    'H-8 lost three. (dice 4 2)'
    """
    quote = f"“{told.quote}”" if told.quote else ""
    parts = (told.lead, told.text, quote, _dice(note for note in told.notes))
    return " ".join(printable(part) for one in parts if (part := " ".join(one.split())))


def outcomes(seen: Seen, sheets: Sequence[Role] = ()) -> str:
    """What became of lines of sheets, those of *sheets* or all, each named by its role and line."""
    return " ".join(
        f"{role} {outcome(line)}" for role, some in seen.lines.items() if not sheets or role in sheets for line in some
    )


def outcome(line: Told) -> str:
    """What became of a line of a sheet; of what is no line, what was told.

    >>> outcome(Told(moment=None, phase="", text="As far as it went.", line=4, result="in part"))
    '4: in part. As far as it went.'
    """
    return f"{line.line}: {line.result or 'told'}. {sentence(line)}".rstrip() if line.line else sentence(line)


def small_print(note: Note) -> str:
    """A line of the small print: how it came about, its dice, its rules.

    >>> small_print(Note("quality good", (Throw("t", "open", 6, (4,)),), ("KS-FIR-02",)))
    'quality good [4] KS-FIR-02'
    """
    thrown = " ".join(f"[{' '.join(map(str, one.faces))}]{' by ruling' * (one.by == 'ruling')}" for one in note.dice)
    return " ".join(filter(None, (printable(note.text), thrown, ", ".join(note.rules))))


def _dice(notes: Iterable[Note]) -> str:
    throws: list[Throw] = [throw for note in notes for throw in note.dice]
    faces = [str(face) for throw in throws for face in throw.faces]
    if not faces:
        return ""
    ruled = ", by ruling" if any(throw.by == "ruling" for throw in throws) else ""
    return f"({'die' if len(faces) == 1 else 'dice'} {' '.join(faces)}{ruled})"
