"""Games that anybody may join: which there are, who is wanted, and a form that does what a letter does."""

from __future__ import annotations

from msgspec import Struct

from pbem.desk.books.dossiers import Dossier
from pbem.desk.intake import signing_up
from pbem.desk.intake.signing_up import Form
from pbem.desk.players import joining
from pbem.kernel.names import Role
from pbem.reports.text.terms import shown as terms_in_words
from pbem.web.asking import Answer, Ask, Go, Later, NotThere, Page

LARGEST = 8 * 1024
WISHES = 4
"""So many roles can be wished for on the page, one after the other; a letter may name more."""


class Open(Struct, frozen=True):
    """A game that can be joined, as everybody may see it."""

    campaign: str
    title: str
    scenario: str
    roles: tuple[Role, ...]
    free: tuple[Role, ...]
    candidates: int
    closes: str
    drawn: bool


def listing(ask: Ask) -> Answer:
    """The games that can be joined."""
    with ask.office.read() as connection:
        found = [_open(one, ask.zone) for one in joining.open_ones(ask.office, connection)]
    return Page("web/sign-ups.html", {"games": found})


def page(ask: Ask) -> Answer:
    """One of them, with the form."""
    dossier = _there(ask)
    player = ask.person.player
    candidate = dossier.campaign.candidates.get(player.id) if player else None
    return Page(
        "web/sign-up.html",
        {
            "game": _open(dossier, ask.zone),
            "terms": terms_in_words(dossier.campaign.terms),
            "player": player,
            "candidate": candidate,
            "standing": joining.standing(dossier, player.id) if player else "",
            "has_role": bool(player and dossier.campaign.roles_of(player.id)),
            "wishes": range(min(WISHES, len(dossier.roles))),
            "zone": ask.zone,
            "once": ask.office.fresh_id(),
            "state": "ask",
        },
    )


def send(ask: Ask) -> Answer:
    """Sign up, or off; who is not signed in is sent a code."""
    dossier = _there(ask)
    wishes = [ask.form.get(f"wish{number}", "") for number in range(WISHES)]
    form = Form(
        campaign=dossier.id,
        roles=tuple(dict.fromkeys(role for role in wishes if role in dossier.roles)),
        off=ask.form.get("do") == "off",
        name=ask.form.get("name", "")[:80],
        address=ask.form.get("address", "")[:320],
        zone=ask.form.get("zone", "")[:60],
        once=ask.form.get("once", "")[:40],
        place=ask.sender,
    )
    home = f"/sign-up/{dossier.id}"
    if ask.person.player:
        return Later(signing_up.by_player, (ask.player.id, form), lambda said: Go(home, said))
    return Later(signing_up.by_stranger, (form,), lambda _: Go(f"{home}/code"))


def code_page(ask: Ask) -> Answer:
    """The page on which a code is typed."""
    return Page("web/sign-up.html", {"game": _open(_there(ask), ask.zone), "state": "code"})


def code(ask: Ask) -> Answer:
    """Give the code back."""
    home = f"/sign-up/{_there(ask).id}"
    return Later(signing_up.by_code, (ask.form.get("code", "")[:60],), lambda said: Go(home, said))


def _there(ask: Ask) -> Dossier:
    with ask.office.read() as connection:
        found = joining.find(ask.office, connection, ask.campaign)
    if found is None or found.campaign.started:
        raise NotThere
    return found


def _open(dossier: Dossier, zone: str) -> Open:
    return Open(
        campaign=dossier.id,
        title=dossier.title,
        scenario=dossier.opened.scenario,
        roles=dossier.roles,
        free=tuple(joining.free(dossier)),
        candidates=len(dossier.campaign.candidates),
        closes=joining.closing(dossier, zone),
        drawn=dossier.campaign.drawn is not None,
    )
