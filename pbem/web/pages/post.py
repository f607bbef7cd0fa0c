"""Letters that came and mails that left, and the people of the office, for those who run games."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.desk.access.people import Player
from pbem.desk.books.roster import parts
from pbem.desk.books.standing import in_words, standings
from pbem.desk.gm import waiting
from pbem.desk.gm.sealed import SEALED, sealed
from pbem.desk.gm.withheld import letter_on_page, mail_on_page
from pbem.desk.players.aliases import others
from pbem.desk.post import delivery
from pbem.desk.post.bounces import reached
from pbem.desk.reading import desk
from pbem.kernel.errors import Refused
from pbem.kernel.names import PlayerId
from pbem.reports.text.plain import printable
from pbem.web.asking import Answer, Ask, NotThere, Page
from pbem.web.pages.deeds import office_forms

MOST = 200
"""So many letters and mails are listed, the newest first."""

STATES = ("queued", "sending", "sent", "failed", "dropped")

LONGEST = 60_000
"""Signs of a letter that are shown."""


def post(ask: Ask) -> Answer:
    """Letters and mails."""
    state, seal = ask.query.get("state", ""), sealed(ask.office)
    mails = [one for one in delivery.listing(ask.office) if state not in STATES or one.state == state]
    mails = [one for one in mails if not seal.mail(one)]
    mails = mails[: -MOST - 1 : -1]
    everything = ask.query.get("letters") == "all"
    letters = [one for one in waiting.listing(ask.office, everything=everything) if not seal.letter(one)]
    letters = letters[: -MOST - 1 : -1]
    return Page(
        "web/post.html",
        {
            "held": desk.held(ask.office),
            "letters": letters if everything else (),
            "everything": everything,
            "mails": mails,
            "to": delivery.recipients(ask.office, mails),
            "state": state,
            "states": ("", *STATES),
            "due": delivery.due(ask.office),
            "form": office_forms(ask),
        },
    )


def letter(ask: Ask) -> Answer:
    """One letter, without what proves who wrote it."""
    number = ask.named["number"]
    if not number.isdecimal() or len(number) > 12:
        raise NotThere
    row, raw = waiting.read(ask.office, int(number))
    if sealed(ask.office).letter(row):
        raise Refused(SEALED)
    text = "\n".join(map(printable, letter_on_page(ask.office, row, raw)[:LONGEST].splitlines()))
    return Page("web/letter.html", {"letter": row, "text": text, "form": office_forms(ask)})


def mail(ask: Ask) -> Answer:
    """One mail, and what became of it."""
    shown = mail_on_page(delivery.shown(ask.office, ask.named["id"]))
    if sealed(ask.office).mail(shown.mail):
        raise Refused(SEALED)
    return Page("web/mail.html", {"shown": shown, "mail": shown.mail, "form": office_forms(ask)})


def in_words_of(ask: Ask, people: Iterable[Player]) -> dict[PlayerId, str]:
    """The standings of *people* by the games at which whoever asks may look."""
    found = standings(ask.office, people, lambda campaign: ask.person.may("look", campaign))
    return {who: in_words(one) for who, one in found.items()}


def people(ask: Ask) -> Answer:
    """Everybody, with what he plays and how he is reached."""
    there = [one for one in parts(ask.office) if one[0].erased_at is None]
    return Page(
        "web/people.html",
        {
            "people": there,
            "standings": in_words_of(ask, [who for who, _ in there]),
            "reached": reached(ask.office),
            "others": others(ask.office),
            "gms": ask.office.gms,
            "form": office_forms(ask),
        },
    )
