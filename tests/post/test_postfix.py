"""Letters go in and out by a real Postfix; players read theirs in a real Dovecot; what cannot arrive comes back."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.utils import make_msgid
from pathlib import Path
from urllib.parse import unquote

import pytest
from imap_tools import MailBoxUnencrypted, MailMessage

from pbem.desk.intake.fates import Received
from pbem.desk.office.office import make_office, open_office
from pbem.desk.players.changes import find_player
from pbem.desk.post import bounces, delivery
from pbem.desk.ways import arrivals
from pbem.desk.ways.doors import Doors, open_doors
from pbem.storage import letters, setbacks
from tests.kit.dovecot import PASSWORD
from tests.kit.postfix import PATIENCE, USER
from tests.kit.table import Clock, Table
from tests.post.conftest import Post
from tests.systems.play import SIXTH

ROOT = Path(__file__).parents[2]

SETTINGS = """\
address = "office@{domain}"
gm = "gm@player.example"

[smtp]
host = "127.0.0.1"
port = {smtp}

[listen]
lmtp = "127.0.0.1:{lmtp}"
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder to which Postfix's users may come; pytest's own are closed to them."""
    place = Path(tempfile.mkdtemp(prefix="pbem-post-"))
    place.chmod(0o755)
    yield place / "office"
    shutil.rmtree(place)


@contextmanager
def begun(folder: Path, post: Post, domain: str = "office.example") -> Iterator[Table]:
    """An office of *domain* in which the campaign `ford` has begun, by the real clock."""
    make_office(folder, SETTINGS.format(domain=domain, smtp=post.postfix.smtp, lmtp=post.lmtp))
    with open_office(folder) as office:
        table = Table(office, Clock())
        table.open()
        yield table


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(SIXTH))


@pytest.fixture
def office(toy: None, folder: Path, post: Post) -> Iterator[tuple[Table, Doors]]:
    """An office that takes letters in by LMTP."""
    with begun(folder, post) as table, open_doors(table.office) as doors:
        empty(post, "ann@player.example", "ben@player.example", "gm@player.example")
        yield table, doors


def empty(post: Post, *users: str) -> None:
    for user in users:
        with MailBoxUnencrypted("127.0.0.1", post.dovecot.imap).login(user, PASSWORD) as box:
            box.delete([one.uid for one in box.fetch(headers_only=True) if one.uid])


def mailbox(post: Post, user: str, *, holding: int) -> list[MailMessage]:
    """What *user* reads in his mailbox, as soon as so many letters lie there."""
    end = time.monotonic() + PATIENCE
    while True:
        with MailBoxUnencrypted("127.0.0.1", post.dovecot.imap).login(user, PASSWORD) as box:
            found = list(box.fetch(mark_seen=False))
        if len(found) >= holding:
            return found
        assert time.monotonic() < end, post.postfix.log()
        time.sleep(0.05)


def dealt(table: Table, doors: Doors) -> Received:
    """What becomes of the next letter that comes by a door."""
    end = time.monotonic() + PATIENCE
    while True:
        for received in arrivals.sweep(table.office):
            return received
        assert doors.came.wait(max(0, end - time.monotonic())), "no letter came"
        doors.came.clear()


def answer(to: MailMessage, text: str) -> EmailMessage:
    """What a mail program makes of Reply."""
    reply = EmailMessage()
    reply["From"] = "Ann <ann@player.example>"
    reply["To"] = to.reply_to_values[0].email if to.reply_to_values else to.from_
    reply["Subject"] = f"Re: {to.subject}"
    [sent] = to.headers["message-id"]
    reply["Message-ID"] = make_msgid(domain="player.example")
    reply["In-Reply-To"] = sent
    reply["References"] = f"{to.headers['references'][0]} {sent}"
    reply.set_content(text)
    return reply


def test_a_player_answers_his_briefing_and_reads_receipt_and_report_in_his_mailbox(
    office: tuple[Table, Doors], post: Post
) -> None:
    table, doors = office
    assert len(delivery.send_due(table.office).sent) == 2
    [briefing] = mailbox(post, "ann@player.example", holding=1)
    reply = answer(briefing, "move s1 to 3\n")
    post.postfix.send("ann@player.example", str(reply["To"]), reply.as_bytes())

    received = dealt(table, doors)
    assert (received.state, received.campaign, received.role) == ("applied", "ford", "smuggler")
    assert len(delivery.send_due(table.office).sent) == 1
    receipt = mailbox(post, "ann@player.example", holding=2)[1]
    assert receipt.headers["in-reply-to"] == (str(reply["Message-ID"]),)
    assert receipt.headers["return-path"] == ("<>",)

    table.turn()
    delivery.send_due(table.office)
    report = mailbox(post, "ann@player.example", holding=3)[2]
    assert report.subject.startswith("[ford]")
    assert "1A" in report.subject
    # Of 1B nothing is asked of him, and no alarm is set.
    assert [one.content_type for one in report.attachments] == ["image/png", "text/html"]
    assert report.text
    assert "<img" in report.html
    [mail] = [mail for mail in table.mails if mail.cause == "report/1A/smuggler/1"]
    assert report.headers["return-path"] == (f"<{bounces.way_back(table.office, mail)}>",)
    assert report.headers["message-id"] == (mail.message_id,)
    kept = table.bytes_of(mail).replace(b"\r\n", b"\n")
    arrived = report.obj.as_bytes()
    assert arrived.endswith(kept.partition(b"\n\n")[2])


def test_what_another_server_refuses_comes_back_by_postfix_and_is_understood(
    office: tuple[Table, Doors], post: Post
) -> None:
    table, doors = office
    with table.office.write() as connection:
        connection.execute("UPDATE player SET address = 'ben@gone.example' WHERE address = 'ben@player.example'")
    assert len(delivery.send_due(table.office).sent) == 2
    received = dealt(table, doors)

    id = find_player(table.office, "ben@gone.example").id
    [lost] = [mail for mail in table.mails if mail.player == id]
    assert (received.state, received.reason) == ("ignored", f"the post could not deliver mail {lost.id} (5.1.1)")
    assert lost.state == "failed"
    assert "nobody of that name reads here" in lost.answer
    with table.office.read() as connection:
        assert [(one.mail, one.player, one.status) for one in setbacks.listing(connection)] == [
            (lost.id, lost.player, "5.1.1")
        ]
    delivery.send_due(table.office)
    [told] = mailbox(post, "gm@player.example", holding=1)
    assert told.subject == "[ford] a mail did not arrive"
    assert "ben@gone.example" in told.text


def test_a_letter_to_the_address_that_stops_letters_stops_them_and_a_word_brings_them_back(
    office: tuple[Table, Doors], post: Post
) -> None:
    table, doors = office
    delivery.send_due(table.office)
    [briefing] = mailbox(post, "ann@player.example", holding=1)
    link = briefing.headers["list-unsubscribe"][0].strip("<>").removeprefix("mailto:")
    stop, _, subject = unquote(link).partition("?subject=")
    post.postfix.send("ann@player.example", stop, f"From: ann@player.example\nSubject: {subject}\n\n".encode())

    assert dealt(table, doors).reason == "it stopped the letters to its player"
    table.turn()
    delivery.send_due(table.office)
    assert "no more letters" in mailbox(post, "ann@player.example", holding=2)[1].subject

    reply = answer(briefing, "move s1 to 3\n")
    post.postfix.send("ann@player.example", str(reply["To"]), reply.as_bytes())
    dealt(table, doors)
    delivery.send_due(table.office)
    subjects = [one.subject for one in mailbox(post, "ann@player.example", holding=4)[2:]]
    assert any("1A" in subject for subject in subjects)


def test_by_a_pipe_a_letter_waits_with_postfix_while_there_is_no_office_and_comes_again(
    toy: None, folder: Path, post: Post
) -> None:
    with begun(folder, post, "pipe.office.example") as table:
        delivery.drop(table.office, table.mails[0].id)
    for path in (folder, *folder.rglob("*")):
        shutil.chown(path, USER)
    away = folder.with_name("away")
    folder.rename(away)
    write_hook(post.postfix.hook, folder)
    raw = b"From: ann@player.example\nSubject: [ford] x\nMessage-ID: <pipe@player.example>\n\nmove s1 to 3\n"
    to = "office@pipe.office.example"
    post.postfix.send("ann@player.example", to, raw)
    post.postfix.wait_for("status=deferred (temporary failure")
    post.postfix.wait_until_kept(to, kept=True)

    away.rename(folder)
    post.postfix.wait_for("status=sent (delivered via pipe service")
    with open_office(folder) as office:
        table = Table(office, Clock())
        with office.read() as connection:
            [letter] = letters.listing(connection)
        assert (letter.source, letter.state, letter.campaign) == ("pipe", "applied", "ford")
        assert [mail.kind for mail in table.mails] == ["briefing", "briefing", "receipt"]
    post.postfix.wait_until_kept(to, kept=False)


def write_hook(hook: Path, folder: Path) -> None:
    """Write the program that Postfix starts for each letter: `pbem mail receive`, by an interpreter that it may run."""
    path = ":".join([str(SIXTH), str(ROOT), *(one for one in sys.path if one.endswith("site-packages"))])
    found = (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}")
    python = next((one for one in found if may_run(one, path)), None)
    if python is None:
        pytest.skip(f"needs a Python and a checkout that {USER} may read")
    start = "import sys; from pbem.cli import main; sys.exit(main())"
    words = f'-B -c "{start}" --office {folder} mail receive'
    hook.write_text(f"#!/bin/sh\nexec env PYTHONPATH={path} {python} {words}\n")
    hook.chmod(0o755)


def may_run(python: str, path: str) -> bool:
    try:
        return (
            subprocess.run(
                [python, "-B", "-c", "import pbem.cli.mail"],
                user=USER,
                env={"PYTHONPATH": path},
                capture_output=True,
                check=False,
            ).returncode
            == 0
        )
    except OSError:
        return False
