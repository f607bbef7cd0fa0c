"""A guide as its reader follows it: what it says to type, to write and to send is done in order, in an empty folder.

What stands between fences is told apart by the words behind the opening one:

    shell               commands, typed one after the other; `shell refused`: the last one is refused
    shell elsewhere     commands of another machine, or of its owner: those of pbem are only read
    letter french       an answer to the newest mail that its writer has from the office, by the role that he plays;
    letter gm           by the GM;  letter ann@club.example  by whoever has that address, and not as an answer to any;
    letter … again      the same letter as a new one, not as an answer;  CODE in it is the one that he was sent
    prints              what the last command printed, or some of it: each line, blanks aside; `…` is anything
    mail                what stands in the newest mail to whom wrote last; `mail french`: in the newest mail to him
    toml pbem.toml      settings: the office is opened with them
    toml FILE, text FILE    a file that is written;  toml change FILE: what is changed in one that is there
    ini main.cf, ini master.cf      settings of Postfix, which is asked whether it knows them
    ini UNIT, text, json            for the eye

`after 72h`, behind any of them, lets that time pass before.
"""

from __future__ import annotations

import email
import os
import re
import shlex
import shutil
import socket
import subprocess
import tomllib
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest
import time_machine
import tomlkit
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from pbem.cli import main
from pbem.desk.office.settings import read_settings
from pbem.rules import registry
from tests.kit.servers import stop
from tests.kit.terminal import Terminal

