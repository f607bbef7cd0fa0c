"""Nothing of an office is changed or lost unseen: every table, every column; and what one would do to his own ends."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.house.doctor import examine
from pbem.desk.office.office import open_office, upgrade_office
from pbem.desk.post.printed import printed
from pbem.desk.proof.safekeeping import accept
from pbem.desk.proof.verify import names, verify, verify_office
from pbem.kernel.errors import StorageError
from pbem.kernel.names import CampaignId, Role
from pbem.kernel.office import OrdersAccepted
from pbem.storage import answers, heads, heartbeat, outbox, owed, players, seals, setbacks
from pbem.storage.heartbeat import Look
from pbem.storage.setbacks import Setback
from tests.desk.turns.test_halts import ANSWERS, DUE, FIRST, REPORTS, begin, through
from tests.kit.forger import Event, forge, only
from tests.kit.table import Table
from tests.kit.table import table as make
from tests.measured import PAGE
from tests.systems.play import SIXTH

Value = int | str | bytes | None

SEALED = "its seal: a digest of the whole row, kept beside it by triggers"
TABLES = [
    *("alias", "answer", "blob", "event", "heartbeat", "hook", "letter", "look", "mark", "node", "outbox", "owed"),
    *("pace", "player", "seal", "secret", "session", "setback", "sign_in", "snapshot"),
]


def play(table: Table) -> None:
    """A game with a halt and a release, letters of several fates, a mail that left and came back; and another game."""
    begin(table)
    table.write("stranger@nowhere.example", "move s1 to 3")
    table.receive(b"From: \xff\n\n\x00")
    through(table, DUE, FIRST, ANSWERS, REPORTS)
    table.write("guard", "watch g1 4")
    table.write("smuggler", "sing a song")
    with table.office.write() as connection:
        claimed, *_ = outbox.claim(connection, at=table.clock.at, until=table.clock.at + 1, by="sender")
        outbox.sent(connection, claimed.id, answer="250 taken", at=table.clock.at)
        setbacks.keep(connection, Setback(claimed.id, claimed.player, table.clock.at, "5.1.1", "no such box"))
        answers.note(connection, "somebody", at=table.clock.at)
        player = table.dossier.campaign.players[Role("guard")]
        owed.owe(connection, CampaignId("ford"), "notice/1", b"{}", at=table.clock.at)
        heartbeat.keep(connection, [Look(CampaignId("ford"), 1, table.clock.at, "0")])
        rows = (
            "node VALUES ('0de', 'here', 1, 'run', 1, 1, '1', 'k', 't', 's', 'y')",
            "pace VALUES ('player.example', 1)",
        )
        of_the_web = (
            f"session VALUES ('5e55', 'browser', 'Firefox', 1, 1, '{player}', '', '', 2)",
            f"hook VALUES ('400c', '{player}', 'https://bot.example/', 'report', 1)",
            f"sign_in VALUES ('116c', 1, 2, '{player}', '', 'c0de', 'b5', 'ad', '5e', NULL, 0)",
        )
        for row in (*rows, *of_the_web):
            connection.execute(f"INSERT INTO {row}")
        connection.execute(f"INSERT INTO alias VALUES ('ben@work.example', '{player}', 1, NULL)")
    table.name = "weir"
    table.open()
    table.name = "ford"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """An office in which all of that came to pass, and that is whole again after each test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SIXTH))
        with make(tmp_path_factory.mktemp("walked") / "office") as table:
            play(table)
            yield table


