"""The words that are the office's in every game, and a sheet parted into its head, commands and orders.

A sheet begins with its head (`game`, `role`, `turn`, in any order, with or without a colon), be it under a greeting.
Then come order lines of the system, and between them lines to the office.  Where a line `begin` stands, only what
follows it, up to a line `end`, is the sheet; a head right above it counts.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.errors import BadMoment
from pbem.kernel.names import Moment, Role
from pbem.orders.grammar import bare, written
from pbem.orders.sheet import Complaint, Judgement, Line


class Argument(Enum):
    """What may follow an office word."""

    NONE = "nothing"
    MAYBE = "maybe something"
    SWITCH = "on, off, or nothing, which is on"
    TEXT = "a text: on the line, or on the lines below it up to a blank one or to a line `end letter`"


class Word(Struct, frozen=True):
    """One command to the office."""

    argument: Argument
    example: str
    says: str


WORDS: Mapping[str, Word] = {
    "add": Word(Argument.NONE, "add", "these lines come after those that you sent before"),
    "withdraw": Word(Argument.NONE, "withdraw", "take your orders back"),
    "preview": Word(
        Argument.NONE,
        "preview",
        "say what these lines would do, as far as I know; alone, what those do that stand; enter nothing",
    ),
    "wait": Word(Argument.SWITCH, "wait on", "do not run the exchange before its deadline, or (`wait off`) do"),
    "ready": Word(Argument.NONE, "ready", "the same as `wait off`"),
    "umpire": Word(Argument.TEXT, "umpire: may guns cross the bridge?", "a question or message to the umpire"),
    "answer": Word(Argument.TEXT, "answer Q1: yes", "the answer to a question that I was asked, by its name"),
    "letter to": Word(
        Argument.TEXT,
        "letter to prussian: I ask for a truce.",
        "a letter to another role; a long one goes on the lines below, up to a line `end letter`",
    ),
    "help": Word(Argument.NONE, "help", "send this list"),
    "status": Word(Argument.NONE, "status", "what I owe, and when"),
    "orders?": Word(Argument.MAYBE, "orders?", "send my orders as they stand"),
    "report": Word(Argument.MAYBE, "report 4B", "send a report again"),
    "history": Word(Argument.NONE, "history", "list my reports, my receipts, and the rulings that I know of"),
    "vacation": Word(
        Argument.MAYBE,
        "vacation 2026-12-24 to 2027-01-02",
        "I am away, and deadlines in that time are moved behind it; `vacation off` takes it back",
    ),
    "stop": Word(
        Argument.NONE,
        "stop",
        "send me no letters but answers to mine; I stay in my games, and whatever I write brings them back",
    ),
    "resign": Word(Argument.MAYBE, "resign", "I give my role up; you are asked once more"),
}
"""Every command to the office.  None of them is understood by its beginning alone."""

HEAD = ("game", "role", "turn")
"""What the head of a sheet may say."""

BEGIN, END = "begin", "end"
END_OF_LETTER = "end letter"

_HEAD = re.compile(rf"\s*({'|'.join(HEAD)})(?:\s*:\s*|\s+)(\S.*)", re.IGNORECASE)
_LETTER = re.compile(r"\s*(letter\s+to)\s+([^\s:,]+)(?:[\s,]+(signed|unsigned))?\s*:(.*)", re.IGNORECASE)
_ANSWER = re.compile(r"\s*(answer)\s+([^\s:]+)\s*:(.*)", re.IGNORECASE)
_UMPIRE = re.compile(r"\s*(umpire)\s*:(.*)", re.IGNORECASE)
_COMMAND = re.compile(
    rf"\s*({'|'.join(re.escape(word) for word in WORDS if WORDS[word].argument is not Argument.TEXT)}|orders)"
    r"(?![^\s:.,])[\s:,]*(.*)",
    re.IGNORECASE,
)


class Head(Struct, frozen=True):
    """What a sheet says of itself; None where it is silent."""

    game: str | None = None
    role: Role | None = None
    turn: Moment | None = None


class Command(Struct, frozen=True):
    """A line to the office: a word of `WORDS`, and what followed it."""

    line: Line
    word: str
    argument: str = ""
    to: Role | None = None
    """Of a letter: who shall have it."""
    signed: bool | None = None
    """Of a letter: whether it says who wrote it; None where nothing is said of that."""
    about: str = ""
    """Of an answer: the name of the question."""


class Sheet(Struct, frozen=True):
    """A text parted: what it says of itself, what it asks of the office, and the lines that are orders."""

    head: Head
    commands: tuple[Command, ...]
    orders: tuple[Line, ...]
    complaints: tuple[Complaint, ...] = ()

    def asks(self, word: str) -> bool:
        """Whether the sheet holds the command *word*."""
        return any(command.word == word for command in self.commands)


def _no_block(text: str) -> bool:
    return False


def split_sheet(
    lines: Sequence[Line], reads: Callable[[Line], bool], opens: Callable[[str], bool] = _no_block
) -> Sheet:
    """Part *lines* into head, commands and orders; comments and blank lines fall away.

    *reads* says whether the system takes a line for one of its orders: a word that is both the office's and
    a verb of the system is the system's where what follows it is such an order.  *opens* says whether a line begins
    a block of several, up to a line `end`: all in it is the system's.
    """
    said: dict[str, str] = {}
    commands: list[Command] = []
    orders: list[Line] = []
    complaints: list[Complaint] = []
    waiting = deque(_between(lines, opens))
    while waiting:
        line = waiting.popleft()
        # What stands above it counts only if it is an order: many a sheet begins with a greeting.
        if (head := _head(line)) and not any(map(reads, orders)):
            key, value = head
            if said.setdefault(key, value).casefold() != value.casefold():
                why = f'the head says "{key} {said[key]}" above'
                complaints.append(Complaint(line.number, 1, Judgement.NOT_CLEAR, why, width=len(line.text)))
        elif (command := _command(line)) and not reads(line):
            if WORDS[command.word].argument is Argument.TEXT:
                command = replace(command, argument=_whole_text(command.argument, waiting))
            if wrong := _wrong(command):
                complaints.append(wrong)
            else:
                commands.append(command)
        else:
            orders += written([line])
            if opens(line.text):
                orders += _block(waiting)
    role, turn = said.get("role"), said.get("turn")
    return Sheet(
        Head(said.get("game"), Role(role.casefold()) if role else None, Moment.parse(turn) if turn else None),
        tuple(commands),
        tuple(orders),
        tuple(complaints),
    )


def frames(line: Line) -> bool:
    """Whether a line is of what stands round the orders of a sheet: its head, `begin` or `end`.

    >>> frames(Line(1, "turn    3A")), frames(Line(2, "END")), frames(Line(3, "turn left"))
    (True, True, False)
    """
    return _said(line) in (BEGIN, END) or _head(line) is not None


def _block(waiting: deque[Line]) -> Iterator[Line]:
    """The lines of a block that has been opened, with its `end`; none, if it has no end."""
    if END in map(_said, waiting):
        while _said(line := waiting.popleft()) != END:
            yield line
        yield line


def _between(lines: Sequence[Line], opens: Callable[[str], bool]) -> list[Line]:
    """What stands between `begin` and `end`, with the head right above it; all, where there is no `begin`."""
    said = [bare(line.text).strip(" :.").casefold() for line in lines]
    if BEGIN not in said:
        return list(lines)
    first = said.index(BEGIN)
    last = first + 1
    while last < len(said) and said[last] != END:
        if opens(lines[last].text) and END in said[last:]:
            last = said.index(END, last)
        last += 1
    top = first
    while top and (not said[top - 1] or _HEAD.fullmatch(bare(lines[top - 1].text))):
        top -= 1
    return [*lines[top:first], *lines[first + 1 : last]]


def _head(line: Line) -> tuple[str, str] | None:
    """What a line of the head says: which word, and what of it."""
    match = _HEAD.fullmatch(bare(line.text))
    if match is None:
        return None
    key, value = match[1].casefold(), match[2].strip(" .,")
    if key == "turn":
        try:
            Moment.parse(value)
        except BadMoment:
            return None
    return key, value


def _command(line: Line) -> Command | None:
    if letter := _LETTER.fullmatch(line.text):
        signed = letter[3].casefold() == "signed" if letter[3] else None
        return Command(line, "letter to", letter[4].strip(), Role(letter[2].casefold()), signed)
    if answer := _ANSWER.fullmatch(line.text):
        return Command(line, "answer", answer[3].strip(), about=answer[2])
    if umpire := _UMPIRE.fullmatch(line.text):
        return Command(line, "umpire", umpire[2].strip())
    if command := _COMMAND.fullmatch(bare(line.text)):
        word, argument = command[1].casefold(), command[2].strip(" .,")
        if word == "report" and len(argument.split()) > 1 and not any(map(str.isdigit, argument)):
            return None  # somebody reports: the office knows a report by its turn
        return Command(line, "orders?" if word == "orders" else word, argument)
    return None


def command_of(text: str) -> Command | None:
    """The command to the office that *text* is, of those that need no text of their own.

    >>> command_of("report 4B").argument, command_of("Orders from the front"), command_of("help me")
    ('4B', None, None)
    """
    command = _command(Line(0, text))
    if command is None or WORDS[command.word].argument is Argument.TEXT or _wrong(command) is not None:
        return None
    if command.word == "orders?" and "?" not in text:
        return None
    return command


def _whole_text(begun: str, waiting: deque[Line]) -> str:
    """The text of a letter of which *begun* stood on its first line; what belongs to it is taken from *waiting*.

    It goes to a line `end letter`; else it is what stands on its line, or below it up to a blank line.  No more
    without that word: an order that was mistyped would go to the enemy.
    """
    text = [begun] if begun else []
    for count, line in enumerate(waiting):
        if _said(line) == END_OF_LETTER:
            text += [waiting.popleft().text.strip() for _ in range(count)]
            waiting.popleft()
            return "\n".join(text).strip("\n")
        other = _command(line)
        if other is not None and WORDS[other.word].argument is Argument.TEXT:
            break
    while not begun and waiting and waiting[0].text.strip():
        text.append(waiting.popleft().text.strip())
    return "\n".join(text)


def _said(line: Line) -> str:
    return " ".join(bare(line.text).casefold().strip(" :.").split())


def _wrong(command: Command) -> Complaint | None:
    word, argument = WORDS[command.word], command.argument.casefold()
    match word.argument:
        case Argument.NONE if argument:
            why = f'nothing stands after "{command.word}"'
        case Argument.SWITCH if argument not in ("", "on", "off"):
            why = f'after "{command.word}" stands "on" or "off"'
        case Argument.TEXT if not argument:
            why = "there is no text"
        case _:
            return None
    number, width = command.line.number, len(bare(command.line.text))
    return Complaint(number, 1, Judgement.NOT_UNDERSTOOD, why, instead=word.example, width=width)
