"""A letter, an upload, the GM's own hand and the demonstration come in by one door."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.desk.books.dossiers import load
from pbem.desk.books.shown import plain
from pbem.desk.house import demo
from pbem.desk.intake.receive import receive, submit
from pbem.desk.office.office import Office, make_office, open_office
from pbem.desk.players import enrol
from pbem.desk.turns import adjudicate, publish
from pbem.kernel.event import Recorded
from pbem.kernel.office import Source
from pbem.kernel.terms import Terms
from pbem.mail.reading.letter import read_letter
from tests.kit.table import SETTINGS, Table, again

SHEETS = (
    "turn 1A\nmove s1 to 3\nmvoe s2 to 4\n",
    "turn 1A\nadd\nmove s2 to 4\n",
    "turn 1B\nmove s1 to 4\n",
    "move s1 to 99\n",
    "wait on\numpire: may carts swim?\n",
    "letter to guard: hello\n",
    "withdraw\n",
    "\n# nothing\n",
)


def events(table: Table, *, whose: str) -> list[object]:
    """The events since the start, without what says which way they came and when."""
    found: list[object] = []
    for recorded in table.dossier.log[13:]:
        event = plain(recorded.event)
        for way in ("source", "message", "word"):  # a word is made of the bytes of the message
            event.pop(way, None)
        if event["kind"] == "message_received":
            event.pop("digest")
            event.pop("grade", None)
        found.append((str(recorded.moment), event))
    assert {one.actor for one in table.dossier.log[13:]} <= {whose, *table.dossier.campaign.players.values()}
    return found


@pytest.mark.parametrize(("source", "whose"), [("upload", ""), ("gm", "gm")])
def test_every_way_in_makes_the_same_events(
    begun: tuple[Path, int], ford: Table, tmp_path: Path, source: Source, whose: str
) -> None:
    folder, drawn = begun
    shutil.copytree(folder, tmp_path / "other")
    for text in SHEETS:
        ford.write("smuggler", text)
    by_letter = events(ford, whose="")
    with again(tmp_path / "other", drawn) as table:
        for text in SHEETS:
            table.submit("smuggler", text, source=source)

        assert len(by_letter) > len(SHEETS)
        assert events(table, whose=whose) == by_letter


Enters = Callable[[Office, Path], object]


def by_mail(office: Office, letter: Path) -> object:
    return receive(office, letter.read_bytes(), way="pipe")


def by_hand(office: Office, letter: Path) -> object:
    """The GM types the letter in."""
    lines = "\n".join(line.text for line in read_letter(letter.read_bytes()).lines)
    return submit(office, "ford-demo", letter.stem.partition("-")[2], lines.encode())


def log_of(office: Office) -> list[Recorded]:
    with office.read() as connection:
        return list(load(office, connection, "ford-demo").log)


def played(folder: Path, enter: Enters, *, twice: bool) -> list[Recorded]:
    """The game of the demonstration, its letters given to *enter*."""
    scenario, manifest, letters = demo.find_demo("toy")
    clock, chance = demo.Clock(manifest.began), demo.Chance(manifest.luck)
    make_office(folder, SETTINGS.replace("office@office.example", manifest.address), chance=chance)
    with open_office(folder, now=clock, chance=chance) as office:
        terms = Terms(trust="address", hours=manifest.hours, zone=manifest.zone)
        enrol.new(office, manifest.campaign, scenario, terms, options=manifest.options, words="none")
        for one in manifest.player:
            enrol.add_player(office, manifest.campaign, one.role, name=one.name, address=one.address, zone=one.zone)
        enrol.start(office, manifest.campaign)
        for step in manifest.step:
            clock.set(step.at)
            for name in step.letters if twice else dict.fromkeys(step.letters):
                enter(office, letters / name)
            adjudicate.run(office, manifest.campaign, early=True, defaults=True)
            publish.release(office, manifest.campaign)
        return log_of(office)


def bare(log: list[Recorded]) -> list[object]:
    """The events without what says which way something came, and what hangs on it: the heads that pages print."""
    found: list[object] = []
    for recorded in log:
        event = plain(recorded.event)
        for way in ("source", "message", "page", "replay", "word"):
            event.pop(way, None)
        if event["kind"] == "message_received":
            event.pop("digest")
            event.pop("grade", None)
        found.append((str(recorded.moment), event))
    return found


def test_the_demonstration_and_the_mail_make_the_same_log_to_the_last_byte(table: Table, tmp_path: Path) -> None:
    scenario, manifest, letters = demo.find_demo("toy")
    list(demo.play(tmp_path / "demo", scenario, manifest, letters))
    with open_office(tmp_path / "demo") as office:
        shown = log_of(office)

    assert played(tmp_path / "mail", by_mail, twice=True) == shown


def test_what_the_gm_types_in_makes_the_same_game(table: Table, tmp_path: Path) -> None:
    shown = played(tmp_path / "mail", by_mail, twice=False)

    typed = played(tmp_path / "hand", by_hand, twice=False)

    assert len(typed) > 20
    assert bare(typed) == bare(shown)
