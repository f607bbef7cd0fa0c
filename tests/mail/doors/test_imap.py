"""Letters on a real server: each taken in once, whoever dies or hangs up between two steps."""

from __future__ import annotations

import imaplib
import signal
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
import trustme
from imap_tools import BaseMailBox

from pbem.kernel.errors import PbemError, StorageError
from pbem.mail.doors import imap
from pbem.mail.doors.credentials import NoSecret, given
from pbem.mail.doors.imap import Account, Found, NoMailbox, Place, fetch, follow
from pbem.mail.doors.kit import Round
from tests.kit.dovecot import PASSWORD, Dovecot, token
from tests.kit.forks import Forks, dying
from tests.kit.keeper import Keeper
from tests.kit.wire import Wire

pytestmark = pytest.mark.xdist_group("dovecot")


def forget(found: Found) -> None:
    """Keep nothing."""


def letter(number: int) -> bytes:
    return b"From: a@x.example\r\nSubject: orders\r\n\r\nmove %d\r\n.hold\r\nFrom Metz to Sedan\r\n" % number


@pytest.fixture
def account(imap_server: Dovecot, request: pytest.FixtureRequest) -> Account:
    """A mailbox that no other test has."""
    name = request.node.name.encode("ascii", "replace").hex()[-40:]
    return Account(
        host="127.0.0.1",
        port=imap_server.imap,
        security="none",
        user=f"{name}@office.example",
        secret=given(PASSWORD),
        timeout=20,
    )


def changed(account: Account, **fields: object) -> Account:
    return Account(**{name: getattr(account, name) for name in Account.__struct_fields__} | fields)


@contextmanager
def mailbox(server: Dovecot, account: Account) -> Iterator[imaplib.IMAP4]:
    client = imaplib.IMAP4("127.0.0.1", server.imap)
    client.login(account.user, PASSWORD)
    try:
        yield client
    finally:
        client.logout()


def lying(server: Dovecot, account: Account, folder: str) -> list[tuple[bytes, bytes]]:
    """Flags and text of each letter in a folder."""
    with mailbox(server, account) as client:
        if client.select(folder, readonly=True)[0] != "OK":
            return []
        _, data = client.uid("FETCH", "1:*", "(FLAGS BODY.PEEK[TEXT])")
        return [(item[0], item[1]) for item in data if isinstance(item, tuple)]


def typed(raw: bytes) -> bytes:
    return raw.partition(b"\r\n\r\n")[2]


def test_letters_are_kept_as_they_lie_and_moved_without_a_mark(
    imap_server: Dovecot, account: Account, keeper: Keeper
) -> None:
    imap_server.deliver(account.user, *map(letter, range(3)))

    assert fetch(account, keeper.keep_found, keeper.known) == Round(kept=3, again=0, left=())
    assert [typed(raw) for raw in keeper.raws()] == [typed(letter(n)) for n in range(3)]
    assert all(b"Delivered-To: " + account.user.encode() in raw for raw in keeper.raws())
    assert lying(imap_server, account, "INBOX") == []
    moved = lying(imap_server, account, "Processed")
    assert sorted(text for _, text in moved) == [typed(letter(n)) for n in range(3)]
    assert not any(b"Seen" in flags or b"Deleted" in flags for flags, _ in moved)
    assert fetch(account, keeper.keep_found, keeper.known) == Round(kept=0, again=0, left=())


def test_a_letter_says_where_it_lay_and_when_it_came(imap_server: Dovecot, account: Account) -> None:
    found: list[Found] = []
    imap_server.deliver(account.user, letter(1), letter(1))
    fetch(account, found.append)

    assert [one.place.uid for one in found] == [1, 2]
    assert {(one.place.account, one.place.folder) for one in found} == {(account.name, "INBOX")}
    assert len({one.place.validity for one in found}) == 1
    assert len({one.place.key for one in found}) == 2
    now = datetime.now(UTC)
    assert all(one.arrived and timedelta(0) <= now - one.arrived < timedelta(minutes=5) for one in found)


