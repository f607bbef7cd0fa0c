"""`pbem mail outbox`, `send` and `resume`, and what `player list` says of mail."""

from __future__ import annotations

from email import message_from_bytes
from pathlib import Path

from pbem.desk.office.office import open_office
from pbem.desk.post.stopping import stop
from pbem.desk.ways.piped import WAKING
from pbem.mail.doors.waking import awake
from pbem.storage import outbox, players, setbacks
from pbem.storage.setbacks import Setback
from tests.kit.terminal import Terminal


def test_a_mail_is_shown_with_its_text_and_as_it_leaves(begun: Terminal) -> None:
    first, _ = begun.shows("mail", "outbox", "list")
    shown = begun.shows("mail", "outbox", "show", first["id"])
    said = begun.does("mail", "outbox", "show", first["id"])
    raw = begun.types("mail", "outbox", "show", first["id"], "--raw").stdout_bytes

    assert shown["to"] in ("smuggler@player.example", "guard@player.example")
    assert (shown["state"], shown["came_back"]) == ("queued", None)
    assert shown["text"].strip() in said
    assert shown["to"] in said
    assert message_from_bytes(raw)["To"].endswith(f"<{shown['to']}>")
    assert "there is no mail nine" in begun.refused("mail", "outbox", "show", "nine")


def test_whom_each_mail_goes_to_is_seen_in_the_list(begun: Terminal) -> None:
    begun.does("mail", "receive", given=begun.letter("stranger", "hello"))
    listed = {one["id"]: one for one in begun.shows("mail", "outbox", "list")}
    # A long subject goes on in a row of its own, of one word or of more by how long the day's date is.
    printed = [row.split() for row in begun.does("mail", "outbox", "list").splitlines()[1:]]
    rows = {row[0]: row[1] for row in printed if row and row[0] in listed}

    assert {one["to"] for one in listed.values()} >= {"smuggler@player.example", "gm@office.example"}
    called = {"smuggler@player.example": "Smuggler", "guard@player.example": "Guard", "gm@office.example": "you"}
    assert {id: called[one["to"]] for id, one in listed.items()} == {id: rows[id] for id in listed}


def test_a_mail_that_was_dropped_leaves_after_all(begun: Terminal) -> None:
    first, second = (one["id"] for one in begun.shows("mail", "outbox", "list", "ford"))
    dropped = begun.shows("mail", "outbox", "drop", first, second)
    assert [one["state"] for one in dropped] == ["dropped", "dropped"]
    assert begun.shows("mail", "outbox", "list", "--state", "queued") == []

    said = begun.does("mail", "outbox", "retry", first)
    assert f"{first}  [ford]" in said
    assert "waits to leave" in said
    assert [one["id"] for one in begun.shows("mail", "outbox", "list", "--state", "queued")] == [first]


def test_what_waits_is_written_and_nothing_is_sent(begun: Terminal, tmp_path: Path) -> None:
    written = begun.shows("mail", "send", "--dry-run", str(tmp_path / "letters"))

    assert len(written) == 2
    assert all(Path(path).read_bytes().startswith(b"Date: ") for path in written)
    assert {one["state"] for one in begun.shows("mail", "outbox", "list")} == {"queued"}


def test_who_is_hardly_reached_or_wants_no_letters_is_listed_so(begun: Terminal) -> None:
    with open_office(Path.cwd()) as office, office.write() as connection:
        smuggler, guard = players.listing(connection)
        for mail in outbox.listing(connection):
            outbox.sent(connection, mail.id, answer="250", at=office.now())
        [mail] = outbox.of_player(connection, guard.id)
        setbacks.keep(connection, Setback(mail.id, guard.id, office.now(), "5.1.1", "550 gone"))
        stop(office, connection, smuggler, at=office.now())

    assert [one["mail"] for one in begun.shows("player", "list")] == ["stopped", "one came back"]
    assert "one came back" in begun.does("player", "list")
    back = begun.shows("mail", "outbox", "show", mail.id)["came_back"]
    assert (back["status"], back["words"]) == ("5.1.1", "550 gone")
    assert "5.1.1 550 gone" in begun.does("mail", "outbox", "show", mail.id)
    assert "Letters go to Smuggler again" in begun.does("mail", "resume", "smuggler@player.example")
    assert [one["mail"] for one in begun.shows("player", "list")] == ["arrives", "one came back"]
    assert "have not been stopped" in begun.refused("mail", "resume", "guard@player.example")


def test_the_doctor_says_what_the_name_server_must_say_or_what_is_wrong_with_the_key(begun: Terminal) -> None:
    settings = Path.cwd() / "pbem.toml"
    settings.write_text(settings.read_text().replace('key = ""', 'key = "dkim.pem"'))
    (Path.cwd() / "dkim.pem").write_text("nothing")
    (Path.cwd() / "dkim.pem").chmod(0o600)
    said = begun.types("doctor", "--json").stdout

    assert "there is no RSA key without a password in it" in said


def test_who_is_told_to_send_the_mail_is_not_where_the_office_does_it(begun: Terminal) -> None:
    said = begun.does("player", "write", "ford", "guard", "Good luck.")
    assert said.endswith("Next: pbem mail send\n")

    with awake(Path(WAKING), lambda: None):
        said = begun.does("player", "write", "ford", "guard", "And again.")
    assert said.endswith("The mail leaves by itself: pbem run is on duty.\n")
