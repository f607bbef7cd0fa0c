"""Answers to messages that reach no campaign, and what the GM is told of them: all that is owed, and nothing done.

A player is told at his registered address alone, and of no game that is not his.  A stranger learns that he is not
known here, once a day, and the same whatever he wrote and to whichever address: so nobody can try secrets out.
"""

from __future__ import annotations

from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.owed import Answered, Answers, Owed, ShortLetter
from pbem.desk.intake import writers
from pbem.desk.intake.writers import Seen
from pbem.desk.office.office import HOUR, Office
from pbem.desk.post.addresses import NO_GAME
from pbem.desk.post.post import Addressee, Answering, to_gm, to_player, to_stranger
from pbem.kernel.names import Role
from pbem.mail.reading.letter import Head
from pbem.mail.reading.robot import Robot, Writer
from pbem.mail.trust.authentication import Result
from pbem.mail.trust.confirm import Answer
from pbem.reports.pages.notice import Notice, refusal
from pbem.reports.text.speech import phrase_later
from pbem.reports.text.times import when
from pbem.storage.blobs import digest_of
from pbem.storage.letters import Letter
from pbem.storage.players import Player

DAY = 24 * HOUR


class Astray(Exception):
    """A player's message that cannot be put to a campaign and a role of his."""

    def __init__(self, player: Player, reason: str, instead: str, campaign: str = "") -> None:
        super().__init__(reason)
        self.player, self.reason, self.instead, self.campaign = player, reason, instead, campaign


class LooksOn(Astray):
    """A message of somebody who looks on at a game: it reaches no orders."""

    def __init__(self, player: Player, dossier: Dossier) -> None:
        super().__init__(player, f"you look on at {dossier.id}, and play no side", "", dossier.id)
        self.dossier = dossier


def sure(grade: str) -> Answers:
    """As what an answer counts to the player in whose name a letter of *grade* came."""
    return Answers.PLAYER if writers.sure(grade) else Answers.DOUBTFUL


_NONE = phrase_later("no orders taken")


def say_astray(office: Office, astray: Astray, head: Head, row: Letter, counts: Answers) -> list[Owed]:
    """Tell the player why his message went nowhere."""
    about = f"[{astray.campaign}] " if astray.campaign else ""
    notice = refusal(
        campaign=astray.campaign,
        subject=f"{about}{_NONE}",
        why=f"{astray.reason[:1].upper()}{astray.reason[1:]}.",
        instead=astray.instead,
        received=when(row.received_at, astray.player.zone),
    )
    return _answer(office, astray.player, notice, head, f"astray/{row.digest[:16]}", counts)


def say_unreadable(
    office: Office, player: Player | None, head: Head, row: Letter, reason: str, counts: Answers
) -> list[Owed]:
    """Tell the player that his letter could not be read, and tell the GM."""
    told: list[Owed] = []
    if player is not None:
        notice = refusal(
            campaign="",
            subject=phrase_later("your letter could not be read"),
            why=reason,
            instead=phrase_later("It is kept. Send the orders again as plain text."),
            received=when(row.received_at, player.zone),
        )
        told = _answer(office, player, notice, head, f"unreadable/{row.digest[:16]}", counts)
    sender = player.name or player.id if player else "somebody"
    text = f"Letter {row.id} from {sender} could not be read: {reason}\nSee: pbem mail quarantine show {row.id}\n"
    return [*told, *_tell_gm(office, "a letter could not be read", text, f"gm/{row.digest[:16]}")]


def say_unchanged(office: Office, player: Player, head: Head, row: Letter, counts: Answers) -> list[Owed]:
    """Tell the player, once, that his letter came twice."""
    notice = Notice(
        campaign="",
        subject=phrase_later("your letter came twice"),
        heading=phrase_later("Your letter came twice"),
        summary=phrase_later("The same letter came before. It was dealt with then, and nothing has changed."),
        facts=((phrase_later("It came again"), when(row.received_at, player.zone)),),
    )
    return _answer(office, player, notice, head, f"unchanged/{(row.content or row.digest)[:16]}", counts)


WORTHLESS = {
    Answer.LATE: phrase_later("The line in your letter was good for 72 hours, and they are over."),
    Answer.WRONG: phrase_later(
        "The line in your letter confirms no letter that waits: it is another's, was used before, or stands beside "
        "another that is good: give one back in a letter."
    ),
}
"""Why a code confirms nothing."""


def say_code(office: Office, player: Player, head: Head, row: Letter, code: Answer) -> list[Owed]:
    """Tell the player that the code in his letter confirms nothing, or nothing any more."""
    notice = Notice(
        campaign="",
        subject=phrase_later("nothing was confirmed"),
        heading=phrase_later("Nothing was confirmed"),
        summary=WORTHLESS[code],
        facts=(("Received", when(row.received_at, player.zone)),),
        body=phrase_later(
            "Send your orders again, as an answer to a letter of your game. The umpire can still take what waits."
        ),
    )
    return _answer(office, player, notice, head, f"code/{row.digest[:16]}", Answers.DOUBTFUL)


