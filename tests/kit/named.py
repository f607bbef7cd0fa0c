"""Campaigns as whoever reads an address asks for them."""

from __future__ import annotations

from pbem.mail.wire.reply_address import Named


def named(*campaigns: str) -> Named:
    """Those of *campaigns* whose names begin so."""
    return lambda first: sorted(name for name in campaigns if name.startswith(first))
