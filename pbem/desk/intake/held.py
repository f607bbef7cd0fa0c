"""Letters of which it is not certain who wrote them: they wait until their player says that he did.

    held  →  a code to the registered address, and nowhere else  →  a letter with the code  →  dealt with

Whoever gives the code back reads the player's mail.  The letter then counts as come when it came first.  Nothing
of what stands in it is told to anybody before: it may hold the orders of a third.

Anybody can send letters in a player's name, as many as he likes.  The player is asked at once a few times, then less
and less often, of all that came meanwhile in one mail, with a code for each letter: so he gets the code of his own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Owed, ShortLetter
from pbem.desk.intake import writers
from pbem.desk.intake.keeping import Kept, Vouched
from pbem.desk.intake.writers import Seen
from pbem.desk.office.office import HOUR, Office, signing_key
from pbem.desk.players import own_addresses
from pbem.desk.post import addresses
from pbem.desk.post.post import in_game, to_player
from pbem.desk.post.writing import owe
from pbem.kernel.errors import BrokenLog, Refused
from pbem.kernel.names import CampaignId, PlayerId, Role
from pbem.mail.trust.confirm import CHANCE, LIFE, Answer, check_code, confirm_lines, hash_code, make_code
from pbem.orders.prose import cap
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import phrase, phrase_later, speaking
from pbem.reports.text.times import when
from pbem.storage import blobs, letters, players
from pbem.storage.database import Connection
from pbem.storage.letters import Letter
from pbem.storage.players import Player

AT_ONCE: Final = 4
"""So many mails a day ask a player at once; of letters that are proven and asked back, and of others, each."""

GAPS: Final = (HOUR // 4, HOUR // 2, HOUR)
"""Between the mails after those; the last of these from then on."""

TOGETHER: Final = 40
"""Letters of which one mail asks."""

_DAY: Final = 24 * HOUR

BY_CODE: Final = Vouched("its writer confirmed it by a code")
"""Who gave a code back reads the mail of whoever was asked."""


class Given(Struct, frozen=True):
    """What the codes in a letter are worth; if one is good, the letter that it confirms, or the address."""

    answer: Answer
    kept: Kept | None = None
    seen: Seen | None = None
    address: own_addresses.Given | None = None
    """If one is for an address that a player has asked for, which."""


class Asked(Struct, frozen=True):
    """What is asked of the player in whose name letters came."""

    mails: tuple[Owed, ...] = ()
    """Empty if he was asked too often of late: then `ask_again` does it."""
    codes: tuple[tuple[int, str], ...] = ()
    """The letters of which he is asked, by their numbers, and digests of the codes that confirm them."""


class Doubted(Struct, frozen=True):
    """A letter of which it is not certain enough who wrote it, and in whose name it came."""

    row: Letter
    dossier: Dossier
    role: Role | None
    player: Player
    why: str
    """For what it is held, in a phrase."""
    grade: str
    """How sure it is that he wrote it."""


def ask(office: Office, connection: Connection, letter: Doubted) -> Asked:
    """Ask a player by one-time codes whether he wrote a letter, and those before it of which he was not asked."""
    now, player, dossier = office.now(), letter.player, letter.dossier
    if not player.address or not may_ask(connection, player.id, sure=writers.sure(letter.grade), at=now):
        return Asked()
    before = [one for one in _unasked(connection, now) if (one.player, one.campaign) == (player.id, dossier.id)]
    waiting = [(one, one.reason) for one in before if one.id != letter.row.id]
    return _asked(office, dossier, letter.role, player, [*waiting[: TOGETHER - 1], (letter.row, letter.why)])


def ask_again(office: Office) -> Iterator[CampaignId]:
    """Ask every player of the letters of which he could not be asked when they came; gives for which campaigns.

    :raises StorageError: if the disk does not let it.
    """
    now = office.now()
    with office.read() as connection:
        waiting = _unasked(connection, now)
    for player, campaign in dict.fromkeys((one.player, one.campaign) for one in waiting):
        assert player is not None, "so they were looked for"
        assert campaign is not None, "so they were looked for"
        theirs = [one for one in waiting if (one.player, one.campaign) == (player, campaign)][:TOGETHER]
        try:
            with office.read() as connection:
                asked = _of_all(office, connection, player, campaign, theirs)
        except (Refused, BrokenLog):
            continue  # the look at its campaign says what is wrong with it
        if not asked.mails:
            continue
        with office.write() as connection:
            for owed in asked.mails:
                owe(connection, owed)
            for number, code in asked.codes:
                letters.code(connection, number, code, at=now)
        yield campaign


def _of_all(
    office: Office, connection: Connection, id: PlayerId, campaign: CampaignId, waiting: Sequence[Letter]
) -> Asked:
    """What a player is asked of letters that wait, if he may be asked now."""
    player = players.get(connection, id)
    sure = all(writers.sure(one.grade) for one in waiting)
    if not player.address or not may_ask(connection, id, sure=sure, at=office.now()):
        return Asked()
    dossier = dossiers.load(office, connection, campaign)
    roles = dossier.campaign.roles_of(id)
    role = roles[0] if len(roles) == 1 else None
    return _asked(office, dossier, role, player, [(one, one.reason) for one in waiting])


def _unasked(connection: Connection, now: int) -> list[Letter]:
    return letters.unasked(connection, since=now - LIFE)


def may_ask(connection: Connection, player: PlayerId | None, *, sure: bool, at: int) -> bool:
    """Whether *player* (None: who runs games) is asked now: what he confirmed does not count, nor the other kind."""
    asked = letters.asked(connection, player, since=at - _DAY)
    times = sorted({made for made, grade in asked if writers.sure(grade) is sure})
    if len(times) < AT_ONCE:
        return True
    return at >= times[-1] + GAPS[min(len(times) - AT_ONCE, len(GAPS) - 1)]


def _asked(
    office: Office, dossier: Dossier, role: Role | None, player: Player, waiting: Sequence[tuple[Letter, str]]
) -> Asked:
    now = office.now()
    codes = [fresh(office) for _ in waiting]
    with speaking(dossier.campaign.language_of(player.id)):
        notice = _notice(office, dossier, player, waiting, codes)
    mails = to_player(
        in_game(dossier, role, player),
        ShortLetter(notice),
        kind="receipt",
        cause=f"held/{waiting[-1][0].id}/{waiting[-1][0].tries}",
        at=now,
        moment=dossier.campaign.now,
    )
    made = zip(waiting, codes, strict=True)
    return Asked(tuple(mails), tuple((row.id, hashed(office, code, row)) for (row, _), code in made))


def fresh(office: Office) -> str:
    """A new code."""
    return make_code(office.chance(CHANCE))


def hashed(office: Office, code: str, row: Letter) -> str:
    """What is kept of a *code* that confirms a letter."""
    return hash_code(code, about(row), signing_key(office))


def life(office: Office, zone: str) -> str:
    """How long a code that is made now is good, in a sentence."""
    return phrase("The line is good until {until}, and only once.", until=when(office.now() + LIFE, zone))


def _notice(
    office: Office, dossier: Dossier, player: Player, waiting: Sequence[tuple[Letter, str]], codes: Sequence[str]
) -> Notice:
    """The mail that asks; of each letter it tells when it came and why it waits, and nothing that stands in it."""
    until = when(office.now() + LIFE, player.zone)
    known = "" if dossier.campaign.terms.trust == "strict" or not addresses.has_secrets(office) else phrase(_KNOWN)
    if len(waiting) == 1:
        [(row, why)], [code] = waiting, codes
        return Notice(
            campaign=dossier.id,
            subject=f"[{dossier.id}] {_THIS}",
            heading=cap(phrase(_THIS)),
            summary=phrase_later(
                "A letter came in your name, and it is not certain that it is from you. It waits, unread."
            ),
            facts=((phrase("It came"), when(row.received_at, player.zone)), (phrase("Why it waits"), f"{why}.")),
            body=phrase(
                "If you wrote it, answer with the line below and nothing else. The letter then counts as come when it "
                "came. The line is good until {until}, and only once.\n\n"
                "If you did not write it, do nothing: it is not taken. The umpire sees that it waits.",
                until=until,
            )
            + known,
            quoted=((phrase("Your answer"), f"confirm {code}"),),
            foot="",
        )
    return Notice(
        campaign=dossier.id,
        subject=f"[{dossier.id}] {_THESE}",
        heading=cap(phrase(_THESE)),
        summary=phrase(
            "{count} letters came in your name, and it is not certain that they are from you. They wait, unread.",
            count=len(waiting),
        ),
        body=phrase(
            "If you wrote one of them, answer with its line below and nothing else. It then counts as come when it "
            "came. To confirm another, write another answer. Each line is good until {until}, and only once.\n\n"
            "What you did not write is not taken. The umpire sees that it waits.",
            until=until,
        )
        + known,
        quoted=tuple(
            (
                phrase(
                    "If you wrote what came {hour}; it waits because {why}",
                    hour=when(row.received_at, player.zone),
                    why=why,
                ),
                f"confirm {code}",
            )
            for (row, why), code in zip(waiting, codes, strict=True)
        ),
        foot="",
    )


_THIS, _THESE = phrase_later("did you write this letter?"), phrase_later("did you write these letters?")
_KNOWN = phrase_later(
    "\n\nOr send your orders again, as an answer to this mail: it comes to an address that is yours alone, and is "
    "believed."
)


def confirmed(office: Office, row: Letter, seen: Seen) -> Given | None:
    """What the codes in a letter confirm; None if it gives none back.  The letter confirmed is read for that."""
    codes = confirm_lines(seen.letter.lines)[0] if seen.letter else ()
    if not codes or row.state != "new":
        return None
    with office.read() as connection:
        address = own_addresses.given(office, connection, codes)
        if address is not None:
            return Given(Answer.LATE if address.late else Answer.GOOD, address=None if address.late else address)
        waiting = letters.coded(connection)
        now = row.received_at
        each = [(max((worth(office, code, one, now) for code in codes), key=_ORDER.index), one) for one in waiting]
        answer, found = max(each, key=lambda one: _ORDER.index(one[0]), default=(Answer.WRONG, None))
        # Of several, some may only stand there because a mail program sent back what it got.
        if answer is not Answer.GOOD or found is None or len([one for one, _ in each if one is Answer.GOOD]) > 1:
            return Given(Answer.WRONG if answer is Answer.GOOD else answer)
        raw = blobs.fetch(connection, found.digest)
    kept = Kept(found, raw, BY_CODE)
    return Given(answer, kept, writers.seen(office, kept))


_ORDER = (Answer.WRONG, Answer.LATE, Answer.GOOD)


def worth(office: Office, code: str, held: Letter, now: int) -> Answer:
    """What a code that came *now* is worth for a letter that waits."""
    if held.code is None or held.coded_at is None:
        return Answer.WRONG
    # No letter can answer a code before it was made, whatever the clock of the server says that took it.
    at = max(now, held.coded_at)
    return check_code(code, held.code, about(held), signing_key(office), made_at=held.coded_at, now=at)


def about(row: Letter) -> str:
    """What a code is for: a letter, and these bytes."""
    return f"{row.id}/{row.digest}"
