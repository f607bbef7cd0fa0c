"""A sheet that begins `add`: its lines behind those that stand, and a mended line in the place of the refused one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from pbem.desk.sheets.sheets import Judged
from pbem.kernel.marks import END
from pbem.orders.grammar import bare
from pbem.orders.sheet import Judgement, lines_of

ALIKE = 0.6
"""How like a refused line a line must be to be taken for it, mended; 1 is the same."""

PAIRS = 2500
"""So many pairs of a refused and a new line are compared; in larger sheets what is new stands behind."""

Opens = Callable[[str], bool]


def joined(before: str, added: str, judge: Callable[[str], Judged], opens: Opens | None) -> str:
    """The sheet *before* without its refused lines, with the lines *added*.

    A line of a chain must stand where it is meant: lines that look like refused ones, mended, take the place of
    those, if the sheet is read no worse so and what was added still counts.
    """
    read = judge(before)
    lines = [line.text for line in read.lines]
    refused = sorted({one.line for one in read.complaints if one.line and one.judgement.refuses})
    new = [line.text for line in lines_of(added)]
    if not refused:
        return "\n".join((*lines, *new))
    starts = opens or _never
    gone = dict.fromkeys(number for line in refused for number in _whole(lines, line, starts))
    kept = {number: text for number, text in enumerate(lines, start=1) if number not in gone}
    behind = "\n".join((*kept.values(), *new))
    mended = _mended(lines, refused, new, starts)
    if not mended:
        return behind
    rest = [text for k, text in enumerate(new) if k not in mended.values()]
    placed = kept | {number: new[k] for number, k in mended.items()}
    within = "\n".join((*(placed[number] for number in sorted(placed)), *rest))
    first, other = judge(within), judge(behind)
    overtaken = {lines_of(within)[line - 1].text for line in _overtaken(first)}
    worse = (first.refused, len(first.complaints)) > (other.refused, len(other.complaints))
    return behind if worse or overtaken & {new[k] for k in mended.values()} else within


def _never(_text: str) -> bool:
    return False


def _overtaken(judged: Judged) -> Iterator[int]:
    return (one.line for one in judged.complaints if one.judgement is Judgement.SUPERSEDED and one.line)


def _whole(lines: Sequence[str], number: int, opens: Opens) -> range:
    """A refused line; with one that opens a block all that stands in it."""
    if opens(lines[number - 1]):
        for end in range(number + 1, len(lines) + 1):
            if _words(lines[end - 1]) == END:
                return range(number, end + 1)
    return range(number, number + 1)


def _mended(lines: Sequence[str], refused: Sequence[int], new: Sequence[str], opens: Opens) -> Mapping[int, int]:
    """For each refused line the new one that is most like it, by its place among the new; blocks are left whole."""
    if len(refused) * len(new) > PAIRS or any(
        opens(line) for line in (*new, *(lines[number - 1] for number in refused))
    ):
        return {}
    likes = sorted(
        (
            (-SequenceMatcher(None, _words(lines[number - 1]), _words(text)).ratio(), number, k)
            for number in refused
            for k, text in enumerate(new)
            if _words(text)
        ),
    )
    found: dict[int, int] = {}
    for less, number, k in likes:
        if -less >= ALIKE and number not in found and k not in found.values():
            found[number] = k
    return found


def _words(text: str) -> str:
    return " ".join(bare(text).casefold().strip(" :.").split())
