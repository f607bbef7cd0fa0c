"""HTML as the lines that its reader sees, with "> " before what is quoted, so that plain text and HTML share one path.

An own walk over the tree of selectolax: one pass, no recursion, words of neighbouring inline tags never torn apart.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pbem.mail.wire.charsets import clean_line
from pbem.mail.wire.limits import MAX_RAW_LINES, UnreadableLetter, lighten, names

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_BLOCKS: Final = names(
    "address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table tbody tfoot thead "
    "tr ul"
)
_CELLS: Final = frozenset({"td", "th"})
_UNSEEN: Final = names("head style script template title svg object select -comment !doctype -doctype")
_HIDDEN: Final = re.compile(
    r"display:none|visibility:hidden|mso-hide:all|opacity:0(?![.\d])|font-size:0(?:px|pt|em|rem|%)?(?:;|!|$)"
)
_NO_BORDER: Final = re.compile(r"border:(?:none|0)")
_LEFT_BAR: Final = re.compile(r"border-left:(?!none|0)")
_KEPT_LINES: Final = re.compile(r"white-space(?:-collapse)?:(?:pre|break-spaces)")
_BLANKS: Final = re.compile(r"[ \t\n\r\f]+")
_MARKUP: Final = re.compile(r"<(?!/?(?:html|head|meta|title|body)[\s/>])/?[a-z][a-z0-9]*[\s/>]", re.IGNORECASE)
"""A tag that sets the text: a page without one is plain text that was called a page."""

_QUOTED_CLASSES: Final = names(
    "gmail_attr yahoo_quoted protonmail_quote tutanota_quote zmail_extra moz-cite-prefix "
    "ms-outlook-mobile-reference-message"
)
_QUOTED_IDS: Final = frozenset({"OLK_SRC_BODY_SECTION", "mail-editor-reference-message-container"})
_QUOTED_FROM_HERE: Final = frozenset({"divRplyFwdMsg", "appendonsend", "zwchr"})
"""Where Outlook and Zimbra begin the letter that is answered: all below is theirs."""


def html_lines(html: str) -> list[str]:
    """The lines of a page in reading order; a line within a quotation starts with "> ", once for each level.

    >>> html_lines("<p>MOV<b>E</b> 3&nbsp;corps<br>hold</p><blockquote>old</blockquote>")
    ['MOVE 3 corps', 'hold', '> old']
    >>> html_lines("MOVE 3 corps\\nhold &amp; wait")
    ['MOVE 3 corps', 'hold & wait']

    :raises UnreadableLetter: if the tags are nested too deep, or the lines too many.
    """
    from selectolax.lexbor import LexborHTMLParser

    page = _Page(as_typed=_MARKUP.search(html) is None)
    root = LexborHTMLParser(lighten(html)).root
    if root is None:
        return []
    node, leaving = root, False
    while True:
        if not leaving and page.enter(node) and (child := node.child) is not None:
            node = child
            continue
        page.leave(node)
        if node.mem_id == root.mem_id:
            break
        following = node.next
        if following is not None:
            node, leaving = following, False
            continue
        above = node.parent
        if above is None:
            break
        node, leaving = above, True
    page.end_line()
    return page.lines


class _Page:
    """The lines so far, and where the walk stands: how deep in quotations and in `pre`."""

    def __init__(self, *, as_typed: bool) -> None:
        self.lines: list[str] = []
        self._line: list[str] = []
        self._quote = 0
        self._pre = int(as_typed)
        self._inside: list[tuple[str, int, int]] = []  # of each open element: tag, quote, pre as they were outside

    def enter(self, node: LexborNode) -> bool:
        """Take a node in; say whether its children are to be read."""
        tag = node.tag or ""
        self._inside.append((tag, self._quote, self._pre))
        if tag == "-text":
            self._text(node.text_content or "")
            return False
        if tag in _UNSEEN:
            return False
        attributes = node.attributes
        style = (attributes.get("style") or "").replace(" ", "").lower()
        if "hidden" in attributes or _HIDDEN.search(style):
            return False
        if tag == "br":
            self._break()
        elif tag in _BLOCKS:
            self.end_line()
        elif tag in _CELLS:
            self._line.append(" ")
        if attributes.get("id") in _QUOTED_FROM_HERE and not self._quote:
            self.end_line()
            self._inside = [(name, quote + 1, pre) for name, quote, pre in self._inside]
            self._quote += 1
        elif _is_quotation(node, tag, attributes, style):
            self.end_line()
            self._quote += 1
        self._pre += tag in ("pre", "textarea") or bool(_KEPT_LINES.search(style))
        return True

    def leave(self, node: LexborNode) -> None:
        """The end of a node and of all that it holds."""
        tag, quote, pre = self._inside.pop()
        if tag in _BLOCKS or quote != self._quote:
            self.end_line()
        self._quote, self._pre = quote, pre

    def end_line(self) -> None:
        """End the line if anything stands on it."""
        if self._line:
            line = clean_line("".join(self._line))
            if self._pre == 0:
                line = " ".join(line.split())
            self._line = []
            if line.strip():
                self._put(line)

    def _break(self) -> None:
        before = len(self.lines)
        self.end_line()
        if len(self.lines) == before:
            self._put("")

    def _put(self, line: str) -> None:
        if len(self.lines) == MAX_RAW_LINES:
            raise UnreadableLetter(
                f"The HTML of the letter has more than {MAX_RAW_LINES:,} lines. Send the orders as plain text."
            )
        self.lines.append("> " * self._quote + line if line else (">" * self._quote))

    def _text(self, text: str) -> None:
        if self._pre == 0:
            self._line.append(_BLANKS.sub(" ", text))
            return
        first, *others = text.split("\n")
        self._line.append(first)
        for line in others:
            self._break()
            self._line.append(line)


def _is_quotation(node: LexborNode, tag: str, attributes: dict[str, str | None], style: str) -> bool:
    classes = frozenset((attributes.get("class") or "").split())
    if tag == "blockquote":
        # A button for indenting writes a blockquote too, without a bar.
        bare = _NO_BORDER.search(style) and not _LEFT_BAR.search(style)
        return bool(attributes.get("type") or attributes.get("cite")) or not bare
    if "gmail_quote" in classes:
        # An answer typed between Gmail's quotations stands inside this box, beside the blockquotes.
        return node.css_first("blockquote") is None
    return bool(classes & _QUOTED_CLASSES) or attributes.get("id") in _QUOTED_IDS
