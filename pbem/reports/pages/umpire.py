"""The umpire's report as one HTML file: the truth first, then each role's picture of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.picture import Picture
from pbem.kernel.names import CampaignId, Moment, Role
from pbem.reports.maps.maps import Drawing, draw, style_of
from pbem.reports.plane.ground import ground
from pbem.rules.view import Told, View

if TYPE_CHECKING:
    from jinja2 import Environment


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
    return env.get_template("umpire.html").render(**by_phase(page, drawn(page)))


def observed_html(page: UmpirePage, env: Environment) -> str:
    """The same for those who look on without a side."""
    return env.get_template("observed.html").render(**by_phase(page, drawn(page)))


def drawn(page: UmpirePage) -> dict[str, Drawing]:
    """All maps of a page, by their ids."""
    truth, views = page.truth, [(f"of-{_anchor(view.role)}", view.picture) for view in page.views]
    return _drawn([("truth", truth.picture), *views] if truth else views)


def by_phase(page: UmpirePage, drawings: Mapping[str, Drawing]) -> dict[str, object]:
    """What a template needs of a page: itself, its maps of *drawings*, and what happened under its headings."""
    truth = page.truth
    return {
        "page": page,
        "truth": truth,
        "drawing": drawings["truth"] if truth else None,
        "phases": _phases(truth.happened) if truth else (),
        "beside": tuple(
            Beside(view, _anchor(view.role), drawings[f"of-{_anchor(view.role)}"], _phases(view.happened))
            for view in page.views
        ),
    }


def _drawn(pictures: Sequence[tuple[str, Picture]]) -> dict[str, Drawing]:
    """The maps of one page, by their ids: what is the same ground as the first one's is drawn there alone."""
    drawings = {ids: draw(picture, ids) for ids, picture in pictures}
    if not pictures or any(picture.plane is None for _, picture in pictures):
        return drawings
    first, common = pictures[0][0], ground(pictures[0][1], pictures[0][0])
    for ids, picture in pictures[1:]:
        own = ground(picture, ids)
        if own.replace(f"#{ids}-", f"#{first}-") == common:
            whole = drawings[ids].whole.replace(own, f'<use href="#{first}-ground"/>', 1)
            drawings[ids] = replace(drawings[ids], whole=whole.replace(style_of(picture), "", 1))
    named = drawings[first].whole.replace(common, f'<g id="{first}-ground">{common}</g>', 1)
    drawings[first] = replace(drawings[first], whole=named)
    return drawings


def _phases(told: tuple[Told, ...]) -> tuple[tuple[str, tuple[Told, ...]], ...]:
    return tuple((phase, tuple(group)) for phase, group in groupby(told, key=lambda one: one.phase))


def _anchor(role: Role) -> str:
    return role.replace(".", "-")
