"""A report as JSON, for programs: what is on its reader's page, and nothing that counts or hashes anything else.

One shape for whoever is given it: the command, the file in a mail, the web.  `docs/schema/report.json` describes it.
"""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
from msgspec import Struct

from pbem.kernel.names import CampaignId, Role
from pbem.reports.pages.report import Page
from pbem.rules.view import VERSION, Told, View


class Correction(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a corrected report tells otherwise than the version before it."""

    reason: str
    """Why the version before holds no more."""
    new: tuple[int, ...] = ()
    """Which of `happened` is new, by its number, from 0."""
    new_results: tuple[int, ...] = ()
    """Which of `ordered` is new, likewise."""
    gone: tuple[Told, ...] = ()
    """What the version before told as happened, and this one does not."""
    gone_results: tuple[Told, ...] = ()
    """What became of orders in the version before, and did not."""


class ReportData(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A report to one role.  Times are UTC, as ISO 8601 writes them: `2026-11-20T22:10:03+00:00`."""

    v: int
    """The version of this shape."""
    campaign: CampaignId
    title: str
    """Of the campaign."""
    system: str
    """The rules by their name: `st-privat`."""
    rules: str
    """With their version: `st-privat 1.4.0`."""
    role: Role
    turn: str
    """What it is of, as the head of a sheet says it: `4B`; `S0` is the set-up."""
    version: int
    """2 and more: a corrected report."""
    correction: Correction | None = None
    sent: str
    """When."""
    due: str = ""
    """When what goes on now closes, be anything owed (`owed` of the view) or not; empty: no hour is set."""
    next: str = ""
    """The turn for which orders may be sent now, as the head of a sheet says it; empty: for none."""
    view: View
    """All else that stands on the page."""


def report_json(page: Page) -> bytes:
    """A report as JSON: the same page gives the same bytes."""
    changes = page.changes
    correction = Correction(
        reason=page.correction,
        new=changes.new if changes else (),
        new_results=changes.new_results if changes else (),
        gone=changes.gone if changes else (),
        gone_results=changes.gone_results if changes else (),
    )
    data = ReportData(
        v=VERSION,
        campaign=page.campaign,
        title=page.title,
        system=page.system,
        rules=page.rules,
        role=page.view.role,
        turn=page.view.moment.written,
        version=page.version,
        correction=correction if page.version > 1 else None,
        sent=_iso(page.now),
        due="" if page.due is None else _iso(page.due),
        next=page.next.written if page.next else "",
        view=page.view,
    )
    return msgspec.json.encode(data, order="deterministic")


def _iso(at: int) -> str:
    return datetime.fromtimestamp(at // 1_000_000, UTC).isoformat()
