"""Several processes keep one office: each says what it goes by, and who has another key is refused."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.desk.house import nodes
from pbem.desk.house.doctor import Finding, examine
from pbem.desk.office.office import Office
from pbem.kernel.errors import Refused
from pbem.rules import registry
from pbem.storage.house import nodes as written
from pbem.storage.house.nodes import Node
from tests.kit.table import Table
from tests.kit.terminal import Terminal


def findings(table: Table) -> list[Finding]:
    @contextmanager
    def opener(folder: Path) -> Iterator[Office]:
        yield table.office

    return [one for one in examine(table.office.folder, opener) if one.what == "node"]


def elsewhere(table: Table, **changes: str) -> Node:
    """Another node that says that it is on duty."""
    node = replace(nodes.this(table.office, "web"), id="other", host="north", pid=7, **changes)
    with table.office.write() as connection:
        written.here(connection, node)
    return node


def test_a_process_on_duty_is_seen_and_gone_at_its_end(table: Table) -> None:
    with nodes.on_duty(table.office, "web") as node:
        assert nodes.seen(table.office) == [node]
        assert (node.host, node.pid, node.does) == (socket.gethostname(), os.getpid(), "web")
        assert nodes.others(table.office) == []
        table.clock.at += nodes.SILENT
        assert nodes.seen(table.office) == []

    table.clock.at -= nodes.SILENT
    assert nodes.seen(table.office) == []


def test_it_says_so_again_with_what_lies_there_by_then(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nodes, "EVERY", 0.01)
    with nodes.on_duty(table.office, "run") as node:
        (table.office.folder / "templates").mkdir()
        (table.office.folder / "templates" / "report.html").write_text("Hello")
        table.clock.at += nodes.SILENT
        until = time.monotonic() + 20
        while not (found := nodes.seen(table.office)) and time.monotonic() < until:
            time.sleep(0.01)

    [again] = found
    assert (again.id, again.since, again.seen_at) == (node.id, node.since, table.clock.at)
    assert node.templates == "" != again.templates


def test_it_names_every_system_by_its_content_and_one_that_cannot_be_read(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.BUILT_IN, "crossroads", "there.is.no.such:SYSTEM")
    lines = nodes.this(table.office, "run").systems.splitlines()

    assert [line.split()[0] for line in lines] == list(registry.names())
    assert f"st-privat {registry.content_hash(registry.load('st-privat'))[:16]}" in lines
    assert "crossroads unreadable" in lines


def test_nobody_is_on_duty_with_another_key(table: Table) -> None:
    (table.office.folder / "office.key").write_text("ab" * 32)

    with pytest.raises(Refused, match="is not the key of this office"), nodes.on_duty(table.office, "worker"):
        pass
    assert nodes.seen(table.office) == []


@pytest.mark.sqlite
@pytest.mark.parametrize("words", [("run",), ("run", "--once"), ("run", "--web"), ("web",)], ids=" ".join)
def test_no_command_goes_on_duty_with_another_key(words: tuple[str, ...], table: Table) -> None:
    (table.office.folder / "office.key").write_text("ab" * 32)

    said = Terminal().refused("--office", str(table.office.folder), *words)
    assert "is not the key of this office" in said


def test_the_doctor_says_nothing_of_nodes_that_agree(table: Table) -> None:
    elsewhere(table)

    assert findings(table) == []


def test_the_doctor_says_in_what_another_node_differs(table: Table) -> None:
    systems = "\n".join(("moon 1", "toy 0", *nodes.this(table.office, "web").systems.splitlines()[:-1]))
    elsewhere(table, version="9.9", templates="others", scenarios="others", systems=systems)

    [found] = findings(table)
    assert (found.what, found.state) == ("node", "look")
    assert found.says.startswith("web on north, process 7: it is pbem 9.9, and here is 0.1.0; its templates are not")
    assert "its scenarios are not those that lie here; it has moon, which is not installed here" in found.says
    assert found.says.endswith(": let it be the same, and start it again")


def test_rules_are_told_apart_by_name() -> None:
    here = Node("a", "h", 1, "run", 0, 0, "1", "k", "", "", "crossroads 1\ntoy 1")
    there = replace(here, systems="crossroads 2\nmoon 1")

    assert nodes.unlike(here, here) == []
    assert nodes.unlike(there, here) == [
        "its rules of crossroads are others",
        "it has moon, which is not installed here",
        "toy is not installed there",
    ]


def test_a_node_with_another_key_is_wrong(table: Table) -> None:
    elsewhere(table, key="0123456789abcdef")

    [found] = findings(table)
    assert found.state == "wrong"
    assert "its key is 0123456789abcdef, and here is" in found.says
