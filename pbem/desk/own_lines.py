"""What the writer of a letter typed, and what stands in it that he did not mean to send."""

from __future__ import annotations

from pbem.desk.dossiers import Dossier
from pbem.desk.sheets import reader
from pbem.kernel.names import Role
from pbem.mail.letter import Letter
from pbem.orders.grammar import written
from pbem.orders.sheet import Line

_NOT_READ = {
    "quote": "a quote",
    "signature": "the signature",
    "original message": "the letter that you answer",
}
"""Where a line is no order of the writer's though it may look like one, by why the letter's reader ignored it."""


def own_lines(letter: Letter) -> tuple[Line, ...]:
    """The lines that count."""
    return tuple(Line(line.number, line.text) for line in letter.lines)


def unread(dossier: Dossier, role: Role, letter: Letter) -> tuple[str, ...]:
    """A warning, if lines that were not read look like orders."""
    blank = dossier.blank.minds[role]
    reads = reader(dossier.system, dossier.scene, blank, role)
    why = {one.number: one.why for one in letter.ignored if one.why in _NOT_READ}
    sent_back = [Line(one.number, one.text.lstrip("> ")) for one in letter.ignored if one.number in why]
    like = [line for line in written(sent_back) if reads(line)]
    if not like:
        return ()
    places = ", ".join(str(line.number) for line in like[:10])
    place = _NOT_READ[why[like[0].number]]
    if len(like) == 1:
        return (f"Line {places} of your letter looks like an order but stands in {place}, and was not read.",)
    return (f"Lines {places} of your letter look like orders but stand in {place}, and were not read.",)
