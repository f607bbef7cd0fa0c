"""A file of a campaign that somebody made to hurt: what it names is refused by a sentence, and nothing is taken in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.proof.exported import signed
from pbem.desk.proof.transfer import export, take_in
from pbem.desk.turns import shelf
from pbem.kernel.errors import Refused
from pbem.storage.log import HASHED, chained
from tests.kit.table import Table
from tests.kit.table import table as make

Line = dict[str, Any]


def rewritten(lines: list[bytes], change: Callable[[Line], None]) -> list[bytes]:
    """The file after *change*, every hash made anew, and signed: its maker knows the chain, and has a key."""
    read: list[Line] = [json.loads(line) for line in lines]
    before = ""
    for line in read:
        if line["line"] == "event":
            line["data"] = json.loads(line["data"])
        change(line)
        if line["line"] == "event":
            data = line["data"]
            line["data"] = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
            line["prev_hash"] = before
            before = line["hash"] = chained([str(line[name]).encode() for name in HASHED])
    read[0]["head"] = before
    return list(signed((json.dumps(line).encode() for line in read[:-1]), b"a forger's own key, 32 bytes long"))


def named(name: str) -> Callable[[Line], None]:
    """The campaign is called so."""

    def change(line: Line) -> None:
        if "campaign" in line:
            line["campaign"] = name
        if line["line"] == "event" and line["kind"] == "campaign_opened":
            line["data"]["campaign"] = name

    return change


def opened(**said: Any) -> Callable[[Line], None]:
    """It was opened with something else."""

    def change(line: Line) -> None:
        if line["line"] == "event" and line["kind"] == "campaign_opened":
            line["data"] |= said

    return change


def in_line(kind: str, **said: Any) -> Callable[[Line], None]:
    def change(line: Line) -> None:
        if line["line"] == kind:
            line |= said

    return change


def in_event(kind: str, **said: Any) -> Callable[[Line], None]:
    def change(line: Line) -> None:
        if line["line"] == "event" and line["kind"] == kind:
            line["data"] |= said

    return change


def as_data(data: str) -> Callable[[Line], None]:
    def change(line: Line) -> None:
        if line["line"] == "event" and line["kind"] == "campaign_opened":
            line["data"] = data

    return change


EVIL: dict[str, Callable[[Line], None]] = {
    "a campaign that is a path": named("../../evil"),
    "a campaign that is a line": named("ford\r\nBcc: x"),
    "a role that is a path": opened(roles=["../../evil", "guard"]),
    "a role that is a path, enrolled": in_event("player_enrolled", role="../../evil"),
    "a player who is a path": in_event("player_enrolled", player="../../evil"),
    "a player who is a path, on his own line": in_line("player", id="../../evil"),
    "a player whose name writes a header": in_line("player", name="=?utf-8?q?a=0D=0ABcc:_b?="),
    "a player whose address is a list": in_line("player", address="a@x.example, b@x.example"),
    "a player whom machines write for": in_line("player", address="mailer-daemon@x.example"),
    "a player whom the office would take for itself": in_line("player", address="office+ann@office.example"),
    "a title that writes a header": opened(title="=?utf-8?q?a=0D=0ABcc:_b?="),
    "a title of two lines": opened(title="a\r\nBcc: b"),
    "a scenario that is a path": opened(scenario="toy/../../../etc"),
    "a system that is a path": opened(system="../toy"),
    "a zone that is a path": opened(zone="../../etc/passwd"),
    "a zone of a player that is a path": in_line("player", zone="../../etc/passwd"),
    "a digest that is none": in_line("blob", sha256="../x"),
    "a time that never comes": in_line("event", recorded_at=10**30),
    "a time of a player that never comes": in_line("player", created_at=10**30),
    "a time in an event that never comes": in_event("exchange_opened", due=[10**18]),
    "a number in an event that is none": in_event("exchange_opened", due=[10**30]),
    "a turn that never comes": in_line("event", turn=10**12),
    "an exchange without a letter": in_event("exchange_opened", moment={"turn": 1, "exchange": 99}),
    "an event as deep as a well": as_data('{"kind":"campaign_opened","options":' + "[" * 100_000 + "]" * 100_000 + "}"),
    "an event that is deep": as_data('{"kind":"campaign_opened","options":' + "[" * 300 + "]" * 300 + "}"),
    "an event that is nothing": as_data("nothing"),
    "a line as deep as a well": in_line("campaign", campaign="DEEP"),
}


@pytest.mark.parametrize("change", EVIL.values(), ids=EVIL)
def test_a_file_that_was_made_to_hurt_is_refused_by_a_sentence(
    table: Table, tmp_path: Path, change: Callable[[Line], None]
) -> None:
    table.open()
    lines = rewritten(list(export(table.office, "ford", people=True, seeds=True)), change)
    lines[0] = lines[0].replace(b'"DEEP"', b"[" * 100_000 + b"]" * 100_000)
    with make(tmp_path / "another", luck="other") as there:
        before = sorted(tmp_path.rglob("*"))
        with pytest.raises(Refused, match=r"ford\.jsonl"):
            take_in(there.office, lines, "ford.jsonl")

        with there.office.read() as connection:
            assert connection.execute("SELECT count(*) FROM event").scalar() == 0
        assert [path for path in sorted(tmp_path.rglob("*")) if "office.sqlite" not in path.name] == [
            path for path in before if "office.sqlite" not in path.name
        ]


def test_a_file_that_was_only_written_anew_is_taken_in_and_its_reports_stay_in_their_folder(
    table: Table, tmp_path: Path
) -> None:
    table.open()
    table.turn()
    lines = rewritten(list(export(table.office, "ford", people=True, seeds=True)), lambda line: None)
    with make(tmp_path / "another", luck="other") as there:
        take_in(there.office, lines, "ford.jsonl")
        written = shelf.export(there.office, "ford", None, (), None)

        home = there.office.folder / "reports" / "ford"
        assert {path.parent for path in written} == {home}
