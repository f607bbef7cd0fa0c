"""The receipt: what was read in a sheet of orders, line by line, and what now stands.

The same words serve `pbem orders check`, so that a file can be judged before it is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from pbem.kernel.names import CampaignId, Moment, Role, RuleId
from pbem.orders.prose import number as in_words
from pbem.orders.sheet import Complaint, Judgement, Line
from pbem.reports.text.plain import WIDTH, block, printable, tidy
from pbem.reports.text.speech import Row, phrase, phrase_later, phrase_of

if TYPE_CHECKING:
    from jinja2 import Environment

Word = Literal[
    "accepted",
    "in doubt",
    "not understood",
    "not allowed",
    "not clear",
    "not used",
    "superseded",
    "office word",
    "ignored",
]
"""What became of a line on its reading."""

REFUSALS: tuple[Word, ...] = ("not understood", "not allowed", "not clear")

MARKS: dict[Word, tuple[str, str, str]] = {
    "accepted": (phrase_later("accepted"), "ok", "disc"),
    "in doubt": (phrase_later("accepted, in doubt"), "part", "half"),
    "not understood": (phrase_later("refused, not understood"), "fail", "cross"),
    "not allowed": (phrase_later("refused, not allowed"), "fail", "cross"),
    "not clear": (phrase_later("refused, not clear"), "fail", "cross"),
    "not used": (phrase_later("not used"), "wait", "ring"),
    "superseded": (phrase_later("superseded"), "wait", "ring"),
    "office word": (phrase_later("done by the office"), "ok", "disc"),
    "ignored": (phrase_later("not read as an order"), "wait", "ring"),
}
"""The words that a reader sees, and how they are marked: colour and sign."""

_JUDGED: dict[Judgement, Word] = {
    Judgement.NOT_UNDERSTOOD: "not understood",
    Judgement.NOT_ALLOWED: "not allowed",
    Judgement.NOT_CLEAR: "not clear",
    Judgement.DOUBTFUL: "in doubt",
    Judgement.NOT_USED: "not used",
    Judgement.SUPERSEDED: "superseded",
}


ECHOED = 500
"""Of a line that was written, so many signs are echoed; what stands is sent back whole."""


class Judged(Struct, frozen=True, kw_only=True):
    """One line of a sheet and what is said of it; line 0 is the sheet as a whole.

    *column* counts characters from 1 (0: the whole line), *width* is the length of what is meant.
    """

    number: int
    text: str
    word: Word
    why: str = ""
    rule: RuleId | None = None
    column: int = 0
    width: int = 0
    instead: str = ""
    """The line as it may have been meant, or what would do."""
    example: str = ""
    """An order of its form, which is another."""

    @property
    def offers(self) -> tuple[tuple[str, str], ...]:
        """What is offered in its stead, each under its name: a line mended, or advice, which needs none."""
        mended = phrase("You may have meant:") if self.word in ("not understood", "not clear") else ""
        found = ((mended, self.instead), (phrase("For example:"), self.example))
        return tuple((name, text) for name, text in found if text)


class Receipt(Struct, frozen=True, kw_only=True):
    """All that a receipt says.  Times are microseconds UTC."""

    campaign: CampaignId
    role: Role
    addressed: str = ""
    """`the French commander, Marshal Canrobert`."""
    moment: Moment
    name: str
    """Of the exchange: `movement of the first mover`."""
    number: int
    """Counts the role's own receipts."""
    revision: int = 1
    """How many sheets were taken for this exchange, with this one."""
    received: int
    replaced: tuple[int, int] | None = None
    """Number and time of the receipt whose orders these replace."""
    by_umpire: bool = False
    """The umpire entered them for their player."""
    digest: str
    """SHA-256 of the text, in hexadecimal."""
    word: str = ""
    """What the role gives to the dice of the exchange, as its reports will say it; empty while it is nothing."""
    gives: bool = False
    """It is made of this sheet."""
    duplicate: bool = False
    """The same text as stood before."""
    taken: bool = True
    """False: not one line was an order, and what stood before still stands."""
    kept: bool = False
    """For a moment that is still to come: only its words were judged."""
    lines: tuple[Judged, ...]
    aside: tuple[int, ...] = ()
    """The numbers of those lines that are no orders but words to the office."""
    stand: tuple[str, ...] = ()
    """The orders as they now stand."""
    standing: tuple[str, ...] = ()
    """Reactions in force before these orders, which may replace them."""
    translated: tuple[tuple[int, str], ...] = ()
    """The number of each line that is in another language, and an order that it was read as."""
    forecast: tuple[tuple[int, str], ...] = ()
    """The orders as they were read, with what they come to by what the role knows: the number of a line (0: all of
    them) and a sentence, set in by four blanks for each block that it stands in."""
    idle: tuple[str, ...] = ()
    """Sentences: who has no order, and what he does."""
    runs: str = ""
    """Sentences: when the orders are played, or may be; words to the office in backquotes."""
    due: int | None = None
    zone: str
    template: tuple[str, ...] = ()
    examples: tuple[tuple[str, str], ...] = ()
    """For each verb that was refused: the verb and one full example."""
    warnings: tuple[str, ...] = ()
    """Of the letter: lines ignored that look like orders, a character set that was guessed."""
    unread: tuple[tuple[str, str], ...] = ()
    """Lines of the letter that were not read as orders, or their number, each text under its label."""


