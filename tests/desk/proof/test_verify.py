from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from pbem.desk.office.office import open_office
from pbem.desk.proof.proof import Verified
from pbem.desk.proof.verify import CHECKS, names, verify
from pbem.desk.turns import adjudicate, exchange, publish
from pbem.kernel.errors import UnknownCampaign, UnknownSystem
from pbem.storage.log import HASHED
from tests.kit.forger import Event, forge, only, unguarded
from tests.kit.table import Chance, Clock, Table
from tests.kit.table import table as make
from tests.systems.play import SIXTH

CART_ORDERS = "move s1 to 3\nmove s2 to 4"
FIRE = "fire g2 at 4\nfire g1 at 3"


def play(table: Table) -> None:
    """A whole turn: orders of both sides, a line refused, two reports each."""
    table.open()
    table.write("smuggler", CART_ORDERS)
    table.clock.forward(1)
    table.write("guard", "watch g1 3\nsing a song")
    table.clock.forward(80)
    adjudicate.run(table.office, "ford", early=True)
    table.clock.forward(1)
    publish.release(table.office, "ford")
    table.clock.forward(1)
    table.write("guard", FIRE)
    adjudicate.run(table.office, "ford", early=True)
    table.clock.forward(1)
    publish.release(table.office, "ford")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an office that has played a turn."""
    folder = tmp_path_factory.mktemp("played") / "office"
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(SIXTH))
        with make(folder, luck="omen") as table:
            play(table)
    return folder


@pytest.fixture
def turn(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A copy of it, to be spoilt."""
    monkeypatch.syspath_prepend(str(SIXTH))
    folder = shutil.copytree(played, tmp_path / "office")
    clock, chance = Clock(), Chance("later")
    clock.forward(100)
    with open_office(folder, now=clock, chance=chance) as office:
        yield Table(office, clock)


def found(verified: Verified) -> list[str]:
    """The checks that found something."""
    return [row.name for row in verified.rows if row.found]


def printed_head(table: Table) -> str:
    """The head that the last report of the guard prints."""
    mail = [one for one in table.mails if one.cause.startswith("report/1B/guard")][-1]
    message = message_from_bytes(table.bytes_of(mail), policy=default)
    body = message.get_body(("plain",))
    assert body
    [head] = re.findall(r"Log as known to you:\s+([0-9a-f]{64})", body.get_content())
    return str(head)


def burn_papers(table: Table) -> None:
    """The forger destroys all that the office kept of its letters and pages."""
    with table.office.write() as connection:
        connection.execute("DELETE FROM outbox")
        connection.execute("DELETE FROM letter")
        pages = "SELECT json_extract(data, '$.page') FROM event WHERE kind = 'report_issued'"
        connection.execute(f"UPDATE blob SET data = NULL WHERE sha256 IN ({pages})")


def test_a_campaign_that_nobody_touched_is_sound(turn: Table) -> None:
    verified = verify(turn.office, "ford", head=printed_head(turn))

    assert verified.sound
    assert [(row.name, row.what) for row in verified.rows if row.name != "head"] == [
        ("hash chain", "39 events"),
        ("heads", "11 heads"),
        ("rows", "letters, mails, seeds"),
        ("letters", "3 letters"),
        ("mails", "9 mails"),
        ("orders", "3 sheets, 6 lines, digests"),
        ("dice", "2 turns, 3 throws, seeds and promises"),
        ("replay", "state of 2 exchanges"),
        ("resolve again", "turn 1, toy 1.0.0, 15 outcomes"),
        ("reports", "6 issued, digests"),
    ]


def die(events: list[Event]) -> None:
    throw = only(events, "toy.patrol_fired")["data"]["dice"][0]
    throw["faces"] = [throw["faces"][0] % 6 + 1]


def ruled_die(events: list[Event]) -> None:
    die(events)
    only(events, "toy.patrol_fired")["data"]["dice"][0]["by"] = "ruling"


def loss(events: list[Event]) -> None:
    only(events, "toy.loss_recorded")["data"]["men"] = 2


def known(events: list[Event]) -> None:
    only(events, "toy.loss_recorded")["data"]["known"]["guard"] = "full"


def text(events: list[Event]) -> None:
    sheet = only(events, "orders_accepted")["data"]
    sheet["text"] = sheet["text"].replace("s1 to 3", "s1 to 2")
    sheet["digest"] = hashlib.sha256(sheet["text"].encode()).hexdigest()


def order(events: list[Event]) -> None:
    text(events)
    only(events, "orders_accepted")["data"]["orders"][0] |= {"square": 2, "text": "move s1 to 2"}


def invented(events: list[Event]) -> None:
    """A fact between two events at which nothing was decided."""
    place = events.index(only(events, "message_received"))
    event = only(events, "toy.phase_began")
    events.insert(place, {**event, "data": {**event["data"]}})
    for seq, one in enumerate(events, start=1):
        one["seq"] = seq