def test_what_could_not_be_kept_stays_and_comes_again(imap_server: Dovecot, account: Account, keeper: Keeper) -> None:
    imap_server.deliver(account.user, *map(letter, range(3)))

    def keep(found: Found) -> None:
        if b"move 1\r\n" in found.raw:
            raise StorageError("the disk is full.")
        keeper.keep_found(found)

    taken = fetch(account, keep, keeper.known)
    assert taken == Round(kept=2, again=0, left=("letter 2 of INBOX was not kept: the disk is full.",))
    assert [text for _, text in lying(imap_server, account, "INBOX")] == [typed(letter(1))]
    assert fetch(account, keeper.keep_found, keeper.known) == Round(kept=1, again=0, left=())


def test_where_nothing_can_be_kept_not_all_is_fetched_for_nothing(imap_server: Dovecot, account: Account) -> None:
    imap_server.deliver(account.user, *map(letter, range(5)))
    asked: list[int] = []

    def keep(found: Found) -> None:
        asked.append(found.place.uid)
        raise OSError("no space left")

    assert len(fetch(account, keep).left) == 3
    assert asked == [1, 2, 3]
    assert len(lying(imap_server, account, "INBOX")) == 5


def test_what_was_kept_and_not_moved_is_moved_and_not_kept_again(imap_server: Dovecot, account: Account) -> None:
    imap_server.deliver(account.user, *map(letter, range(3)))
    kept: list[Place] = []

    def dies(found: Found) -> None:
        kept.append(found.place)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(account, dies)
    fresh: list[Found] = []
    assert fetch(account, fresh.append, kept.__contains__) == Round(kept=2, again=1, left=())
    assert [one.place.uid for one in fresh] == [2, 3]
    assert lying(imap_server, account, "INBOX") == []


def test_letters_stay_where_they_lie_if_they_are_not_to_be_moved(
    imap_server: Dovecot, account: Account, keeper: Keeper
) -> None:
    imap_server.deliver(account.user, *map(letter, range(2)))
    stays = changed(account, processed="")

    assert fetch(stays, keeper.keep_found, keeper.known) == Round(kept=2, again=0, left=())
    imap_server.deliver(account.user, letter(2))
    assert fetch(stays, keeper.keep_found, keeper.known) == Round(kept=1, again=0, left=())
    assert len(keeper.raws()) == 3
    assert not any(b"Seen" in flags for flags, _ in lying(imap_server, account, "INBOX"))


def test_letters_that_were_numbered_anew_are_new(imap_server: Dovecot, account: Account, keeper: Keeper) -> None:
    """A server that lost its numbers says so by UIDVALIDITY: UIDs alone would hide letters."""
    box = changed(account, folder="Orders")
    for number in range(2):
        with mailbox(imap_server, account) as client:
            client.delete("Orders")
            client.create("Orders")
            client.append("Orders", "", "", letter(number))
        threading.Event().wait(1.1)  # Dovecot numbers a folder by the second
        assert fetch(changed(box, processed=""), keeper.keep_found, keeper.known).kept == 1
    assert keeper.raws() == [letter(0), letter(1)]
    first, second = (str(origin).split("/") for origin in keeper.origins())
    assert first[-1] == second[-1] == "1"
    assert first[-2] != second[-2]


def test_what_a_person_has_marked_as_deleted_is_neither_read_nor_destroyed(
    imap_server: Dovecot, account: Account, keeper: Keeper
) -> None:
    imap_server.deliver(account.user, *map(letter, range(2)))
    with mailbox(imap_server, account) as client:
        client.select()
        client.store("1", "+FLAGS", r"(\Deleted)")

    assert fetch(account, keeper.keep_found, keeper.known).kept == 1
    assert [text for _, text in lying(imap_server, account, "INBOX")] == [typed(letter(0))]


