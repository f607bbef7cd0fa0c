"""How fast a domain is written to: large mail houses turn away who sends them much at once.

Each domain has a bucket that holds as many mails as may leave in a minute, and fills evenly; to take a mail out
of it moves the instant at which it is full again.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.storage.databases.connection import Connection

MINUTE = 60_000_000

_ALL = "SELECT domain, full_at FROM pace"
_GET = "SELECT full_at FROM pace WHERE domain = :domain /* who comes next waits */"
_KEEP = (
    "INSERT INTO pace (domain, full_at) VALUES (:domain, :full_at)"
    " ON CONFLICT (domain) DO UPDATE SET full_at = excluded.full_at"
)


def take(connection: Connection, domain: str, *, a_minute: int, at: int) -> bool:
    """Take one mail out of the bucket of *domain*, which holds *a_minute*; False if it is empty."""
    full_at: int | None = connection.execute(_GET, {"domain": domain}).scalar()
    drop = MINUTE // a_minute
    if full_at is not None and _free_at(full_at, a_minute) > at:
        return False
    connection.execute(_KEEP, {"domain": domain, "full_at": max(full_at or at, at) + drop})
    return True


def free_at(connection: Connection, limits: Mapping[str, int]) -> dict[str, int]:
    """From when on there is a mail in the bucket of each domain that was written to; *limits*: mails a minute."""
    return {
        domain: _free_at(full_at, limits[domain]) for domain, full_at in connection.execute(_ALL) if domain in limits
    }


def _free_at(full_at: int, a_minute: int) -> int:
    return full_at - (a_minute - 1) * (MINUTE // a_minute)
