"""Sheets and letters that nobody would write: whatever comes, it is read, and what is read can be played."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from pbem.kernel.names import Role
from pbem.mail.reading.letter import read_head, read_letter
from pbem.mail.wire.limits import UnreadableLetter
from pbem.orders.sheet import Line, lines_of
from pbem.orders.words import split_sheet
from pbem.rules import registry
from tests.kit.mangle import mangled as mangled_letter
from tests.kit.mangle import untrue
from tests.soak.games import Fault
from tests.systems.play import Game, scenarios
from tests.systems.secret import autoplay, plug

LETTERS = Path(__file__).parents[1] / "letters"
JUNK = (
    "", " ", "#", "\x00", "\ufeff", "ß²", "=1+1", "<b>", "'; drop table event; --", "+", "@", "|", ",", "..", "–",
    "9" * 400, "p1+" * 300, "A-0", "Z-99", "J-10J-10", "toward", "begin", "end", "add", "withdraw", "turn 9999Z",
    "game x", "role y", "\u202e", "ﬀ", "Ⅸ", "é", "𝟙", "\t", "--", "x" * 5000,
)  # fmt: skip
PART = 12
"""Lines of a sheet at most."""


class Fuzzed(NamedTuple):
    """How much was tried."""

    sheets: int
    lines: int
    orders: int
    letters: int


def fuzz(
    system: str, seed: int, *, seconds: float, most: int = 12, told: Callable[[str], None] = lambda words: None
) -> Fuzzed:
    """Send sheets and letters of every kind for so many seconds, into games at most so many exchanges old.

    :raises Fault: at the first that is not read, or whose orders cannot be played.
    """
    random, until = Random(seed), time.monotonic() + seconds
    sheets = lines = orders = letters = 0
    samples = [path.read_bytes() for path in sorted(LETTERS.glob("*.eml"))]
    while time.monotonic() < until:
        scenario = random.choice(scenarios(system))
        game = Game(registry.load(system), scenario, luck=f"{random.random()}")
        for _ in autoplay(game, plug(system), random, random.randint(0, most)):
            if time.monotonic() > until:
                break
        told(f"{scenario} at {game.pause.moment}")
        for _ in range(3):
            if game.over:
                break
            found = {}
            for role in game.roles:
                text = sheet(game, role, system, random)
                found[role] = read(game, role, text, seed)
                sheets, lines, orders = sheets + 1, lines + text.count("\n") + 1, orders + len(found[role])
            resolve(game, found, seed)
        for _ in range(20):
            letter(mangled_letter(samples, random), seed)
            letters += 1
    return Fuzzed(sheets, lines, orders, letters)


def read(game: Game, role: Role, text: str, seed: int) -> Sequence[object]:
    """Read a sheet as a letter's lines are read.

    :raises Fault: if it cannot be.
    """
    mind = game.world.minds[role]

    def reads(line: Line) -> bool:
        return bool(game.system.read(game.scene, (line,), mind, role, None).items)

    try:
        split_sheet(lines_of(text), reads)
        game.system.read(game.scene, lines_of(text), mind, role, None)
        orders, complaints = game.read(role, text)
    except Exception as error:
        raise Fault(
            f"seed {seed}, {game.scenario} {game.pause.moment}, {role}: {type(error).__name__}: {error}\n{text!r}"
        ) from error
    numbers = {line.number for line in lines_of(text)}
    for one in complaints:
        if one.line not in {0, *numbers} or one.column < 0:
            raise Fault(f"seed {seed}, {game.scenario}: a complaint on line {one.line}, column {one.column}:\n{text!r}")
    return orders


def resolve(game: Game, orders: Mapping[Role, Sequence[object]], seed: int) -> None:
    """Play what was read.

    :raises Fault: if it cannot be, or if anything comes or goes that should not.
    """
    moment, before = game.pause.moment, sum(game.system.counts(game.world.truth).values())
    texts = {role: [getattr(one, "text", one) for one in lines] for role, lines in orders.items()}
    try:
        game.resolve(orders)
    except Exception as error:
        raise Fault(f"seed {seed}, {game.scenario} {moment}: {type(error).__name__}: {error}\n{texts}") from error
    if sum(game.system.counts(game.world.truth).values()) != before:
        raise Fault(f"seed {seed}, {game.scenario} {moment}: figures came or went\n{texts}")


def letter(raw: bytes, seed: int) -> None:
    """Read a letter.

    :raises Fault: if that fails otherwise than by saying why, or if what is read is not true of the letter.
    """
    try:
        read_head(raw)
        wrong = untrue(raw, read_letter(raw))
    except UnreadableLetter:
        return
    except Exception as error:
        raise Fault(f"seed {seed}, a letter: {type(error).__name__}: {error}\n{raw!r}") from error
    if wrong:
        raise Fault(f"seed {seed}, a letter: it is not true that {'; '.join(wrong)}\n{raw!r}")


def sheet(game: Game, role: Role, system: str, random: Random) -> str:
    """Lines as they might be sent, mangled, and junk."""
    lines = [*plug(system).likely(game, role), *plug(system).GRAMMAR.examples.values()]
    words = sorted({word for line in lines for word in line.split()} | set(JUNK))
    said = []
    for _ in range(random.randint(0, PART)):
        kind = random.random()
        line = random.choice(lines)
        if kind < 0.4:
            line = mangled(line, words, random)
        elif kind < 0.5:
            line = "".join(
                chr(random.choice((random.randrange(32, 127), random.randrange(1, 0xD7FF)))) for _ in range(30)
            )
        elif kind < 0.6:
            line = random.choice(JUNK)
        said.append(line)
    return "\n".join(said)


def mangled(line: str, words: Sequence[str], random: Random) -> str:
    """A line with words dropped, doubled, exchanged, or run together."""
    parts = line.split()
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(parts)) if parts else 0
        word = random.choice(words)
        parts[at : at + 1] = random.choice(([], [word], parts[at : at + 1] * 2, [*parts[at : at + 1], word]))
    return random.choice((" ", " ", " ", ", ", "")).join(parts)
