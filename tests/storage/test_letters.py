"""Every message that came in is accounted for."""

from __future__ import annotations

import pytest

from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId
from pbem.storage import blobs, letters, players
from pbem.storage.databases.connection import Connection
from pbem.storage.letters import Letter, State
from tests.kit.facts import AUTUMN, NOW

ANNE = PlayerId("p-anne")


@pytest.fixture
def digest(connection: Connection) -> str:
    players.add(connection, ANNE, name="Anne", address="anne@example.org", zone="UTC", at=NOW)
    return blobs.keep(connection, b"move p1 to J-10", at=NOW)


def receive(connection: Connection, digest: str, origin: str | None = None) -> Letter:
    return letters.receive(connection, letters.NewLetter(digest=digest, source="imap", at=NOW, origin=origin))[0]


def test_a_letter_is_new_until_it_is_settled(connection: Connection, digest: str) -> None:
    letter, new = letters.receive(
        connection, letters.NewLetter(digest=digest, source="pipe", at=NOW, message_id="<1@example.org>")
    )

    assert new
    assert letter == Letter(1, digest, NOW, "pipe", None, "new", "", None, None, None, "<1@example.org>", 0)
    assert letters.listing(connection, "new") == [letter] == letters.listing(connection)

    letters.settle(connection, letter.id, "applied", campaign=AUTUMN, seq=7, player=ANNE)

    settled = letters.get(connection, letter.id)
    assert (settled.state, settled.campaign, settled.seq, settled.player) == ("applied", AUTUMN, 7, ANNE)
    assert letters.listing(connection, "new") == []


def test_what_a_mailbox_offers_again_is_the_letter_that_came_before(connection: Connection, digest: str) -> None:
    first, first_new = letters.receive(
        connection, letters.NewLetter(digest=digest, source="imap", origin="INBOX/1/7", at=NOW)
    )
    again, again_new = letters.receive(
        connection, letters.NewLetter(digest=digest, source="imap", origin="INBOX/1/7", at=NOW + 1)
    )
    _, other_new = letters.receive(
        connection, letters.NewLetter(digest=digest, source="maildir", origin="INBOX/1/7", at=NOW)
    )

    assert (first_new, again_new, other_new) == (True, False, True)
    assert again == first


def test_what_comes_twice_through_a_pipe_are_two_letters_with_the_same_bytes(
    connection: Connection, digest: str
) -> None:
    first, second = receive(connection, digest), receive(connection, digest)

    assert letters.of_digest(connection, digest) == [first, second]
    assert letters.of_digest(connection, "none") == []


def test_all_that_came_is_counted_under_some_state(connection: Connection, digest: str) -> None:
    states: list[State] = ["applied", "held", "refused", "ignored", "unreadable", "applied"]
    for state in states:
        letters.settle(connection, receive(connection, digest).id, state, reason="because")
    receive(connection, digest)

    counted = letters.counted(connection)
    assert counted == {"applied": 2, "held": 1, "ignored": 1, "new": 1, "refused": 1, "unreadable": 1}
    assert sum(counted.values()) == len(letters.listing(connection))


def test_a_letter_held_can_be_settled_again(connection: Connection, digest: str) -> None:
    letter = receive(connection, digest)
    letters.settle(connection, letter.id, "held", reason="nobody known")
    assert letters.get(connection, letter.id).reason == "nobody known"

    letters.settle(connection, letter.id, "applied", campaign=AUTUMN, seq=3, player=ANNE)
    assert letters.get(connection, letter.id).reason == ""


def test_attempts_to_read_a_letter_are_counted(connection: Connection, digest: str) -> None:
    letter = receive(connection, digest)

    tries = [letters.tried(connection, letter.id) for _ in range(3)]
    assert [one and one.tries for one in tries] == [1, 2, 3]


def test_a_letter_that_is_not_there_is_named(connection: Connection) -> None:
    with pytest.raises(Refused, match="there is no letter 7: pbem mail quarantine lists"):
        letters.get(connection, 7)
    with pytest.raises(Refused, match="there is no letter 7"):
        letters.settle(connection, 7, "ignored")


def test_a_letter_under_a_message_id_that_was_there_with_other_content_knows_its_twin(connection: Connection) -> None:
    one, same, other, alone = (
        letters.receive(
            connection,
            letters.NewLetter(
                digest=kept(connection, raw),
                source="pipe",
                at=NOW,
                message_id=id,
                content=raw.decode(),
            ),
        )[0]
        for raw, id in ((b"a", "<1@x>"), (b"a", "<1@x>"), (b"b", "<1@x>"), (b"b", "<2@x>"))
    )

    assert [letter.twin for letter in (one, same, other, alone)] == [None, None, one.id, None]
    assert [letter.id for letter in letters.alike(connection, one)] == [one.id, same.id, other.id]


def test_what_stands_on_an_envelope_is_kept(connection: Connection) -> None:
    letter, _ = letters.receive(
        connection,
        letters.NewLetter(digest=kept(connection, b"a"), source="lmtp", at=NOW, recipients=["a@x.org", "b@x.org"]),
    )

    assert letters.get(connection, letter.id).envelope == ("a@x.org", "b@x.org")


def test_a_code_is_forgotten_when_its_letter_is_held_no_more(connection: Connection) -> None:
    letter, _ = letters.receive(connection, letters.NewLetter(digest=kept(connection, b"a"), source="pipe", at=NOW))
    letters.settle(connection, letter.id, "held", reason="uncertain")
    letters.code(connection, letter.id, "hash", at=NOW)
    assert [one.id for one in letters.coded(connection)] == [letter.id]
    letters.settle(connection, letter.id, "held", reason="tried again")
    assert letters.get(connection, letter.id).code == "hash"

    letters.settle(connection, letter.id, "ignored", reason="discarded")
    assert (letters.coded(connection), letters.get(connection, letter.id).code) == ([], None)


def test_a_letter_that_is_done_with_and_does_not_say_why_is_found(connection: Connection) -> None:
    first, _ = letters.receive(connection, letters.NewLetter(digest=kept(connection, b"a"), source="pipe", at=NOW))
    letters.receive(connection, letters.NewLetter(digest=kept(connection, b"b"), source="pipe", at=NOW))
    assert letters.balance(connection).even
    letters.settle(connection, first.id, "refused")

    found = letters.balance(connection)
    assert (found.received, found.states["refused"], found.states["new"]) == (2, 1, 1)
    assert (found.mute, found.even) == ((first.id,), False)


def kept(connection: Connection, raw: bytes) -> str:
    return blobs.keep(connection, raw, at=NOW)
