"""What is asked of a log reads no more of it than it must, and gives what all of it would."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from pbem.desk.turns import adjudicate, publish
from pbem.desk.turns.exchange import annul
from pbem.kernel.errors import BrokenLog
from pbem.kernel.event import Outcome, Recorded
from pbem.kernel.log import valid
from pbem.kernel.names import CampaignId
from pbem.storage.log import SqlLog
from tests.kit.table import Table


def play(table: Table, exchanges: int) -> None:
    for _ in range(exchanges):
        adjudicate.run(table.office, table.name, early=True)
        publish.release(table.office, table.name)


def all_of(table: Table) -> tuple[Recorded, ...]:
    with table.office.read() as connection:
        return tuple(SqlLog(connection, table.dossier.ground.codec()).read(CampaignId(table.name)))


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[Recorded]:
    """Every fact that is read from here on."""
    facts: list[Recorded] = []
    read = SqlLog.read

    def counted(log: SqlLog, campaign: CampaignId, **which: Any) -> Iterator[Recorded]:
        for one in read(log, campaign, **which):
            if isinstance(one.event, Outcome):
                facts.append(one)
            yield one

    monkeypatch.setattr(SqlLog, "read", counted)
    return facts


def test_a_letter_reads_no_fact_from_before_the_newest_fold(ford: Table, reads: list[Recorded]) -> None:
    play(ford, 4)
    assert [one for one in all_of(ford) if isinstance(one.event, Outcome)]
    ford.office.kept.clear()
    reads.clear()

    received = ford.write("smuggler", "move s1 to 3\n")

    assert received.state == "applied"
    assert not reads


def test_the_record_is_the_log(ford: Table) -> None:
    play(ford, 2)
    annul(ford.office, "ford", None, "A mistake.")
    ford.office.kept.clear()
    record, whole = ford.dossier.log, all_of(ford)

    assert record[3] == whole[3]
    assert [record[place] for place in range(len(record))] == list(whole)
    assert record[4:9] == whole[4:9]
    assert record[-2:] == whole[-2:]
    assert tuple(record) == whole
    assert tuple(reversed(record)) == whole[::-1]
    assert tuple(record.upto(7)) == whole[:7]
    assert record.own == tuple(one for one in whole if not isinstance(one.event, Outcome))


def test_facts_are_those_that_stand_from_wherever_they_are_asked_for(ford: Table) -> None:
    play(ford, 2)
    annul(ford.office, "ford", None, "A mistake.")
    play(ford, 1)
    standing = [one for one in valid(all_of(ford)) if isinstance(one.event, Outcome)]
    end = ford.dossier.seq
    for after, upto in ((end - 9, end), (5, end - 3), (0, end), (12, 20)):
        ford.office.kept_of("campaigns", "ford").pop("dossier", None)
        dossier = ford.dossier
        for _ in range(2):
            assert list(dossier.facts(after=after, upto=upto)) == [one for one in standing if after < one.seq <= upto]
        assert list(dossier.facts()) == standing
        assert dossier.own == tuple(one for one in dossier.valid if not isinstance(one.event, Outcome))


def test_an_event_that_is_not_there_is_missed(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    play(ford, 1)
    ford.office.kept.clear()
    dossier = ford.dossier
    monkeypatch.setattr(SqlLog, "read", lambda *_, **__: iter(()))

    with pytest.raises(BrokenLog, match="not all there"):
        tuple(dossier.log)


def test_of_what_is_over_one_fold_an_exchange_is_kept(ford: Table) -> None:
    for _ in range(3):
        adjudicate.run(ford.office, ford.name, early=True)
        annul(ford.office, ford.name, None, "A mistake.")
        play(ford, 1)
    opened = sorted(one.opened for one in ford.dossier.campaign.exchanges.values())
    with ford.office.read() as connection:
        kept = [seq for (seq,) in connection.execute("SELECT seq FROM snapshot ORDER BY seq")]

    assert [len([seq for seq in kept if first <= seq < end]) for first, end in pairwise(opened)] == [1, 1, 2]
