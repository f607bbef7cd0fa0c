"""What the page is made of on which a role writes its orders: what is asked, what stands, the map and its names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.books.threads import BOTH
from pbem.desk.library.readied import decoded
from pbem.desk.office.office import Office
from pbem.desk.post.delivery import shown
from pbem.desk.reading.games import Mine, mine
from pbem.desk.sheets import receipts
from pbem.desk.sheets.closing import closed
from pbem.desk.sheets.receipts import Standpoint
from pbem.kernel.campaign import SHEET_RECEIPTS
from pbem.kernel.event import kind_of
from pbem.kernel.names import Moment, Role
from pbem.reports.maps.field import Field, field_of
from pbem.reports.maps.maps import Drawing, draw
from pbem.reports.pages.sliced import unstyled
from pbem.reports.text.speech import phrase, phrase_later
from pbem.rules.view import View
from pbem.storage import outbox, players
from pbem.storage.players import Player


class Kept(Struct, frozen=True):
    """A receipt of a role's, in short."""

    number: int
    at: int
    moment: Moment | None
    what: str
    """`accepted`, `refused`, `withdrawn`, `kept for later`."""
    lines: int


class Asked(Struct, frozen=True, kw_only=True):
    """What a role is asked now, and what it has said."""

    mine: Mine
    view: View
    """As its page would look now."""
    moment: Moment
    name: str
    addressed: str
    text: str
    """What to begin from: the sheet that stands, or the template."""
    stands: str
    """The sheet that stands; empty: none."""
    runs: str
    """When it is played, in a sentence or two."""
    waits: bool
    closed: str
    """Why nothing can be sent any more, in a phrase; empty while it can."""
    forms: Mapping[str, str]
    receipts: tuple[Kept, ...]


_SAID = {
    "orders_accepted": phrase_later("accepted"),
    "orders_kept": phrase_later("kept for later"),
    "orders_refused": phrase_later("refused"),
    "orders_withdrawn": phrase_later("withdrawn"),
}


def asked(office: Office, campaign: str, role: Role) -> Asked:
    """What *role* is asked now.

    :raises Refused: if the game has not begun.
    """
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        found = mine(office, connection, dossier, role)
        at = receipts.standpoint(office, connection, dossier, role)
        player = dossier.campaign.players.get(role)
        zone = players.get(connection, player).zone if player else office.settings.zone
    there = dossier.campaign.sheets.get((at.moment, role))
    stands = there.text if there else ""
    return Asked(
        mine=found,
        view=at.view,
        moment=at.moment,
        name=at.name,
        addressed=at.view.addressed,
        text=stands or _to_begin(at),
        stands=stands,
        runs=receipts.runs(dossier, at, now=office.now(), zone=zone),
        waits=dossier.campaign.waits.get((at.asked, role), False),
        closed=closed(dossier, at, office.now(), zone),
        forms=_nearest(at.forms, at.view.template),
        receipts=tuple(_receipts(dossier, role)),
    )


def _to_begin(at: Standpoint) -> str:
    """A sheet to begin from, as reports have it."""
    return "\n".join(at.view.template)


def _receipts(dossier: Dossier, role: Role) -> list[Kept]:
    found = []
    for one in reversed(dossier.log.own):
        event = one.event
        if isinstance(event, SHEET_RECEIPTS) and event.role == role:
            text = getattr(event, "text", "")
            found.append(
                Kept(event.receipt, one.at, event.moment, phrase(_SAID[kind_of(event)]), len(text.splitlines()))
            )
    return found


class Drawn(Struct, frozen=True):
    """The map on which orders are drawn, and what lies where on it."""

    whole: str
    key: tuple[tuple[str, str], ...]
    field: Field


def _nearest(forms: Mapping[str, str], template: Sequence[str]) -> dict[str, str]:
    """Examples of orders by their verbs, those first that stand in what the page gives to begin from."""
    begun = [line.removeprefix("#").strip() for line in template]
    first = [verb for verb in forms if any(line.startswith(f"{verb} ") for line in begun)]
    return {verb: forms[verb] for verb in (*first, *(one for one in forms if one not in first))}


def drawn(office: Office, campaign: str, role: Role) -> bytes:
    """The map of *role* as it knows the field now, its own troops to be found by name, as JSON.  It can take long."""
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        at = receipts.standpoint(office, connection, dossier, role)
    picture = at.view.picture
    if at.system.past is not None:
        keyed = at.system.past.picture(at.scene, at.mind, role, (), at.view.moment)
        picture = msgspec.structs.replace(keyed, focus=picture.focus, title=picture.title, words=picture.words)
    made: Drawing = draw(msgspec.structs.replace(picture, focus=None))
    return msgspec.json.encode(Drawn(unstyled(made.whole), made.key, field_of(picture)))


def read_drawn(data: bytes) -> Drawn:
    """What `drawn` made."""
    return decoded(data, Drawn)


def stamp(office: Office, campaign: str, role: Role) -> tuple[Any, ...]:
    """What is the same as long as the map of *role* is."""
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        at = receipts.standpoint(office, connection, dossier, role)
    return (campaign, role, dossier.campaign.horizon(role), str(at.moment), len(dossier.annulments))


def receipt_text(office: Office, dossier: Dossier, role: Role, player: Player, number: int) -> str | None:
    """A receipt as it was written to *player*, as text; none, if none of that number was."""
    cause = f"receipt/{role}/{number}"
    with office.read() as connection:
        mails = [outbox.of_cause(connection, dossier.id, one) for one in (cause, f"{cause}/{BOTH}")]
    his = next((mail for mail in mails if mail is not None and mail.player == player.id), None)
    return None if his is None else shown(office, his.id).text or ""
