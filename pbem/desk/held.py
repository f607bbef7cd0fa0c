"""Letters of which it is not certain who wrote them: they wait until their player says that he did.

    held  →  a code to the registered address, and nowhere else  →  a letter with the code  →  dealt with

Whoever gives the code back reads the player's mail.  The letter then counts as come when it came first.  Nothing
of what stands in it is told to anybody before: it may hold the orders of a third.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.desk import writers
from pbem.desk.dossiers import Dossier
from pbem.desk.entries import owe
from pbem.desk.letters import notice_letter
from pbem.desk.office import Office, signing_key
from pbem.desk.owing import Answers
from pbem.desk.post import Answered, to_player
from pbem.desk.writers import Seen
from pbem.kernel.names import Role
from pbem.mail.confirm import CHANCE, LIFE, Answer, check_code, confirm_lines, hash_code, make_code
from pbem.reports.notice import Notice
from pbem.reports.times import when
from pbem.storage import blobs, letters
from pbem.storage.database import Connection
from pbem.storage.letters import Letter
from pbem.storage.players import Player


class Confirmed(Struct, frozen=True):
    """What the code in a letter is worth; if it is good, the letter that it confirms."""

    answer: Answer
    row: Letter | None = None
    raw: bytes = b""
    seen: Seen | None = None


def hold(
    office: Office, connection: Connection, dossier: Dossier, role: Role, player: Player, row: Letter, why: str
) -> bool:
    """Send a one-time code to *player*, unless he had too many of late; gives whether it was sent.

    *why*: for what the letter is held, in a phrase.
    """
    now = office.now()
    code = make_code(office.chance(CHANCE))
    opened = dossier.opened
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
        opened.title,
        player,
        role,
        notice_letter(office, notice),
        kind="receipt",
        cause=f"held/{row.id}/{row.tries}",
        at=now,
        moment=dossier.campaign.now,
        answers=Answered(),
        counts=Answers.DOUBTFUL,
    )
    asked = any(owe(office, connection, dossier.id, mail, at=now) for mail in mails)
    if asked:
        letters.code(connection, row.id, hash_code(code, _about(row), signing_key(office)), at=now)
    return asked


def confirmed(office: Office, row: Letter, seen: Seen) -> Confirmed | None:
    """What the code in a letter confirms; None if it gives none back."""
    codes = _codes(seen)
    if not codes:
        return None
    with office.read() as connection:
        waiting = letters.coded(connection)
        for held in waiting:
            answer = max((_worth(office, code, held, row) for code in codes), key=_ORDER.index)
            if answer is Answer.GOOD:
                raw = blobs.fetch(connection, held.digest)
                break
            if answer is Answer.LATE:
                return Confirmed(answer)
        else:
            return Confirmed(Answer.WRONG)
    return Confirmed(answer, held, raw, writers.look(office, raw))


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


def _codes(seen: Seen) -> tuple[str, ...]:
    """The codes that a letter gives back: each on a line of its own, typed by its writer."""
    if seen.letter is None:
        return ()
    codes, _, _ = confirm_lines(seen.letter.lines)
    return codes
