"""How the office stands: counted as it is, in words, as JSON and as Prometheus reads it."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

import pbem
from pbem.desk.house import nodes
from pbem.desk.house.metrics import MEDIA, exposition
from pbem.desk.house.status import Campaigns, Spread, Status, spread, status
from pbem.desk.house.watched import serve_metrics
from pbem.desk.intake.keeping import take_in
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.office.office import HOUR, SECOND
from pbem.desk.players import enrol
from pbem.desk.turns import adjudicate, pausing, publish
from pbem.kernel.errors import Refused, StorageError
from pbem.kernel.terms import Terms
from pbem.storage import outbox
from pbem.storage.house.counts import Mails, Queue
from tests.kit.table import Table
from tests.kit.terminal import Terminal

MINUTE = 60 * SECOND


def test_campaigns_are_counted_by_how_they_are(ford: Table) -> None:
    assert status(ford.office).campaigns == Campaigns(running=1)
    pausing.pause(ford.office, "ford", "I am ill.")
    assert status(ford.office).campaigns == Campaigns(paused=1)
    pausing.resume(ford.office, "ford", "Well again.")
    assert status(ford.office).campaigns == Campaigns(running=1)


def test_a_turn_is_due_then_overdue_then_unreleased_and_then_all_is_well(ford: Table) -> None:
    ford.clock.at = ford.dossier.exchange().deadline + MINUTE
    assert status(ford.office).campaigns == Campaigns(running=1, due=1)
    ford.clock.at += 20 * MINUTE
    assert status(ford.office).campaigns == Campaigns(running=1, due=1, overdue=1)
    adjudicate.run(ford.office, "ford", early=True)
    assert status(ford.office).campaigns == Campaigns(running=1, unreleased=1)
    publish.release(ford.office, "ford")

    found = status(ford.office)
    assert found.campaigns == Campaigns(running=1)
    assert found.turns == Spread(1, 21 * MINUTE, 21 * MINUTE)
    ford.clock.at += 25 * HOUR
    assert status(ford.office).turns.count == 0


def test_a_campaign_that_has_not_begun_is_counted_so(table: Table) -> None:
    assert status(table.office).campaigns == Campaigns()

    enrol.new(table.office, "ford", find_scenario(table.office.folder, "toy/ford"), Terms())
    assert status(table.office).campaigns == Campaigns(enrolling=1)


def test_letters_and_the_oldest_that_wait_are_counted(ford: Table) -> None:
    take_in(ford.office, ford.letter("smuggler", "move s1 to 3"), way="pipe")
    came = ford.clock.at
    ford.clock.at += HOUR

    found = status(ford.office)
    assert (found.letters["new"], found.unread_since, found.waiting_since) == (1, came, None)


def test_the_time_to_a_receipt_is_taken_of_letters_with_sheets(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    ford.write("smuggler", "help")
    [receipt] = [mail for mail in ford.mails if mail.cause.startswith("receipt/")]
    assert status(ford.office).receipts["hour"].made == Spread(1, 0, 0)
    with ford.office.write() as connection:
        outbox.sent(connection, receipt.id, answer="250", at=ford.clock.at + 4 * SECOND)

    assert status(ford.office).receipts["hour"].sent.count == 1
    ford.clock.at += 2 * HOUR
    assert status(ford.office).receipts["hour"].made.count == 0
    assert status(ford.office).receipts["day"].made.count == 1


def test_mails_that_wait_are_counted_and_since_when_the_oldest_could_leave(ford: Table) -> None:
    waiting = [mail for mail in ford.mails if mail.state == "queued"]
    ford.clock.at += HOUR

    found = status(ford.office).mails
    assert found == Mails(0, 0, len(waiting), 0, 0, min(mail.due_at for mail in waiting))


def test_half_and_ninety_nine_of_a_hundred_are_the_nearest_rank() -> None:
    assert spread(range(1, 101)) == Spread(100, 50, 99)
    assert spread([7]) == Spread(1, 7, 7)


# ------------------------------------------------------------------------------------------------- on a terminal


@pytest.mark.sqlite
def test_the_status_is_one_screen(ford: Table) -> None:
    with nodes.on_duty(ford.office, "worker"):
        said = Terminal().does("--office", str(ford.office.folder), "status")
        shown = Terminal().shows("--office", str(ford.office.folder), "status")

    assert len(said.splitlines()) < 24
    assert "1 running, 0 paused, 0 before their start, 0 over" in said
    assert shown["campaigns"]["running"] == 1
    assert "office.key" not in said


# ------------------------------------------------------------------------------------------------- for Prometheus

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\\\|\\"|\\n)*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (-?\d+(?:\.\d+)?)")


def samples(text: str) -> Iterator[tuple[str, str, float]]:
    """Every sample of an exposition, each below the HELP and the TYPE of its family; nothing else stands in it."""
    assert text.endswith("\n")
    lines, family = text.splitlines(), ""
    for before, line in zip(["", *lines], lines, strict=False):
        if line.startswith("# HELP "):
            family = line.split()[2]
        elif line.startswith("# TYPE "):
            assert line == f"# TYPE {family} gauge"
            assert before.startswith(f"# HELP {family} ")
        else:
            found = SAMPLE.fullmatch(line)
            assert found is not None, line
            assert found[1] == family
            yield found[1], found[2] or "", float(found[3])


def test_the_metrics_are_well_formed_and_name_no_game_and_nobody(ford: Table) -> None:
    ford.write("smuggler", "move s1 to 3")
    with nodes.on_duty(ford.office, "web"):
        text = exposition(status(ford.office))
    found = {(name, labels): value for name, labels, value in samples(text)}

    assert len(found) == len(list(samples(text)))
    assert found["pbem_campaigns", 'state="running"'] == 1
    assert found["pbem_letters", 'state="applied"'] == 1
    assert found["pbem_receipts", 'window="hour",until="made"'] == 1
    assert found["pbem_nodes", f'does="web",version="{pbem.__version__}"'] == 1
    assert not any(word in text for word in ("ford", "smuggler", "player.example", "office.example"))


def test_labels_are_escaped_and_ages_are_in_seconds() -> None:
    none = Spread(0, None, None)
    queue = Queue('a "b"\\\n', 3, 1, 0, 8_500_000)
    found = Status(
        at=10_000_000,
        campaigns=Campaigns(),
        letters={},
        unread_since=4_000_000,
        waiting_since=None,
        mails=Mails(0, 0, 0, 0, 0, 9_000_000),
        receipts={},
        turns=none,
        queues=(queue,),
        nodes=(),
    )
    read = {(name, labels): value for name, labels, value in samples(exposition(found))}

    assert read["pbem_wakeup_oldest_age_seconds", r'queue="a \"b\"\\\n"'] == 1.5
    assert read["pbem_wakeups", r'queue="a \"b\"\\\n",state="todo"'] == 3
    assert read["pbem_letter_oldest_age_seconds", 'state="unread"'] == 6
    assert read["pbem_mail_oldest_due_age_seconds", ""] == 1


def asked(port: int, path: str) -> tuple[int, str, str]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers["Content-Type"], error.read().decode()


def test_who_watches_is_told_by_http_until_the_block_ends(ford: Table) -> None:
    with serve_metrics(ford.office, "127.0.0.1:0") as port:
        code, media, text = asked(port, "/metrics")
        assert (code, media) == (200, MEDIA)
        assert ("pbem_campaigns", 'state="running"', 1.0) in list(samples(text))
        assert asked(port, "/healthz")[::2] == (200, "the office is served\n")
        assert asked(port, "/readyz")[::2] == (200, "ready\n")
        assert asked(port, "/")[0] == 404

    with pytest.raises(urllib.error.URLError):
        asked(port, "/healthz")


def test_an_office_whose_key_is_lost_is_not_ready_and_says_so_without_its_place(ford: Table) -> None:
    (ford.office.folder / "office.key").unlink()
    with serve_metrics(ford.office, "127.0.0.1:0") as port:
        code, _, text = asked(port, "/readyz")

    assert code == 503
    assert text.startswith("not ready: the key is missing")
    assert str(ford.office.folder) not in text


def test_a_database_that_is_gone_is_not_ready(ford: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(engine: object) -> None:
        raise StorageError("it is away")

    monkeypatch.setattr("pbem.storage.database.version", gone)
    with serve_metrics(ford.office, "127.0.0.1:0") as port:
        assert asked(port, "/readyz")[::2] == (503, "not ready: the database does not answer\n")
        assert asked(port, "/healthz")[0] == 200


@pytest.mark.parametrize(
    ("address", "why"), [("here", "is no address and port"), ("192.0.2.1:1", "nothing can be told")]
)
def test_an_address_that_cannot_be_served_is_refused(address: str, why: str, ford: Table) -> None:
    with pytest.raises(Refused, match=why), serve_metrics(ford.office, address):
        pass


def test_a_process_is_asked_whether_it_is_ready(ford: Table) -> None:
    with serve_metrics(ford.office, "127.0.0.1:0") as port:
        assert Terminal().does("status", "--ready", f"127.0.0.1:{port}") == "ready\n"
        (ford.office.folder / "office.key").rename(ford.office.folder / "away")
    with serve_metrics(ford.office, "127.0.0.1:0") as port:
        asked = Terminal().types("status", "--ready", f"127.0.0.1:{port}")
        assert (asked.exit_code, asked.stdout.partition(",")[0]) == (1, "not ready: the key is missing")
    for address in (f"127.0.0.1:{port}", "127.0.0.1:x", "nowhere"):
        asked = Terminal().types("status", "--ready", address)
        assert (asked.exit_code, asked.stdout.partition(":")[0]) == (1, f"nobody tells at {address.partition(':')[0]}")
