"""A letter to the office of somebody who runs games: what it says is done, and he is told what came of each word.

    whose    by its From, and by the secret address that it came to, or a signature: else a code is asked back
    read     which words it has, and of which game each
    shown    before anything of it is done, if something in it cannot be undone
    done     word by word, up to the first that cannot be

Words are done before the letter is decided.  Whoever dies between leaves it as it was, and who deals with it then finds
what was done in the logs, where each word has a name of its own: `gm/Anna#12.3` is the third of letter 12.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.access.people import Person, person
from pbem.desk.books import dossiers
from pbem.desk.books.owed import Answered, Owed, ShortLetter
from pbem.desk.deeds import by_letter
from pbem.desk.deeds.by_letter import Came, Word
from pbem.desk.deeds.words import WORDS, Asked, Read, read, says_gm
from pbem.desk.gm import waiting
from pbem.desk.gm.sealed import sealed
from pbem.desk.intake import doubts, held
from pbem.desk.intake.exchange_meant import own
from pbem.desk.intake.fates import Case, Fate, Held, Ignored, Obeyed, Received, Unreadable, sentence_for
from pbem.desk.intake.held import BY_CODE
from pbem.desk.intake.intake import written
from pbem.desk.intake.keeping import Vouched
from pbem.desk.intake.refusals import WORTHLESS
from pbem.desk.intake.writers import Graded, Seen
from pbem.desk.office.gm import Gm
from pbem.desk.office.office import Office
from pbem.desk.players.aliases import meant_by
from pbem.desk.post import addresses, gms
from pbem.desk.post.addresses import NO_GAME, NOWHERE
from pbem.desk.sheets.own_lines import own_lines
from pbem.kernel.errors import PbemError
from pbem.kernel.names import CampaignId
from pbem.mail.reading.sender import campaign_tags
from pbem.mail.reading.worker import ReaderBroke
from pbem.mail.trust.authentication import Result
from pbem.mail.trust.confirm import Answer, confirm_lines
from pbem.mail.trust.grade import POLICIES, Disposition, Judgement, judge
from pbem.mail.wire.limits import UnreadableLetter
from pbem.mail.wire.reply_address import Token, redact
from pbem.orders.prose import listed
from pbem.orders.sheet import Line
from pbem.reports.pages.notice import Notice
from pbem.reports.text.times import when
from pbem.storage import letters, outbox
from pbem.storage.blobs import digest_of
from pbem.storage.database import Connection

FRESH = timedelta(hours=72)
"""A letter that a signature alone proves, and that was written longer ago, is asked back: somebody may have kept it."""

Deals = Callable[[Office, letters.Letter, Vouched], Received]
"""Deals with another letter, which the GM has taken as somebody's."""


class FromGm(Struct, frozen=True, kw_only=True):
    """A letter of somebody who runs games, and how sure that is."""

    letter: Graded
    gm: Gm
    person: Person
    judgement: Judgement
    campaign: str
    """That its address shows; empty: none."""
    subject: str
    """As far as it counts."""
    came_before: bool

    @property
    def case(self) -> Case:
        """What the manual asks of it, before it is known what it says."""
        fault, seen = self.letter.seen.fault, self.letter.seen
        sure = self.judgement.disposition is Disposition.ACCEPTED
        return Case(
            who="a gm",
            came_before=self.came_before,
            bytes="read" if seen.letter else "broke the reader" if isinstance(fault, ReaderBroke) else "unreadable",
            proof="vouched" if self.letter.kept.vouched == BY_CODE else "sure" if sure else "doubtful",
        )

    @property
    def lines(self) -> Sequence[Line]:
        """What he typed, but for codes, and without secrets."""
        there = self.letter.seen.letter
        typed = own_lines(replace(there, lines=confirm_lines(there.lines)[1])) if there else ()
        return [Line(one.number, redact(one.text)) for one in typed]

    @property
    def written(self) -> int:
        """When it was written, at the latest, in microseconds UTC."""
        there = self.letter.seen.letter
        return written(self.letter.kept.row.received_at, there.date if there else None)

    @property
    def says_words(self) -> bool:
        """Whether it says anything to the office."""
        said = _read(self)
        return bool(said.words or said.wrong)


