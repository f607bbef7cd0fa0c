"""A player's games: what is due from him, what he has sent, what is new; and by what terms and rules each is played."""

from __future__ import annotations

from msgspec import Struct

from pbem.desk.books.dossiers import Dossier
from pbem.desk.intake.preferences import LEAVES
from pbem.desk.intake.press import CARRIED, PRESS
from pbem.desk.library.scenarios import find_scenario
from pbem.desk.post.wanted import SAYS
from pbem.desk.reading import games, turns
from pbem.kernel.errors import BadScenario, Refused
from pbem.kernel.names import Role
from pbem.reports.pages.environment import environment
from pbem.reports.pages.rulebook import rulebook_html
from pbem.reports.pages.sliced import sliced
from pbem.reports.text.speech import name_of, phrase, phrase_of, spoken
from pbem.reports.text.terms import shown as terms_in_words
from pbem.resources import resources
from pbem.web.asking import Answer, Ask, Page


class Door(Struct, frozen=True):
    """The ways within one game of a player's."""

    campaign: str
    title: str
    role: Role
    home: str
    """Where the pages of this role begin."""
    over: bool


def door(dossier: Dossier, role: Role) -> Door:
    """The ways within a game."""
    return Door(dossier.id, dossier.title, role, f"/games/{dossier.id}/{role}", dossier.campaign.ended is not None)


def mine(ask: Ask) -> Answer:
    """All games of a player."""
    found = games.games(ask.office, ask.player)
    first = found[0] if found and found[0].state == "due" else None
    due = sum(one.state == "due" for one in found)
    rest = found[1:] if first else found
    return Page(
        "web/games.html",
        {
            "title": _title(due, len(found)),
            "first": first,
            "plate": games.plate(ask.office, first),
            "due": [one for one in rest if one.state in ("due", "free")],
            "sent": [one for one in rest if one.state in ("sent", "in part", "waiting", "paused")],
            "enrolling": [one for one in rest if one.state == "enrolling"],
            "over": [one for one in rest if one.state == "over"],
            "count": len({one.campaign for one in found}),
            "closed": games.closed(ask.office, ask.player),
            "news": games.news(ask.office, ask.player),
            "observed": games.observed(ask.office, ask.player),
        },
    )


def _title(due: int, all_: int) -> str:
    if not all_:
        return phrase("You play in no game yet")
    if not due:
        return phrase("Nothing is due from you")
    return phrase_of("{count} sheet is due from you", "{count} sheets are due from you", due)


def terms(ask: Ask) -> Answer:
    """By what terms a game is played."""
    dossier = ask.dossier()
    with ask.office.read() as connection:
        _, view = turns.newest_view(connection, dossier, ask.role)
    stopped = dossier.campaign.stopped.get(ask.role, ())
    press = CARRIED if dossier.system.carries_letters else PRESS[dossier.campaign.terms.press]
    return Page(
        "web/terms.html",
        {
            "door": door(dossier, ask.role),
            "tab": "terms",
            "terms": terms_in_words(dossier.campaign.terms),
            "press": phrase(press).replace("`", "“", 1).replace("`", "”", 1),
            "rules": dossier.campaign.rules,
            "system": dossier.system,
            "addressed": view.addressed,
            "options": sorted(dossier.opened.options.items()),
            "leave": {what: dossier.campaign.leave.get((ask.player.id, what), False) for what in LEAVES},
            "form": dossier.campaign.forms.get(ask.role, "page"),
            "digest": dossier.campaign.digests.get(ask.role, ""),
            "sorts": [(sort, said, sort not in stopped) for sort, said in SAYS.items()],
            "linked": bool(ask.office.settings.web.url),
            "languages": [(code, name_of(code)) for code in spoken()],
            "chosen": dossier.campaign.language(ask.role),
        },
    )


def rulebook(ask: Ask) -> Answer:
    """The rulebook of a game, as it was sent with the briefing."""
    dossier = ask.dossier()
    try:
        text = find_scenario(ask.office.folder, dossier.opened.scenario).rulebook()
    except (BadScenario, Refused):
        text = ""
    if not text:
        raise Refused(phrase("the rulebook of this game is not here any more: it came with your briefing."))
    page = rulebook_html(text, environment(resources("templates"), ask.office.templates))
    return Page("web/rulebook.html", {"door": door(dossier, ask.role), "tab": "terms", "page": sliced(page)})
