"""A page as the HTML of a letter: every style in its tag, the light colours, for readers of mail that know no more."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from css_inline import CSSInliner


@cache
def _inliner() -> CSSInliner:
    from css_inline import CSSInliner

    return CSSInliner(keep_style_tags=False, load_remote_stylesheets=False, resolve_css_variables=True)


def inlined(html: str) -> str:
    """*html* with its style sheet written into the tags, custom properties replaced by what they stand for."""
    return _inliner().inline(html)
