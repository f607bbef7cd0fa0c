"""Briefings, refusals and the little Markdown they are written in."""

from __future__ import annotations

import re

import pytest
from jinja2 import Environment
from msgspec.structs import replace

from pbem.kernel.names import Moment
from pbem.reports.pages.notice import briefing, linked, notice_html, notice_text, refusal
from pbem.reports.text import markdown
from pbem.reports.text.times import when
from tests.kit.sample import NOW, PAGE

POSITION = """# The position

You hold *three towns* against **three corps**; see `D-1`
and <script>alert(1)</script>.

- St. Privat, which is
  the largest
- Roncourt

1. Hold.
2. March.

| Town | Points |
|---|---:|
| St. Privat | 50 |
| Roncourt |

> Hold to the last.

```
move p1 to Q-9   # <b>
```

A [link](https://example.org/x) is printed.
"""
BEGUN = replace(
    PAGE,
    next=Moment(0, 1),
    view=replace(
        PAGE.view,
        addressed="the French commander, Marshal Canrobert",
        owed="the set-up",
        template=("# place f1+f2+f3 at H-9 in face n line",),
    ),
)
BRIEFING = briefing(BEGUN, POSITION, "5f" * 32)


def test_a_link_to_a_report_says_when_orders_are_due_and_what_holds_the_office_to_it(env: Environment) -> None:
    address = "https://games.example.org/games/stprivat-autumn/prussian/turns/5A"
    text = " ".join(notice_text(linked(PAGE, address), env).split())

    assert PAGE.promises is not None
    assert address in text
    assert f"Log as known to you: {PAGE.head}" in text
    assert f"open and closed: {PAGE.promises.open} {PAGE.promises.closed}" in text
    assert f"Due {PAGE.view.owed}, " in text
    assert not any(told.text in text for told in PAGE.view.happened)


def test_markdown_knows_what_a_briefing_needs() -> None:
    assert [block.type for block in markdown.blocks(POSITION)] == [
        "heading",
        "paragraph",
        "bullet_list",
        "ordered_list",
        "table",
        "blockquote",
        "fence",
        "paragraph",
    ]
    html = markdown.html(POSITION)
    assert "<h2>The position</h2>" in html
    assert "<i>three towns</i> against <b>three corps</b>; see <code>D-1</code>" in html
    assert "<li>St. Privat, which is the largest</li>" in html
    assert "<td>Roncourt</td><td></td>" in html


def test_markdown_passes_no_html_and_no_address() -> None:
    html = markdown.html(POSITION)
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "href" not in html
    assert "link (https://example.org/x) is printed" in html
    assert "# &lt;b&gt;" in html


def test_a_list_within_a_list_is_one_and_a_list_goes_on_where_it_was_left() -> None:
    source = "1. Hold:\n   - the town\n   - the mill\n\nThen\n\n2. March."

    assert markdown.html(source) == (
        "<ol><li>Hold:<ul><li>the town</li><li>the mill</li></ul></li></ol>\n<p>Then</p>\n"
        '<ol start="2"><li>March.</li></ol>'
    )
    assert markdown.text(source) == "  1. Hold:\n     - the town\n     - the mill\n\nThen\n\n  2. March."


def test_a_cell_of_a_table_may_hold_a_bar_and_a_column_nothing() -> None:
    source = "| order | |\n|---|---|\n| `by ROUTE\\|across` | |"

    assert "<td><code>by ROUTE|across</code></td><td></td>" in markdown.html(source)
    assert "by ROUTE|across" in markdown.text(source)


def test_what_no_page_uses_is_text() -> None:
    source = "&amp; <https://example.org/> ![a](b.png) a\\*b\n---\n[x]: y"

    assert markdown.html(source) == ("<p>&amp;amp; &lt;https://example.org/&gt; !a (b.png) a\\*b --- [x]: y</p>")


@pytest.mark.parametrize(
    "odd", ["", "```", "# ", "|", "- ", ">", "**", "| a |\n|---|", "1.", "```\nx", "\x00", "> # a"]
)
def test_markdown_takes_whatever_comes(odd: str) -> None:
    markdown.html(odd)
    markdown.page(markdown.blocks(odd))
    markdown.text(odd)


def test_a_briefing_says_who_what_and_how(env: Environment) -> None:
    text = notice_text(BRIEFING, env)
    assert max(map(len, text.splitlines())) <= 78
    for said in ("You are the French commander", "THE POSITION", "HOW TO SEND ORDERS", "the set-up, Tuesday"):
        assert said in text
    html = notice_html(BRIEFING, env)
    assert html.count("<h1>") == 1
    assert html.index("The position") < html.index("How to send orders") < html.index("turn    S1")
    assert "http" not in html.replace("link (https://example.org/x)", "")


def test_a_refusal_without_a_game_names_none(env: Environment) -> None:
    late = refusal(
        campaign="",
        subject="Re: orders",
        why="The exchange 4B was closed on Fri 20 Nov 2026, 20:00 UTC, before this came.",
        instead="Orders for 5A can be sent now.",
        received=when(NOW, "UTC"),
        text="turn 4B\nmove <b>p1</b> to Q-9\x1b",
    )
    html = notice_html(late, env)
    assert "Campaign" not in html
    assert "move &lt;b&gt;p1&lt;/b&gt; to Q-9" in html
    text = notice_text(late, env)
    assert text.startswith("No orders taken\n")
    assert not re.search("campaign", text, re.IGNORECASE)
    assert "\x1b" not in text