class Outcome(Struct, frozen=True, kw_only=True):
    """What the words of a letter have come to; *shown*: nothing was done, and it is told what would come of each."""

    came: tuple[tuple[Asked, str, Came], ...]
    """Each word that was looked at, its game, and what came of it."""
    left: tuple[Asked, ...] = ()
    """Words that were not done, for one above them could not be."""
    wrong: tuple[tuple[Line, str], ...] = ()
    """Lines for which nothing was done, and why."""
    rest: tuple[Line, ...] = ()
    shown: bool = False

    @property
    def well(self) -> bool:
        """Whether all of it was done, or could be."""
        return bool(self.came) and not self.wrong and all(came.well for _, _, came in self.came)

    @property
    def campaign(self) -> CampaignId:
        """The game that all its words are of; none, if they are of several."""
        games = {game for _, game, _ in self.came}
        return CampaignId(games.pop()) if len(games) == 1 else NO_GAME

    @property
    def asks(self) -> str:
        """For what a mail is owed that shows just this."""
        said = "\n".join(f"{game}\n{asked.text}\n{came.says}\n{came.block}" for asked, game, came in self.came)
        return digest_of(said.encode())[:16]


def seems_of(office: Office, seen: Seen) -> Gm | None:
    """Who runs games and has the address that a letter comes from; by that alone it is not his."""
    sender = seen.head.sender.address
    return gms.of_address(office, sender) if sender and not seen.whose else None


def of_gm(office: Office, connection: Connection, letter: Graded) -> FromGm | None:
    """The letter as that of somebody who runs games; None if it is a player's, or nobody's.

    Who plays as well writes as a GM where his letter comes to a GM's address of the office, or begins with a line `gm`.
    """
    kept, seen, known = letter.kept, letter.seen, letter.known
    gm = seems_of(office, seen)
    if gm is None:
        return None
    recipients = (*kept.row.envelope, *seen.head.recipients)
    proof = addresses.proven_of_gm(office, connection, recipients)
    if proof.meaning and proof.meaning.name != gm.tag:
        proof = replace(proof, token=Token.BAD, meaning=None)
    there = seen.letter
    open_one = any(addresses.is_for_gms(office, one) for one in recipients)
    plays = known.player is not None or known.proof.token is Token.GOOD
    if plays and not (proof.meaning or open_one or (there and says_gm(own_lines(there)))):
        return None
    judgement = judge(seen.head, {seen.head.sender.address: gm.tag}, proof, seen.authentication, POLICIES["table"])
    signed_alone = seen.authentication.result is Result.PASS and proof.token is not Token.GOOD
    if signed_alone and there and (there.date is None or _came(kept.row) - there.date.timestamp() > _FRESH):
        why = "it was written longer ago than three days, and a signature alone proves it"
        judgement = replace(judgement, disposition=Disposition.HELD, reason=why)
    shown = proof.meaning.campaign if proof.meaning else NOWHERE
    subject_counts = not signed_alone or "subject" in seen.authentication.signed
    return FromGm(
        letter=letter,
        gm=gm,
        person=person(office, connection, known.writer.id if known.writer else None, gm.address),
        judgement=judgement,
        campaign="" if shown == NOWHERE else shown,
        subject=redact(there.subject) if there and subject_counts else "",
        came_before=doubts.same_before(connection, kept.row, kept.raw, None),
    )


_FRESH = FRESH.total_seconds()


def _came(row: letters.Letter) -> float:
    return row.received_at / 1_000_000


