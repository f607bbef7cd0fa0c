"""Every message that came in, and what became of it.

    applied + held + refused + ignored + unreadable + new  =  all that ever came

A letter is received (its bytes kept, this row written, both committed) before anything reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from msgspec import Struct

from pbem.kernel.errors import Refused
from pbem.kernel.names import CampaignId, PlayerId
from pbem.storage.databases.connection import Connection

State = Literal["new", "applied", "held", "refused", "ignored", "unreadable"]


class Letter(Struct, frozen=True):
    """One message; its bytes are the blob *digest*."""

    id: int
    digest: str
    received_at: int
    source: str
    """The way it came: `imap`, `maildir`, `mbox`, `lmtp`, `pipe`, `upload`."""
    origin: str | None
    """Which one it was there (a UID, a file's name), if that place can offer it again."""
    state: State
    reason: str
    campaign: CampaignId | None
    seq: int | None
    """Of the event that it became."""
    player: PlayerId | None
    message_id: str | None
    tries: int
    content: str = ""
    """Digest of what its writer wrote, without what the post added on the way."""
    recipients: str = ""
    """The addresses on its envelope, one a line."""
    grade: str = ""
    """How sure it is who wrote it: A to E."""
    evidence: str = ""
    """What the grade rests upon."""
    twin: int | None = None
    """An earlier letter with the same Message-ID and other content."""
    code: str | None = None
    """Digest of the one-time code that confirms it while it is held."""
    coded_at: int | None = None

    @property
    def envelope(self) -> tuple[str, ...]:
        """The addresses on its envelope."""
        return tuple(self.recipients.splitlines())


class NewLetter(Struct, frozen=True, kw_only=True):
    """A message that has come; its bytes were kept under *digest*."""

    digest: str
    source: str
    """The way it came, as of a `Letter`."""
    at: int
    """When it came: microseconds UTC."""
    origin: str | None = None
    message_id: str | None = None
    content: str = ""
    """Digest of what its writer wrote."""
    recipients: Sequence[str] = ()
    """The addresses on its envelope."""


class Balance(Struct, frozen=True):
    """All letters that ever came, and what became of them: the two sides are equal."""

    received: int
    states: dict[State, int]
    mute: tuple[int, ...]
    """Letters that are done with, and do not say why."""

    @property
    def even(self) -> bool:
        """Whether every letter is accounted for, with a reason."""
        return self.received == sum(self.states.values()) and not self.mute


STATES: tuple[State, ...] = get_args(State)
_COLUMNS = ", ".join(Letter.__struct_fields__)
_GET = f"SELECT {_COLUMNS} FROM letter WHERE id = :id"
_BY_ORIGIN = f"SELECT {_COLUMNS} FROM letter WHERE source = :source AND origin = :origin"
_BY_DIGEST = f"SELECT {_COLUMNS} FROM letter WHERE digest = :digest ORDER BY id"
_ALL = f"SELECT {_COLUMNS} FROM letter ORDER BY id"
_IN_STATE = f"SELECT {_COLUMNS} FROM letter WHERE state = :state ORDER BY id"
_COUNT = "SELECT state, count(*) FROM letter GROUP BY state ORDER BY state"
_CODED = f"SELECT {_COLUMNS} FROM letter WHERE state = 'held' AND code IS NOT NULL ORDER BY id"
_UNASKED = (
    f"SELECT {_COLUMNS} FROM letter WHERE state = 'held' AND code IS NULL AND player IS NOT NULL"
    " AND campaign IS NOT NULL AND received_at > :since ORDER BY id"
)
_ASKED = (
    "SELECT DISTINCT coded_at, grade FROM letter WHERE state = 'held' AND coalesce(player, campaign, '') = :player"
    " AND coded_at > :since"
)
_ALIKE = f"SELECT {_COLUMNS} FROM letter WHERE digest = :digest OR message_id = :message_id ORDER BY id"
_MUTE = "SELECT id FROM letter WHERE state <> 'new' AND reason = '' ORDER BY id"
_RECEIVED = "SELECT count(*) FROM letter"
_INSERT = (
    "INSERT INTO letter"
    " (digest, received_at, source, origin, state, reason, message_id, tries, content, recipients, twin)"
    " VALUES (:digest, :at, :source, :origin, 'new', '', CAST(:message_id AS VARCHAR), 0, CAST(:content AS VARCHAR),"
    " :recipients, (SELECT min(id) FROM letter WHERE message_id = :message_id AND content NOT IN ('', :content)))"
    f" ON CONFLICT (source, origin) DO NOTHING RETURNING {_COLUMNS}"
)
_TRY = f"UPDATE letter SET tries = tries + 1 WHERE id = :id AND state IN ('new', 'held') RETURNING {_COLUMNS}"
_UNTRY = "UPDATE letter SET tries = tries - 1 WHERE id = :id"
_SETTLE = (
    "UPDATE letter SET state = :state, reason = :reason, campaign = :campaign, seq = :seq, player = :player,"
    " code = CASE CAST(:state AS VARCHAR) WHEN 'held' THEN code END WHERE id = :id"
)
_GRADE = "UPDATE letter SET grade = :grade, evidence = :evidence WHERE id = :id"
_CODE = "UPDATE letter SET code = :code, coded_at = :at WHERE id = :id"
_AGAIN = "UPDATE letter SET state = 'new', reason = '', tries = 0, code = NULL WHERE id = :id"


def receive(connection: Connection, new: NewLetter) -> tuple[Letter, bool]:
    """Write down a message whose bytes were kept; says whether it is new.

    What its source offers again under the same origin is the letter that came before.
    """
    if new.origin is not None:
        known = of_origin(connection, new.source, new.origin)
        if known:
            return known, False
    row = {
        "digest": new.digest,
        "at": new.at,
        "source": new.source,
        "origin": new.origin,
        "message_id": new.message_id,
        "content": new.content,
        "recipients": "\n".join(new.recipients),
    }
    written = connection.execute(_INSERT, row).fetchall()
    if written:
        connection.wake("letters")
        return Letter(*written[0]), True
    return receive(connection, new)  # another has kept it meanwhile


def get(connection: Connection, id: int) -> Letter:
    """The letter of this number.

    :raises Refused: if there is none.
    """
    found = connection.execute(_GET, {"id": id}).fetchall()
    if not found:
        raise _no_letter(id)
    return Letter(*found[0])


def _no_letter(id: int) -> Refused:
    return Refused(f"there is no letter {id}: pbem mail quarantine lists those that wait.")


def of_origin(connection: Connection, source: str, origin: str) -> Letter | None:
    """The letter that *source* offered under *origin*, if it did."""
    found = connection.execute(_BY_ORIGIN, {"source": source, "origin": origin}).fetchall()
    return Letter(*found[0]) if found else None


def of_digest(connection: Connection, digest: str) -> list[Letter]:
    """All letters with these bytes, the first first."""
    return [Letter(*row) for row in connection.execute(_BY_DIGEST, {"digest": digest})]


def alike(connection: Connection, letter: Letter) -> list[Letter]:
    """All letters with the bytes of *letter* or its Message-ID, the first first; it is one of them."""
    asked = {"digest": letter.digest, "message_id": letter.message_id or None}
    return [Letter(*row) for row in connection.execute(_ALIKE, asked)]


def coded(connection: Connection) -> list[Letter]:
    """The held letters that a one-time code can confirm."""
    return [Letter(*row) for row in connection.execute(_CODED)]


def unasked(connection: Connection, *, since: int) -> list[Letter]:
    """The held letters that came after *since* and of which their player was not asked, the first first."""
    return [Letter(*row) for row in connection.execute(_UNASKED, {"since": since})]


def asked(connection: Connection, player: PlayerId | None, *, since: int) -> list[tuple[int, str]]:
    """When after *since* codes were made for letters that still wait for a word of *player*, and their grades.

    None: of whoever runs games.
    """
    return [(at, grade) for at, grade in connection.execute(_ASKED, {"player": player or "", "since": since})]


def listing(connection: Connection, state: State | None = None) -> list[Letter]:
    """All letters, or those in *state*, in the order in which they came."""
    rows = connection.execute(_IN_STATE, {"state": state}) if state else connection.execute(_ALL)
    return [Letter(*row) for row in rows]


def counted(connection: Connection) -> dict[State, int]:
    """How many letters are in each state that has any."""
    return {row[0]: row[1] for row in connection.execute(_COUNT)}


def balance(connection: Connection) -> Balance:
    """All letters against what became of them."""
    found = counted(connection)
    [(received,)] = connection.execute(_RECEIVED)
    mute = tuple(id for (id,) in connection.execute(_MUTE))
    return Balance(received, {state: found.get(state, 0) for state in STATES}, mute)


def tried(connection: Connection, id: int) -> Letter | None:
    """Count one more attempt to deal with a letter; None if nobody needs to any more.

    Committed before the attempt, it shows a letter that brings the reader down.
    """
    found = connection.execute(_TRY, {"id": id}).fetchall()
    return Letter(*found[0]) if found else None


def untried(connection: Connection, id: int) -> None:
    """Take one attempt back: it was not the letter that it failed of."""
    connection.later(_UNTRY, {"id": id})


def settle(
    connection: Connection,
    id: int,
    state: State,
    *,
    reason: str = "",
    campaign: CampaignId | None = None,
    seq: int | None = None,
    player: PlayerId | None = None,
) -> None:
    """Say what became of a letter: *seq* is that of the event in *campaign* that it became.

    :raises Refused: if there is no such letter.
    """
    row = {"id": id, "state": state, "reason": _storable(reason), "campaign": campaign, "seq": seq, "player": player}
    if not connection.execute(_SETTLE, row).rowcount:
        raise _no_letter(id)


def graded(connection: Connection, id: int, grade: str, evidence: str) -> None:
    """Write down how sure it is who wrote a letter, and what that rests upon."""
    connection.later(_GRADE, {"id": id, "grade": grade, "evidence": _storable(evidence)})


def _storable(words: str) -> str:
    """Words as they can be kept: half a sign, as a damaged header leaves it, is a question mark."""
    return words.encode("utf-8", "replace").decode()


def code(connection: Connection, id: int, hashed: str, *, at: int) -> None:
    """Write down the digest of the code that confirms a held letter, and when it was made."""
    connection.later(_CODE, {"id": id, "code": hashed, "at": at})


def again(connection: Connection, id: int) -> Letter:
    """Let a letter be as if nobody had tried to read it yet.

    :raises Refused: if there is no such letter.
    """
    connection.execute(_AGAIN, {"id": id})
    return get(connection, id)