def judged(lines: Sequence[Line], complaints: Sequence[Complaint], words: dict[int, Word]) -> tuple[Judged, ...]:
    """The lines of a sheet that a receipt echoes, each with what was said of it.

    *words* has the office's own verdicts by line number (`office word`, `ignored`); empty lines, comments and
    lines that nobody judged are left out unless *words* names them.  A refusal outweighs a doubt.
    """
    found: list[Judged] = []
    for complaint in complaints:
        if complaint.line == 0:
            found.append(_judged(Line(0, ""), complaint))
    for line in lines:
        about = sorted(
            (one for one in complaints if one.line == line.number), key=lambda one: not one.judgement.refuses
        )
        if about:
            found += [_judged(line, one) for one in about]
        elif line.number in words:
            found.append(Judged(number=line.number, text=line.text, word=words[line.number]))
        elif line.text.strip() and not line.text.lstrip().startswith("#"):
            found.append(Judged(number=line.number, text=line.text, word="accepted"))
    return tuple(found)


def _judged(line: Line, complaint: Complaint) -> Judged:
    return Judged(
        number=line.number,
        text=line.text,
        word=_JUDGED[complaint.judgement],
        why=complaint.why,
        rule=complaint.rule,
        column=complaint.column,
        width=complaint.width if complaint.column else 0,
        instead=complaint.instead,
        example=complaint.example,
    )


def refused(receipt: Receipt) -> int:
    """How many lines were refused."""
    return len({line.number for line in receipt.lines if line.word in REFUSALS})


def receipt_subject(receipt: Receipt) -> str:
    """`[stprivat-autumn] 5A orders received - 1 problem`."""
    problems = refused(receipt)
    if receipt.duplicate:
        state = phrase("unchanged")
    else:
        state = phrase_of("{count} problem", "{count} problems", problems) if problems else "OK"
    received = phrase("{moment} orders received", moment=receipt.moment)
    return f"[{receipt.campaign}] {received} - {state}"


def receipt_text(receipt: Receipt, env: Environment) -> str:
    """The receipt as plain text of at most 78 columns."""
    return tidy(env.get_template("receipt.txt").render(**_shared(receipt)))


def receipt_html(receipt: Receipt, env: Environment) -> str:
    """The receipt as a page."""
    return env.get_template("receipt.html").render(**_shared(receipt))


def _shared(receipt: Receipt) -> dict[str, object]:
    return {
        "receipt": receipt,
        "heading": _heading(receipt),
        "outcome": _outcome(receipt),
        "tally": tally(receipt.lines),
        "complete": complete(receipt),
        "mark": f"{receipt.campaign}/{receipt.number}, revision {receipt.revision}, {receipt.digest[:8]}",
        "marks": MARKS,
        "pointed": pointed,
        "spans": spans,
        "depth": depth,
        **_lines(receipt),
        "template": _template(receipt),
    }


def _lines(receipt: Receipt) -> dict[str, object]:
    """The lines, those in a row of which the same became under one word, each with what it comes to.

    A line of which several things are said comes to that once; `whole` is what is of no line that is echoed.
    """
    read: dict[int, list[str]] = {}
    for number, order in receipt.translated:
        read.setdefault(number, []).append(phrase("Read as: {order}", order=order))
    for number, words in receipt.forecast:
        read.setdefault(number, []).append(words)
    told = [(line, read.pop(line.number, []) if line.number else []) for line in receipt.lines]
    groups = [(word, list(same)) for word, same in groupby(told, key=lambda one: one[0].word)]
    return {
        "groups": groups,
        "foretells": bool(receipt.forecast),
        "whole": [one for left in read.values() for one in left],
    }


def _heading(receipt: Receipt) -> str:
    problems = refused(receipt)
    if receipt.duplicate:
        return phrase("Orders received, unchanged")
    if not receipt.taken:
        return phrase("No order taken")
    if problems:
        return phrase("Orders received, {lines} refused", lines=_lines_of(problems))
    return phrase("Orders kept for later") if receipt.kept else phrase("Orders received")


def _lines_of(count: int) -> str:
    """`two lines`."""
    return phrase_of("{words} line", "{words} lines", count, words=in_words(count))


def _outcome(receipt: Receipt) -> str:
    told = _what_stands(receipt)
    by_umpire = phrase("The umpire entered these lines for you.")
    return f"{told} {by_umpire}" if receipt.by_umpire else told