@pytest.mark.parametrize("can", [b"UIDPLUS", b""], ids=["by its UID", "not at all"])
def test_a_server_that_cannot_move_copies_and_destroys_nothing_else(
    imap_server: Dovecot, account: Account, keeper: Keeper, monkeypatch: pytest.MonkeyPatch, can: bytes
) -> None:
    imap_server.deliver(account.user, *map(letter, range(2)))
    with mailbox(imap_server, account) as client:
        client.select()
        client.store("1", "+FLAGS", r"(\Deleted)")
    monkeypatch.setattr(imaplib.IMAP4, "capability", lambda self: ("OK", [b"IMAP4rev1 " + can]))

    assert fetch(account, keeper.keep_found, keeper.known).kept == 1
    assert fetch(account, keeper.keep_found, keeper.known) == Round(kept=0, again=0, left=())
    left = [text for _, text in lying(imap_server, account, "INBOX")]
    assert left == [typed(letter(0))] if can else [typed(letter(0)), typed(letter(1))]
    assert [text for _, text in lying(imap_server, account, "Processed")] == [typed(letter(1))]


def test_a_folder_of_any_name(imap_server: Dovecot, account: Account, keeper: Keeper) -> None:
    imap_server.deliver(account.user, letter(0))

    assert fetch(changed(account, processed='Erledigte "Züge"'), keeper.keep_found).kept == 1
    with mailbox(imap_server, account) as client:
        assert any(b"Z&APw-ge" in line for line in client.list()[1] if isinstance(line, bytes))
    assert lying(imap_server, account, "INBOX") == []


def test_a_letter_too_big_to_be_kept_whole_is_kept_in_part(
    imap_server: Dovecot, account: Account, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imap, "MAX_INPUT", 5_000)
    imap_server.deliver(account.user, letter(0) + b"hold\r\n" * 2_000, letter(1))

    assert fetch(account, keeper.keep_found).kept == 2
    cut, whole = keeper.raws()
    assert len(cut) == 5_000
    assert b"move 0\r\n" in cut
    assert typed(whole) == typed(letter(1))


# ------------------------------------------------------------------------------------------------- coming in


def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def encrypted(account: Account, server: Dovecot, security: str, authority: trustme.CA) -> Account:
    port = server.imaps if security == "tls" else server.imap
    return changed(account, security=security, port=port, certificates=trusting(authority))


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_letters_come_encrypted(imap_server: Dovecot, account: Account, keeper: Keeper, security: str) -> None:
    imap_server.deliver(account.user, letter(0))

    assert fetch(encrypted(account, imap_server, security, imap_server.authority), keeper.keep_found).kept == 1


@pytest.mark.parametrize("security", ["starttls", "tls"])
@pytest.mark.parametrize("fault", ["unknown authority", "nobody trusted", "other name"])
def test_no_password_for_a_server_that_cannot_prove_itself(
    imap_server: Dovecot, account: Account, security: str, fault: str
) -> None:
    asked = encrypted(account, imap_server, security, imap_server.authority if fault == "other name" else trustme.CA())
    if fault == "nobody trusted":
        asked = changed(asked, certificates=None)
    if fault == "other name":
        asked = changed(asked, host="localhost")
    with pytest.raises(NoMailbox, match=r"(?i)certificate.verify.failed"):
        fetch(asked, forget)


def test_a_token_lets_in(imap_server: Dovecot, account: Account, keeper: Keeper) -> None:
    imap_server.deliver(account.user, letter(0))
    by_token = changed(account, xoauth2=True, secret=lambda: token(account.user))

    assert fetch(by_token, keeper.keep_found).kept == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"secret": given("wrong")},
        {"secret": given("gehéim")},
        {"secret": given(token("other@office.example")), "xoauth2": True},
        {"secret": given("rubbish"), "xoauth2": True},
    ],
    ids=["password", "password in letters beyond ASCII", "token of another", "no token"],
)
def test_who_is_not_let_in_is_told_so(account: Account, fields: dict[str, object]) -> None:
    with pytest.raises(NoMailbox, match=r"^127\.0\.0\.1 does not let .*@office.example in: ") as refused:
        fetch(changed(account, **fields), forget)
    secret = fields["secret"]
    assert callable(secret)
    assert secret() not in str(refused.value)


