"""The accessibility checker: WCAG 2.1 A and AA, and what is held to be good practice."""

from __future__ import annotations

from collections.abc import Collection

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]


def check_all_can_read(page: Page, *, but: Collection[str] = ()) -> None:
    """See that nothing stands in the way of anybody who reads *page*, by all rules *but* some.

    Of what is in order only the first of its kind is worked out: that takes half the time.
    """
    options = {
        "runOnly": RULES,
        "resultTypes": ["violations"],
        "rules": {rule: {"enabled": False} for rule in but},
    }
    results = Axe().run(page, options=options)
    assert results.violations_count == 0, results.generate_report()
    assert results.response["passes"], "nothing was checked"
