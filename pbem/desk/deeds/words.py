"""The words that somebody who runs games writes to the office, and how a letter with such words is read.

game stprivat-autumn           of which game the words below it are, if subject and address do not say
extend 3B 24h Anna is ill.
note french: The bridge was
counted twice in 3A.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from msgspec import Struct

from pbem.desk.access.people import Right
from pbem.orders.commands import GUIDES
from pbem.orders.sheet import Line

MOST = 20
"""Words of one letter."""

_TURN = r"(?: (?:turn )?(?P<turn>(?=\w*\d)[\w.]{1,12}))?"
_ADDRESS = r"(?P<address>\S+@\S+)"
_PERSON = rf"{_ADDRESS} (?P<name>[^:]+?)(?: in (?P<zone>[A-Z]\w+/\S+))?"


class Word(Struct, frozen=True, kw_only=True):
    """One word: how its line reads, and what it wants."""

    reads: str
    """Its line, as a pattern; what it takes stands under its name."""
    example: str
    says: str
    right: Right | None
    """None: whoever runs games may."""
    of_game: bool = True
    """False: it is of the office, whatever the game."""
    asks_back: bool = False
    """Whether it cannot be undone: what would come of it is shown first, and a code confirms it."""
    text: str = ""
    """What of it goes on in the lines below: up to a blank one or another word, or whatever stands there up to a line
    `end note`, `end letter` and so on."""
    whole: bool = False
    """Whether the lines below are its own up to a blank one, whatever stands in them."""


WORDS: Mapping[str, Word] = {
    "help": Word(
        reads=rf"help(?: (?P<guide>{'|'.join(GUIDES)}))?",
        example="help",
        says="send this list; `help gm`: the GM's book; `help player`, `help review`, `help scenario`, `help author`",
        right=None,
        of_game=False,
    ),
    "status": Word(reads="status", example="status", says="how my games stand: who owes what, and when", right="look"),
    "report": Word(
        reads=rf"report (?P<role>[a-z][\w-]*){_TURN}",
        example="report french 3B",
        says="send me a report as its role had it; without a turn the newest",
        right="look",
    ),
    "run": Word(
        reads=rf"run(?:(?=.*(?P<early> now\b)))?(?: now)?{_TURN}(?: now)?(?P<defaults> (?:with )?defaults)?",
        example="run 3B",
        says="run the open exchange at once; `run now`: though its hour has not come and orders are owed; "
        "`run defaults`: open questions as for silence",
        right="run",
    ),
    "release": Word(
        reads=rf"release{_TURN}(?P<early> now)?",
        example="release 3B",
        says="make known what was resolved; `release now`: before the hour of its reports",
        right="run",
    ),
    "extend": Word(
        reads=rf"extend{_TURN}(?: by)? (?:(?P<hours>\d{{1,4}}) ?h(?:ours?)?|(?P<days>\d{{1,3}}) ?d(?:ays?)?|"
        r"(?:until|to) (?P<until>\d{4}-\d\d-\d\d[ T]\d\d?:\d\d))(?P<reason>[ ,:].*)?",
        example="extend 3B 24h Anna is ill.",
        says="move the deadline and tell every player why; `2d`, `until 2026-12-24 20:00`",
        right="run",
        text="reason",
    ),
    "pause": Word(
        reads=r"pause(?P<reason>[ ,:].+)?",
        example="pause: Christmas.",
        says="nothing is run and nobody is late until `resume`; the players are told why",
        right="run",
        text="reason",
    ),
    "resume": Word(
        reads=r"resume(?P<reason>[ ,:].+)?", example="resume", says="let the game go on", right="run", text="reason"
    ),
    "hold": Word(
        reads=r"hold(?: (?P<switch>on|off))?",
        example="hold",
        says="what is resolved waits for my `release` from now on; `hold off`: it is made known by itself",
        right="run",
    ),
    "set": Word(
        reads=r"set (?P<term>[a-z_]+)(?: of (?P<phase>\S+))?[ =]+(?P<value>\S.*)",
        example="set hours 48",
        says="change a term of the game",
        right="run",
    ),
    "start": Word(
        reads=r"start(?P<now> now)?",
        example="start",
        says="begin the game; `start now`: though not everybody has answered",
        right="run",
    ),
    "letter to": Word(
        reads=r"letter to (?P<role>[a-z][\w-]*) ?:(?P<text>.*)",
        example="letter to french: I look into it.",
        says="write to a role, or to `all`, by the office",
        right="post",
        text="text",
    ),
    "answer": Word(
        reads=r"answer (?P<key>[^\s:]+) ?:(?P<text>.*)",
        example="answer Q1: yes",
        says="answer a question that the rules ask you",
        right="rule",
        text="text",
    ),
    "note": Word(
        reads=r"note (?:to )?(?P<role>[a-z][\w-]*) ?:(?P<text>.*)",
        example="note french: Counted wrongly in 3A.",
        says="a note that stands signed on the next report of a role",
        right="rule",
        text="text",
    ),
    "ruling": Word(
        reads=r"ruling ?:(?P<reason>.*)",
        example="ruling: Counted wrongly in 4B.\nset p7 men 2",
        says="rule: your reason, and below it a directive on each line, as of `pbem rule`",
        right="rule",
        asks_back=True,
        text="directives",
        whole=True,
    ),
    "annul": Word(
        reads=rf"annul{_TURN}(?P<reopen> (?:and )?reopen)?(?P<reason>[ ,:].+)",
        example="annul 3B reopen: A stand was misplaced.",
        says="annul what was resolved; with `reopen` orders are open again, with new dice",
        right="rule",
        asks_back=True,
        text="reason",
    ),
    "enrol": Word(
        reads=rf"enrol(?:l)? (?P<role>[a-z][\w-]*) {_PERSON}",
        example="enrol french anna@example.org Anna in Europe/Paris",
        says="have somebody play a role",
        right="people",
    ),
    "replace": Word(
        reads=rf"replace (?P<role>[a-z][\w-]*) by {_PERSON} ?:(?P<reason>.+)",
        example="replace french by bert@example.org Bert: Anna has no time.",
        says="give a role to somebody else; the players are told why",
        right="people",
        asks_back=True,
        text="reason",
    ),
    "withdraw": Word(
        reads=r"withdraw (?P<role>[a-z][\w-]*) ?:(?P<reason>.+)",
        example="withdraw french: He left.",
        says="let nobody play a role for now",
        right="people",
        asks_back=True,
        text="reason",
    ),
    "end": Word(
        reads=r"end game ?:(?P<reason>.+)",
        example="end game: The club has closed.",
        says="break the game off",
        right="rule",
        asks_back=True,
        text="reason",
    ),
    "letters": Word(
        reads="letters", example="letters", says="which letters wait for a word of mine", right="post", of_game=False
    ),
    "show": Word(
        reads=r"show (?:letter )?(?P<letter>\d{1,9})",
        example="show 12",
        says="what stands in a letter that waits",
        right="post",
        of_game=False,
    ),
    "accept": Word(
        reads=r"accept (?:letter )?(?P<letter>\d{1,9})(?: as (?P<whose>\S.*))?",
        example="accept 12",
        says="take a letter as his from whom it seems to be; `accept 12 as anna`: as somebody's",
        right="post",
        of_game=False,
    ),
    "discard": Word(
        reads=r"discard (?:letter )?(?P<letter>\d{1,9})(?P<reason>[ ,:].+)",
        example="discard 12: Anna did not write it.",
        says="put a letter that waits away for good",
        right="post",
        of_game=False,
        asks_back=True,
        text="reason",
    ),
}
"""Every word of a GM, in the order in which they are told."""

_PATTERNS = {name: re.compile(word.reads, re.IGNORECASE) for name, word in WORDS.items()}
_GAME = re.compile(r"game(?: ?: ?| )(\S+)", re.IGNORECASE)
_GM = re.compile(r"(?:for )?(?:the )?gm|umpire", re.IGNORECASE)
_END = re.compile(r"end (?:ruling|note|letter|answer|reason)", re.IGNORECASE)
_LINKED = re.compile(r"\s*<mailto:[^>]*>", re.IGNORECASE)
_FIRST = {name.split()[0]: name for name in WORDS}
_CLOSE = 0.8


class Asked(Struct, frozen=True, kw_only=True):
    """A word that was written, and what with it."""

    word: str
    line: Line
    values: Mapping[str, str]
    """What its line takes; of a ruling its directives, one a line."""
    game: str = ""
    """That was named above it."""
    below: tuple[Line, ...] = ()
    """The lines of its text under its own."""

    @property
    def text(self) -> str:
        """What was written, as it stands in the letter."""
        return "\n".join(line.text.strip() for line in (self.line, *self.below))


class Wrong(Struct, frozen=True):
    """A line that begins as a word does and is none."""

    line: Line
    why: str


class Read(Struct, frozen=True, kw_only=True):
    """A letter to the office of somebody who runs games, as it was read."""

    words: tuple[Asked, ...] = ()
    wrong: tuple[Wrong, ...] = ()
    rest: tuple[Line, ...] = ()
    """What stands there beside, and is no word."""


def read(lines: Sequence[Line]) -> Read:
    """Read the *lines* that somebody who runs games has typed."""
    words: list[Asked] = []
    wrong: list[Wrong] = []
    rest: list[Line] = []
    game, at = "", 0
    while at < len(lines):
        line = lines[at]
        at += 1
        text = _plain(line.text)
        if named := _GAME.fullmatch(text):
            game = named[1].strip(".,").lower()
        elif found := _word(text):
            name, values = found
            below = tuple(_below(lines[at:], WORDS[name]))
            at += len(below)
            words.append(Asked(word=name, line=line, values=_with(name, values, below), game=game, below=below))
        elif text and not _GM.fullmatch(text):
            like = _like(text)
            if like:
                wrong.append(Wrong(line, f"it reads: {WORDS[like].example}"))
            else:
                rest.append(line)
    if len(words) > MOST:
        wrong += [Wrong(one.line, f"{MOST} words are as many as one letter may have") for one in words[MOST:]]
    return Read(words=tuple(words), wrong=tuple(wrong), rest=tuple(rest))


def says_gm(lines: Sequence[Line]) -> bool:
    """Whether the first line that says something says that the letter is a GM's."""
    first = next((text for line in lines if (text := _plain(line.text))), "")
    return bool(_GM.fullmatch(first))


