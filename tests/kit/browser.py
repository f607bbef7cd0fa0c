"""A real browser, without a window."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""What programs will do; the first has no window to compose, and takes a third less."""


@contextmanager
def begun(program: str | None) -> Iterator[Browser]:
    """The browser *program*, until the block ends; None: Playwright's own."""
    with sync_playwright() as playwright:
        # Chromium has no sandbox for root, and the shared memory of a container is too small for it.
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()
