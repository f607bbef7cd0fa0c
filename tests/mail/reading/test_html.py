"""Pages of mail programs as lines: sixteen layouts of the same orders, and what must not be seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.reading.html import html_lines
from pbem.mail.wire.limits import UnreadableLetter
from tests.mail.reading.test_quotes import steps

ORDERS = ["MOVE 3 corps to Sedan", "hold Metz"]

LAYOUTS = {
    "paragraphs": "<p>MOVE 3 corps to Sedan</p><p>hold Metz</p>",
    "breaks": "MOVE 3 corps to Sedan<br>hold Metz<br>",
    "divs": "<div>MOVE 3 corps to Sedan</div><div>hold Metz<br></div>",
    "list": "<ul><li>MOVE 3 corps to Sedan</li><li>hold Metz</li></ul>",
    "table": "<table><tr><td>MOVE</td><td>3 corps</td><td>to Sedan</td><tr><td>hold</td><td>Metz</td></tr></table>",
    "spans in a word": "<p><span>MOV</span><span>E</span> 3 corps to <b>Se</b><i>dan</i></p><div>hold&#32;Metz</div>",
    "nbsp": "<div>MOVE&nbsp;3&nbsp;corps&#160;to Sedan</div><div>hold\u00a0Metz</div>",
    "pre": "<pre>MOVE 3 corps to Sedan\nhold Metz\n</pre>",
    "source lines": "<div>MOVE 3\n   corps to\r\nSedan</div>\n\n<div>\thold Metz</div>",
    "outlook": '<p class="MsoNormal"><o:p>MOVE 3 corps to Sedan</o:p></p><p class=MsoNormal>hold Metz<o:p></o:p></p>',
    "style and script": "<style>hold</style><script>hold()</script><title>t</title>MOVE 3 corps to Sedan<p>hold Metz",
    "hidden": '<div style="display: none">no</div><div hidden>no</div><span style="font-size:0px">no</span>'
    '<p style="mso-hide: all">no</p><p>MOVE 3 corps to Sedan</p><p style="font-size:0.9em">hold Metz</p>',
    "deep": "<div>" * 400 + "MOVE 3 corps to Sedan" + "</div>" * 400 + "<div>hold Metz</div>",
    "entities": "<div>MOVE&#x20;3 corps to &#83;edan</div>hold &#77;etz",
    "never closed": "<html><body><p>MOVE 3 corps to Sedan<p>hold Metz<table><tr><td>",
    "comment": "<!-- hold --><div>MOVE 3 corps<!-- x --> to Sedan</div><!--[if mso]><p>no</p><![endif]-->hold Metz",
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_each_layout_gives_the_same_lines(name: str) -> None:
    assert [line for line in html_lines(LAYOUTS[name]) if line] == ORDERS


def test_there_are_sixteen_layouts() -> None:
    assert len(LAYOUTS) == 16


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("<blockquote>old</blockquote>new", ["> old", "new"]),
        ("<blockquote>a<blockquote>b</blockquote>c</blockquote>", ["> a", "> > b", "> c"]),
        ('<div class="gmail_quote">On x wrote:<blockquote>old</blockquote>new</div>', ["On x wrote:", "> old", "new"]),
        ('<div class="gmail_quote">Forwarded<br>old</div>new', ["> Forwarded", "> old", "new"]),
        ('<div class="yahoo_quoted" id="y">old</div>new', ["> old", "new"]),
        ('<div class="moz-cite-prefix">Am x schrieb:</div>new', ["> Am x schrieb:", "new"]),
        ('<span id="OLK_SRC_BODY_SECTION"><div>old</div></span>new', ["> old", "new"]),
        ('new<div id="divRplyFwdMsg">From: x</div><p>old</p>', ["new", "> From: x", "> old"]),
        ('<div>new<div><hr id="zwchr"></div></div><p>old<br><br>old</p>', ["new", "> old", ">", "> old"]),
        ('<blockquote style="margin: 0 0 0 40px; border: none">own</blockquote>', ["own"]),
        ('<blockquote style="border: none; border-left: 1px solid">old</blockquote>', ["> old"]),
        ('<blockquote type="cite" style="border: none">old</blockquote>', ["> old"]),
        ("<pre>  a  b\n\nc</pre>", ["  a  b", "", "c"]),
        ("a\r\n\r\nb &lt; c\n> old", ["a", "", "b < c", "> old"]),
        ("<!doctype html><html><head><title>t</title></head><body>a\nb</body></html>", ["a", "b"]),
        ("A <a@b.example> wrote:\n> old\nnew", ["A  wrote:", "> old", "new"]),
        ("a\nb<br>c", ["a b", "c"]),
        ("a<br><br>b", ["a", "", "b"]),
        ("<div><br></div>a", ["", "a"]),
        ("<table><tr><th>a</th><td>b</td></tr></table>", ["a b"]),
        ("a<img src=x alt=hold>b", ["ab"]),
        ("", []),
    ],
)
def test_what_is_quoted_is_marked_and_lines_end_where_the_reader_sees_them_end(page: str, lines: list[str]) -> None:
    assert html_lines(page) == lines


def test_a_page_nested_too_deep_is_refused() -> None:
    with pytest.raises(UnreadableLetter, match="nested more than 2,000 deep"):
        html_lines("<div>" * 2_001)


def test_a_page_of_too_many_lines_is_refused() -> None:
    assert len(html_lines("x<br>" * 20_000)) == 20_000
    with pytest.raises(UnreadableLetter, match="more than 20,000 lines"):
        html_lines("x<br>" * 20_001)


@pytest.mark.parametrize("style", ["pre", "pre-wrap", "pre-line", "break-spaces"])
def test_a_style_may_keep_the_ends_of_lines(style: str) -> None:
    assert html_lines(f'<div style="white-space: {style}">a\nb</div>c\nd') == ["a", "b", "c d"]
    assert html_lines('<div style="white-space: nowrap">a\nb</div>') == ["a b"]


@given(st.text(st.sampled_from('<>/abdiv "=&;!-\n'), max_size=200) | st.text(max_size=100))
def test_any_text_is_a_page(page: str) -> None:
    assert all("\n" not in line for line in html_lines(page))


@pytest.mark.parametrize("piece", ["<p>x", "<b>x</b>", "x<br>", "<blockquote>x</blockquote>", "<td>x", "<div>x</div>"])
def test_twice_the_page_is_twice_the_work(piece: str) -> None:
    assert steps(lambda: html_lines(piece * 400)) <= 2.2 * steps(lambda: html_lines(piece * 200))
