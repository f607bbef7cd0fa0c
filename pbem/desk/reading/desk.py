"""What a GM has before him: how each game stands, what needs him first, letters that wait, mail that fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from pbem.desk.books import dossiers, roster
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.ended import ending
from pbem.desk.books.led_by_rules import lacking
from pbem.desk.gm.sealed import SEALED, counted, sealed
from pbem.desk.gm.waiting import Letter, listing
from pbem.desk.gm.withheld import letter_on_page
from pbem.desk.office.office import Office
from pbem.desk.players.inviting import unanswered
from pbem.desk.post import delivery
from pbem.desk.post.delivery import Mail, To
from pbem.desk.turns.exchange import Turn, turn
from pbem.kernel.names import CampaignId, Role
from pbem.mail.reading.letter import read_head
from pbem.orders.prose import listed
from pbem.reports.text.plain import printable
from pbem.storage import blobs, setbacks
from pbem.storage.players import Player
from pbem.storage.setbacks import Setback

Need = Literal["past", "asked", "staged", "ready", "held", "enrolling", "open", "paused", "over"]
"""What a game needs of its GM, the most pressing first."""

NEEDS: Sequence[Need] = ("past", "asked", "staged", "ready", "held", "enrolling", "open", "paused", "over")

SHOWN = 8
"""Lines of a letter that are shown before it is opened."""


class Game(Struct, frozen=True, kw_only=True):
    """A campaign, as its GM looks at it."""

    dossier: Dossier
    need: Need
    says: str
    """How it stands, in a phrase."""
    turn: Turn | None = None
    """None: it has not begun."""

    @property
    def events(self) -> int:
        """How many its log has, but for those of secret votes."""
        return counted(self.dossier)

    @property
    def due(self) -> int:
        """When its orders are due, microseconds UTC; 0, if none are."""
        return self.turn.exchange.deadline if self.turn and self.turn.exchange.state == "open" else 0


class Held(Struct, frozen=True):
    """A letter that waits for a word of the GM's."""

    letter: Letter
    sender: str
    subject: str
    begins: tuple[str, ...]
    """Its first lines, without what proves who wrote it."""


class Failing(Struct, frozen=True):
    """A mail that did not arrive."""

    mail: Mail
    to: To
    setback: Setback | None
    """What the post says of it, if it came back."""


def games(office: Office) -> tuple[list[Game], Mapping[CampaignId, str]]:
    """All campaigns: what needs the GM first, by its hour; what is over, last; and why others cannot be opened."""
    with office.read() as connection:
        found, closed = dossiers.sorted_out(office, connection, dossiers.campaigns(connection))
    return sorted((game(office, one) for one in found), key=_rank), closed


def _rank(one: Game) -> tuple[int, int, str]:
    return NEEDS.index(one.need), one.due, one.dossier.id


def game(office: Office, dossier: Dossier) -> Game:
    """How one campaign stands."""
    told = dossier.campaign
    if told.ended:
        return Game(dossier=dossier, need="over", says=f"{ending(told.ended)}.")
    if not told.started:
        return Game(dossier=dossier, need="enrolling", says=_enrolling(dossier))
    seen = turn(office, dossier.id)
    need, says = _need(seen)
    return Game(dossier=dossier, need=need, says=says, turn=seen)


def _enrolling(dossier: Dossier) -> str:
    if missing := lacking(dossier):
        return f"Nobody plays {', '.join(missing)} yet."
    if silent := unanswered(dossier):
        return f"No answer yet of {', '.join(silent)}."
    return "All roles are filled: it can begin."


def _need(seen: Turn) -> tuple[Need, str]:
    exchange, told = seen.exchange, seen.dossier.campaign
    if told.paused_at:
        return "paused", f"Paused: {told.paused}"
    if seen.queries:
        return "asked", "A question is open."
    if exchange.state == "resolved":
        return "staged", "Resolved, and not released yet."
    if exchange.known:
        return "past", "Annulled: it takes no more orders, and waits to be run again."
    owing = [one.role for one in seen.roles if one.must and one.state != "received"]
    if seen.halt:
        at = f"Its run stands at {seen.halt.moment}"
        if seen.complete:
            return "ready", f"{at}, and all that was asked there is answered."
        return "open", f"{at}; {listed(owing)} {'has' if len(owing) == 1 else 'have'} not answered."
    if seen.complete:
        return ("held", f"Everything owed is in, but {'; '.join(seen.against)}.") if seen.against else (
            "ready", "Everything owed is in."
        )  # fmt: skip
    if seen.now > exchange.deadline:
        return "past", f"Past its deadline; {', '.join(owing)} {'owes' if len(owing) == 1 else 'owe'} orders."
    return "open", f"{listed(owing)} {'owes' if len(owing) == 1 else 'owe'} orders still." if owing else "Open."


def people(office: Office, dossier: Dossier) -> dict[Role, Player | None]:
    """Who plays each role of a campaign."""
    with office.read() as connection:
        return roster.people(connection, dossier)


def held(office: Office) -> list[Held]:
    """The letters that wait, with how they begin."""
    found, seal = [], sealed(office)
    for letter in listing(office):
        with office.read() as connection:
            raw = blobs.fetch(connection, letter.digest) if blobs.state(connection, letter.digest) == "kept" else b""
        head = read_head(raw)
        _, _, body = letter_on_page(office, letter, raw).partition("\n\n")
        lines = tuple(printable(line)[:200] for line in body.strip().splitlines()[:SHOWN])
        sender, subject = printable(head.sender.address or "nobody"), printable(head.subject)
        hides = seal.letter(letter)
        found.append(Held(letter, sender, "" if hides else subject, (SEALED,) if hides else lines))
    return found


def failing(office: Office) -> list[Failing]:
    """The mails that failed, or came back."""
    seal = sealed(office)
    mails = [one for one in delivery.listing(office) if not seal.mail(one)]
    with office.read() as connection:
        back = {one.id: setback for one in mails if (setback := setbacks.get(connection, one.id)) is not None}
    found = [one for one in mails if one.state == "failed" or one.id in back]
    to = delivery.recipients(office, found)
    return [Failing(one, to[one.id], back.get(one.id)) for one in found]


def of_campaign(office: Office, campaign: CampaignId) -> Game:
    """How the campaign of that name stands.

    :raises UnknownCampaign: if there is none.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
    return game(office, dossier)
