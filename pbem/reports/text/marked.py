"""Text that is HTML already, so that a template does not escape it again."""

from __future__ import annotations


class Html(str):
    """What stands in it is HTML: whoever makes one has escaped what came from outside."""

    __slots__ = ()

    def __html__(self) -> str:
        """What a template asks for before it escapes."""
        return str.__str__(self)