def _what_stands(receipt: Receipt) -> str:
    numbers = sorted({line.number for line in receipt.lines if line.word in REFUSALS and line.number})
    if receipt.duplicate:
        return phrase("This is, word for word, the sheet that stands already. Nothing has changed.")
    if not receipt.taken and receipt.stand:
        return phrase("None of the lines is an order that can be used. What stood before still stands.")
    if not receipt.taken:
        return phrase("None of the lines is an order that can be used, and no sheet of yours stands.")
    told = phrase("Your orders stand.")
    if numbers:
        told = phrase_of(
            "Your orders stand without line {lines}.",
            "Your orders stand without lines {lines}.",
            len(numbers),
            lines=Row(numbers),
        )
    if receipt.kept:
        told += " " + phrase(
            "They wait for {when}: so far only their words were judged, and they are read again then.",
            when=_when(receipt),
        )
    return told


def _when(receipt: Receipt) -> str:
    return phrase("your next call") if receipt.moment.waits else str(receipt.moment)


def complete(receipt: Receipt) -> str:
    """Whether what was received is all that was meant: received and complete are not the same."""
    problems = refused(receipt)
    if not receipt.taken:
        return phrase("no: none of these lines was taken")
    if problems:
        return phrase("no: without {lines}, which you can mend with add", lines=_lines_of(problems))
    if receipt.kept and receipt.moment.waits:
        return phrase("as far as can be told before {when}", when=_when(receipt))
    if receipt.kept:
        return phrase("as far as can be told before {when} opens", when=_when(receipt))
    return phrase("yes: every line was taken")


def tally(lines: Sequence[Judged]) -> str:
    """`6 lines: 4 accepted, 1 in doubt, 1 refused`; a line with several complaints counts once."""
    first: dict[int, Word] = {}
    for line in lines:
        if line.number:
            first.setdefault(line.number, line.word)
    words = list(first.values())
    counts = [
        (phrase("accepted"), words.count("accepted")),
        (phrase("in doubt"), words.count("in doubt")),
        (phrase("refused"), sum(words.count(word) for word in REFUSALS)),
        (phrase("not used"), words.count("not used")),
        (phrase("superseded"), words.count("superseded")),
        (phrase("for the office"), words.count("office word")),
        (phrase("not read as orders"), words.count("ignored")),
    ]
    told = ", ".join(f"{count} {word}" for word, count in counts if count)
    return phrase_of("{count} line", "{count} lines", len(words)) + (f": {told}" if told else "")


def pointed(line: Judged, indent: int = 0, width: int = WIDTH) -> str:
    """The line as typed, and under it carets where the complaint is; a long line is shown round that place."""
    room = width - indent
    text, column = printable(line.text), line.column
    if not column:
        return block(echoed(text.strip()), indent, width)
    head = len(text) - len(text.lstrip())
    text, start = text[head:].rstrip(), max(column - 1 - head, 0)
    if len(text) > room:
        left = max(0, min(start - room // 3, len(text) - room))
        text, start = text[left : left + room], start - left
        text = ("…" + text[1:] if left else text)[: room - 1] + "…"
    carets = " " * (indent + start) + "^" * max(1, min(line.width, room - start))
    return f"{' ' * indent}{text}\n{carets}"


def spans(line: Judged) -> tuple[str, str, str]:
    """The line as typed, in three: before, at and after the place of the complaint; a long part of it is cut."""
    text = line.text
    if not line.column:
        return (echoed(text.strip()), "", "")
    start, end = line.column - 1, line.column - 1 + max(line.width, 1)
    before = text[:start].lstrip()
    if len(before) > ECHOED:
        before = f"…{before[1 - ECHOED :]}"
    return (before, echoed(text[start:end]), echoed(text[end:].rstrip()))


def echoed(text: str) -> str:
    """A line as it is echoed: of one that is very long, the beginning."""
    return text if len(text) <= ECHOED else f"{text[: ECHOED - 1]}…"


def depth(sentence: str) -> int:
    """How many blocks a sentence of a forecast stands in.

    >>> depth("        8 SP of Forbach: rally.")
    2
    """
    return (len(sentence) - len(sentence.lstrip(" "))) // 4


def check_lines(file: str, lines: Sequence[Judged], *, says: str = "The receipt would say the same.") -> str:
    """What `pbem orders check` prints: `file:line:col: not allowed: why`, the line, what would do, and the count."""
    printed = []
    for line in lines:
        if line.word in ("accepted", "office word", "ignored"):
            continue
        rule = f" ({line.rule})" if line.rule else ""
        place = f"{file}:{line.number}:{line.column}" if line.column else f"{file}:{line.number}"
        printed.append(f"{place}: {line.word}: {line.why}{rule}")
        if line.number:
            printed.append(pointed(line, 4))
        printed += [f"    {name} {text}" if name else f"    {text}" for name, text in line.offers]
    return "\n".join((*printed, f"{tally(lines)}. {says}"))


def _template(receipt: Receipt) -> str:
    heads = [f"game    {receipt.campaign}", f"role    {receipt.role}"]
    if not receipt.moment.waits:
        heads.append(f"turn    {receipt.moment.written}")
    return "\n".join(("begin", *heads, "", *receipt.template, "end")) if receipt.template else ""
