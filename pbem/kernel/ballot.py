"""What players may put to the vote, and by what terms each kind of vote is held.

    votes_of("draw majority open 48h; replacement off")

A ballot that is not named is at its default: a default is never changed, for old logs would tell something else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

Kind = Literal["draw", "truce", "end", "extension", "pause", "resume", "replacement"]
"""What can be proposed."""

Agree = Literal["all", "majority", "sides"]
"""Who must agree: every role that somebody plays, more than half of them, or more than half of each side."""

KINDS: tuple[Kind, ...] = get_args(Kind)
AGREE: tuple[Agree, ...] = get_args(Agree)


class Ballot(Struct, frozen=True, kw_only=True):
    """How a vote is held."""

    allowed: bool = True
    """Whether it may be proposed at all."""
    agree: Agree = "all"
    secret: bool = True
    """Nobody is told who proposed it, who voted, and how; it ends at its hour and not before, whatever was voted."""
    hours: Annotated[int, Meta(ge=1, le=24 * 60)] = 72
    """How long it runs."""
    counts: bool = False
    """Of a secret vote: whether all are told at its end how many were for it and against."""


_SOON = Ballot(agree="majority", secret=False, hours=24)

BALLOTS: Mapping[Kind, Ballot] = {
    "draw": Ballot(),
    "truce": Ballot(secret=False, hours=48),
    "end": Ballot(),
    "extension": _SOON,
    "pause": _SOON,
    "resume": _SOON,
    "replacement": Ballot(agree="majority"),
}
"""How each kind is held where the terms say nothing of it."""

_HOURS = re.compile(r"(\d+)\s*h(?:ours?)?\b|\b(\d+)\b")

NOT_UNDERSTOOD = (
    "write it like `draw all secret 72h counts; extension majority open 24h; replacement off`, or `none`: after the "
    f"kind ({', '.join(KINDS)}) who must agree ({', '.join(AGREE)}), open or secret, the hours, counts or no"
)


def votes_of(written: str) -> dict[str, Ballot]:
    """The ballots that *written* says; what it does not say of one is at its default.

    >>> votes_of("extension all 12h")["extension"].hours, votes_of("draw off")["draw"].allowed
    (12, False)

    :raises ValueError: if it names no kind, or says of one what cannot be said.
    """
    if written.strip().casefold() in ("none", "off"):
        return {kind: replace(BALLOTS[kind], allowed=False) for kind in KINDS}
    found: dict[str, Ballot] = {}
    for part in filter(str.strip, re.split(r"[;,\n]", written.casefold())):
        name, *words = _HOURS.sub(lambda match: f"{match[1] or match[2]}h", part).split()
        kind = next((one for one in KINDS if one == name), None)
        if kind is None or not all(word in _SAYS or re.fullmatch(r"\d{1,4}h", word) for word in words):
            raise ValueError(f'"{part.strip()}" is not understood: {NOT_UNDERSTOOD}')
        changes: dict[str, object] = {}
        for word in words:
            changes |= _SAYS.get(word) or {"hours": int(word[:-1])}
        found[kind] = replace(BALLOTS[kind], **changes)
    return found


_SAYS: Mapping[str, dict[str, object]] = {
    **{word: {"agree": word} for word in AGREE},
    "open": {"secret": False},
    "secret": {"secret": True},
    "counts": {"counts": True},
    "no": {"counts": False},
    "off": {"allowed": False},
    "on": {"allowed": True},
    "default": {},
}
"""What each word of a ballot says."""
