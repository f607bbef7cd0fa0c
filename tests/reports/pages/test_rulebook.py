"""The rulebook as a page: what a phone opens, and nothing that a scenario could put into it."""

from __future__ import annotations

import re

import pytest
from jinja2 import Environment
from playwright.sync_api import Browser

from pbem.reports.pages.rulebook import UNTITLED, rulebook_html
from pbem.resources import resources

SHIPPED = {path.parent.name: path.read_text("utf-8") for path in resources("campaigns").glob("*/rulebook.md")}


@pytest.mark.parametrize("name", SHIPPED)
def test_every_chapter_that_a_rulebook_links_to_is_there(env: Environment, name: str) -> None:
    page = rulebook_html(SHIPPED[name], env)
    links = re.findall(r'<a href="#([^"]+)">', page)

    assert len(links) > 15
    assert set(links) <= set(re.findall(r'<h[1-4] id="([^"]+)">', page))
    assert len(links) == len(re.findall(r"\]\(#", SHIPPED[name]))


@pytest.mark.parametrize("name", SHIPPED)
def test_no_word_of_a_rulebook_is_lost_on_its_page(env: Environment, name: str) -> None:
    shown = re.sub(r"<(style|title)>.*?</\1>|<[^>]*>", " ", rulebook_html(SHIPPED[name], env), flags=re.DOTALL)
    there = set(re.findall(r"[^\W_]{3,}", shown))
    written = set(re.findall(r"[^\W_]{3,}", re.sub(r"\]\(#[^)]*\)", "]", SHIPPED[name])))

    assert written - there == set()


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_the_rulebook_and_a_wide_table_is_moved_alone(
    chromium: Browser, env: Environment, name: str, scheme: str
) -> None:
    page = chromium.new_page(
        viewport={"width": 390, "height": 844}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page.set_content(rulebook_html(SHIPPED[name], env))
    wide = page.evaluate("document.documentElement.scrollWidth")
    paper, ink = page.evaluate(
        "(({backgroundColor, color}) => [backgroundColor, color])(getComputedStyle(document.body))"
    )
    page.close()

    assert wide <= 390
    assert (_light(paper) < _light(ink)) == (scheme == "dark")


def _light(colour: str) -> int:
    return sum(map(int, re.findall(r"\d+", colour)))


HOSTILE = """# <script>alert(1)</script> & sons

## [x](javascript:alert(1)) <img src=x onerror=alert(1)>

See [there](#nowhere), [here](#"onclick="x), [out](https://evil.example/) and <b>bold</b>.

| <i>a</i> | b |
|---|---|
| <script src=//evil.example></script> | [c](data:text/html,x) |

```
</pre><script>alert(1)</script>
```
"""


def test_a_scenario_puts_nothing_into_my_browser_but_words(env: Environment) -> None:
    page = rulebook_html(HOSTILE, env)
    body = page.split("</head>")[1]

    assert not re.search(r"<(script|img|iframe|i|b|object)\b", body)
    assert not re.search(r"<[^>]*\bon\w+=", body)
    assert "href" not in body
    assert "out (https://evil.example/)" in body
    assert "<title>&lt;script&gt;alert(1)&lt;/script&gt; &amp; sons</title>" in page


@pytest.mark.parametrize("source", ["", " \n", "No heading.", "## A chapter alone\n\nWords.", "| a |\n|---|\n| b |"])
def test_a_rulebook_without_a_title_has_one(env: Environment, source: str) -> None:
    assert f"<h1>{UNTITLED}</h1>" in rulebook_html(source, env)


def test_chapters_of_one_name_are_told_apart(env: Environment) -> None:
    page = rulebook_html("# Book\n\n[second](#fire-1)\n\n## Fire\n\n## Fire", env)

    assert re.findall(r'<h2 id="([^"]+)">', page) == ["fire", "fire-1"]
    assert '<a href="#fire-1">second</a>' in page