def _plain(text: str) -> str:
    return " ".join(_LINKED.sub("", text).split())


def _word(text: str) -> tuple[str, dict[str, str]] | None:
    """The word that a line is, be it with a full stop behind it, and what it takes."""
    for name, pattern in _PATTERNS.items():
        if found := pattern.fullmatch(text) or pattern.fullmatch(text.rstrip(" .!")):
            return name, {key: (value or "").lstrip(" ,:").rstrip() for key, value in found.groupdict().items()}
    return None


def _like(text: str) -> str | None:
    """The word that a line which is none begins as, or nearly."""
    first = text.split()[0].rstrip(":,.").casefold()
    close = get_close_matches(first, _FIRST, n=1, cutoff=_CLOSE)
    return _FIRST[close[0]] if close else None


def _below(lines: Sequence[Line], word: Word) -> Iterator[Line]:
    """The lines of the text of a word under its own; one that ends it is of them."""
    if not word.text:
        return
    texts = [_plain(line.text) for line in lines]
    end = next((at for at, text in enumerate(texts) if _END.fullmatch(text)), None)
    if end is not None:
        yield from lines[: end + 1]
        return
    for line, text in zip(lines, texts, strict=True):
        # What is another word but for a slip is none of this text: nobody else shall read it.
        if not text or (not word.whole and (_word(text) or _GAME.fullmatch(text) or _like(text))):
            return
        yield line


def _with(name: str, values: dict[str, str], below: Sequence[Line]) -> dict[str, str]:
    """What a word takes, with the lines below it."""
    word = WORDS[name]
    lines = [line.text.strip() for line in below if not _END.fullmatch(_plain(line.text))]
    if not lines:
        return values
    first = values.get(word.text, "")
    return {**values, word.text: "\n".join([*([first] if first else []), *lines])}
