"""A game whose players follow standing orders, played as a campaign: each sheet comes as a letter, by the usual door.

Such an office never mails.  Its players, its hours and its dice follow from what is to be played, so that the same
game is the same office each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.house.demo import Chance, Clock, Happened
from pbem.desk.intake.receive import receive
from pbem.desk.library.scenarios import Scenario
from pbem.desk.office.office import Office, make_office, open_office
from pbem.desk.pages import files
from pbem.desk.pages.pages import SET_UP
from pbem.desk.players import enrol
from pbem.desk.turns import adjudicate, publish
from pbem.desk.worlds.worlds import fold_facts, world_at
from pbem.kernel.dice import SEED_BYTES, SeededDice
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.kernel.office import Option
from pbem.kernel.owed import Pause
from pbem.kernel.terms import Terms

_ADDRESS = "office@study.example"
_SETTINGS = f'address = "{_ADDRESS}"\nname = "The office of a study"\n'
_BEGAN = datetime(2026, 1, 5, 12, tzinfo=UTC)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_HOURS = 72
_STEP = timedelta(hours=24)
"""From one exchange to the next: no deadline comes before its exchange is played."""

Seeds = Callable[[Moment], tuple[bytes, bytes]]
"""The open and the closed seed of an exchange."""


class Script(Struct, frozen=True, kw_only=True):
    """What is to be played: all of it follows from this."""

    campaign: str
    scenario: Scenario
    options: Mapping[str, Option]
    turns: int
    """Past this turn nothing is played."""
    sheet: Callable[[Role, Moment], Sequence[str]]
    """What a role writes when it is called; nothing is silence."""
    seeds: Seeds


class _Luck:
    """Bytes for an office: the seeds of the exchange that is opened next, and else what follows from its name."""

    def __init__(self, script: Script) -> None:
        self._other, self._seeds = Chance(script.campaign), script.seeds
        self._ready = list[bytes]()

    def coming(self, *moments: Moment) -> None:
        """Have the seeds of *moments* drawn next."""
        self._ready = [seed for moment in moments for seed in self._seeds(moment)]

    def __call__(self, count: int) -> bytes:
        """The next *count* bytes."""
        return self._ready.pop(0) if count == SEED_BYTES and self._ready else self._other(count)


def play(folder: Path, script: Script) -> Iterator[Happened]:
    """Make an office in *folder* and play *script* in it; tells each exchange as it is made known.

    :raises Refused: if there is an office, or the scenario cannot be played.
    """
    clock, luck = Clock(_BEGAN), _Luck(script)
    make_office(folder, _SETTINGS, chance=luck)
    with open_office(folder, now=clock, chance=luck, mails=False) as office:
        _open(office, script, luck)
        hour = _BEGAN + _STEP
        clock.set(hour)
        while happened := _exchange(office, script, luck):
            yield happened
            clock.set(hour := hour + _STEP)


def _open(office: Office, script: Script, luck: _Luck) -> None:
    terms = Terms(trust="address", hours=_HOURS, zone="UTC")
    dossier = enrol.new(office, script.campaign, script.scenario, terms, options=dict(script.options), words="none")
    for role in dossier.opened.roles:
        enrol.add_player(office, script.campaign, role, name=role, address=_address(role), zone="UTC")
    seeds = script.seeds(SET_UP)
    dice = SeededDice(SET_UP, open_seed=seeds[0], closed_seed=seeds[1], forced={})
    field = fold_facts(dossier.system, dossier.blank, dossier.system.muster(dossier.scene, dossier.blank, dice))
    luck.coming(SET_UP, dossier.system.awaits(field.truth).moment)
    enrol.start(office, script.campaign)


def _exchange(office: Office, script: Script, luck: _Luck) -> Happened | None:
    """Play the exchange that is open, with all its halts, and make it known; None if there is none to play."""
    dossier = _dossier(office, script.campaign)
    if dossier.campaign.ended or dossier.exchange().moment.turn > script.turns:
        return None
    while dossier.exchange().state != "resolved":
        for call in _pause(office, dossier).calls:
            _send(office, script, call.role, dossier.exchange().address)
        adjudicate.run(office, script.campaign, early=True, defaults=True)
        dossier = _dossier(office, script.campaign)
    with office.read() as connection:
        truth = world_at(office, connection, dossier).truth
    if dossier.system.verdict(truth) is None:
        luck.coming(dossier.system.awaits(truth).moment)
    released = publish.release(office, script.campaign, early=True)
    written = files.write(office, CampaignId(script.campaign), released.reports.values())
    what = f"{released.moment} is released"
    if released.verdict:
        what = f"{what}, and {released.verdict.winner or 'nobody'} has won: {released.verdict.how}"
    return Happened(at=office.now(), what=what, reports=tuple(written))


def _pause(office: Office, dossier: Dossier) -> Pause:
    with office.read() as connection:
        pause: Pause = dossier.system.awaits(world_at(office, connection, dossier).truth)
    return pause


def _dossier(office: Office, campaign: str) -> Dossier:
    with office.read() as connection:
        return dossiers.load(office, connection, campaign)


def _send(office: Office, script: Script, role: Role, moment: Moment) -> None:
    """Have the sheet of *role* come in; nothing written is no letter."""
    lines = script.sheet(role, moment)
    if not lines:
        return
    letter = EmailMessage()
    letter["From"], letter["To"], letter["Subject"] = _address(role), _ADDRESS, f"[{script.campaign}] orders"
    letter["Date"] = format_datetime(_EPOCH + timedelta(microseconds=office.now()))
    letter["Message-ID"] = f"<{moment}-{role}@player.example>"
    letter.set_content("\n".join((f"turn {moment.written}", *lines)), cte="8bit")
    receive(office, letter.as_bytes(), way="file")


def _address(role: Role) -> str:
    return f"{role}@player.example"