def obeyed(office: Office, his: FromGm, deal: Deals) -> Outcome | None:
    """Do what a letter says, or look what would come of it; None if it is not read, or not yet."""
    if sentence_for(his.case).fate != "obeyed":
        return None
    said = _read(his)
    number = his.letter.kept.row.id
    words: list[Word] = []
    wrong = [(one.line, one.why) for one in said.wrong]
    for place, asked in enumerate(said.words, start=1):
        campaign, why = _game_of(office, his, asked)
        word = Word(
            office=office.as_gm(his.gm.name, mark=f"{number}.{place}"),
            person=his.person,
            address=his.gm.address,
            mark=f"{digest_of(f'{number}/{place}'.encode())[:16]}",
            written=his.written,
            campaign=campaign,
            asked=asked,
        )
        if why := why or by_letter.why_not(word):
            wrong.append((asked.line, why))
        words.append(word)
    if wrong or not words:
        return Outcome(came=(), left=said.words, wrong=tuple(wrong), rest=said.rest)
    if any(WORDS[word.asked.word].asks_back for word in words):
        seen = Outcome(
            came=tuple(_came_of(word, by_letter.foreseen(word)) for word in words), rest=said.rest, shown=True
        )
        if not seen.well or not _was_shown(office, his, seen):
            return seen
    came: list[tuple[Asked, str, Came]] = []
    for word in words:
        came.append(_came_of(word, _accepted(word, deal) if word.asked.word == "accept" else by_letter.done(word)))
        if not came[-1][2].well:
            break
    return Outcome(came=tuple(came), left=tuple(word.asked for word in words[len(came) :]), rest=said.rest)


def _came_of(word: Word, came: Came) -> tuple[Asked, str, Came]:
    return word.asked, word.campaign, came


def _read(his: FromGm) -> Read:
    """What the letter says; where it says nothing, what its subject says."""
    said = read(his.lines)
    if said.words or said.wrong:
        return said
    in_subject = read([Line(0, own(his.subject))])
    return replace(in_subject, wrong=(), rest=said.rest) if in_subject.words else said


def _game_of(office: Office, his: FromGm, asked: Asked) -> tuple[str, str]:
    """The game that a word is of (empty: the office), or why that is not known.

    A line `game` says so; else the subject and the address, which must agree; else it is the only one that he runs.
    """
    if not WORDS[asked.word].of_game:
        return "", ""
    with office.read() as connection:
        if asked.game:
            known = dossiers.is_there(connection, asked.game)
            return (asked.game, "") if known else ("", f'There is no game "{asked.game[:40]}" in this office.')
        tags = campaign_tags(his.subject)
        there = dossiers.those_there(connection, tags)
        shown = dict.fromkeys(tag for tag in tags if tag in there)
        shown |= {his.campaign: None} if his.campaign else {}
        if len(shown) > 1:
            return "", f"The letter shows {listed(list(shown))}: write `game NAME` above the word."
        if shown:
            return next(iter(shown)), ""
        if asked.word == "status":
            return "", ""
        right = WORDS[asked.word].right
        his_own = [name for name in dossiers.campaigns(connection) if right and his.person.may(right, name)]
        mine = [name for name in his_own if _is_played(office, connection, name)]
    if len(mine) == 1:
        return mine[0], ""
    which = f": {listed(mine[:20])}" if mine else ""
    return "", f"Of which game? Write `game NAME` above the word{which}."


def _is_played(office: Office, connection: Connection, name: CampaignId) -> bool:
    """Whether a campaign goes on; one that cannot be opened may be meant as well."""
    opened = dossiers.opened(office, connection, [name])
    return all(one.campaign.ended is None and not one.campaign.copied for one in opened)


def _was_shown(office: Office, his: FromGm, seen: Outcome) -> bool:
    """Whether he has confirmed a mail that showed just what would come of it now."""
    if his.letter.kept.vouched != BY_CODE:
        return False
    with office.read() as connection:
        return outbox.is_owed(connection, seen.campaign, _cause_of(his, seen))


def _cause_of(his: FromGm, seen: Outcome) -> str:
    return f"shall/{his.letter.kept.row.id}/{seen.asks}"


