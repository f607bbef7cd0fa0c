"""A sign-up on the web is the letter that its writer would have sent: it goes that way, and is confirmed as that is."""

from __future__ import annotations

import hmac
from email.message import EmailMessage
from email.utils import formataddr, formatdate

from msgspec import Struct

from pbem.desk.books import allowance
from pbem.desk.books.owed import Answers
from pbem.desk.intake import held
from pbem.desk.intake.fates import Received
from pbem.desk.intake.keeping import NOBODY, Vouched, take_in
from pbem.desk.intake.receive import deal_with
from pbem.desk.office.office import SECOND, Office, signing_key
from pbem.desk.players import joining
from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId, Role
from pbem.mail.reading.naming import for_letters, for_people
from pbem.mail.trust.caps import Reply
from pbem.mail.trust.confirm import Answer, find_codes
from pbem.reports.text.speech import phrase
from pbem.storage import answers, blobs, letters, players
from pbem.storage.players import Player

WEB = "web"
"""The way of what was written on a page."""

FROM_PLACE = 20
"""So many sign-ups of a day from one place on the net."""


class Form(Struct, frozen=True, kw_only=True):
    """What somebody filled in."""

    campaign: str
    roles: tuple[str, ...] = ()
    """The best first; none: any."""
    off: bool = False
    name: str = ""
    address: str = ""
    zone: str = ""
    once: str = ""
    """What has the same, and says the same, is the same form: a page to which somebody went back may say otherwise."""
    place: str = ""
    """On the net, from which it came."""


def by_player(office: Office, id: PlayerId, form: Form) -> str:
    """Sign a player up who is signed in; gives what became of it, in a sentence.

    :raises Refused: if he cannot be.
    """
    with office.read() as connection:
        player = players.get(connection, id)
    done = _sent(office, form, player.name or "", player.address or "", Vouched("he is signed in on the web", id))
    if done.state not in ("applied", "ignored"):
        raise Refused(_barred(office, form, player) or done.reason)
    return phrase("You are off the list.") if form.off else _how(office, form.campaign, id)


def by_stranger(office: Office, form: Form) -> None:
    """Have a code sent to whoever signs up; nobody is told whether he is known, nor whether he was asked too often.

    :raises Refused: if he gives no address, or nobody can be called so.
    """
    address, name = for_letters(form.address), for_people(form.name, "a player")
    now, place = office.now(), hmac.digest(signing_key(office), f"join from {form.place}".encode(), "sha256").hex()
    with office.read() as connection:
        known = players.by_address(connection, address) is not None
        asked = allowance.may_leave(office, connection, Answers.JOINING, address, "", at=now)
        often = answers.counted(connection, place, at=now) >= FROM_PLACE
    if often or (asked is Reply.NO and not known):
        return
    with office.write() as connection:
        answers.note(connection, place, at=now)
    _sent(office, form, name, address, NOBODY)


def by_code(office: Office, typed: str) -> str:
    """Put on the list who gives back the code that was sent to him; gives what became of it, in a sentence.

    :raises Refused: if it is none that is good.
    """
    now = office.now()
    with office.read() as connection:
        good = [
            row
            for row in letters.coded(connection)
            if row.source == WEB and any(held.worth(office, one, row, now) is Answer.GOOD for one in find_codes(typed))
        ]
    if not good:
        raise Refused(phrase("that is not a code that was sent, or it was used before, or is older than 72 hours."))
    done = deal_with(office, good[0], vouched=Vouched("its player confirmed it"))
    if done.state != "applied" or done.campaign is None:
        raise Refused(phrase("it was not done: {why}.", why=done.reason))
    with office.read() as connection:
        who = letters.get(connection, good[0].id).player
    return _how(office, done.campaign, who) if who else phrase("You are on the list.")


def _barred(office: Office, form: Form, player: Player) -> str:
    """Why a player cannot be on the list, in a sentence; empty if that is not why."""
    with office.read() as connection:
        dossier = joining.find(office, connection, form.campaign)
    wish = joining.Wish(tuple(map(Role, form.roles)), "", "")
    return joining.barred(office, dossier, player, wish) if dossier and not form.off else ""


def _how(office: Office, campaign: str, id: PlayerId) -> str:
    with office.read() as connection:
        dossier = joining.find(office, connection, campaign)
    return " ".join((phrase("It is done."), *([joining.standing(dossier, id)] if dossier else [])))


def _sent(office: Office, form: Form, name: str, address: str, vouched: Vouched) -> Received:
    """Have the letter come in that says what a form does."""
    wishes = " or ".join(Role(role) for role in form.roles) or "any"
    lines = [f"join {form.campaign} {'off' if form.off else f'as {wishes}'}", f"name {name}"]
    lines += [f"zone {form.zone}"] if form.zone else []
    text = "\n".join(lines)
    letter = EmailMessage()
    letter["From"] = formataddr((name, address))
    letter["To"] = office.settings.address
    letter["Subject"] = f"join {form.campaign}"
    letter["Date"] = formatdate(office.now() / SECOND)
    letter["Message-ID"] = message_id = f"<{office.fresh_id()}@web.{office.settings.host}>"
    letter.set_content(text)
    said = blobs.digest_of(f"{address}\n{text}".encode())[:16]
    origin = f"{form.campaign}/{form.once}/{said}" if form.once else None
    row = take_in(office, letter.as_bytes(), way=WEB, origin=origin, message_id=message_id)
    return deal_with(office, row, vouched=vouched)