def swapped(events: list[Event]) -> None:
    one, other = only(events, "toy.cart_moved", 0), only(events, "toy.cart_moved", 1)
    one["data"], other["data"] = other["data"], one["data"]


def swapped_sheets(events: list[Event]) -> None:
    """Two sheets of one role change places, and their receipts with them."""
    one, other = only(events, "orders_accepted", 1), only(events, "orders_accepted", 2)
    for column in ("data", "turn", "exchange"):
        one[column], other[column] = other[column], one[column]
    one["data"]["receipt"], other["data"]["receipt"] = 1, 2


def promised(events: list[Event]) -> None:
    opened = only(events, "exchange_opened")["data"]
    opened["promises"] = {"open": "0" * 64, "closed": opened["promises"]["closed"]}


def seed(events: list[Event]) -> None:
    only(events, "exchange_released")["data"]["open_seed"] = "00" * 32


def view(events: list[Event]) -> None:
    """One role is given the page of the other."""
    resolved = only(events, "exchange_resolved", 1)["data"]
    for event in events:
        if event["kind"] == "report_issued" and event["data"]["view"] == resolved["views"]["guard"]:
            event["data"]["view"] = resolved["views"]["smuggler"]
    resolved["views"]["guard"] = resolved["views"]["smuggler"]


FORGERIES: dict[str, tuple[Callable[[list[Event]], None], str]] = {
    "a die": (die, "dice"),
    "a die, called a ruling": (ruled_die, "dice"),
    "a loss": (loss, "resolve again"),
    "who knows of a loss": (known, "resolve again"),
    "the text of an order": (text, "orders"),
    "an order, text and reading": (order, "resolve again"),
    "a fact that nobody decided": (invented, "replay"),
    "two facts in each other's place": (swapped, "resolve again"),
    "two sheets in each other's place": (swapped_sheets, "orders"),
    "a promise": (promised, "dice"),
    "a seed": (seed, "dice"),
    "a page": (view, "reports"),
}


@pytest.mark.sqlite
@pytest.mark.parametrize("what", FORGERIES)
def test_a_forgery_with_all_hashes_computed_anew_is_found(turn: Table, what: str) -> None:
    change, by = FORGERIES[what]
    forge(turn, change)
    burn_papers(turn)

    verified = verify(turn.office, "ford")

    assert verified.rows[0].name == "hash chain"
    assert not verified.rows[0].found
    assert by in found(verified)


@pytest.mark.sqlite
@pytest.mark.parametrize("what", FORGERIES)
def test_a_forgery_is_found_by_a_head_that_a_player_has(turn: Table, what: str) -> None:
    head = printed_head(turn)
    change, _ = FORGERIES[what]
    forge(turn, change)
    burn_papers(turn)

    assert "head" in found(verify(turn.office, "ford", head=head, fold=True))


def later(events: list[Event]) -> None:
    """A sheet came an hour later."""
    only(events, "orders_accepted")["recorded_at"] += 3_600_000_000


@pytest.mark.sqlite
def test_a_changed_time_is_found_by_the_head_on_the_pages_that_were_kept(turn: Table) -> None:
    forge(turn, later)

    verified = verify(turn.office, "ford")

    assert found(verified) == ["orders", "reports"]
    assert verified.rows[-1].found[0].why == "its page prints the head of another log"


@pytest.mark.sqlite
def test_a_changed_time_of_which_no_paper_is_left_is_found_by_a_printed_head_alone(turn: Table) -> None:
    head = printed_head(turn)
    forge(turn, later)
    burn_papers(turn)

    assert verify(turn.office, "ford").sound
    assert found(verify(turn.office, "ford", head=head)) == ["head"]


def cut(events: list[Event]) -> None:
    """The last exchange never was: all from the guard's last sheet on."""
    del events[events.index(only(events, "orders_accepted", -1)) - 1 :]


@pytest.mark.sqlite
def test_a_tail_cut_off_is_found_by_the_letters_that_were_sent(turn: Table) -> None:
    forge(turn, cut)

    verified = verify(turn.office, "ford")

    assert found(verified) == ["letters", "orders", "reports"]
    assert next(row for row in verified.rows if row.name == "orders").found[0].why == (
        "guard was sent receipt 2, of which the log knows nothing"
    )


@pytest.mark.sqlite
def test_a_tail_cut_off_of_which_no_paper_is_left_is_found_by_a_printed_head_alone(turn: Table) -> None:
    head = printed_head(turn)
    forge(turn, cut)
    burn_papers(turn)

    assert verify(turn.office, "ford").sound
    assert found(verify(turn.office, "ford", head=head)) == ["head"]


@pytest.mark.sqlite
def test_a_receipt_that_told_of_another_text_is_found(turn: Table) -> None:
    forge(turn, order)

    row = next(row for row in verify(turn.office, "ford").rows if row.name == "orders")

    assert row.found[0].why == "receipt 1 of smuggler told of another text"


