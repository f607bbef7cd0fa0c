"""A shipped campaign is played from its letters, by a clock and with dice that are the same every time.

`demo/demo.toml` of a scenario says who plays, and step by step what comes and what the GM does:

    campaign = "stprivat-demo"
    began = 2026-08-01T18:00:00Z        # the hour of the first step
    luck = "any text"                   # the seeds follow from it
    look = ["…"]                        # what is worth looking at, one line each
    [options]
    [[player]]
    role = "french"
    name = "M. Canrobert"
    address = "canrobert@player.example"
    zone = "Europe/Paris"
    [[step]]
    at = 2026-08-01T19:30:00Z
    annul = "why"                       # the GM annuls the newest exchange, and opens its orders anew
    letters = ["s1-french.eml"]         # they come in by the door that every letter takes
    run = true                          # then the GM resolves, to a halt if somebody is asked; what is to be released
                                        # is played to its end, in silence where nobody wrote
    release = true                      # and makes it known

Such an office never mails.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
from msgspec import Struct

from pbem.desk.intake.fates import Received
from pbem.desk.intake.receive import receive
from pbem.desk.library.scenarios import Scenario, folders, read_scenario
from pbem.desk.office.office import Office, make_office, open_office
from pbem.desk.pages import files
from pbem.desk.players import enrol
from pbem.desk.proof.verify import verify
from pbem.desk.turns import adjudicate, exchange, publish
from pbem.kernel.errors import BadScenario, BrokenLog, Refused
from pbem.kernel.names import CampaignId, Role
from pbem.kernel.office import Option
from pbem.kernel.terms import Terms

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SETTINGS = 'address = "{address}"\nname = "The office of the demonstration"\n'


class Actor(Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays a role."""

    role: Role
    name: str
    address: str
    zone: str = "UTC"


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """Letters that come at an hour, what the GM does before it, and what then."""

    at: datetime
    annul: str = ""
    letters: tuple[str, ...] = ()
    run: bool = False
    release: bool = False
    note: str = ""


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole of a `demo.toml`."""

    campaign: str
    began: datetime
    luck: str
    player: tuple[Actor, ...]
    step: tuple[Step, ...]
    address: str = "office@demo.example"
    hours: int = 72
    zone: str = "UTC"
    options: dict[str, Option] = {}
    look: tuple[str, ...] = ()
    first: bool = False
    """The one that is played where no system is named."""


class Happened(Struct, frozen=True, kw_only=True):
    """One thing that the demonstration did."""

    at: int
    what: str
    received: Received | None = None
    reports: tuple[Path, ...] = ()


class Chance:
    """Bytes that follow from a text: the same each time, and so no secret."""

    def __init__(self, luck: str) -> None:
        self._luck, self._drawn = luck, 0

    def __call__(self, count: int) -> bytes:
        """The next *count* bytes."""
        self._drawn += 1
        return hashlib.shake_256(f"{self._luck}/{self._drawn}".encode()).digest(count)


class Clock:
    """A clock that stands where it was set."""

    def __init__(self, at: datetime) -> None:
        self.set(at)

    def set(self, at: datetime) -> None:
        """Let it be *at*."""
        aware = at if at.tzinfo else at.replace(tzinfo=UTC)
        self.at = (aware - _EPOCH) // timedelta(microseconds=1)

    def __call__(self) -> int:
        """The hour, in microseconds UTC."""
        return self.at


def find_demo(system: str | None, scenario: str | None = None) -> tuple[Scenario, Manifest, Path]:
    """A scenario (of *system*, called *scenario*) that has a demonstration, its manifest, the folder of its letters.

    Of several it is the one that says that it is the first, else the first in the alphabet.  A *scenario* may have its
    system before it, as everywhere: `kriegsspiel/muehlrode`.

    :raises Refused: if there is none.
    :raises BadScenario: if the manifest cannot be read.
    """
    if scenario and "/" in scenario and system is None:
        system, scenario = scenario.split("/", 1)
    found = [
        (folder, read_manifest(folder / "demo" / "demo.toml"))
        for name, _, folder in sorted(folders(None))
        if system in (None, name) and scenario in (None, folder.name) and (folder / "demo" / "demo.toml").is_file()
    ]
    for folder, manifest in sorted(found, key=lambda one: not one[1].first):
        return read_scenario(folder), manifest, folder / "demo"
    of = "/".join(part for part in (system, scenario) if part)
    shown = sorted(
        f"{name}/{folder.name}" for name, _, folder in folders(None) if (folder / "demo" / "demo.toml").is_file()
    )
    raise Refused(f"there is no demonstration{f' of {of}' if of else ''}.  There are: {', '.join(shown) or 'none'}.")


def play(folder: Path, scenario: Scenario, manifest: Manifest, letters: Path) -> Iterator[Happened]:
    """Make an office in *folder* and play the demonstration in it; tells each thing as it is done.

    :raises Refused: if there is an office, or a step cannot be done.
    """
    clock, chance = Clock(manifest.began), Chance(manifest.luck)
    make_office(folder, _SETTINGS.format(address=manifest.address), chance=chance)
    with open_office(folder, now=clock, chance=chance, mails=False) as office:
        _open(office, scenario, manifest)
        yield Happened(at=clock.at, what=f"{manifest.campaign} begins")
        for step in manifest.step:
            clock.set(step.at)
            if step.note:
                yield Happened(at=clock.at, what=step.note)
            if step.annul:
                again = exchange.annul(office, manifest.campaign, None, step.annul, reopen=True)
                yield Happened(at=clock.at, what=f"{again.moment} is annulled and open again: {step.annul}")
            for name in step.letters:
                received = receive(office, _read(letters / name), way="file")
                yield Happened(at=clock.at, what=name, received=received)
            yield from _gm(office, manifest.campaign, step, clock)
        yield Happened(at=clock.at, what=_verified(office, manifest.campaign))


def _open(office: Office, scenario: Scenario, manifest: Manifest) -> None:
    terms = Terms(trust="address", hours=manifest.hours, zone=manifest.zone)
    enrol.new(office, manifest.campaign, scenario, terms, options=manifest.options, words="none")
    for one in manifest.player:
        enrol.add_player(office, manifest.campaign, one.role, name=one.name, address=one.address, zone=one.zone)
    enrol.start(office, manifest.campaign)


def _gm(office: Office, campaign: str, step: Step, clock: Clock) -> Iterator[Happened]:
    if step.run:
        while True:
            ran = adjudicate.run(office, campaign, early=True, defaults=True)
            came = f"is played to {ran.halt.moment}" if ran.halt else "is resolved"
            yield Happened(at=clock.at, what=f"{ran.moment} {came}: {len(ran.facts)} facts")
            if not (ran.halt and step.release):
                break
    if step.release:
        released = publish.release(office, campaign, early=True)
        written = files.write(office, CampaignId(campaign), released.reports.values())
        yield Happened(at=clock.at, what=f"{released.moment} is released", reports=tuple(written))


def _verified(office: Office, campaign: str) -> str:
    """See that everything in the log follows from what was written, and nothing else is in it.

    :raises BrokenLog: if not.
    """
    found = verify(office, campaign)
    if found.first:
        raise BrokenLog(f"{campaign} is not sound: {found.first.why}")
    return f"{campaign} is sound: {'; '.join(f'{row.name} {row.what}'.strip() for row in found.rows)}"


def read_manifest(path: Path) -> Manifest:
    """The manifest of a demonstration.

    :raises BadScenario: naming the entry, if it cannot be read.
    """
    try:
        return msgspec.convert(tomllib.loads(path.read_text("utf-8")), Manifest)
    except (OSError, ValueError) as error:
        raise BadScenario(str(path), str(error)) from None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}.") from None
