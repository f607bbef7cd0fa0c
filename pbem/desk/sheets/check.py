"""An order file is judged before it is sent, by the same functions and in the same words as its receipt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.library.scenarios import check_scenario, find_scenario
from pbem.desk.sheets import files, sheets
from pbem.kernel.dice import SEED_BYTES, SeededDice
from pbem.kernel.errors import Refused
from pbem.kernel.names import Moment
from pbem.orders.account import LineFate, of_fate
from pbem.orders.sheet import Line
from pbem.orders.words import Sheet
from pbem.reports.pages.receipt import REFUSALS, Judged, Word, judged
from pbem.reports.text.speech import phrase
from pbem.rules.contract import apply

if TYPE_CHECKING:
    from pbem.desk.office.office import Office
    from pbem.desk.sheets.receipts import Standpoint


class Checked(Struct, frozen=True, kw_only=True):
    """What a receipt would say of each line, by its number in the file, and by whose knowledge that was judged."""

    lines: tuple[Judged, ...]
    says: str

    @property
    def refused(self) -> int:
        """How many lines would be refused."""
        return len({line.number for line in self.lines if line.word in REFUSALS})


class Tried(Struct, frozen=True):
    """A file as it would be read now: from where its role stands, its parts, and what is judged of its order lines."""

    at: Standpoint
    lines: tuple[Line, ...]
    sheet: Sheet
    judged: sheets.Judged
    later: bool
    """It is for a moment that is not open yet: only its words were judged."""

    @property
    def numbers(self) -> Mapping[int, int]:
        """The number in the file of each order line, by its number among these."""
        return {place: line.number for place, line in enumerate(self.sheet.orders, start=1)}


def in_campaign(office: Office, campaign: str | None, role: str | None, raw: bytes, name: str = "") -> Checked:
    """Judge a file as the receipt of *campaign* would; campaign and role are those given, or those of the file's head.

    :raises Refused: if nothing says them, there is none such, or the sheet as a whole would be refused.
    """
    done = tried(office, campaign, role, raw, name)
    moment = sheets.moment_of(done.sheet, done.lines, done.at.moment)
    says = f"Only the words were judged: {moment} is not open yet." if done.later else "The receipt would say the same."
    return Checked(lines=lines_of(done.judged, done.sheet, done.lines), says=says)


def tried(office: Office, campaign: str | None, role: str | None, raw: bytes, name: str = "") -> Tried:
    """Read a file as it would be read if it came now.

    :raises Refused: as `in_campaign` does.
    """
    # What needs an office is loaded only where there is one: a file can be judged without, and at once.
    from pbem.desk.books import dossiers
    from pbem.desk.sheets import closing, receipts
    from pbem.storage import players

    lines = files.order_lines(raw, name)
    head = files.head_of(lines)
    campaign = campaign or files.game_of(head)
    if campaign is None:
        raise Refused("nothing says by what to judge it: --campaign NAME, a line `game NAME`, or --scenario NAME.")
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        known = files.role_of(head, role, dossier.id, dossier.roles)
        at = receipts.standpoint(office, connection, dossier, known)
        writer = dossier.campaign.players.get(known)
        player = players.get(connection, writer) if writer else None
    zone = player.zone if player else office.settings.zone
    sheet = sheets.part(dossier.system, dossier.scene, known, at.mind, lines, (player and player.name) or "")
    moment = sheets.moment_of(sheet, lines, at.moment)
    later = moment != at.moment or moment.waits
    why = "" if later and not dossier.campaign.ended else closing.closed(dossier, at, office.now(), zone)
    if moment < at.moment:
        why = why or phrase("{moment} is over, and {now} is open", moment=moment, now=at.moment)
    elif not later and at.call is None:
        why = why or phrase("{moment} asks nothing of {role}", moment=moment, role=known)
    if why:
        raise Refused(phrase("all of it would be refused: {why}.", why=why))
    call, written = None if later else at.call, sheets.written(sheet.orders)
    judged = sheets.judge(dossier.system, dossier.scene, at.mind, known, written, call)
    return Tried(at, lines, sheet, judged, later)


def by_scenario(office: Path | None, scenario: str, role: str | None, raw: bytes, name: str = "") -> Checked:
    """Judge a file by the scenario as it begins, where no campaign is at hand: its words, and nothing else.

    :raises Refused: if there is no such scenario or role, or nothing says the role.
    """
    found = find_scenario(office, scenario)
    system = check_scenario(found)
    scene = system.scene(found.files)
    world = system.blank(scene, {})
    zero = bytes(SEED_BYTES)
    dice = SeededDice(Moment(0, 0), open_seed=zero, closed_seed=zero, forced={})
    for fact in system.muster(scene, world, dice):
        world = apply(system, world, fact)
    lines = files.order_lines(raw, name)
    known = files.role_of(files.head_of(lines), role, "", tuple(world.minds))
    mind = world.minds[known]
    sheet = sheets.part(system, scene, known, mind, lines)
    read = sheets.judge(system, scene, mind, known, sheets.written(sheet.orders), None)
    says = f"Only the words were judged, by the beginning of {found.name}."
    return Checked(lines=lines_of(read, sheet, lines), says=says)


def lines_of(read: sheets.Judged, sheet: Sheet, lines: Sequence[Line]) -> tuple[Judged, ...]:
    """What is said of each line of a file, numbered as the file does; its order lines are as they were *read*."""
    numbers = {place: line.number for place, line in enumerate(sheet.orders, start=1)}
    words: dict[int, Word] = {command.line.number: "office word" for command in sheet.commands}
    words |= {line.number: "ignored" for line in of_fate(sheet.account, LineFate.PROSE, LineFate.OUTSIDE)}
    said = [replace(one, number=numbers.get(one.number, 0)) for one in judged(read.lines, read.complaints, {})]
    about = {complaint.line for complaint in sheet.complaints} | set(words)
    said += judged([line for line in lines if line.number in about], sheet.complaints, words)
    return tuple(sorted(said, key=lambda one: one.number))