def _accepted(word: Word, deal: Deals) -> Came:
    """Take another letter as somebody's, and deal with it."""
    try:
        number, whose = by_letter.letter_of(word), word.values["whose"]
        if whose:
            player = meant_by(word.office, whose)
            vouched = Vouched(f"the GM took it as that of {player.id}", player.id)
            received = deal(word.office, waiting.to_accept_as(word.office, number), vouched)
        else:
            received = deal(word.office, waiting.to_accept(word.office, number), Vouched("the GM took it as his"))
    except PbemError as error:
        return Came(well=False, says=str(error))
    hidden = sealed(word.office).letter(waiting.read(word.office, number)[0])
    return Came(well=True, says=f"Letter {number}: {'taken' if hidden else f'{received.state}: {received.reason}'}.")


# What becomes of it.


def fate_of(office: Office, connection: Connection, his: FromGm, outcome: Outcome | None) -> Fate:
    """The fate of a letter of somebody who runs games; *outcome*: what its words have come to.

    :raises ReaderBroke: if that is to be tried again.
    """
    case, seen = his.case, his.letter.seen
    if outcome is not None and outcome.shown and outcome.well:
        case = replace(case, asks="what is always asked back")
    match sentence_for(case).answer:
        case "it came twice":
            return Ignored(reason="the same letter came before")
        case "it cannot be read":
            why = seen.fault.reason if isinstance(seen.fault, UnreadableLetter) else "it was not read"
            says = _notice(NO_GAME, "your letter could not be read", why, body="Send it again as plain text.")
            return Unreadable(reason=why, owes=(_to(office, his, says, "unreadable"),))
        case "did you write this":
            return _asked_whether_his(office, connection, his)
        case "shall it be done" if outcome:
            return _asked_back(office, his, outcome)
        case "what was done" if outcome:
            owes = [owed for _, _, came in outcome.came for owed in came.owes]
            says = _answer(outcome)
            return Obeyed(
                campaign=outcome.campaign,
                reason=f"{his.gm.name}: {says.heading[:1].lower()}{says.heading[1:]}",
                refused=not any(came.well for _, _, came in outcome.came) or outcome.shown,
                owes=(_to(office, his, says, "said"), *owes),
            )
    assert isinstance(seen.fault, ReaderBroke), "the manual puts nothing else off"
    raise seen.fault


def worthless(office: Office, his: FromGm, code: Answer) -> tuple[Owed, ...]:
    """What he is told whose letter gives a code back that confirms nothing."""
    why = f"{WORTHLESS[code]}."
    says = _notice(NO_GAME, "nothing was confirmed", why, body="Write the words again, as a new letter.")
    return (_to(office, his, says, "code"),)


def _asked_whether_his(office: Office, connection: Connection, his: FromGm) -> Held:
    """He is asked at his own address whether he wrote a letter; not more often than a player."""
    row, why = his.letter.kept.row, his.judgement.reason
    if not held.may_ask(connection, None, sure=False, at=office.now()):
        return _waits(office, his, why, None, ())
    code = held.fresh(office)
    facts = (("It came", when(row.received_at, office.settings.zone)), ("Why it waits", f"{why}."))
    says = _notice(
        NO_GAME,
        "did you write this letter?",
        "A letter to the office came in your name, and it is not certain that it is from you. Nothing of it was done.",
        facts=facts,
        body=f"If you wrote it, answer with the line below and nothing else. {_good(office)}\n\n"
        "If you did not write it, do nothing.",
        quoted=(("Your answer", f"confirm {code}"),),
    )
    return _waits(office, his, why, code, (_to(office, his, says, f"held/{row.tries}"),))


