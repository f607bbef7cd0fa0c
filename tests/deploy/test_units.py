"""The units of systemd: their commands, run as they stand, do what they are for, and end when they are told."""

from __future__ import annotations

import os
import smtplib
import subprocess
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
import yaml

from pbem.desk.office.office import open_office
from pbem.desk.proof.verify import verify
from tests.conftest import needs
from tests.deploy.machine import DEPLOY, Machine, until
from tests.deploy.reading import UNITS, blocks, entries, words
from tests.kit.table import PLAYERS, Clock, Table
from tests.systems.play import SIXTH

pytestmark = pytest.mark.xdist_group("deploy")

STAY = ("pbem.service", "pbem-web.service", "pbem-worker@.service")
"""Those that stay."""

GUARDS = {
    name for name, _ in entries("pbem.service") if name.startswith(("Protect", "Private", "Restrict", "SystemCall"))
}


def test_systemd_takes_them_without_a_word(tmp_path: Path) -> None:
    program = needs("systemd-analyze")
    for name in UNITS:
        text = (DEPLOY / "systemd" / name).read_text("utf-8")
        (tmp_path / name).write_text(text.replace("/srv/pbem/venv/bin/pbem", "/bin/true"))
    units = [str(tmp_path / name.replace("@.", "@1.")) for name in UNITS]
    done = subprocess.run([program, "verify", "--man=no", *units], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("unit", STAY)
def test_what_stays_is_begun_again_and_has_time_to_finish(unit: str) -> None:
    said = dict(entries(unit))

    assert (said["Type"], said["NotifyAccess"], said["Restart"], said["KillMode"]) == (
        "notify",
        "main",
        "always",
        "mixed",
    )
    assert int(said["TimeoutStopSec"]) > 62, "longer than a worker waits for what it does"
    assert int(said["WatchdogSec"]) > 0
    assert said["StartLimitIntervalSec"] == "0"


@pytest.mark.parametrize("unit", [name for name in UNITS if name.endswith(".service")])
def test_each_is_shut_in_as_the_others_are(unit: str) -> None:
    said = dict(entries(unit))

    assert len(GUARDS) > 10
    assert {name: said.get(name) for name in GUARDS} == {name: dict(entries("pbem.service"))[name] for name in GUARDS}
    assert said["NoNewPrivileges"] == "true"
    assert said["User"] == "pbem"
    assert "/srv/pbem/office" in said["ReadWritePaths"]


def test_a_game_is_played_by_them_as_they_stand(
    alone: Machine, of_the_office: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The office's role does it all: letters come in, are answered, a turn is resolved, reports leave."""
    monkeypatch.syspath_prepend(str(SIXTH))
    with open_office(alone.office) as office:
        table = Table(office, Clock())
        table.open(release="auto", delay=0)
        letters = [table.letter("smuggler", "move s1 to 3"), table.letter("guard", "watch g1 4")]
    before = {address: alone.sink.to(address) for address in PLAYERS.values()}
    with ExitStack() as kept:
        for unit in STAY:
            command = [alone.here(word) for word in words(unit)]
            kept.enter_context(alone.keeps(command, of_the_office))
        second = [alone.here(word) for word in words("pbem-worker@.service", instance="2")]
        kept.enter_context(alone.keeps(second, of_the_office))
        for letter in letters:
            with smtplib.LMTP("127.0.0.1", alone.lmtp) as line:
                line.sendmail("player@player.example", ["office@games.example.org"], letter)
        # A briefing, a receipt and a report each.
        until(lambda: all(alone.sink.to(one) >= 3 + count for one, count in before.items()), lambda: str(alone.sink))
        [scraped] = [block for block in blocks("Looking after it") if block[0] == "scrape_configs:"]
        for target in yaml.safe_load("\n".join(scraped))["scrape_configs"][0]["static_configs"][0]["targets"]:
            with urllib.request.urlopen(f"http://{alone.here(target)}/metrics", timeout=10) as told:
                assert b'pbem_nodes{does="worker"' in told.read()
        with urllib.request.urlopen(f"http://127.0.0.1:{alone.web}/readyz", timeout=10) as told:
            assert told.status == 200
    with open_office(alone.office) as office:
        assert Table(office, Clock()).kinds.count("exchange_released") == 1
        assert verify(office, "ford").sound


def test_the_tables_are_brought_up_to_date_by_their_owner_alone(alone: Machine, of_the_office: dict[str, str]) -> None:
    with psycopg.connect(alone.url("pbem_owner"), autocommit=True) as connection:
        # As an older pbem left them.
        connection.execute("DROP TRIGGER event_is_not_emptied ON event")
    command = [alone.here(word) for word in words("pbem-upgrade.service")]
    by_the_office = alone.does(command, of_the_office)
    assert by_the_office.returncode == 1
    assert "may not do that" in by_the_office.stderr

    owners = (alone.folder / "etc" / "owner.env").read_text()
    by_its_owner = alone.does(command, {**of_the_office, **dict(line.split("=", 1) for line in owners.splitlines())})
    assert by_its_owner.returncode == 0, by_its_owner.stderr
    # The office may look: a further machine begins so.
    assert "already" in alone.does(command, of_the_office).stdout


@pytest.mark.parametrize(
    "kept_in",
    [
        "sqlite:///office.sqlite",
        "",
    ],
    ids=["in a file", "on a server"],
)
def test_a_copy_is_made_each_night_and_an_old_one_is_taken_away(
    kept_in: str, alone: Machine, of_the_office: dict[str, str], tmp_path: Path
) -> None:
    around = dict(of_the_office)
    if kept_in:
        around["PBEM_OFFICE"] = str(tmp_path / "office")
        told = ("--address", "office@games.example.org", "--database", kept_in)
        assert alone.does(["pbem", "init", around["PBEM_OFFICE"], *told], around).returncode == 0
    old, other = (alone.folder / "backups" / name for name in ("office-2026-01-01-0430.tar", "mine"))
    for path in (old, other):
        path.touch()
        os.utime(path, (0, 0))
    done = alone.does([alone.here(word) for word in words("pbem-backup.service")], around)
    assert done.returncode == 0, done.stderr
    assert alone.does([alone.here(word) for word in words("pbem-backup.service", "ExecStartPost")], {}).returncode == 0

    assert other.exists()
    assert not old.exists()
    [made] = (alone.folder / "backups").glob("office-*.tar")
    assert made.stat().st_mode & 0o077 == 0
    made.unlink()
