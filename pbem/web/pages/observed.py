"""A game at which somebody looks on without a side: what its log says that he was shown, and nothing else."""

from __future__ import annotations

from msgspec import Struct

from pbem.desk.books import dossiers
from pbem.desk.books.dossiers import Dossier
from pbem.desk.office.office import Office
from pbem.desk.pages.observed import find, pages_of
from pbem.desk.players import observers
from pbem.desk.reading.turns import as_told, reel_page
from pbem.kernel.names import Moment
from pbem.reports.pages.sliced import sliced
from pbem.reports.text.speech import phrase
from pbem.reports.text.terms import observers as terms_in_words
from pbem.web.asking import Answer, Ask, File, Go, Later, NotThere, Page
from pbem.web.pages.turns import moment_of


class Door(Struct, frozen=True):
    """The ways within one game, for who looks on."""

    title: str
    home: str
    over: bool


def door(dossier: Dossier) -> Door:
    """The ways within a game."""
    return Door(dossier.title, f"/observed/{dossier.id}", dossier.campaign.ended is not None)


def newest(ask: Ask) -> Answer:
    """The newest turn that is shown."""
    dossier = ask.dossier()
    return Go(f"{door(dossier).home}/turns/{find(dossier).moment}")


def turn(ask: Ask) -> Answer:
    """A turn, through one of the pairs of eyes that it is shown through."""
    dossier = ask.dossier()
    shown = find(dossier, moment_of(ask))
    wanted = ask.query.get("eyes", "")
    eyes = wanted if wanted in shown.eyes else shown.eyes[0]
    steps = as_told(dossier.campaign.shown)
    at = steps.index(shown.moment)

    def made(html: str) -> Answer:
        return Page(
            "web/observed.html",
            {
                "door": door(dossier),
                "shown": shown,
                "eyes": eyes,
                "steps": steps,
                "earlier": steps[at - 1] if at else None,
                "later": next(iter(steps[at + 1 :]), None),
                "sees": terms_in_words(dossier.campaign.terms),
                "page": sliced(html),
            },
        )

    return Later(_page, (dossier.id, shown.moment, eyes, ask.zone), made)


def _page(office: Office, campaign: str, moment: Moment, eyes: str, zone: str) -> str:
    with office.read() as connection:
        dossier = dossiers.load(office, connection, campaign)
        return next(one.html for one in pages_of(office, connection, dossier, find(dossier, moment), zone, only=eyes))


def reel(ask: Ask) -> Answer:
    """The whole game, moving, when it is over: then nothing of it is hidden from anybody."""
    dossier = ask.dossier()
    if dossier.campaign.ended is None:
        raise NotThere
    eyes = ("truth", *dossier.roles)
    arguments = (dossier.id, eyes, ask.assets, door(dossier).home)
    return Later(reel_page, arguments, lambda html: File(html, "text/html"))


def leave(ask: Ask) -> Answer:
    """Look on no more."""
    observers.remove(ask.office, ask.campaign, ask.player.id, reason="As you wished.")
    return Go("/games", phrase("You look on there no more."))