def file_of(table: Table) -> Path:
    """The database, closed and in one file."""
    path = table.office.engine.path
    table.office.engine.dispose()
    with with_a_tool(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return path


def named(folder: Path, *, enough: bool = False) -> list[str]:
    """All that is named, of the office and of every campaign; if the first is *enough*, not of these."""
    with open_office(folder) as office:
        whole = verify_office(office)
        rows = list(whole.rows)
        if whole.sound or not enough:
            rows += [row for name in names(office) for row in verify(office, name).rows]
    return [one.why for row in rows for one in row.found]


@contextmanager
def with_a_tool(path: Path) -> Iterator[sqlite3.Connection]:
    """The database by itself, without the office; nothing waits for the disk."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        yield connection


def spoil(path: Path, *statements: tuple[str, tuple[Value, ...]]) -> None:
    """Somebody with a tool carries *statements* out: no trigger sees it, no reference is checked."""
    with with_a_tool(path) as connection:
        connection.execute("BEGIN")
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement, values in statements:
            connection.execute(statement, values)
        for _, ddl in triggers:
            connection.execute(ddl)
        connection.execute("COMMIT")


def after(table: Table, *statements: tuple[str, tuple[Value, ...]], enough: bool = False) -> list[str]:
    """What is named after *statements*; they are taken back."""
    path = file_of(table)
    before = path.read_bytes()
    try:
        spoil(path, *statements)
        return named(table.office.folder, enough=enough)
    finally:
        path.write_bytes(before)


def looked(table: Table, statement: str) -> list[tuple[Any, ...]]:
    """What a question finds."""
    with with_a_tool(file_of(table)) as connection:
        return connection.execute(statement).fetchall()


def columns(table: Table, name: str) -> list[tuple[str, str, int]]:
    """The columns of a table, with their types, and which part they are of its key."""
    return [(row[1], row[2], row[5]) for row in looked(table, f"PRAGMA table_info({name})")]


def sampled(table: Table, name: str) -> list[str]:
    """SQL for the first row of a table, one in the middle, and the last."""
    key = [column for _, column in sorted((own, column) for column, _, own in columns(table, name) if own)]
    quoted = ", ".join(f"quote({column})" for column in key)
    rows = looked(table, f"SELECT {quoted} FROM {name} ORDER BY {', '.join(key)}")
    assert rows, f"no row of {name} is looked at"
    picked = sorted({0, len(rows) // 2, len(rows) - 1})
    return [" AND ".join(map(" = ".join, zip(key, rows[at], strict=True))) for at in picked]


def another(value: Value, kind: str) -> Value:
    """A value of the same type that is not *value*."""
    match value:
        case None:
            return 1 if "INT" in kind else "x"
        case int():
            return value + 1000
        case str():
            return value[:-1] + chr(ord(value[-1]) ^ 64) if value else "x"
        case bytes():
            middle = len(value) // 2
            return bytes([*value[:middle], value[middle] ^ 1, *value[middle + 1 :]]) if value else b"x"


def test_every_table_of_an_office_is_walked(played: Table) -> None:
    found = {name for (name,) in looked(played, "SELECT name FROM sqlite_master WHERE type = 'table'")}

    assert {*TABLES, "alembic_version"} == found


def test_an_office_that_nobody_touched_is_sound(played: Table) -> None:
    assert named(played.office.folder) == []


@pytest.mark.parametrize("name", TABLES)
def test_a_row_that_is_gone_is_named(played: Table, name: str) -> None:
    for where in sampled(played, name):
        found = after(played, (f"DELETE FROM {name} WHERE {where}", ()), enough=True)

        assert bool(found) == (name not in seals.WORTH_NOTHING), where


@pytest.mark.parametrize("name", TABLES)
def test_a_value_that_was_changed_is_named(played: Table, name: str) -> None:
    missed = []
    for where in sampled(played, name):
        for column, kind, _ in columns(played, name):
            [(value,)] = looked(played, f"SELECT {column} FROM {name} WHERE {where}")
            change = (f"UPDATE {name} SET {column} = ? WHERE {where}", (another(value, kind),))
            found = after(played, change, enough=True)
            unproven = name in seals.WORTH_NOTHING and column not in referring(played, name)
            if bool(found) == unproven:
                missed.append(f"{column} of {where}: {value!r}")

    assert missed == []


def referring(played: Table, name: str) -> set[str]:
    """The columns of a table that name a row of another: SQLite itself sees whether that is there."""
    return {row[3] for row in looked(played, f"PRAGMA foreign_key_list({name})")}


@pytest.mark.parametrize("name", TABLES)
def test_a_value_of_another_kind_is_named_in_words(played: Table, name: str) -> None:
    where = sampled(played, name)[0]
    missed = []
    for column, kind, _ in columns(played, name):
        for value in ("no number" if "INT" in kind else b"\x00\xff" if kind != "BLOB" else "no bytes", None):
            try:
                found = after(played, (f"UPDATE {name} SET {column} = ? WHERE {where}", (value,)), enough=True)
            except sqlite3.IntegrityError:  # the database itself refuses it
                continue
            allowed = value is None and name in seals.WORTH_NOTHING
            if not found and not allowed and looked(played, f"SELECT {column} FROM {name} WHERE {where}") != [(value,)]:
                missed.append(f"{column} = {value!r}")

    assert missed == []


def test_an_office_that_says_it_is_of_another_version_is_not_opened(played: Table) -> None:
    with pytest.raises(StorageError, match="run pbem db upgrade"):
        after(played, ("UPDATE alembic_version SET version_num = '0001'", ()))
    with pytest.raises(StorageError, match=r"run pbem db upgrade|not of an office"):
        after(played, ("DELETE FROM alembic_version", ()))


# ------------------------------------------------------------------------- what somebody would do to his own ends


def ids(table: Table, kind: str) -> list[tuple[Any, ...]]:
    return looked(table, f"SELECT json_extract(data, '$.digest') FROM event WHERE kind = '{kind}'")


def test_a_kept_letter_whose_bytes_are_gone_or_changed_is_named_with_its_event(played: Table) -> None:
    digest = ids(played, "message_received")[0]
    gone = after(played, ("DELETE FROM blob WHERE sha256 = ?", digest))
    assert "the letter's bytes are gone" in gone
    changed = after(played, ("UPDATE blob SET data = x'00', packed = '' WHERE sha256 = ?", digest))
    assert "the letter's bytes are changed" in changed
    emptied = after(played, ("UPDATE blob SET data = NULL WHERE sha256 = ?", digest))
    assert f"blob {digest[0]} was changed behind the office's back" in emptied


def test_a_mail_whose_bytes_are_gone_or_changed_is_named(played: Table) -> None:
    [(id, digest)] = looked(played, "SELECT id, digest FROM outbox WHERE cause LIKE 'receipt/guard/1'")
    gone = after(played, ("DELETE FROM blob WHERE sha256 = ?", (digest,)))
    assert f"the bytes of mail {id} (receipt/guard/1) are gone" in gone
    changed = after(played, ("UPDATE blob SET data = x'00', packed = '' WHERE sha256 = ?", (digest,)))
    assert f"the bytes of mail {id} (receipt/guard/1) are changed" in changed


def test_seeds_of_the_open_exchange_that_are_gone_or_swapped_are_named(played: Table) -> None:
    [(promise,)] = looked(
        played, "SELECT open_promise FROM secret WHERE campaign = 'ford' ORDER BY made_at DESC LIMIT 1"
    )
    gone = after(played, ("DELETE FROM secret WHERE campaign = 'ford' AND open_promise = ?", (promise,)))
    assert any(why.startswith("the seeds that were promised for 1B are gone") for why in gone)
    swapped = after(
        played,
        (
            "UPDATE secret SET open_seed = (SELECT open_seed FROM secret AS other WHERE other.campaign = 'weir')"
            " WHERE campaign = 'ford' AND open_promise = ?",
            (promise,),
        ),
    )
    assert "the seeds kept for 1B are not those that were promised" in swapped


def test_a_receipt_whose_row_is_gone_is_named_by_its_number(played: Table) -> None:
    found = after(played, ("DELETE FROM outbox WHERE cause = 'receipt/smuggler/1'", ()))

    assert "receipt 1 of smuggler was never owed: a mail is missing" in found


@pytest.mark.parametrize("change", ["received_at = received_at - 3600000000", "state = 'refused'", "player = NULL"])
def test_a_letter_made_late_or_refused_afterwards_is_named(played: Table, change: str) -> None:
    found = after(played, (f"UPDATE letter SET {change} WHERE id = 1", ()))

    assert "letter 1 was changed behind the office's back" in found


def test_a_log_whose_end_is_cut_with_the_mails_of_that_time_is_named(played: Table) -> None:
    [(last, since)] = looked(
        played, "SELECT seq, recorded_at FROM event WHERE campaign = 'ford' ORDER BY seq DESC LIMIT 1 OFFSET 3"
    )
    end = played.dossier.seq
    found = after(
        played,
        ("DELETE FROM event WHERE campaign = 'ford' AND seq > ?", (last,)),
        ("DELETE FROM outbox WHERE created_at >= ?", (since,)),
        ("DELETE FROM letter WHERE received_at >= ?", (since,)),
        ("DELETE FROM seal WHERE place IN ('outbox', 'letter')", ()),
    )

    assert f"the log ends at event {last}, and had come to event {end}: what came after is gone" in found


def test_a_campaign_that_was_deleted_altogether_is_named(played: Table) -> None:
    found = after(
        played,
        *((f"DELETE FROM {name} WHERE campaign = 'ford'", ()) for name in ("event", "outbox", "letter", "secret")),
        ("DELETE FROM seal", ()),
    )

    assert "ford is gone, with all its events" in found
    assert any(re.fullmatch(r"all its \d+ events are gone", why) for why in found)


def test_orders_written_anew_with_the_chain_and_without_their_receipt_are_named(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    heads_file = heads.path_of(ford.office.engine.path)
    kept = heads_file.read_bytes()

    def orders(events: list[Event]) -> None:
        sheet = only(events, "orders_accepted")["data"]
        sheet["text"] = sheet["text"].replace("s1 to 3", "s1 to 2")
        sheet["digest"] = hashlib.sha256(sheet["text"].encode()).hexdigest()
        sheet["orders"][0]["square"] = 2

    forge(ford, orders)
    heads_file.write_bytes(kept)
    spoil(file_of(ford), ("DELETE FROM outbox WHERE cause = 'receipt/smuggler/1'", ()))
    found = named(ford.office.folder)

    assert "it is not the event that was written then: it and all after it were written anew" in found
    assert "receipt 1 of smuggler was never owed: a mail is missing" in found


def test_what_the_office_does_later_with_a_row_that_was_changed_does_not_make_it_whole(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    spoil(file_of(ford), ("UPDATE player SET zone = 'Asia/Tokyo'", ()))
    with ford.office.write() as connection:
        connection.execute("UPDATE player SET epoch = epoch + 1")

    assert sum("behind the office's back" in why for why in named(ford.office.folder)) == 2


def test_what_was_erased_is_erased_and_not_broken(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    with ford.office.write() as connection:
        players.erase(connection, ford.dossier.campaign.players[Role("smuggler")], at=ford.clock.at)

    assert named(ford.office.folder) == []


def test_who_knows_how_it_came_about_may_take_it_as_it_stands_and_that_is_told(ford: Table) -> None:
    spoil(file_of(ford), ("UPDATE player SET zone = 'Asia/Tokyo'", ()))
    with open_office(ford.office.folder) as office:
        assert accept(office, "both moved to Japan") == 2
        row = next(row for row in verify_office(office).rows if row.name == "heads")

    assert named(ford.office.folder) == []
    assert row.what.endswith("accepted: both moved to Japan")


def test_an_office_without_its_triggers_is_looked_at_and_told_how_to_mend(ford: Table) -> None:
    with with_a_tool(file_of(ford)) as connection:
        connection.execute("DROP TRIGGER event_is_not_deleted")
    with open_office(ford.office.folder, unguarded=True) as office:
        found = [one.why for row in verify_office(office).rows for one in row.found]
    assert found == ["the trigger event_is_not_deleted is missing or changed: pbem db upgrade puts it back"]

    upgrade_office(ford.office.folder)

    assert named(ford.office.folder) == []


@pytest.mark.parametrize("column", ["received_at", "state", "digest"])
def test_the_doctor_says_where_to_look_when_a_row_holds_what_no_office_writes(ford: Table, column: str) -> None:
    ford.write("smuggler", "move s1 to 3")
    spoil(file_of(ford), (f"UPDATE letter SET state = 'new', {column} = ?", (b"\xff",)))

    assert [one.says for one in examine(ford.office.folder) if one.state == "wrong"]


def test_a_file_of_the_heads_that_is_gone_is_named(ford: Table) -> None:
    heads.path_of(ford.office.engine.path).unlink()

    assert "office.heads is gone: it told where each log ends" in named(ford.office.folder)[0]


# ------------------------------------------------------------------------------------------- printed in letters


def test_a_receipt_and_a_letter_to_the_gm_hold_the_office_to_its_log(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    receipt = printed(ford.text_of(ford.mails[-1]))
    ford.write("guard", "umpire: may I cross the bridge?")
    notice = next(printed(ford.text_of(mail)) for mail in ford.mails if mail.player is None)
    sheet = next(one.seq for one in ford.dossier.log if isinstance(one.event, OrdersAccepted))

    for head, seq in ((receipt, sheet), (notice, ford.dossier.seq)):
        row = next(row for row in verify(ford.office, "ford", head=head).rows if row.name == "head")
        assert row.what == f"{head[:8]}…, event {seq}"


def test_a_receipt_tells_nobody_whether_anything_came_to_pass(ford: Table) -> None:
    """What it prints is no hash of the log: that could be tried against guesses of what others did."""
    ford.write("smuggler", "move s1 to 3")
    text = ford.text_of(ford.mails[-1])

    with ford.office.read() as connection:
        hashes = connection.execute("SELECT hash FROM event").scalars()
    assert printed(text)
    assert not any(hash in text for hash in hashes)


def test_a_log_written_anew_is_told_from_the_receipts_that_have_left(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")

    def later(events: list[Event]) -> None:
        only(events, "orders_accepted")["recorded_at"] += 3_600_000_000

    forge(ford, later)

    assert "receipt 1 of smuggler prints the head of another log" in named(ford.office.folder)


# ------------------------------------------------------------------------------------------------------ the page


def rendered() -> str:
    """The table of what proves what, as the page shows it."""
    how = {f"`{name}`": why for name, why in seals.ELSEWHERE.items()}
    how |= {f"`{name}`": f"worth nothing: {why}" for name, why in seals.WORTH_NOTHING.items()}
    rows = [*sorted(how.items()), ("every other", SEALED)]
    return "\n".join(f"| {name} | {why} |" for name, why in rows)


def test_the_page_shows_which_table_is_proven_how() -> None:
    assert rendered() in PAGE.read_text("utf-8")
