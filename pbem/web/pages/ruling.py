"""The GM's word on a game: shown before it is made."""

from __future__ import annotations

from pbem.desk.gm import ruling
from pbem.desk.gm.ruling import Ruling
from pbem.desk.office.office import Office
from pbem.kernel.errors import Refused
from pbem.web.asking import Answer, Ask, Go, Later, Page
from pbem.web.pages.desk import door

MOST = 40
"""Directives of one ruling."""


def page(ask: Ask) -> Answer:
    """The page on which one rules."""
    dossier = ask.dossier()
    return Page("web/game-rule.html", {"door": door(dossier), "tab": "rule", "ruling": None, **_said(ask)})


def _said(ask: Ask) -> dict[str, object]:
    return {
        "text": ask.form.get("text", ""),
        "reason": ask.form.get("reason", ""),
        "known": ask.form.get("known", ""),
        "roles": ask.dossier().roles,
    }


def rule(ask: Ask) -> Answer:
    """Show what a ruling would change, or make it as it was shown."""
    directives = [line.strip() for line in ask.form.get("text", "").splitlines() if line.strip()]
    known = dict(_mark(one) for one in ask.form.get("known", "").split())
    reason = " ".join(ask.form.get("reason", "").split())[:400]
    if not directives:
        raise Refused("there is no directive: write one a line.  Nothing was ruled.")
    if len(directives) > MOST:
        raise Refused(f"more than {MOST} directives are more than one ruling.  Nothing was ruled.")
    dossier = ask.dossier()
    if ask.form.get("do") != "make":

        def shown(made: Ruling) -> Answer:
            return Page("web/game-rule.html", {"door": door(dossier), "tab": "rule", "ruling": made, **_said(ask)})

        return Later(_rule, (dossier.id, directives, reason, known, None, ask.person.name), shown, slow=True)
    upon = ask.form.get("upon", "")
    if not upon.isdecimal() or len(upon) > 12:
        raise Refused("look at what it would change first.  Nothing was ruled.")

    def ruled(made: Ruling) -> Answer:
        moved = f"  Open now: {made.opens}." if made.opens else ""
        return Go(f"/desk/games/{dossier.id}", f"Ruled.{moved}")

    return Later(_rule, (dossier.id, directives, reason, known, int(upon), ask.person.name), ruled, slow=True)


def _mark(word: str) -> tuple[str, str]:
    role, _, aspect = word.partition("=")
    return role, aspect


def _rule(
    office: Office,
    campaign: str,
    directives: list[str],
    reason: str,
    known: dict[str, str],
    upon: int | None,
    gm: str,
) -> Ruling:
    """Look what a ruling would change, or make it *upon* what was looked at, for the GM who asked for it."""
    there = office.as_gm(gm)
    return ruling.rule(there, campaign, directives, reason, known=known, upon=upon, make=upon is not None)
