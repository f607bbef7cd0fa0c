"""A turn as its report tells it, with the map large; earlier and later ones; and the game so far, moving."""

from __future__ import annotations

from pbem.desk.reading import turns
from pbem.kernel.errors import BadMoment
from pbem.kernel.names import Moment
from pbem.web.asking import Answer, Ask, File, Go, Later, NotThere, Page
from pbem.web.pages.games import door


def newest(ask: Ask) -> Answer:
    """The newest turn of a role, or its orders where there is none yet."""
    dossier = ask.dossier()
    return Go(f"/games/{dossier.id}/{ask.role}/turns/{turns.newest(dossier, ask.role)}")


def moment_of(ask: Ask) -> Moment:
    """The moment that the path names.

    :raises NotThere: if it names none.
    """
    try:
        return Moment.parse(ask.named["moment"])
    except BadMoment:
        raise NotThere from None


def turn(ask: Ask) -> Answer:
    """A report."""
    version = ask.query.get("version", "")
    found = turns.turn(
        ask.office, dossier := ask.dossier(), ask.role, moment_of(ask), int(version) if version.isdecimal() else 0
    )
    return Page("web/turn.html", {"turn": found, "door": door(dossier, ask.role), "tab": "turn"})


def reel(ask: Ask) -> Answer:
    """The game so far, through the role's own eyes."""
    home = f"/games/{ask.campaign}/{ask.role}"
    return Later(
        turns.reel_page,
        (ask.campaign, (ask.role,), ask.assets, home),
        lambda html: File(html, "text/html"),
    )
