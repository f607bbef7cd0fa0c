"""Where each log ends stands in a file beside the database, whoever wrote it and whatever cut him short."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pbem.storage import heads
from pbem.storage.codec import Codec
from pbem.storage.database import transaction
from pbem.storage.databases.connection import Engine
from pbem.storage.log import SqlLog
from tests.kit.facts import AUTUMN, FACTS, NOW, moves

CODEC = Codec(FACTS)


def grow(office: Engine, count: int, expecting: int) -> None:
    with transaction(office) as connection:
        SqlLog(connection, CODEC).append(AUTUMN, moves(count), expecting=expecting, at=NOW, actor="gm")


def file_of(office: Engine) -> Path:
    return heads.path_of(office.path)


def test_every_transaction_that_made_a_log_grow_leaves_a_line(office: Engine) -> None:
    grow(office, 3, 0)
    grow(office, 2, 3)

    told = heads.read(file_of(office))

    assert told is not None
    assert [seq for seq, _ in told.heads[AUTUMN]] == [3, 5]
    with transaction(office) as connection:
        assert SqlLog(connection, CODEC).head(AUTUMN) == told.heads[AUTUMN][-1]


def test_what_was_taken_back_leaves_none(office: Engine) -> None:
    grow(office, 3, 0)

    def fails() -> None:
        with transaction(office) as connection:
            SqlLog(connection, CODEC).append(AUTUMN, moves(1), expecting=3, at=NOW, actor="gm")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    with transaction(office):
        pass

    told = heads.read(file_of(office))

    assert told is not None
    assert [seq for seq, _ in told.heads[AUTUMN]] == [3]


def test_a_file_that_cannot_be_written_holds_nobody_up(office: Engine) -> None:
    file_of(office).unlink(missing_ok=True)
    file_of(office).mkdir()

    grow(office, 3, 0)

    with transaction(office) as connection:
        assert SqlLog(connection, CODEC).head(AUTUMN).seq == 3


def test_a_line_that_a_power_cut_left_in_pieces_is_counted_and_harms_no_other(tmp_path: Path) -> None:
    path = tmp_path / "office.heads"
    heads.append(path, {"autumn": (1, "a" * 64)})
    with path.open("ab") as file:
        file.write(b"autumn 2 bb\n\0\0\0\n")
    heads.append(path, {"autumn": (3, "c" * 64)})

    told = heads.read(path)

    assert told is not None
    assert told.heads == {"autumn": ((1, "a" * 64), (3, "c" * 64))}
    assert told.unread == 2


def test_from_a_line_on_the_heads_count_that_the_logs_had_then(tmp_path: Path) -> None:
    path = tmp_path / "office.heads"
    for seq in (1, 5, 9):
        heads.append(path, {"autumn": (seq, str(seq) * 64), "spring": (seq, str(seq) * 64)})
    heads.begin(path, {"autumn": (5, "5" * 64)}, "brought back\nfrom copy.sqlite")
    heads.append(path, {"autumn": (6, "6" * 64)})

    told = heads.read(path)

    assert told is not None
    assert told.begun == ("brought back from copy.sqlite",)
    assert told.heads == {"autumn": ((1, "1" * 64), (5, "5" * 64), (6, "6" * 64))}


def test_two_processes_do_not_write_into_each_others_lines(tmp_path: Path) -> None:
    path = tmp_path / "office.heads"
    program = (
        "import sys; from pathlib import Path; from pbem.storage import heads\n"
        "for seq in range(1, 500): heads.append(Path(sys.argv[1]), {sys.argv[2]: (seq, 'a' * 64)})"
    )
    writers = [subprocess.Popen([sys.executable, "-c", program, str(path), name]) for name in ("autumn", "spring")]
    assert [writer.wait() for writer in writers] == [0, 0]

    told = heads.read(path)

    assert told is not None
    assert {name: len(those) for name, those in told.heads.items()} == {"autumn": 499, "spring": 499}
    assert told.unread == 0
