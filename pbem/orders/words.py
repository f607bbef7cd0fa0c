"""A sheet parted into its head, its commands to the office, and its orders.

A sheet begins with its head (`game`, `role`, `turn`, in any order, with or without a colon), be it under a greeting.
Then come order lines of the system, and between them lines to the office.  Where a line `begin` stands, only what
follows it, up to a line `end`, is the sheet; a head right above it counts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.errors import BadMoment
from pbem.kernel.marks import BEGIN, END, mark_of
from pbem.kernel.names import Moment, Role
from pbem.orders.account import Accounted, LineFate, changed, unsaid
from pbem.orders.commands import WORDS, Argument, Repeated, Word
from pbem.orders.dates import daily_of
from pbem.orders.grammar import bare, written
from pbem.orders.joining import joins
from pbem.orders.sheet import Complaint, Judgement, Line
from pbem.orders.tongues import ends_letter, to_the_office

MOST = 20
"""So many commands of one text are obeyed, each that is said several times counting once."""

JOINED = 20_000
"""Signs of the texts that are put together into one; a single text may be longer."""

_OF_STAND_INS = ("", "off", "yes", "no")

_LOOSE = 2
"""Where nothing may stand after a word of the office, so many words are a mistake; more are a sentence."""

_SAME = {"ready": "wait"}
"""Words of which the last counts, by the word that they are a form of."""

HEAD = ("game", "role", "turn")
"""What the head of a sheet may say."""

_HEAD = re.compile(rf"\s*({'|'.join(HEAD)})(?:\s*:\s*|\s+)(\S.*)", re.IGNORECASE)
_READER = r"(?:side\s+)?(?!(?:and|signed|unsigned)[\s:,])[^\s:,&]+"
_AND = r"(?:\s*[,&]\s*(?:and\s+)?|\s+and\s+)"
_LETTER = re.compile(
    rf"\s*(letter\s+to)\s+({_READER}(?:{_AND}{_READER})*)(?:[\s,]+(signed|unsigned))?\s*:(.*)", re.IGNORECASE
)
_ANSWER = re.compile(r"\s*(answer)\s+([^\s:]+)\s*:(.*)", re.IGNORECASE)
_UMPIRE = re.compile(r"\s*(umpire)\s*:(.*)", re.IGNORECASE)
_NOTE = re.compile(r"\s*(note\s+to\s+self)\s*:(.*)", re.IGNORECASE)
_COMMAND = re.compile(
    rf"\s*({'|'.join(re.escape(word) for word in WORDS if WORDS[word].argument is not Argument.TEXT)}|orders)"
    r"(?![^\s:.,])[\s:,]*(.*)",
    re.IGNORECASE,
)
_OF_ADDRESSES = frozenset(word for word in WORDS if WORDS[word].argument is Argument.ADDRESS)
_MAYBE_ADDRESS = re.compile(r"off|(?:off\s+)?[^\s@]+@[^\s@]+(?:\s*<mailto:[^\s>]+>)?", re.IGNORECASE)


Reads = Callable[[Line], bool]
Opens = Callable[[str], bool]


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
    to: tuple[str, ...] = ()
    """Of a letter: who shall have it, each as it was named: a role, a side, `all`."""
    signed: bool | None = None
    """Of a letter: whether it says who wrote it; None where nothing is said of that."""
    about: str = ""
    """Of an answer: the name of the question."""
    below: tuple[Line, ...] = ()
    """The lines of its text, below its own."""


class Sheet(Struct, frozen=True):
    """A text parted: what it says of itself, what it asks of the office, and the lines that are orders."""

    head: Head
    commands: tuple[Command, ...]
    orders: tuple[Line, ...]
    complaints: tuple[Complaint, ...] = ()
    account: tuple[Accounted, ...] = ()
    """Every line of the text, once."""
    left: tuple[Command, ...] = ()
    """Commands that are not obeyed, for others say the same or they are too many."""

    @property
    def refused(self) -> tuple[tuple[Line, Complaint], ...]:
        """Its lines that are no orders and were refused, each with what is wrong with it."""
        lines = {one.line.number: one.line for one in self.account}
        return tuple((lines[one.line], one) for one in self.complaints)

    def asks(self, word: str) -> bool:
        """Whether the sheet holds the command *word*."""
        return any(command.word == word for command in self.commands)


def no_block(text: str) -> bool:
    """Of a system whose orders all are one line: none begins a block."""
    return False


def split_sheet(lines: Sequence[Line], reads: Reads, opens: Opens = no_block, nests: Opens = no_block) -> Sheet:
    """Part *lines* into head, commands and orders, and say of each line what it was taken for.

    *reads* says whether the system takes a line for one of its orders: a word that is both the office's and
    a verb of the system is the system's where what follows it is such an order.  *opens* says whether a line begins
    a paper of several, up to a line `end`: all in it is the system's.  *nests*: whether it begins a block of orders
    that a line `end` closes, and that may hold another.
    """
    waiting = _Waiting(_between(lines, reads, opens, nests), {line.number: unsaid(line) for line in lines})
    stated: dict[str, str] = {}
    commands: list[Command] = []
    orders: list[Line] = []
    complaints: list[Complaint] = []
    looked, ordered = 0, False
    while (line := waiting.take(LineFate.ORDER)) is not None:
        head = _head(line)
        # What stands above it counts only if it is an order: many a sheet begins with a greeting.
        while head and not ordered and looked < len(orders):
            ordered, looked = reads(orders[looked]), looked + 1
        if head and not ordered:
            waiting.fates[line.number] = LineFate.HEAD
            key, value = head
            if stated.setdefault(key, value).casefold() != value.casefold():
                why = f'the head says "{key} {stated[key]}" above'
                complaints.append(Complaint(line.number, 1, Judgement.NOT_CLEAR, why, width=len(line.text)))
        elif (command := _command(line)) and not reads(line):
            waiting.fates[line.number] = LineFate.OFFICE
            if WORDS[command.word].argument is Argument.TEXT:
                below = waiting.take_all(_text_below(command.argument, waiting), LineFate.OFFICE)
                command = replace(command, argument=_text(command.argument, below), below=tuple(below))
            if wrong := _wrong(command):
                complaints.append(wrong)
            else:
                commands.append(command)
        elif any(written([line])):
            orders.append(line)
            if opens(line.text):
                orders += waiting.take_to_end()
        else:
            waiting.fates[line.number] = unsaid(line)
    role, turn = stated.get("role"), stated.get("turn")
    obeyed, left = _once(commands, waiting.fates)
    return Sheet(
        Head(stated.get("game"), Role(role.casefold()) if role else None, Moment.parse(turn) if turn else None),
        obeyed,
        tuple(orders),
        tuple(complaints),
        tuple(Accounted(line, waiting.fates[line.number]) for line in lines),
        left,
    )


def together(above: Sheet, below: Sheet) -> Sheet:
    """Two texts as one: the orders of *below*, the words to the office and the account of both.

    Their lines are numbered apart; what the head of *below* does not say, that of *above* does.
    """
    account = (*above.account, *below.account)
    fates = {one.line.number: one.fate for one in account}
    commands, left = _once((*above.commands, *below.commands), fates)
    upper, lower = above.head, below.head
    return Sheet(
        Head(lower.game or upper.game, lower.role or upper.role, lower.turn or upper.turn),
        commands,
        (*above.orders, *below.orders),
        (*above.complaints, *below.complaints),
        tuple(Accounted(one.line, fates[one.line.number]) for one in account),
        (*above.left, *below.left, *left),
    )


class _Waiting:
    """The lines of a sheet that are still to be read, and what all lines of its text were taken for so far."""

    def __init__(self, between: Iterable[tuple[Line, LineFate]], fates: dict[int, LineFate]) -> None:
        self.fates, self._lines, self._at = fates, list[Line](), 0
        for line, fate in between:
            self.fates[line.number] = fate
            if fate is LineFate.ORDER:
                self._lines.append(line)
        self._ends = [at for at, line in enumerate(self._lines) if mark_of(line.text) == END]

    def take(self, fate: LineFate) -> Line | None:
        """The next line, which is *fate* until it is known better; None after the last."""
        if self._at == len(self._lines):
            return None
        line = self._lines[self._at]
        self.fates[line.number] = fate
        self._at += 1
        return line

    def take_all(self, count: int, fate: LineFate) -> list[Line]:
        """The next *count* lines."""
        return [line for _ in range(count) if (line := self.take(fate)) is not None]

    def take_to_end(self) -> list[Line]:
        """The lines of a paper that has been opened, with its `end`; none, if it has no end."""
        after = bisect_left(self._ends, self._at)
        count = self._ends[after] + 1 - self._at if after < len(self._ends) else 0
        return self.take_all(count, LineFate.ORDER)

    def __iter__(self) -> Iterator[Line]:
        return (self._lines[at] for at in range(self._at, len(self._lines)))


def as_prose(sheet: Sheet, orders: Sequence[Line]) -> Sheet:
    """The sheet in which only *orders*, of its own, are left as such: all others are prose."""
    left = {line.number for line in orders}
    prose = [line for line in sheet.orders if line.number not in left]
    return replace(sheet, orders=tuple(orders), account=changed(sheet.account, prose, LineFate.PROSE))


def frames(line: Line) -> bool:
    """Whether a line is of what stands round the orders of a sheet: its head, `begin` or `end`.

    >>> frames(Line(1, "turn    3A")), frames(Line(2, "END")), frames(Line(3, "turn left"))
    (True, True, False)
    """
    return bool(mark_of(line.text)) or _head(line) is not None


def _between(lines: Sequence[Line], reads: Reads, opens: Opens, nests: Opens) -> Iterator[tuple[Line, LineFate]]:
    """The lines that stand between `begin` and `end`, with the head right above: as orders, until it is known better.

    Those outside and the marks themselves come with what they are.  Where there is no `begin`, there is no outside.
    """
    marks = [mark_of(line.text) for line in lines]
    begins = [at for at, mark in enumerate(marks) if mark == BEGIN]
    done = 0
    for first, stop in pairwise([*begins, len(lines)]):
        top = first
        while top > done and (not lines[top - 1].text.strip() or _may_head(lines[top - 1])):
            top -= 1
        yield from _outside(lines[done:top])
        yield from ((line, LineFate.ORDER) for line in lines[top:first])
        yield lines[first], LineFate.MARK
        last = _closing(lines[:stop], marks, first + 1, reads, opens, nests)
        yield from ((line, LineFate.ORDER) for line in lines[first + 1 : last])
        done = last
        if last < stop and marks[last] == END:
            yield lines[last], LineFate.MARK
            done += 1
    if begins:
        yield from _outside(lines[done:])
    else:
        yield from ((line, LineFate.ORDER) for line in lines)


def _outside(lines: Sequence[Line]) -> Iterator[tuple[Line, LineFate]]:
    return ((line, LineFate.OUTSIDE if line.text.strip() else LineFate.BLANK) for line in lines)


def _closing(lines: Sequence[Line], marks: Sequence[str], at: int, reads: Reads, opens: Opens, nests: Opens) -> int:
    """Where a sheet ends that begins at *at*: at the `end` that closes no block within; the place of that, or behind.

    Where every `end` closes a block, the sheet ends behind the last of them, unless an order stands below that.
    """
    depth, paper, ends = 0, False, list[int]()
    for place in range(at, len(lines)):
        text = lines[place].text
        if marks[place] == END:
            if not depth:
                return place
            depth, paper = depth - 1, False
            ends.append(place)
        elif not paper and (opens(text) or nests(text)):
            depth, paper = depth + 1, opens(text)
    below = lines[ends[-1] + 1 :] if ends else ()
    whole = not ends or any(opens(line.text) or nests(line.text) or reads(line) for line in below)
    return len(lines) if whole else ends[-1] + 1


def _may_head(line: Line) -> bool:
    return _HEAD.fullmatch(bare(line.text)) is not None or _head(line) is not None


def _head(line: Line) -> tuple[str, str] | None:
    """What a line of the head says: which word, and what of it; in another language only with one word behind it."""
    text = bare(line.text)
    match = _HEAD.fullmatch(text)
    if match is None:
        told = (_HEAD.fullmatch(one) for one, _ in to_the_office(text))
        match = next((one for one in told if one is not None and len(one[2].split()) == 1), None)
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
    """The command that a line is, be it in another language; None: it is none."""
    command = _command_in(line, line.text)
    if command is not None and WORDS[command.word].argument in (Argument.NONE, Argument.TEXT):
        return command
    for text, whole in to_the_office(line.text):
        # What stands behind a colon may be a text, which is left as it is.
        _, colon, behind = text.partition(":")
        told = _command_in(line, f"{whole.partition(':')[0]}{colon}{behind}")
        if told is not None and not _is_whole(told):
            told = _command_in(line, whole)
        if told is not None and (command is None or _wrong(told) is None):
            return told
    return command


def _is_whole(command: Command) -> bool:
    """Whether what stands behind the colon of a command is a text, or may be one."""
    argument = WORDS[command.word].argument
    return argument is Argument.TEXT or (argument is Argument.FORM and _wrong(command) is None)


def _command_in(line: Line, text: str) -> Command | None:
    if letter := _LETTER.fullmatch(text):
        signed = letter[3].casefold() == "signed" if letter[3] else None
        return Command(line, "letter to", letter[4].strip(), _readers(letter[2]), signed)
    if answer := _ANSWER.fullmatch(text):
        return Command(line, "answer", answer[3].strip(), about=answer[2])
    if umpire := _UMPIRE.fullmatch(text):
        return Command(line, "umpire", umpire[2].strip())
    if note := _NOTE.fullmatch(text):
        return Command(line, "note to self", note[2].strip())
    command = _COMMAND.fullmatch(bare(text))
    if command is None:
        return None
    word, argument = command[1].casefold(), command[2].strip(" .,")
    if word == "report" and len(argument.split()) > 1 and not any(map(str.isdigit, argument)):
        return None  # somebody reports: the office knows a report by its turn
    if word in ("substitute", "proxy") and "@" not in argument and argument.casefold() not in _OF_STAND_INS:
        return None  # "substitute for the lost battery"
    if word == "join" and not joins(text):
        return None  # "join me at the bridge"
    if word == "orders" and (text.rstrip().endswith(":") or not _is_turn(argument)):
        return None  # a heading, or "orders attached": without its "?" the word asks for a turn or stands alone
    word = "orders?" if word == "orders" else word
    if word in _OF_ADDRESSES and not (_MAYBE_ADDRESS.fullmatch(argument) if argument else _is_alone(line, word)):
        return None  # "also, the guns are late", or a heading: such a word speaks of an address, or stands alone
    known = WORDS[word]
    fits = known.argument is Argument.MAYBE or _has_form(known, argument)
    if not fits and len(argument.split()) > _LOOSE:
        return None  # "ready to play, and thanks for the map": a sentence
    return Command(line, word, argument)


def _is_alone(line: Line, word: str) -> bool:
    """Whether nothing stands on a line but *word*, and no sign behind it."""
    return bare(line.text).strip().casefold() == word


def _has_form(word: Word, argument: str) -> bool:
    """Whether *argument* is what may follow a word that has a form."""
    return word.argument is Argument.FORM and re.fullmatch(word.form, _one_line(argument), re.IGNORECASE) is not None


def _one_line(text: str) -> str:
    return " ".join(text.split()).rstrip("!")


def _readers(text: str) -> tuple[str, ...]:
    """To whom a letter is, each once."""
    named = re.split(_AND, text.casefold())
    return tuple(dict.fromkeys(" ".join(one.split()) for one in named))


def _is_turn(argument: str) -> bool:
    try:
        return not argument or bool(Moment.parse(argument.casefold().removeprefix("turn").strip()))
    except BadMoment:
        return False


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


def _text_below(begun: str, waiting: _Waiting) -> int:
    """How many lines below belong to a letter of which *begun* stood on its first line.

    It goes to a line `end letter`; else it is what stands on its line, or below it up to a blank line.  No more
    without that word: an order that was mistyped would go to the enemy.
    """
    for count, line in enumerate(waiting, start=1):
        if ends_letter(line.text):
            return count
        if begins_text(line):
            break
    return 0 if begun else sum(1 for _ in takewhile(lambda line: line.text.strip(), waiting))


def begins_text(line: Line) -> bool:
    """Whether a line begins a text to somebody: a letter, a note, an answer."""
    command = _command(line)
    return command is not None and WORDS[command.word].argument is Argument.TEXT


def _text(begun: str, below: Sequence[Line]) -> str:
    text = ([begun] if begun else []) + [line.text.strip() for line in below]
    ended = below and ends_letter(below[-1].text)
    return "\n".join(text[:-1]).strip("\n") if ended else "\n".join(text)


def _once(commands: Sequence[Command], fates: dict[int, LineFate]) -> tuple[tuple[Command, ...], tuple[Command, ...]]:
    """The *commands* that are obeyed, each once and `MOST` of them, and the others; the *fates* say why they are not.

    So the work that one text can ask for is bounded, however often it asks.
    """
    kept: dict[tuple[object, ...], Command] = {}
    for one in commands:
        repeated = WORDS[one.word].repeated
        key: tuple[object, ...] = (one.word, " ".join(one.argument.casefold().split()), one.to, one.signed, one.about)
        if repeated is not Repeated.ONCE:
            key = (_SAME.get(one.word, one.word),)
        before = kept.get(key)
        if before is None and len(kept) == MOST:
            _is(one, LineFate.OVER, fates)
        elif before is None:
            kept[key] = one
        elif repeated is Repeated.LAST:
            _is(before, LineFate.AGAIN, fates)
            kept[key] = one
        elif repeated is Repeated.ONCE or f"\n{one.argument}\n" in f"\n{before.argument}\n":
            _is(one, LineFate.AGAIN, fates)
        elif len(before.argument) + len(one.argument) > JOINED:
            _is(one, LineFate.OVER, fates)
        else:
            kept[key] = replace(before, argument=f"{before.argument}\n\n{one.argument}", below=before.below + one.below)
    left = tuple(one for one in commands if fates[one.line.number] in (LineFate.AGAIN, LineFate.OVER))
    return tuple(sorted(kept.values(), key=lambda one: one.line.number)), left


def _is(command: Command, fate: LineFate, fates: dict[int, LineFate]) -> None:
    for line in (command.line, *command.below):
        fates[line.number] = fate


def _wrong(command: Command) -> Complaint | None:
    word = WORDS[command.word]
    if not (why := _amiss(word, command)):
        return None
    number, width = command.line.number, len(bare(command.line.text))
    return Complaint(number, 1, Judgement.NOT_UNDERSTOOD, why, instead=word.example, width=width)


def _amiss(word: Word, command: Command) -> str:
    """Why what follows an office word may not, in a phrase; empty if it may."""
    match word.argument:
        case Argument.NONE:
            return f'nothing stands after "{command.word}"' if command.argument else ""
        case Argument.SWITCH:
            on_off = command.argument.casefold() in ("", "on", "off")
            return "" if on_off else f'after "{command.word}" stands "on" or "off"'
        case Argument.DAILY:
            daily = not command.argument or daily_of(command.argument) is not None
            return "" if daily else f'after "{command.word}" stands "on", "off" or a time of day like "20:00"'
        case Argument.CHOICE:
            named = " or ".join(f'"{one}"' for one in word.takes if one)
            said = " ".join(command.argument.casefold().split())
            return "" if said in word.takes else f'after "{command.word}" stands {named}'
        case Argument.FORM:
            return "" if _has_form(word, command.argument) else f'after "{command.word}" stands {word.follows}'
        case Argument.TEXT:
            return "" if command.argument else "there is no text"
        case Argument.MAYBE | Argument.ZONE | Argument.ADDRESS:
            return ""
        case other:
            assert_never(other)
