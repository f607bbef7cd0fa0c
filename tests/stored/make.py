"""Plays the stored campaigns anew, `python -m tests.stored.make [SYSTEM...]`: only when rules are changed on purpose.

Each is played through an office, by standing orders where the scenario has some and by likely lines drawn by lot,
with a ruling, a late sheet and a role that is silent on the way, and exported with its seeds, without its pages.
"""

from __future__ import annotations

import lzma
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import NamedTuple

from pbem.desk.books.dossiers import Dossier, load
from pbem.desk.house.demo import Chance, Clock
from pbem.desk.intake.receive import submit
from pbem.desk.library.scenarios import read_scenario
from pbem.desk.office.office import Office, make_office, open_office
from pbem.desk.players import enrol
from pbem.desk.proof.transfer import export
from pbem.desk.study.doctrine import Doctrine, choose, doctrines
from pbem.desk.turns import adjudicate, publish
from pbem.desk.worlds.walk import Walk
from pbem.kernel.names import Role
from pbem.kernel.terms import Terms
from tests.games.golden import lean
from tests.systems.play import Game, campaigns
from tests.systems.secret import plug, sheet

HERE = Path(__file__).parent
BEGAN = datetime(2026, 11, 23, 18, tzinfo=UTC)
DAY = 24 * 3600 * 1_000_000


class Plan(NamedTuple):
    """A campaign to be stored: how many exchanges of which scenario."""

    system: str
    scenario: str
    exchanges: int

    @property
    def campaign(self) -> str:
        return f"{self.system}-stored"

    @property
    def path(self) -> Path:
        return HERE / f"{self.system}.jsonl.xz"


PLANS = {
    plan.system: plan
    for plan in (
        Plan("crossroads", "la-folie", 4),
        Plan("empire-1870", "france-1870", 8),
        Plan("half-league", "great-redoubt", 5),
        Plan("kriegsspiel", "muehlrode", 5),
        Plan("st-privat", "graveyard", 15),
    )
}


def make(plan: Plan) -> None:
    """Play *plan* and store its log."""
    folder = campaigns(plan.system) / plan.scenario
    clock, chance = Clock(BEGAN), Chance(f"{plan.system} stored")
    with tempfile.TemporaryDirectory() as place:
        make_office(Path(place) / "office", 'address = "office@office.example"\n', chance=chance)
        with open_office(Path(place) / "office", now=clock, chance=chance, mails=False) as office:
            terms = Terms(trust="address", hours=72, zone="Europe/Berlin")
            dossier = enrol.new(office, plan.campaign, read_scenario(folder), terms)
            for role in dossier.roles:
                enrol.add_player(office, plan.campaign, role, name=f"M. {role}", address=f"{role}@player.example")
            enrol.start(office, plan.campaign)
            _play(office, plan, folder, clock)
            lines = b"".join(lean(export(office, dossier.id, seeds=True)))
    plan.path.write_bytes(lzma.compress(lines, preset=9))
    print(f"{plan.path.name}: {len(lines):,} bytes, {plan.path.stat().st_size:,} packed")


def _play(office: Office, plan: Plan, folder: Path, clock: Clock) -> None:
    random = Random(f"{plan} stored")
    system = _loaded(office, plan).system
    standing = choose(folder, _loaded(office, plan).roles) if doctrines(folder) else {}
    game = Game(system, plan.scenario)
    for number in range(plan.exchanges):
        dossier = _loaded(office, plan)
        if dossier.campaign.ended:
            return
        while True:
            for role, text in _sheets(dossier, game, standing, random):
                if random.random() < 0.9:
                    submit(office, plan.campaign, role, text.encode(), source="upload")
            if not adjudicate.run(office, plan.campaign, early=True, defaults=True).halt:
                break
            clock.at += DAY // 24
            dossier = _loaded(office, plan)
        clock.at += DAY
        publish.release(office, plan.campaign, early=True)
        print(f"{plan.campaign} {number + 1}", flush=True)


def _sheets(dossier: Dossier, game: Game, standing: dict[Role, Doctrine], random: Random) -> Iterator[tuple[Role, str]]:
    walk = Walk(dossier)
    walk.to(dossier.seq)
    game.world = walk.world()
    pause = game.pause
    for call in pause.calls:
        lines = [line.text for line in standing[call.role].sheet(pause.moment)] if standing else []
        if not lines or random.random() < 0.5:
            lines += sheet(game, call.role, plug(dossier.system.name), random).splitlines()[:40]
        if lines:
            yield call.role, "\n".join(lines)


def _loaded(office: Office, plan: Plan) -> Dossier:
    with office.read() as connection:
        return load(office, connection, plan.campaign)


if __name__ == "__main__":
    for name in sys.argv[1:] or PLANS:
        make(PLANS[name])
