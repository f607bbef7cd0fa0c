"""The desk of a GM: what needs him, in all games and in one; the truth beside what each believes; the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.desk.books.dossiers import Dossier
from pbem.desk.deeds.of_campaign import PUBLIC
from pbem.desk.gm.sealed import counted
from pbem.desk.library.scenarios import listing
from pbem.desk.office.office import Office
from pbem.desk.pages import gms_page
from pbem.desk.players.observers import there
from pbem.desk.reading import desk
from pbem.desk.reading.desk import Game
from pbem.desk.reading.dry import Dry, dry
from pbem.desk.reading.turns import reel_page
from pbem.desk.reels.chosen import choose
from pbem.desk.turns import shelf
from pbem.desk.turns.absences import pending
from pbem.kernel.errors import BadMoment
from pbem.kernel.names import Moment
from pbem.reports.pages.environment import environment
from pbem.reports.pages.sliced import sliced
from pbem.reports.pages.umpire import umpire_html
from pbem.reports.text.beats import in_a_line, short
from pbem.reports.text.terms import shown as terms_in_words
from pbem.resources import resources
from pbem.web.asking import Answer, Ask, File, Later, NotThere, Page
from pbem.web.pages.deeds import OF_CAMPAIGN, Forms, office_forms
from pbem.web.pages.post import in_words_of

LINES = 400
"""So many beats of a log are shown on a page."""

FILTERS = ("phase", "unit", "place", "kind", "rule", "words")
"""What a log can be asked for, besides a turn and eyes."""


class Door(Struct, frozen=True):
    """The ways within one game, for its GM."""

    campaign: str
    title: str
    home: str
    begun: bool


class Line(Struct, frozen=True):
    """A beat of a log."""

    name: str
    phase: str
    text: str


def door(dossier: Dossier) -> Door:
    """The ways within a game."""
    return Door(dossier.id, dossier.title, f"/desk/games/{dossier.id}", bool(dossier.campaign.started))


def forms_of(ask: Ask, dossier: Dossier) -> Forms:
    """Makes forms of what is done with a game."""
    return Forms(ask, OF_CAMPAIGN, f"/desk/games/{dossier.id}", seq=counted(dossier), roles=dossier.roles)


# ------------------------------------------------------------------ all games


def first(ask: Ask) -> Answer:
    """Who owes what in all games; letters that wait; mail that fails."""
    games, closed = _seen(ask)
    running = [one for one in games if one.need != "over"]
    return Page(
        "web/desk.html",
        {
            "title": _title(running, len(closed)),
            "games": running,
            "over": len(games) - len(running),
            "needy": next((one for one in running if one.need in ("past", "asked", "staged", "ready", "held")), None),
            "ready": [one for one in running if one.need == "ready"],
            "held": desk.held(ask.office) if ask.person.may("post") else (),
            "failing": desk.failing(ask.office) if ask.person.may("post") else (),
            "people": {one.dossier.id: desk.people(ask.office, one.dossier) for one in running if one.turn is None},
            "closed": closed,
            "form": office_forms(ask),
            "forms": {one.dossier.id: forms_of(ask, one.dossier) for one in running},
        },
    )


def _seen(ask: Ask) -> tuple[list[Game], Mapping[str, str]]:
    """The games at which whoever asks may look; and why others of them cannot be opened."""
    found, closed = desk.games(ask.office)
    return (
        [one for one in found if ask.person.may("look", one.dossier.id)],
        {name: why for name, why in closed.items() if ask.person.may("look", name)},
    )


_WORDS = {
    "past": ("game waits past its hour", "games wait past their hours"),
    "asked": ("question is open", "questions are open"),
    "staged": ("turn is staged", "turns are staged"),
    "ready": ("game is ready to run", "games are ready to run"),
}


def _title(games: list[Game], closed: int) -> str:
    said = [f"{closed} {'game' if closed == 1 else 'games'} cannot be opened"] if closed else []
    for need, (one, more) in _WORDS.items():
        if count := sum(game.need == need for game in games):
            said.append(f"{count} {one if count == 1 else more}")
    if not said:
        return "Nothing waits for you" if games else "No game is played yet"
    return ", ".join(said[:2])


def campaigns(ask: Ask) -> Answer:
    """All campaigns, and a form to open another."""
    games, closed = _seen(ask)
    return Page(
        "web/campaigns.html",
        {
            "games": games,
            "closed": closed,
            "scenarios": [one.card for one in listing(ask.office.folder)],
            "form": office_forms(ask),
        },
    )


# ------------------------------------------------------------------ one game


def in_game(ask: Ask, template: str, tab: str, **values: Any) -> Page:
    """A page of one game, with its tabs, people and forms."""
    game = desk.of_campaign(ask.office, ask.dossier().id)
    return Page(
        template,
        {
            "game": game,
            "door": door(game.dossier),
            "tab": tab,
            "form": forms_of(ask, game.dossier),
            "people": desk.people(ask.office, game.dossier),
            **values,
        },
    )


def now(ask: Ask) -> Answer:
    """How a game stands, and what can be done."""
    return in_game(ask, "web/game.html", "now", dry=None)


def try_it(ask: Ask) -> Answer:
    """Run the open exchange dry."""

    def shown(done: Dry) -> Answer:
        return in_game(ask, "web/game.html", "now", dry=done)

    return Later(dry, (ask.campaign, ask.form.get("early") == "on"), shown, slow=True)


def players(ask: Ask) -> Answer:
    """Who plays, by what terms, and who is away."""
    dossier = ask.dossier()
    return in_game(
        ask,
        "web/game-players.html",
        "players",
        terms=terms_in_words(dossier.campaign.terms),
        options=sorted(dossier.opened.options.items()),
        absent=pending(dossier, ask.now),
        observers=there(ask.office, dossier.id),
        standings=in_words_of(ask, filter(None, desk.people(ask.office, dossier).values())),
        is_public=(ask.office.folder / PUBLIC / dossier.id).is_dir(),
    )


def moment_named(ask: Ask) -> Moment | None:
    """The moment that is asked for; none: the newest.

    :raises NotThere: if it names none.
    """
    try:
        return Moment.parse(ask.query["turn"]) if ask.query.get("turn") else None
    except BadMoment:
        raise NotThere from None


def truth(ask: Ask) -> Answer:
    """The umpire's report: the whole truth, and each commander's picture of it."""

    def shown(html: str) -> Answer:
        return in_game(ask, "web/game-page.html", "truth", page=sliced(html), called="The truth")

    return Later(_umpire, (ask.campaign, moment_named(ask)), shown)


def _umpire(office: Office, campaign: str, moment: Moment | None) -> str:
    env = environment(resources("templates"), office.templates)
    return umpire_html(gms_page.page(office, campaign, moment), env)


def report(ask: Ask) -> Answer:
    """The report of a role, one that is staged too."""

    def shown(html: str) -> Answer:
        return in_game(ask, "web/game-page.html", "truth", page=sliced(html), called=f"The report of {ask.role}")

    return Later(_report, (ask.campaign, ask.named["role"], moment_named(ask)), shown)


def _report(office: Office, campaign: str, role: str, moment: Moment | None) -> str:
    return shelf.find(office, campaign, role, moment).report.html


def reel(ask: Ask) -> Answer:
    """The game so far: the truth, and all roles beside it."""
    dossier = ask.dossier()
    eyes = ("truth", *dossier.roles)
    return Later(
        reel_page,
        (dossier.id, eyes, ask.assets, door(dossier).home),
        lambda html: File(html, "text/html"),
    )


def log(ask: Ask) -> Answer:
    """The log in words, by what is asked of it."""
    asked = {name: ask.query.get(name, "").strip()[:80] for name in FILTERS}
    turn, eyes = ask.query.get("turn", "").strip()[:20], ask.query.get("eyes", "")
    dossier = ask.dossier()
    wanted = (eyes,) if eyes in ("truth", *dossier.roles) else ()

    def shown(found: tuple[tuple[Line, ...], int]) -> Answer:
        lines, of = found
        return in_game(
            ask,
            "web/game-log.html",
            "log",
            lines=lines[-LINES:],
            count=len(lines),
            of=of,
            asked={**asked, "turn": turn, "eyes": eyes},
        )

    if not dossier.campaign.started:
        return shown(((), 0))
    return Later(_log, (dossier.id, wanted, turn, asked), shown)


def _log(
    office: Office, campaign: str, eyes: tuple[str, ...], turn: str, asked: Mapping[str, str | bool]
) -> tuple[tuple[Line, ...], int]:
    found = choose(office, campaign, eyes, turn or None, asked)
    lines = (
        Line(beat.name, short(beat.phase), said)
        for beat in found.reel.beats
        if (said := in_a_line(found.reel.eyes, beat))
    )
    return tuple(lines), found.of
