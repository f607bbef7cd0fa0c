"""A text that somebody wrote in a field of its own, as it stands in a sheet: nothing in it is read as anything else."""

from __future__ import annotations

from pbem.kernel.marks import BEGIN, mark_of
from pbem.orders.sheet import Line
from pbem.orders.tongues import ends_letter
from pbem.orders.words import begins_text


def as_text(text: str) -> str:
    """A text that goes to a line `end letter`, with a stroke before each line that would be read as something else.

    >>> as_text("Like this:\\nbegin\\nhold all\\nEnd letter.\\nletter to french: no")
    'Like this:\\n| begin\\nhold all\\n| End letter.\\n| letter to french: no'
    """
    return "\n".join(f"| {line}" if _is_more(Line(0, line)) else line for line in text.splitlines())


def _is_more(line: Line) -> bool:
    return begins_text(line) or ends_letter(line.text) or mark_of(line.text) == BEGIN