BEGAN = datetime(2026, 11, 2, 18, 0, tzinfo=UTC)
"""A Monday evening."""
STAYS = {("run",): "--once", ("web",): "--help", ("worker",): "--help"}
"""Commands that stay until they are stopped, and what has them end."""
_FENCE = re.compile(r"^```([a-z]+)[ ]?([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_AFTER = re.compile(r"\s*\bafter (\d+)([hmd])$")
_HEADER = re.compile(r"(?:Subject|To): .+")


class Block(NamedTuple):
    """What stands between two fences."""

    kind: str
    about: str
    text: str
    line: int
    chapter: str
    after: timedelta


def blocks(source: str) -> list[Block]:
    """What stands between fences in a guide, in order."""
    found = []
    for one in _FENCE.finditer(source):
        about, after = one[2].strip(), timedelta()
        if waits := _AFTER.search(about):
            about = about[: waits.start()]
            after = timedelta(**{{"h": "hours", "m": "minutes", "d": "days"}[waits[2]]: int(waits[1])})
        headings = _HEADING.findall(source, 0, one.start())
        line = source.count("\n", 0, one.start()) + 1
        found.append(Block(one[1], about, one[3], line, headings[-1] if headings else "", after))
    return found


def commands(text: str) -> list[list[str]]:
    """The lines of a shell, in words; remarks are left out."""
    lines = text.replace("\\\n", " ").splitlines()
    return [words for line in lines if (words := shlex.split(line, comments=True))]


class _Sink:
    """A mail server that keeps what it is handed."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, EmailMessage]] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        letter = email.message_from_bytes(envelope.original_content or b"", policy=default)
        self.mails += [(to, letter) for to in envelope.rcpt_tos]
        return "250 OK"


class Reader:
    """Somebody who does what a guide says."""

    def __init__(self, sink: _Sink, clock: time_machine.Traveller, say: Callable[[str], None]) -> None:
        self.terminal, self.sink, self.clock, self.say = Terminal(), sink, clock, say
        self.addresses: dict[str, str] = {}
        """Of roles, and of the GM."""
        self.games: dict[str, str] = {}
        """By role."""
        self.printed, self.wrote, self.letters = "", "", 0

    def follow(self, block: Block) -> None:
        """Do what a block says, or see that what it shows is so."""
        if block.after:
            self.clock.shift(block.after)
        DOES[block.kind](self, block)

    def waits(self) -> None:
        """What the office owes leaves, as where it is kept by `pbem run`."""
        if Path("pbem.toml").is_file():
            self.terminal.types("mail", "send")

    def types(self, words: list[str]) -> int:
        """Type one command; gives how it ended."""
        first, *rest = words
        if first == "cd":
            os.chdir(rest[0])
            return 0
        if first != "pbem":
            assert first in ("mkdir", "cp", "mv", "ls"), words
            subprocess.run(words, check=True)
            return 0
        given = b""
        if "<" in rest:
            given = Path(rest[-1]).expanduser().read_bytes()
            rest = rest[:-2]
        into = None
        if ">" in rest:
            *rest, _, into = rest
        for stays, ends in STAYS.items():
            if tuple(rest[: len(stays)]) == stays and all(word.startswith("-") for word in rest[1:2]):
                rest = [*stays, ends]
        result = self.terminal.types(*rest, given=given or "y\ny\n")
        self.printed = result.output
        self.say(f"$ {' '.join(words)}\n{self.printed}")
        if into:
            Path(into).write_text(result.stdout, "utf-8")
        return result.exit_code

    def learn(self) -> None:
        """See who plays what, by what the office knows; of a role of several games that counts which came first."""
        self.addresses["gm"] = read_settings(Path()).gms[0].address
        for player in self.terminal.shows("player", "list"):
            for one in player["plays"]:
                if self.games.setdefault(one["role"], one["campaign"]) == one["campaign"]:
                    self.addresses[one["role"]] = player["address"]

    def writes(self, who: str, text: str, *, again: bool = False) -> None:
        """Send a letter, in answer to the newest mail of the office, if he has one."""
        self.learn()
        address = self.addresses.get(who, who)
        self.wrote, self.letters = address, self.letters + 1
        newest = None if again or "@" in who else self.newest(address)
        letter = EmailMessage(policy=default.clone(max_line_length=900))
        letter["From"], letter["Message-ID"] = address, f"<{self.letters}@guide.example>"
        letter["Date"] = datetime.now(UTC)
        head, _, body = text.partition("\n\n") if _HEADER.match(text) else ("", "", text)
        headers = dict(line.split(": ", 1) for line in head.splitlines())
        if newest is not None:
            letter["To"] = newest["Reply-To"] or newest["From"]
            letter["In-Reply-To"] = newest["Message-ID"]
            headers.setdefault("Subject", f"Re: {newest['Subject']}")
        else:
            letter["To"] = headers.pop("To", "") or read_settings(Path()).address
        for name, value in headers.items():
            letter[name] = value
        if newest is not None:
            body = body.replace("CODE", _code(newest))
        letter.set_content(body)
        received = self.terminal.types("mail", "receive", given=bytes(letter))
        self.printed = received.output
        self.say(f"--- letter of {who} ({address})\n{text}\n{received.output}")
        assert received.exit_code == 0, received.output
        self.waits()

    def newest(self, address: str) -> EmailMessage | None:
        """The newest mail that came to an address."""
        return next((letter for to, letter in reversed(self.sink.mails) if to == address), None)


def _code(letter: EmailMessage) -> str:
    """The code that a mail asks back; empty if it asks for none."""
    text = letter.get_body(("plain",))
    found = re.search(r"confirm ((?:\w{4}-){3}\w{4})", text.get_content() if text else "")
    return found[1] if found else ""


def _said(text: str, shown: str) -> list[str]:
    """The lines of *shown* that do not stand in *text*."""
    whole = " ".join(text.split())
    missing = []
    for line in filter(None, (" ".join(line.split()) for line in shown.splitlines())):
        pattern = ".*?".join(re.escape(part.strip()) for part in line.split("…"))
        # Plain text has its headings in capitals.
        if not re.search(pattern, whole, re.IGNORECASE):
            missing.append(line)
    return missing


def _shell(reader: Reader, block: Block) -> None:
    lines = commands(block.text)
    if block.about == "elsewhere":
        for words in lines:
            if words[0] == "pbem":
                _see_whole(words[1:])
        return
    for number, words in enumerate(lines, start=1):
        refused = block.about == "refused" and number == len(lines)
        ended = reader.types(words)
        assert bool(ended) is refused, f"line {block.line}: {' '.join(words)}: {ended}: {reader.printed}"
    reader.waits()


def _see_whole(words: list[str]) -> None:
    """See that a command is one, with its options; it is not run."""
    command: click.Command = main
    context, rest = click.Context(main, info_name="pbem"), list(words)
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        name = rest.pop(0)
        found = command.get_command(context, name)
        assert found is not None, f"pbem has no {' '.join(words)}"
        command, context = found, click.Context(found, info_name=name, parent=context)
    command.make_parser(context).parse_args(rest)


def _letter(reader: Reader, block: Block) -> None:
    who, _, again = block.about.partition(" ")
    reader.writes(who, block.text, again=again == "again")


def _prints(reader: Reader, block: Block) -> None:
    missing = _said(reader.printed, block.text)
    assert missing == [], f"line {block.line}: {missing}\n\nnot in\n\n{reader.printed}"


def _mail(reader: Reader, block: Block) -> None:
    reader.learn()
    address = reader.addresses.get(block.about, block.about) or reader.wrote
    newest = reader.newest(address)
    assert newest is not None, f"line {block.line}: {address} has no mail"
    text = newest.get_body(("plain",))
    whole = f"{newest['Subject']}\n{text.get_content() if text else ''}"
    reader.say(f"--- mail to {address}\n{whole}")
    missing = _said(whole, block.text)
    assert missing == [], f"line {block.line}: {missing}\n\nnot in\n\n{whole}"


def _toml(reader: Reader, block: Block) -> None:
    what, _, place = block.about.partition(" ")
    if what == "change":
        there = tomlkit.parse(Path(place).read_text("utf-8"))
        _change(there, tomlkit.parse(block.text))
        Path(place).write_text(tomlkit.dumps(there), "utf-8")
        return
    if block.about != "pbem.toml":
        _file(reader, block)
        tomllib.loads(Path(block.about).read_text("utf-8"))
        return
    here = Path("pbem.toml")
    written = tomlkit.parse(here.read_text("utf-8") if here.is_file() else 'address = "office@example.org"')
    for name, value in tomlkit.parse(block.text).items():
        written[name] = value
    tried = Path("tried.toml")
    tried.write_text(tomlkit.dumps(written), "utf-8")
    read_settings(Path(), tried.name)
    tried.unlink()


def _change(there: MutableMapping[str, Any], by: Mapping[str, Any]) -> None:
    """Let what stands in one table stand in the other, table by table."""
    for name, value in by.items():
        if isinstance(value, Mapping) and isinstance(there.get(name), MutableMapping):
            _change(there[name], value)
        else:
            there[name] = value


def _file(reader: Reader, block: Block) -> None:
    if block.about:
        place = Path(block.about)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(block.text, "utf-8")


def _ini(reader: Reader, block: Block) -> None:
    if block.about not in ("main.cf", "master.cf") or shutil.which("postconf") is None:
        return
    folder = Path("postfix").absolute()
    folder.mkdir(exist_ok=True)
    files = {"main.cf": "compatibility_level = 3.6\nmyhostname = mail.example.org\n", "master.cf": ""}
    for name, text in files.items():
        (folder / name).write_text(text + (block.text if name == block.about else ""), "utf-8")
    asks = "-n" if block.about == "main.cf" else "-M"
    done = subprocess.run(["postconf", "-c", str(folder), asks], capture_output=True, text=True, check=False)
    unused = [line for line in done.stderr.splitlines() if "unused parameter" not in line]
    assert done.returncode == 0, done.stderr
    assert unused == [], done.stderr
    shutil.rmtree(folder)


DOES: Mapping[str, Callable[[Reader, Block], None]] = {
    "shell": _shell,
    "letter": _letter,
    "prints": _prints,
    "mail": _mail,
    "toml": _toml,
    "text": _file,
    "ini": _ini,
    "json": lambda reader, block: None,
    "html": lambda reader, block: None,
}


@contextmanager
def reader(folder: Path, *, say: Callable[[str], None] = lambda text: None) -> Iterator[Reader]:
    """Somebody in an empty *folder*, with a mail server at hand, on a clock of his own."""
    sink = _Sink()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    controller = Controller(sink, hostname="127.0.0.1", port=port)
    folder.mkdir(exist_ok=True)
    before, told = Path.cwd(), dict(os.environ)
    controller.start()
    try:
        os.environ |= {
            "PBEM_SMTP__HOST": "127.0.0.1", "PBEM_SMTP__PORT": str(port),
            "PBEM_SMTP__SECURITY": "none", "PBEM_SMTP__USER": "",
        }  # fmt: skip
        os.environ.pop("PBEM_OFFICE", None)
        os.chdir(folder)
        with time_machine.travel(BEGAN, tick=True) as clock, pytest.MonkeyPatch.context() as patch:
            # A process each command is would ask it once, and here one process is all of them.
            patch.setattr(registry, "content_of", cache(registry.content_of))
            yield Reader(sink, clock, say)
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(told)
        stop(controller)
