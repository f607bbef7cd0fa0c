"""A letter, an upload and the GM's own hand come in by one door."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.desk.shown import plain
from pbem.kernel.office import Source
from tests.desk.table import Table, again

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
        for way in ("source", "message"):
            event.pop(way, None)
        if event["kind"] == "message_received":
            event.pop("digest")
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
