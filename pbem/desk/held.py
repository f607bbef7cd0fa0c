"""Letters of which it is not certain who wrote them: they wait until their player says that he did.

    held  →  a code to the registered address, and nowhere else  →  a letter with the code  →  dealt with

Whoever gives the code back reads the player's mail.  The letter then counts as come when it came first.  Nothing
of what stands in it is told to anybody before: it may hold the orders of a third.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.desk import writers
from pbem.desk.dossiers import Dossier
from pbem.desk.office import Office, signing_key
from pbem.desk.owed import Answered, Answers, Owed, ShortLetter
from pbem.desk.owing import may_leave
from pbem.desk.post import to_player
from pbem.desk.writers import Seen
from pbem.kernel.names import Role
from pbem.mail.caps import Reply
from pbem.mail.confirm import CHANCE, LIFE, Answer, check_code, confirm_lines, hash_code, make_code
from pbem.reports.notice import Notice
from pbem.reports.times import when
from pbem.storage import blobs, letters
from pbem.storage.database import Connection
from pbem.storage.letters import Letter
from pbem.storage.players import Player


class Given(Struct, frozen=True):
    """What the codes in a letter are worth; if one is good, the letter that it confirms."""

    answer: Answer
    row: Letter | None = None
    raw: bytes = b""
    seen: Seen | None = None


class Asked(Struct, frozen=True):
    """What is asked of the player in whose name a letter came."""

    mails: tuple[Owed, ...] = ()
    """Empty if he was asked too often of late."""
    code: str = ""
    """Digest of the code that confirms it; empty if he is not asked."""


def ask(
    office: Office, connection: Connection, dossier: Dossier, role: Role, player: Player, row: Letter, why: str
) -> Asked:
    """Ask *player* by a one-time code whether he wrote a letter, unless he was asked too often of late.

    *why*: for what the letter is held, in a phrase.
    """
    now = office.now()
    if not player.address or may_leave(office, connection, Answers.DOUBTFUL, player.address, at=now) is Reply.NO:
        return Asked()
    code = make_code(office.chance(CHANCE))
    notice = Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] did you write this letter?",
        heading="Did you write this letter?",
        summary="A letter came in your name, and it is not certain that it is from you. It waits, unread.",
        facts=(("It came", when(row.received_at, player.zone)), ("Why it waits", f"{why}.")),
        body=(
            "If you wrote it, answer with the line below and nothing else. The letter then counts as come when it "
            f"came. The line is good until {when(now + LIFE, player.zone)}, and only once.\n\n"
            "If you did not write it, do nothing: it is not taken. The umpire sees that it waits."
        ),
        quoted=(("Your answer", f"confirm {code}"),),
        foot="",
    )
    mails = to_player(
        office,
        dossier.id,
        dossier.opened.title,
        player,
        role,
        ShortLetter(notice),
        kind="receipt",
        cause=f"held/{row.id}/{row.tries}",
        at=now,
        moment=dossier.campaign.now,
        answers=Answered(),
        counts=Answers.DOUBTFUL,
    )
    return Asked(tuple(mails), hash_code(code, _about(row), signing_key(office)))


def confirmed(office: Office, row: Letter, seen: Seen) -> Given | None:
    """What the codes in a letter confirm; None if it gives none back.  The letter confirmed is read for that."""
    codes = confirm_lines(seen.letter.lines)[0] if seen.letter else ()
    if not codes or row.state != "new":
        return None
    with office.read() as connection:
        waiting = letters.coded(connection)
        worth = [(max((_worth(office, code, one, row) for code in codes), key=_ORDER.index), one) for one in waiting]
        answer, found = max(worth, key=lambda one: _ORDER.index(one[0]), default=(Answer.WRONG, None))
        if answer is not Answer.GOOD or found is None:
            return Given(answer)
        raw = blobs.fetch(connection, found.digest)
    return Given(answer, found, raw, writers.look(office, raw))


_ORDER = (Answer.WRONG, Answer.LATE, Answer.GOOD)


def _worth(office: Office, code: str, held: Letter, row: Letter) -> Answer:
    if held.code is None or held.coded_at is None:
        return Answer.WRONG
    # No letter can answer a code before it was made, whatever the clock of the server says that took it.
    at = max(row.received_at, held.coded_at)
    return check_code(code, held.code, _about(held), signing_key(office), made_at=held.coded_at, now=at)


def _about(row: Letter) -> str:
    """What a code is for: one letter, and these bytes."""
    return f"{row.id}/{row.digest}"
