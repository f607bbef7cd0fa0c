"""What a turn of each game costs: bytes that are kept, and processor.

    python -m tests.soak scale

Played by letters in an office on one file, with all receipts, reports and maps; each role sends one sheet an exchange.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from pbem.desk.books.dossiers import load
from pbem.desk.intake.receive import receive
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR, Office, make_office, open_office
from pbem.desk.players import enrol
from pbem.desk.post import writing
from pbem.desk.turns import adjudicate, publish
from pbem.desk.worlds.worlds import world_at
from pbem.kernel.terms import Terms
from pbem.rules import registry
from tests.kit.table import SETTINGS, Chance, Clock
from tests.soak.club import Writes
from tests.systems.play import Game
from tests.systems.secret import plug

SCENARIOS = (
    *("st-privat/graveyard", "st-privat/ste-marie", "empire-1870/woerth", "empire-1870/france-1870"),
    *("half-league/great-redoubt", "half-league/kourgane", "crossroads/golden-bremm", "crossroads/sadowa"),
    *("kriegsspiel/kreuzweg", "kriegsspiel/muehlrode", "kriegsspiel/weldau"),
)

EXCHANGES = 4
"""So many are played; the first is taken for as dear as any."""

_LINES = 40


class Costs(NamedTuple):
    """Of one scenario."""

    scenario: str
    roles: int
    exchanges: int
    letters: float
    """Seconds of processor of one letter, with its receipt."""
    turn: float
    """Of one exchange, resolved."""
    reports: float
    """Of all its reports, with their maps."""
    kept: float
    """Bytes for one exchange, all that the database grew by."""

    def row(self) -> str:
        """A row of the table."""
        return (
            f"| {self.scenario} | {self.roles} | {self.letters * 1000:.0f} ms | {self.turn:.2f} s"
            f" | {self.reports:.2f} s | {self.kept / 1000:.0f} kB |"
        )


HEAD = "| scenario | players | a letter | a turn | its reports | kept of it |"


def table(folder: Path, scenarios: Sequence[str] = SCENARIOS) -> str:
    """All of them, as a table of a page."""
    rows = []
    for number, scenario in enumerate(scenarios):
        costs = played(folder / f"{number}", scenario)
        rows.append(costs.row())
        print(f"  {rows[-1]}", flush=True)
    return "\n".join((HEAD, "|" + "---|" * (HEAD.count("|") - 1), *rows))


def played(folder: Path, scenario: str, exchanges: int = EXCHANGES) -> Costs:
    """Play some exchanges, and count."""
    clock, random = Clock(), Random(scenario)
    make_office(folder, f"{SETTINGS}[trust]\nanswers = 1000\n", chance=Chance())
    with open_office(folder, now=clock, chance=Chance("scale")) as office:
        enrol.new(
            office, "game", find_scenario(folder, scenario), Terms(trust="address", release="auto", nmr="standing")
        )
        with office.read() as connection:
            roles = load(office, connection, "game").roles
        for role in roles:
            enrol.add_player(office, "game", role, name=role.title(), address=f"{role}@game.example")
        enrol.start(office, "game")
        before, spent, count = _size(office), [0.0, 0.0, 0.0], 0
        done = 0
        while done < exchanges:
            for writer in _writers(office, scenario, random):
                count += 1
                clock.at += 1_000_000
                began = _processor()
                receive(office, writer.letter(count), way="pipe")
                spent[0] += _processor() - began
            clock.at += 73 * HOUR
            began = _processor()
            with writing.maps_later(office):
                ran = adjudicate.run(office, "game", early=True, defaults=True)
                if not ran.released and not ran.halt:
                    publish.release(office, "game", early=True)
            spent[1] += _processor() - began
            began = _processor()
            writing.write_owed(office)
            spent[2] += _processor() - began
            done += not ran.halt
            if ran.verdict is not None:
                break
        kept = _size(office) - before
    return Costs(scenario, len(roles), done, spent[0] / count, spent[1] / done, spent[2] / done, kept / done)


def _writers(office: Office, scenario: str, random: Random) -> Iterator[Writes]:
    """Each role that is asked, with what it might order now."""
    system, name = scenario.split("/")
    with office.read() as connection:
        dossier = load(office, connection, "game")
        game = Game(registry.load(system), name)
        game.world = world_at(office, connection, dossier)
    for call in game.pause.calls:
        lines = list(plug(system).likely(game, call.role))
        yield Writes("game", call.role, "\n".join(random.sample(lines, min(len(lines), _LINES))) or "wait")


def _processor() -> float:
    """Seconds that this process has used, and those that it began and that have ended."""
    own, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + theirs.ru_utime + theirs.ru_stime


def _size(office: Office) -> int:
    """Bytes of the database."""
    with office.read() as connection:
        pages, size = (connection.execute(f"PRAGMA {name}").scalar() for name in ("page_count", "page_size"))
    return int(pages) * int(size)