def _asked_back(office: Office, his: FromGm, outcome: Outcome) -> Held:
    """He is shown what would come of it, and asked whether it shall be done."""
    code = held.fresh(office)
    says = _notice(
        outcome.campaign,
        f"{_words(outcome)}: shall it be done?",
        "Some of this cannot be undone. Nothing of it was done yet.",
        body=f"To have it all done, answer with the line at the end and nothing else. {_good(office)} "
        "If what would come of it has changed by then, you are shown it anew.",
        quoted=(*_blocks(outcome), ("Your answer", f"confirm {code}")),
    )
    owed = replace(_to(office, his, says, ""), cause=_cause_of(his, outcome))
    return _waits(office, his, "it waits for his word on what was shown him", code, (owed,))


def _good(office: Office) -> str:
    return held.life(office, office.settings.zone)


def _waits(office: Office, his: FromGm, why: str, code: str | None, owes: tuple[Owed, ...]) -> Held:
    row = his.letter.kept.row
    codes = ((row.id, held.hashed(office, code, row)),) if code else ()
    return Held(campaign=None, role=None, player=None, reason=why, codes=codes, at=office.now(), owes=owes)


def _answer(outcome: Outcome) -> Notice:
    """What he is told that was done."""
    wrong = tuple((line.text.strip(), f"{why[:1].upper()}{why[1:]}".rstrip(".") + ".") for line, why in outcome.wrong)
    left = tuple((one.line.text.strip(), "Not done.") for one in outcome.left if not _is_among(one, outcome.wrong))
    rest = (("Not read", "\n".join(line.text.strip() for line in outcome.rest)),) if outcome.rest else ()
    if not (outcome.came or outcome.wrong):
        body = by_letter.help_lines()
        return _notice(
            NO_GAME, "nothing was asked", "There is no word in your letter that the office knows.",
            quoted=(*rest, ("What it does at your word", body)),
        )  # fmt: skip
    done = outcome.well and not outcome.left
    some = any(came.well for _, _, came in outcome.came) and not outcome.shown
    heading = f"{_words(outcome)}: {'done' if done else 'done in part' if some else 'nothing was done'}"
    summary = "" if done else "What follows the word that could not be done was left." if some else ""
    return _notice(outcome.campaign, heading, summary, quoted=(*_blocks(outcome), *wrong, *left, *rest))


def _is_among(one: Asked, wrong: Sequence[tuple[Line, str]]) -> bool:
    return any(line.number == one.line.number for line, _ in wrong)


def _words(outcome: Outcome) -> str:
    """The words of a letter, each once."""
    asked = [asked.word for asked, _, _ in outcome.came] or [one.word for one in outcome.left]
    return listed(list(dict.fromkeys(asked))) or "your letter"


def _blocks(outcome: Outcome) -> tuple[tuple[str, str], ...]:
    """Each word as it was written, and what came of it."""
    several = len({game for _, game, _ in outcome.came}) > 1
    blocks = []
    for asked, game, came in outcome.came:
        where = f"{game}: " if several and game else ""
        below = "\n".join(line.text.strip() for line in asked.below) if outcome.shown else ""
        blocks.append((f"{where}{asked.line.text.strip()}", "\n\n".join(filter(None, (below, came.says, came.block)))))
    return tuple(blocks)


def _notice(
    campaign: CampaignId,
    heading: str,
    summary: str,
    *,
    facts: tuple[tuple[str, str], ...] = (),
    body: str = "",
    quoted: tuple[tuple[str, str], ...] = (),
) -> Notice:
    about = f"[{campaign}] " if campaign else ""
    title = f"{heading[:1].upper()}{heading[1:]}"
    return Notice(
        campaign=campaign,
        subject=f"{about}{heading}",
        heading=title,
        summary=summary,
        facts=facts,
        body=body,
        quoted=quoted,
        foot="",
    )


def _to(office: Office, his: FromGm, says: Notice, what: str) -> Owed:
    """A letter to him, in answer to his."""
    head, row = his.letter.seen.head, his.letter.kept.row
    return Owed(
        campaign=CampaignId(says.campaign),
        cause=f"gm-word/{row.id}/{what}",
        kind="receipt",
        says=ShortLetter(says),
        at=office.now(),
        gm=his.gm.address,
        thread="thread",
        answered=Answered(head.message_id, head.references),
    )