def say_unknown(office: Office, seen: Seen, row: Letter) -> list[Owed]:
    """Tell whoever writes from an address that is nobody's here that it is; only where he does write from there.

    A letter whose sender is not vouched for is not answered: its From is as often as not that of somebody else.
    """
    sender = seen.head.sender.address
    vouched = seen.authentication.result in (Result.PASS, Result.PART)
    if not (sender and vouched and seen.person) or office.settings.trust.strangers == "silent":
        return []
    notice = Notice(
        campaign="",
        subject=phrase_later("your letter was not read"),
        heading=phrase_later("Your letter was not read"),
        summary=phrase_later(
            "This is an office that games are played through by mail, and your address is not known here."
        ),
        body=phrase_later(
            "If you play here, write from the address that you play from. Nothing else can be said to you."
        ),
        foot="",
    )
    mail = to_stranger(
        sender,
        ShortLetter(notice),
        cause=f"unknown/{digest_of(sender.encode())[:16]}/{row.id}",
        at=office.now(),
        answers=Answered(seen.head.message_id, seen.head.references),
    )
    return [mail]


def tell_of_stranger(office: Office, head: Head, row: Letter) -> list[Owed]:
    """Tell the GM, once a day for each address, that somebody unknown wrote."""
    address = head.sender.address
    cause = f"stranger/{digest_of((address or 'no address').encode())[:16]}/{row.received_at // DAY}"
    sender = f"from {address}, and no player writes from there" if address else "without a sender that could be read"
    text = (
        f"Letter {row.id} came {sender}.  It was kept, and nothing of it was taken.\n"
        f"Look at it:              pbem mail quarantine show {row.id}\n"
        f"If you know whose it is: pbem mail quarantine accept {row.id} --as WHO\n"
    )
    return _tell_gm(office, "a letter from a stranger", text, cause)


def tell_of_robot(office: Office, robot: Robot, head: Head, row: Letter, *, his: bool) -> list[Owed]:
    """Tell the GM, once a day for each sender, that one of the letters that no person wrote came.

    *his*: from the address of a player, who may have written it all the same.
    """
    address = head.sender.address or "no address"
    cause = f"robot/{robot.writer}/{digest_of(address.encode())[:16]}/{row.received_at // DAY}"
    text = f"Letter {row.id} from {address} is {_ROBOTS[robot.writer]} ({robot.why}).  It was kept, and not answered.\n"
    if his:
        text += (
            "A player writes from there.  If it is his own all the same, nothing of it was taken:\n"
            f"  pbem mail quarantine show {row.id}\n"
            "  pbem orders submit CAMPAIGN FILE --as ROLE\n"
            "Tell him to write straight from his own mailbox: others like it today are not told again.\n"
        )
    return _tell_gm(office, "a letter that no person wrote", text, cause)


def by_robot(robot: Robot) -> str:
    """Why a letter is not read that no person wrote."""
    return f"it is {_ROBOTS[robot.writer]} ({robot.why})"


def tell_of_held(office: Office, dossier: Dossier, role: Role, row: Letter, *, asked: bool) -> list[Owed]:
    """Tell the GM, once a day for each role, that letters wait: for its player, if *asked*, and for the GM."""
    said = (
        "Its player was asked, at his own address."
        if asked
        else "Its player\nwas asked so often of late that he is asked of this one within the hour."
    )
    said += "\nWhat he answers is obeyed; so is your word:\n"
    text = (
        f"Letter {row.id} seems to be from {role}; that is not certain.  {said}"
        f"  pbem mail quarantine show {row.id}\n"
        f"  pbem mail quarantine accept {row.id}\n"
        "Of others like it today you are not told again: pbem mail quarantine list\n"
    )
    cause = f"held/{role}/{row.received_at // DAY}"
    return [to_gm(dossier.id, "a letter is held", text, cause=cause, at=office.now())]


_ROBOTS = {
    Writer.PERSON: "a person's",
    Writer.OURSELVES: "one of our own, come round",
    Writer.OFFICE: "that of another office",
    Writer.POST: "from the post",
    Writer.READING: "a receipt for reading",
    Writer.ABSENCE: "the answer of somebody who is away",
    Writer.LIST: "from a list",
    Writer.MACHINE: "from a machine",
}


def _tell_gm(office: Office, subject: str, text: str, cause: str) -> list[Owed]:
    return [to_gm(NO_GAME, subject, text, cause=cause, at=office.now())]


def _answer(office: Office, player: Player, notice: Notice, head: Head, cause: str, counts: Answers) -> list[Owed]:
    return to_player(
        Addressee(player),
        ShortLetter(notice),
        kind="receipt",
        cause=cause,
        at=office.now(),
        answers=Answering(Answered(head.message_id, head.references), counts),
    )