def test_without_a_secret_nobody_is_asked(account: Account) -> None:
    def none() -> str:
        raise NoSecret("the token is gone.")

    with pytest.raises(NoSecret, match="the token is gone"):
        fetch(changed(account, secret=none), forget)


def test_a_folder_that_is_not_there(account: Account) -> None:
    with pytest.raises(NoMailbox, match=r"^127\.0\.0\.1 has no folder Nowhere to read: "):
        fetch(changed(account, folder="Nowhere"), forget)


def test_a_server_that_is_not_there(account: Account) -> None:
    with Wire(1) as wire:
        port = wire.port
    with pytest.raises(NoMailbox, match=r"^127\.0\.0\.1: Connection refused"):
        fetch(changed(account, port=port), forget)


@pytest.mark.parametrize("after", [0, 30, 200, 700, 1000, 1300, 1700, 2300])
def test_a_line_that_is_cut_loses_nothing(imap_server: Dovecot, account: Account, keeper: Keeper, after: int) -> None:
    imap_server.deliver(account.user, *map(letter, range(3)))
    with Wire(imap_server.imap) as wire:
        wire.cut_after = [after]
        with pytest.raises(NoMailbox):
            fetch(changed(account, port=wire.port), keeper.keep_found, keeper.known)
        fetch(changed(account, port=wire.port), keeper.keep_found, keeper.known)

    assert sorted(typed(raw) for raw in keeper.raws()) == [typed(letter(n)) for n in range(3)]
    assert lying(imap_server, account, "INBOX") == []


# --------------------------------------------------------------------------------------------------- following


class Follower:
    """Follows an account in a thread, and waits for what it hears."""

    def __init__(self, account: Account, keeper: Keeper, rescan: float = 60) -> None:
        self.heard: list[Round | PbemError] = []
        self._stop = threading.Event()
        self._something = threading.Condition()
        given = (account, keeper.keep_found, self._stop, self._told, keeper.known)
        self._thread = threading.Thread(
            target=follow, args=given, kwargs={"rescan": rescan, "patience": (0.01, 0.05)}, daemon=True
        )

    def _told(self, what: Round | PbemError) -> None:
        with self._something:
            self.heard.append(what)
            self._something.notify_all()

    @property
    def kept(self) -> int:
        return sum(one.kept for one in self.heard if isinstance(one, Round))

    def until(self, reached: Callable[[], bool]) -> None:
        with self._something:
            assert self._something.wait_for(reached, 30), self.heard

    def until_kept(self, count: int) -> None:
        self.until(lambda: self.kept == count)

    def __enter__(self) -> Follower:
        self._thread.start()
        return self

    def __exit__(self, *given: object) -> None:
        self._stop.set()
        self._thread.join(10)
        assert not self._thread.is_alive()


def test_what_comes_is_taken_in_when_it_comes(imap_server: Dovecot, account: Account, keeper: Keeper) -> None:
    """By IDLE: the folder is looked through anew only when the server says that there is something."""
    with Follower(account, keeper) as follower:
        follower.until(lambda: len(follower.heard) == 1)
        for number in range(3):
            imap_server.deliver(account.user, letter(number))
            follower.until_kept(number + 1)
    assert [typed(raw) for raw in keeper.raws()] == [typed(letter(n)) for n in range(3)]


