"""Signing in: a letter with a link and a code, of use once, for a quarter of an hour, where they were asked for.

Whether anybody is known by an address is not told: the answer is the same, and what else there is to do is done after
it.  A link is opened by a button: programs that look through mail open links, and press no buttons.
"""

from __future__ import annotations

from msgspec.structs import replace

from pbem.desk.access import sessions as doors
from pbem.desk.access.people import Person, known_by, person
from pbem.desk.access.secrets import blurred, code, digest, fresh, same
from pbem.desk.books.owed import Owed, ShortLetter
from pbem.desk.books.spoken_to import language_of
from pbem.desk.office.office import HOUR, Office
from pbem.desk.post.addresses import NO_GAME
from pbem.desk.post.post import Addressee, to_player
from pbem.desk.post.writing import owe
from pbem.kernel.errors import Refused
from pbem.mail.wire.addresses import normalise
from pbem.reports.pages.notice import Notice
from pbem.reports.text.speech import ENGLISH, phrase, phrase_later, phrase_of, speaking
from pbem.storage import sessions
from pbem.storage.sessions import Link, Session

LASTS = HOUR // 4
HANDED_ON = 24 * HOUR
"""How long a link is of use that the GM made, to be handed on."""

TRIES = 5
"""So many wrong codes, and a link is void."""

TO_ADDRESS = 4
FROM_SENDER = 30
"""So many links within an hour to one address, and asked for from one place."""

USELESS = phrase_later(
    "This is of no use here: it was used before, is older than a quarter of an hour, or was asked for in another "
    "browser.  Ask for a new one, and stay in this browser."
)


def ask(office: Office, address: str, *, browser: str, sender: str) -> bool:
    """Write a link to whoever is known by *address*; says whether it was, which nobody is told who asks.

    *browser* is what the browser is known by that asks, *sender* the place on the net that it asks from.

    :raises StorageError: if the disk does not let it.
    """
    now, secret, digits = office.now(), fresh(office), code(office)
    asked = blurred(office, "address", normalise(address) or "none")
    place = blurred(office, "sender", sender)
    with office.read() as connection:
        whose = known_by(office, connection, address) if normalise(address) else Person()
        often = sessions.asked_for(connection, asked, since=now - HOUR) >= TO_ADDRESS
        often = often or sessions.asked_from(connection, place, since=now - HOUR) >= FROM_SENDER
    if often:
        return False
    link = Link(
        id=digest(secret),
        asked_at=now,
        ends_at=now + LASTS,
        player=whose.player.id if whose.player else None,
        gm=whose.gm,
        code=blurred(office, f"code/{digest(secret)}", digits),
        browser=digest(browser),
        address=asked,
        sender=place,
    )
    with office.write(whole=True) as connection:
        sessions.ask(connection, link, forget=now - HOUR)
        with speaking(language_of(office, connection, whose.player.id) if whose.player else ENGLISH):
            letters = _letters(office, whose, link, secret, digits)
        for owed in letters:
            owe(connection, owed)
    return whose.known


def _letters(office: Office, whose: Person, link: Link, secret: str, digits: str) -> list[Owed]:
    """The letter with the link, to a player or a GM."""
    code = f"{digits[:3]} {digits[3:]}"
    notice = Notice(
        campaign="",
        subject=phrase_later("Your way into the reading room"),
        heading=phrase_later("Your way into the reading room"),
        summary=phrase_later("Of use once, within a quarter of an hour, in the browser in which you asked for it."),
        body=phrase(
            "Open this link there, and press the button on its page:\n\n{link}\n\n"
            "Or type this code there:\n\n**{code}**\n\n"
            "If you did not ask for it, do nothing: nobody comes in by it but in the browser that asked for it.",
            link=address_of(office, secret),
            code=code,
        ),
        foot="",
    )
    cause = f"sign-in/{link.id[:24]}"
    if whose.player and whose.player.address:
        mails = to_player(Addressee(whose.player), ShortLetter(notice), kind="receipt", cause=cause, at=link.asked_at)
        return [replace(mail, expires_at=link.ends_at) for mail in mails]
    if not whose.gm:
        return []
    owed = Owed(
        campaign=NO_GAME,
        cause=cause,
        kind="receipt",
        says=ShortLetter(notice),
        at=link.asked_at,
        address=whose.gm,
        thread=cause,
        batch=cause,
        expires_at=link.ends_at,
    )
    return [owed]


def address_of(office: Office, secret: str) -> str:
    """The address of the page on which a link is used."""
    web = office.settings.web
    return f"{web.url or f'http://{web.bind}'}/sign-in/link/{secret}"


def handed_on(office: Office, whose: Person) -> str:
    """A link that the GM hands on himself, bound to no browser: its secret.

    :raises Refused: if it is for nobody.
    """
    if not whose.known:
        raise Refused("nobody is known by that.")
    secret, now = fresh(office), office.now()
    player = whose.player.id if whose.player else None
    with office.write(whole=True) as connection:
        link = Link(id=digest(secret), asked_at=now, ends_at=now + HANDED_ON, player=player, gm=whose.gm)
        sessions.ask(connection, link, forget=now - HOUR)
    return secret


def by_link(office: Office, secret: str, *, browser: str, name: str) -> tuple[str, Session]:
    """Sign a browser in, called *name*, by the link that it asked for; gives its secret.

    :raises Refused: if the link is of no use, or is another browser's.
    """
    with office.read() as connection:
        link = sessions.link(connection, digest(secret))
    bound = link is not None and link.browser and not same(link.browser, digest(browser))
    if link is None or bound or link.tries >= TRIES:
        raise Refused(phrase(USELESS))
    return _used(office, link, name)


def by_code(office: Office, digits: str, *, browser: str, name: str) -> tuple[str, Session]:
    """Sign a browser in by the code that was written to whoever asked in it; gives its secret.

    :raises Refused: if it is another code, or there have been too many others.
    """
    typed = "".join(sign for sign in digits if sign.isdecimal())
    with office.read() as connection:
        link = sessions.newest(connection, digest(browser), at=office.now()) if browser else None
    if link is None or link.tries >= TRIES:
        raise Refused(phrase(USELESS))
    if not same(link.code, blurred(office, f"code/{link.id}", typed)):
        with office.write() as connection:
            sessions.tried(connection, link.id)
        left = TRIES - link.tries - 1
        more = (
            phrase_of("One attempt is left.", "{count} attempts are left.", left)
            if left
            else phrase("Ask for a new one.")
        )
        wrong = phrase("That is not the code that was sent.")
        raise Refused(f"{wrong}  {more}")
    return _used(office, link, name)


def _used(office: Office, link: Link, name: str) -> tuple[str, Session]:
    """Use a link up, and sign the browser in."""
    now = office.now()
    with office.write(whole=True) as connection:
        whose = person(office, connection, link.player, link.gm)
        if link.ends_at <= now or not whose.known or not sessions.use(connection, link.id, at=now):
            raise Refused(phrase(USELESS))
        return doors.begin(office, connection, link.player, whose.gm, name)