@pytest.mark.sqlite
@pytest.mark.parametrize("seq", [1, 15, 39])
@pytest.mark.parametrize("column", [*HASHED, "hash"])
def test_a_flipped_byte_in_any_column_is_found(turn: Table, column: str, seq: int) -> None:
    with unguarded(turn) as connection:
        value = connection.execute(f"SELECT CAST({column} AS BLOB) FROM event WHERE seq = ?", (seq,)).fetchone()[0]
        if not value:
            return  # the first event has no hash before it
        at = len(value) // 2
        flipped = bytes([*value[:at], value[at] ^ 1, *value[at + 1 :]])
        number = isinstance(connection.execute(f"SELECT {column} FROM event").fetchone()[0], int)
        new: int | str = 999 if number else flipped.decode("latin-1")
        connection.execute(f"UPDATE event SET {column} = ? WHERE seq = ?", (new, seq))

    broken = []
    for name in names(turn.office):
        verified = verify(turn.office, name)
        broken += found(verified)

    assert broken


def test_a_report_of_which_no_mail_was_ever_owed_is_found(turn: Table) -> None:
    with turn.office.write() as connection:
        connection.execute("DELETE FROM outbox WHERE cause = 'report/1B/guard/1'")

    verified = verify(turn.office, "ford")

    assert found(verified) == ["reports"]
    assert verified.first is not None
    assert verified.first.why == "guard was never owed the report that was issued"


def test_a_flipped_byte_of_a_kept_view_is_found(turn: Table) -> None:
    with turn.office.write() as connection:
        views = "SELECT json_extract(data, '$.view') FROM event WHERE kind = 'report_issued'"
        changed = connection.execute(f"UPDATE blob SET data = CAST(data || ' ' AS BLOB) WHERE sha256 IN ({views})")
        assert changed.rowcount

    verified = verify(turn.office, "ford")

    assert found(verified) == ["reports"]
    assert verified.first is not None
    assert verified.first.why == "its view is changed"


def test_what_was_erased_is_erased_and_not_broken(turn: Table) -> None:
    burn_papers(turn)

    verified = verify(turn.office, "ford")

    assert verified.sound
    assert verified.rows[-1].what == "6 issued, digests; 6 erased"


@pytest.mark.sqlite
def test_the_first_difference_is_named_with_what_was_logged_and_what_is_decided_now(turn: Table) -> None:
    forge(turn, loss)

    row = next(row for row in verify(turn.office, "ford").rows if row.name == "resolve again")

    assert [(one.kind, one.fields) for one in row.found] == [("toy.loss_recorded", (("men", "2", "1"),))]


def test_a_run_that_was_annulled_and_run_again_is_verified_both_times(turn: Table) -> None:
    exchange.annul(turn.office, "ford", None, "a wrong table was used")
    adjudicate.run(turn.office, "ford", early=True)
    publish.release(turn.office, "ford")

    verified = verify(turn.office, "ford")

    assert verified.sound
    assert [row.what for row in verified.rows if row.name == "replay"] == ["state of 3 exchanges"]


def test_a_turn_opened_again_with_new_seeds_is_verified_by_those_it_was_thrown_with(turn: Table) -> None:
    exchange.annul(turn.office, "ford", None, "a letter was lost", reopen=True)
    turn.write("guard", "fire g1 at 4\nfire g2 at 3")
    adjudicate.run(turn.office, "ford", early=True)
    publish.release(turn.office, "ford")

    assert verify(turn.office, "ford").sound


def test_rules_that_are_not_those_installed_are_named(turn: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.rules.registry.content_hash", lambda system: "77c0" + "0" * 60)

    verified = verify(turn.office, "ford")

    assert verified.sound  # they decide the same
    assert "the installed 1.0.0 is 77c0…" in verified.pinned


def test_rules_that_decide_otherwise_are_shown_and_change_nothing(turn: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.rules.registry.content_hash", lambda system: "77c0" + "0" * 60)
    monkeypatch.setattr("tests.systems.toy.turn.hits", lambda die, least: False)
    before = turn.dossier.seq

    verified = verify(turn.office, "ford")

    assert found(verified) == ["resolve again"]
    assert verified.first is not None
    assert ("hit", "yes", "no") in verified.first.fields
    assert turn.dossier.seq == before


def test_a_campaign_that_is_not_there_is_refused(turn: Table) -> None:
    with pytest.raises(UnknownCampaign):
        verify(turn.office, "bridge")


def test_a_campaign_whose_rules_are_not_installed_is_said_to_be_just_that(
    turn: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise UnknownSystem(name, ())

    monkeypatch.setattr("pbem.rules.registry.load", missing)

    verified = verify(turn.office, "ford")

    assert not verified.sound
    assert [row.skipped for row in verified.rows[3:]] == ["the log cannot be read"] * len(CHECKS)
    assert verified.first is not None
    assert 'there is no rules system "toy"' in verified.first.why
