"""Doors: a mailbox that is fetched and followed, LMTP and SMTP, each letter kept, then read, and answered."""

from __future__ import annotations

import smtplib
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from pbem.desk.intake.fates import Received
from pbem.desk.office.office import Office
from pbem.desk.office.settings import Imap, Listen
from pbem.desk.ways import arrivals, doors
from pbem.desk.ways.doors import Way
from pbem.kernel.errors import PbemError, Refused
from pbem.mail.doors.credentials import NoSecret
from pbem.mail.doors.imap import NoMailbox
from pbem.mail.doors.kit import BadDoor, Round
from pbem.storage import letters
from tests.kit.dovecot import PASSWORD, Dovecot, dovecot, token
from tests.kit.table import Table

USERS = iter(f"office{number}@office.example" for number in range(1000))


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    """A Dovecot; each test takes an account of its own, whatever its name."""
    with dovecot() as found:
        yield found


def set_up(table: Table, **entries: object) -> Office:
    """The office with other settings."""
    settings = changed(table.office.settings, **entries)
    table.office = replace(table.office, settings=settings)
    return table.office


def with_mailbox(table: Table, server: Dovecot, monkeypatch: pytest.MonkeyPatch, **entries: object) -> str:
    user = next(USERS)
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)
    given = {"host": "127.0.0.1", "port": server.imap, "security": "none", "user": user, **entries}
    set_up(table, imap=Imap(**given))  # type: ignore[arg-type] # checked by the model
    return user


def fetched(office: Office) -> int:
    """How many letters are kept when they are fetched now."""
    return sum(looked.kept for looked in doors.fetch(office))


class Reading:
    """An office whose doors are open, and which reads what comes, in a thread."""

    def __init__(self, office: Office, *ways: Way) -> None:
        self.office, self.ways = office, ways or doors.WAYS
        self.read: list[Received] = []
        self.told: list[str] = []
        self._stop, self._something = threading.Event(), threading.Condition()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self.opened: doors.Doors | None = None
        self._open = threading.Event()

    def _work(self) -> None:
        with doors.open_doors(self.office, ways=self.ways, told=self.told.append) as self.opened:
            self._open.set()
            doors.read_on(self.office, self.opened, self._stop, self._did, self.told.append)

    def _did(self, received: Received) -> None:
        with self._something:
            self.read.append(received)
            self._something.notify_all()

    def port(self, way: Way) -> int:
        assert self.opened is not None
        return self.opened.ports[way]

    def until(self, count: int) -> None:
        with self._something:
            assert self._something.wait_for(lambda: len(self.read) >= count, 30), (self.read, self.told)

    def __enter__(self) -> Reading:
        self._thread.start()
        assert self._open.wait(30)
        return self

    def __exit__(self, *given: object) -> None:
        self._stop.set()
        self._thread.join(30)
        assert not self._thread.is_alive()


# ------------------------------------------------------------------------------------------------- a mailbox


