"""Every kind of page, light and dark, wide and narrow, before the accessibility checker (WCAG 2.1 A and AA)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from jinja2 import Environment
from playwright.sync_api import Browser

from pbem.reports.pages.notice import notice_html
from pbem.reports.pages.receipt import receipt_html
from pbem.reports.pages.report import mail_body_html, report_html
from pbem.reports.pages.rulebook import rulebook_html
from pbem.reports.text.letter import inlined
from tests.kit.axe import check_all_can_read
from tests.kit.sample import CORRECTED, PAGE, RECEIPT
from tests.reports.pages.test_notice import BRIEFING
from tests.reports.pages.test_rulebook import SHIPPED

PAGES: dict[str, Callable[[Environment], str]] = {
    "report": lambda env: report_html(PAGE, env).replace("<details>", "<details open>"),
    "corrected report": lambda env: report_html(CORRECTED, env).replace("<details>", "<details open>"),
    "receipt": lambda env: receipt_html(RECEIPT, env),
    "briefing": lambda env: notice_html(BRIEFING, env),
    "rulebook": lambda env: rulebook_html(SHIPPED["crossroads"], env),
    "mail": lambda env: mail_body_html(PAGE, env, "x@y"),
    "receipt as a letter": lambda env: inlined(receipt_html(RECEIPT, env)),
}
LANDMARKS = ("region", "landmark-one-main", "bypass")
"""Rules on the parts of a page, which a letter is not."""


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1200, "light")])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_read_by_all(chromium: Browser, env: Environment, name: str, width: int, scheme: str) -> None:
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page = context.new_page()
    page.set_content(PAGES[name](env))
    check_all_can_read(page, but=LANDMARKS if name == "mail" else ())
    context.close()


@pytest.mark.parametrize("name", ["report", "corrected report", "receipt", "briefing", "mail"])
def test_a_phone_need_not_be_pushed_sideways(chromium: Browser, env: Environment, name: str) -> None:
    page = chromium.new_page(viewport={"width": 360, "height": 800})
    page.set_content(PAGES[name](env))
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.close()
    assert wide <= 360


def test_a_fingerprint_does_not_push_a_letter_sideways(chromium: Browser, env: Environment) -> None:
    html, count = re.subn(r'<p class="s m np"[^>]*>', rf"\g<0>SHA-256 {'a' * 64} ", PAGES["mail"](env))
    page = chromium.new_page(viewport={"width": 390, "height": 800})
    page.set_content(html)
    wide = page.evaluate("document.documentElement.scrollWidth")
    page.close()
    assert count
    assert wide <= 390
