"""The words that are the office's in every game, and a sheet parted into its head, commands and orders.

A sheet begins with its head (`game`, `role`, `turn`, in any order, with or without a colon).  Then come order
lines of the system, and between them lines to the office.  Where a line `begin` stands, only what follows it,
up to a line `end`, is the sheet; a head right above it counts.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping, Sequence
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
    SWITCH = "on or off"
    TEXT = "a text, on the line or on the lines below it up to a blank one"


class Word(Struct, frozen=True):
    """One command to the office."""

    argument: Argument
    example: str
    says: str


WORDS: Mapping[str, Word] = {
    "add": Word(Argument.NONE, "add", "these lines come after those that you sent before"),
    "withdraw": Word(Argument.NONE, "withdraw", "take your orders back"),
    "preview": Word(Argument.NONE, "preview", "say what these lines would do; enter nothing"),
    "wait": Word(Argument.SWITCH, "wait on", "do not run the exchange before its deadline, or do"),
    "umpire": Word(Argument.TEXT, "umpire: may guns cross the bridge?", "a question or message to the umpire"),
    "letter to": Word(Argument.TEXT, "letter to prussian: I ask for a truce.", "a letter to another role"),
    "help": Word(Argument.NONE, "help", "send this list"),
    "status": Word(Argument.NONE, "status", "who owes what, and when"),
    "orders?": Word(Argument.MAYBE, "orders?", "send my orders as they stand"),
    "report": Word(Argument.MAYBE, "report 4B", "send a report again"),
    "history": Word(Argument.MAYBE, "history", "list the reports that I have had"),
    "vacation": Word(Argument.MAYBE, "vacation 2026-12-24 to 2027-01-02", "I am away; move deadlines if you can"),
    "resign": Word(Argument.NONE, "resign", "I give my role up"),
}
"""Every command to the office.  None of them is understood by its beginning alone."""

HEAD = ("game", "role", "turn")
"""What the head of a sheet may say."""

BEGIN, END = "begin", "end"

_HEAD = re.compile(rf"\s*({'|'.join(HEAD)})(?:\s*:\s*|\s+)(\S.*)", re.IGNORECASE)
_LETTER = re.compile(r"\s*(letter\s+to)\s+([^\s:]+)\s*:(.*)", re.IGNORECASE)
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


class Sheet(Struct, frozen=True):
    """A text parted: what it says of itself, what it asks of the office, and the lines that are orders."""

    head: Head
    commands: tuple[Command, ...]
    orders: tuple[Line, ...]
    complaints: tuple[Complaint, ...] = ()

    def asks(self, word: str) -> bool:
        """Whether the sheet holds the command *word*."""
        return any(command.word == word for command in self.commands)


def split_sheet(lines: Sequence[Line], reads: Callable[[Line], bool]) -> Sheet:
    """Part *lines* into head, commands and orders; comments and blank lines fall away.

    *reads* says whether the system takes a line for one of its orders: a word that is both the office's and
    a verb of the system is the system's where what follows it is such an order.
    """
    said: dict[str, str] = {}
    commands: list[Command] = []
    orders: list[Line] = []
    complaints: list[Complaint] = []
    waiting = deque(_between(lines))
    while waiting:
        line = waiting.popleft()
        if not orders and (head := _head(line)):
            key, value = head
            if said.setdefault(key, value).casefold() != value.casefold():
                why = f'the head says "{key} {said[key]}" above'
                complaints.append(Complaint(line.number, 1, Judgement.NOT_CLEAR, why, width=len(line.text)))
        elif (command := _command(line)) and not reads(line):
            if WORDS[command.word].argument is Argument.TEXT and not command.argument:
                command = replace(command, argument=_paragraph(waiting))
            if wrong := _wrong(command):
                complaints.append(wrong)
            else:
                commands.append(command)
        else:
            orders += written([line])
    role, turn = said.get("role"), said.get("turn")
    return Sheet(
        Head(said.get("game"), Role(role.casefold()) if role else None, Moment.parse(turn) if turn else None),
        tuple(commands),
        tuple(orders),
        tuple(complaints),
    )


def _between(lines: Sequence[Line]) -> list[Line]:
    """What stands between `begin` and `end`, with the head right above it; all, where there is no `begin`."""
    said = [bare(line.text).strip(" :.").casefold() for line in lines]
    if BEGIN not in said:
        return list(lines)
    first = said.index(BEGIN)
    last = said.index(END, first) if END in said[first:] else len(said)
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
        return Command(line, "letter to", letter[3].strip(), Role(letter[2].casefold()))
    if umpire := _UMPIRE.fullmatch(line.text):
        return Command(line, "umpire", umpire[2].strip())
    if command := _COMMAND.fullmatch(bare(line.text)):
        word = command[1].casefold()
        return Command(line, "orders?" if word == "orders" else word, command[2].strip(" .,"))
    return None


def _paragraph(waiting: deque[Line]) -> str:
    """The lines up to the next blank one, taken away from *waiting*."""
    text: list[str] = []
    while waiting and waiting[0].text.strip():
        text.append(waiting.popleft().text.strip())
    return "\n".join(text)


def _wrong(command: Command) -> Complaint | None:
    word, argument = WORDS[command.word], command.argument.casefold()
    match word.argument:
        case Argument.NONE if argument:
            why = f'nothing stands after "{command.word}"'
        case Argument.SWITCH if argument not in ("on", "off"):
            why = f'after "{command.word}" stands "on" or "off"'
        case Argument.TEXT if not argument:
            why = "there is no text"
        case _:
            return None
    number, width = command.line.number, len(bare(command.line.text))
    return Complaint(number, 1, Judgement.NOT_UNDERSTOOD, why, instead=word.example, width=width)