def test_a_mailbox_is_fetched_and_nothing_of_it_twice(
    ford: Table, server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = with_mailbox(ford, server, monkeypatch)
    server.deliver(user, ford.letter("smuggler", "move s1 to 3"), ford.letter("guard", "watch g1 4"))

    assert fetched(ford.office) == 2
    assert [one.state for one in arrivals.sweep(ford.office)] == ["applied", "applied"]
    assert fetched(ford.office) == 0
    assert list(arrivals.sweep(ford.office)) == []


def test_a_letter_that_was_kept_and_not_moved_is_known_by_its_place(
    ford: Table, server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = with_mailbox(ford, server, monkeypatch, processed="")
    server.deliver(user, ford.letter("smuggler", "move s1 to 3"))

    assert [fetched(ford.office) for _ in range(2)] == [1, 0]
    with ford.office.read() as connection:
        [letter] = letters.listing(connection)
    assert letter.origin is not None
    assert letter.origin.startswith(f"{user}@127.0.0.1:{server.imap}/INBOX/")


@pytest.mark.parametrize("where", ["file", "command"])
def test_a_token_lets_in_and_is_read_from_where_the_settings_say(
    ford: Table, server: Dovecot, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    path = ford.office.folder / "token"
    entry = {"token_file": "token"} if where == "file" else {"token_command": f"cat {path}"}
    user = with_mailbox(ford, server, monkeypatch, **entry)
    path.write_text(token(user))
    server.deliver(user, ford.letter("smuggler", "move s1 to 3"))

    assert fetched(ford.office) == 1


def test_the_server_proves_itself_to_the_authorities_of_the_settings(
    ford: Table, server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = with_mailbox(ford, server, monkeypatch, port=server.imaps, security="tls", authorities="authorities.pem")
    with pytest.raises(Refused, match="authorities"):
        fetched(ford.office)
    server.authority.cert_pem.write_to_path(ford.office.folder / "authorities.pem")
    server.deliver(user, ford.letter("smuggler", "move s1 to 3"))

    assert fetched(ford.office) == 1


def test_what_is_missing_for_a_mailbox_is_named(ford: Table, server: Dovecot, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fetched(ford.office) == 0
    with_mailbox(ford, server, monkeypatch)
    monkeypatch.delenv("PBEM_IMAP_PASSWORD")
    with pytest.raises(NoSecret, match="PBEM_IMAP_PASSWORD"):
        fetched(ford.office)
    with_mailbox(ford, server, monkeypatch)
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "wrong")
    with pytest.raises(NoMailbox, match="does not let"):
        fetched(ford.office)


def test_a_place_that_cannot_be_reached_keeps_no_other_from_being_fetched(
    ford: Table, server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def out_of_reach(office: Office) -> Round:
        raise NoMailbox("nobody is there.")

    user = with_mailbox(ford, server, monkeypatch)
    server.deliver(user, ford.letter("smuggler", "move s1 to 3"))
    mailbox = doors.WAYS["imap"]
    gone = replace(mailbox, fetch=out_of_reach)
    for way, record in (("imap", gone), ("the next", mailbox), ("the last", gone)):
        monkeypatch.setitem(doors.WAYS, way, record)

    looks = doors.fetch(ford.office)
    assert next(looks).kept == 1
    with pytest.raises(PbemError, match=r"^nobody is there\. nobody is there\.$"):
        next(looks)
    assert [one.state for one in arrivals.sweep(ford.office)] == ["applied"]


def test_a_mailbox_that_is_followed_is_answered_as_letters_come(
    ford: Table, server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = with_mailbox(ford, server, monkeypatch)
    with Reading(ford.office) as reading:
        for number, (role, text) in enumerate((("smuggler", "move s1 to 3"), ("guard", "watch g1 4")), start=1):
            server.deliver(user, ford.letter(role, text))
            reading.until(number)

    assert [(one.role, one.state) for one in reading.read] == [("smuggler", "applied"), ("guard", "applied")]
    assert [mail.kind for mail in ford.mails].count("receipt") == 2


def test_a_mailbox_that_cannot_be_reached_is_told_and_no_end(
    ford: Table, server: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_mailbox(ford, server, monkeypatch)
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "wrong")
    with Reading(ford.office) as reading:
        for _ in range(300):
            if reading.told:
                break
            threading.Event().wait(0.1)
    assert "does not let" in reading.told[0]


# -------------------------------------------------------------------------------------------- on this machine


@pytest.mark.parametrize(("way", "client"), [("lmtp", smtplib.LMTP), ("smtp", smtplib.SMTP)])
def test_a_letter_that_a_mail_server_hands_over_is_answered(ford: Table, way: Way, client: type[smtplib.SMTP]) -> None:
    office = set_up(ford, listen=changed(Listen(), **{way: "127.0.0.1:0"}))
    with Reading(office) as reading, client("127.0.0.1", reading.port(way)) as line:
        line.sendmail("ann@player.example", ["office@office.example"], ford.letter("smuggler", "move s1 to 3"))
        reading.until(1)

    assert [(one.role, one.state) for one in reading.read] == [("smuggler", "applied")]
    with ford.office.read() as connection:
        assert [one.source for one in letters.listing(connection)] == [way]


@pytest.mark.sqlite
def test_while_the_database_is_down_a_door_sets_letters_aside(ford: Table) -> None:
    office = set_up(ford, listen=Listen(lmtp="127.0.0.1:0"))
    path = office.engine.path
    with Reading(office) as reading, smtplib.LMTP("127.0.0.1", reading.port("lmtp")) as line:
        path.rename(path.with_suffix(".away"))
        line.sendmail("ann@player.example", ["office@office.example"], ford.letter("smuggler", "move s1 to 3"))
        path.with_suffix(".away").rename(path)
        line.sendmail("ben@player.example", ["office@office.example"], ford.letter("guard", "watch g1 4"))
        reading.until(2)

    assert sorted((one.role or "", one.state) for one in reading.read) == [
        ("guard", "applied"),
        ("smuggler", "applied"),
    ]
    assert any("was not kept" in words for words in reading.told)


def test_a_door_of_another_machine_is_refused(ford: Table) -> None:
    office = set_up(ford, listen=Listen(lmtp="192.0.2.1:24"))
    with pytest.raises(BadDoor, match=r"192\.0\.2\.1"), doors.open_doors(office):
        pass


def test_only_the_doors_that_are_named_are_opened(ford: Table) -> None:
    assert doors.ways_of(ford.office) == ()
    office = set_up(ford, listen=Listen(lmtp="127.0.0.1:0", smtp="[::1]:0"))
    only: tuple[Way, ...] = ("smtp",)
    with doors.open_doors(office, ways=only) as opened:
        assert (opened.ways, list(opened.ports)) == (("smtp",), ["smtp"])
