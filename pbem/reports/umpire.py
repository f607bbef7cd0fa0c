"""The umpire's report as one HTML file: the truth first, then each role's picture of it."""

from __future__ import annotations

from itertools import groupby

from jinja2 import Environment
from msgspec import Struct

from pbem.kernel.names import CampaignId, Moment, Role
from pbem.reports.maps import Drawing, draw
from pbem.rules.view import Told, View


class UmpirePage(Struct, frozen=True, kw_only=True):
    """What the GM is shown of an exchange.  Times are microseconds UTC."""

    campaign: CampaignId
    title: str
    rules: str
    moment: Moment
    zone: str
    """The GM's, as the IANA names it."""
    now: int
    truth: View | None
    """None: the rules show the roles' pages alone."""
    views: tuple[View, ...]
    """Each role's own page, in the order of the scenario."""
    notes: tuple[str, ...] = ()
    """What he himself did in it."""
    head: str = ""
    """Where the log ended that it shows."""


class Beside(Struct, frozen=True):
    """A role's picture, drawn."""

    view: View
    anchor: str
    drawing: Drawing
    phases: tuple[tuple[str, tuple[Told, ...]], ...]


def umpire_html(page: UmpirePage, env: Environment) -> str:
    """The whole as one file: no scripts, nothing remote, both themes, and print."""
    truth = page.truth
    return env.get_template("umpire.html").render(
        page=page,
        truth=truth,
        drawing=draw(truth.picture, "truth") if truth else None,
        phases=_phases(truth.happened) if truth else (),
        beside=tuple(
            Beside(view, _anchor(view.role), draw(view.picture, f"of-{_anchor(view.role)}"), _phases(view.happened))
            for view in page.views
        ),
    )


def _phases(told: tuple[Told, ...]) -> tuple[tuple[str, tuple[Told, ...]], ...]:
    return tuple((phase, tuple(group)) for phase, group in groupby(told, key=lambda one: one.phase))


def _anchor(role: Role) -> str:
    return role.replace(".", "-")