def test_what_came_between_the_look_and_the_wait_is_heard_of(
    imap_server: Dovecot, account: Account, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server tells of it along with its first word: it must not lie there until the next look."""
    wait = imap._wait

    def late(box: BaseMailBox, stop: threading.Event, rescan: float) -> None:
        if not keeper.raws():
            imap_server.deliver(account.user, letter(0))
        wait(box, stop, rescan)

    monkeypatch.setattr(imap, "_wait", late)
    with Follower(account, keeper) as follower:
        follower.until_kept(1)


def test_the_folder_is_looked_through_though_the_server_says_nothing(
    account: Account, keeper: Keeper, imap_server: Dovecot
) -> None:
    with Follower(account, keeper, rescan=0.2) as follower:
        follower.until(lambda: len(follower.heard) >= 3)


def test_a_server_that_cannot_tell_is_asked(
    imap_server: Dovecot, account: Account, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imaplib.IMAP4, "capability", lambda self: ("OK", [b"IMAP4rev1 MOVE"]))
    with Follower(account, keeper, rescan=0.1) as follower:
        follower.until(lambda: len(follower.heard) == 1)
        imap_server.deliver(account.user, letter(0))
        follower.until_kept(1)


def test_a_line_that_is_cut_is_laid_anew(imap_server: Dovecot, account: Account, keeper: Keeper) -> None:
    with Wire(imap_server.imap) as wire, Follower(changed(account, port=wire.port), keeper) as follower:
        for number in range(3):
            imap_server.deliver(account.user, letter(number))
            follower.until_kept(number + 1)
            wire.cut()
        assert sum(isinstance(one, NoMailbox) for one in follower.heard) >= 2
    assert [typed(raw) for raw in keeper.raws()] == [typed(letter(n)) for n in range(3)]


def test_a_wrong_password_is_told_and_tried_again(imap_server: Dovecot, account: Account, keeper: Keeper) -> None:
    secrets = iter(["wrong", "wrong"])
    imap_server.deliver(account.user, letter(0))
    with Follower(changed(account, secret=lambda: next(secrets, PASSWORD)), keeper) as follower:
        follower.until_kept(1)
    assert ["does not let" in str(one) for one in follower.heard[:2]] == [True, True]


# ------------------------------------------------------------------------------------------------------- killed

POINTS = ("before it is kept", "after it is kept", "after it is moved")


def read_until_killed(
    account: Account, password: str, url: str, point: str, at: int, after: float | None = None
) -> None:
    """Read the mailbox in a process of its own, and die at *point* of the letter *at*, or so long *after* the first."""
    perhaps_die = dying(point, at, after)

    with Keeper(url) as keeper:

        def keep(found: Found) -> None:
            perhaps_die("before it is kept")
            keeper.keep_found(found)
            perhaps_die("after it is kept")

        def known(place: Place) -> bool:
            # The letter before this one has been moved.
            perhaps_die("after it is moved")
            return keeper.known(place)

        fetch(changed(account, secret=given(password)), keep, known)


def assert_each_once(server: Dovecot, account: Account, keeper: Keeper, count: int) -> None:
    assert sorted(typed(raw) for raw in keeper.raws()) == sorted(typed(letter(n)) for n in range(count))
    assert lying(server, account, "INBOX") == []
    assert len(lying(server, account, "Processed")) == count


@pytest.mark.parametrize("point", POINTS)
def test_kills_at_a_point_lose_nothing_and_double_nothing(
    imap_server: Dovecot, account: Account, keeper: Keeper, forks: Forks, point: str
) -> None:
    account = changed(account, secret=None)
    imap_server.deliver(account.user, *map(letter, range(12)))
    kills = 0
    for at in range(4):
        with forks.run(read_until_killed, account, PASSWORD, keeper.url, point, 1 + at % 3) as fork:
            kills += fork.wait() == -signal.SIGKILL
    assert kills == 4
    read_until_killed(account, PASSWORD, keeper.url, "", 0)
    assert_each_once(imap_server, account, keeper, 12)


def test_kills_at_random_lose_nothing_and_double_nothing(
    imap_server: Dovecot, account: Account, keeper: Keeper, forks: Forks
) -> None:
    account = changed(account, secret=None)
    chance = Random(1870)
    kills = 0
    for number in range(10):
        imap_server.deliver(account.user, *map(letter, range(15 * number, 15 * number + 15)))
        with forks.run(read_until_killed, account, PASSWORD, keeper.url, "", 0, chance.uniform(0, 0.1)) as fork:
            kills += fork.wait() == -signal.SIGKILL
    assert kills >= 5
    read_until_killed(account, PASSWORD, keeper.url, "", 0)
    assert_each_once(imap_server, account, keeper, 150)
