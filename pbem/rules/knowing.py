"""What a role has of what is truly there: its own picture laid beside the true one, sign by sign."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isqrt
from typing import Literal

from pbem.ground.picture import Block, Picture, Stack, Troop
from pbem.rules.reel import Known, keyed

Sign = Block | Stack | Troop
Alike = Callable[[Sign, Sign], bool]
"""Whether what a role has of a sign, the second, says all that the true one does, but for its place and name."""

_AGES = ("now", "recent", "old", "stale")


def compared(
    there: Picture, held: Picture, means: Mapping[str, str] | None = None, *, near: int = 0, like: Alike | None = None
) -> dict[str, Known]:
    """What a role that *held* one picture had of each sign of the true one, but for those that it had right.

    *means*: whom a sign of its own stands for, by the keys of both, where it has another key there.  *near*: how many
    units of the picture off a place may be, and still be right.
    """
    true, own, names = signs_of(there), signs_of(held), means or {}
    bodies = {key: tuple(names.get(part, part) for part in parts_of(key, sign)) for key, sign in own.items()}
    stands: dict[str, list[str]] = {}
    faceless: dict[tuple[str, tuple[int, int]], str] = {}
    for key, sign in own.items():
        for part in bodies[key]:
            stands.setdefault(part, []).append(key)
        if key.startswith("?"):
            faceless.setdefault((sign.side, sign.at), key)
    found = {}
    for key, sign in true.items():
        parts = parts_of(key, sign)
        of = dict.fromkeys(name for part in parts for name in stands.get(part, ()))
        freshest = min(of, key=lambda name: (_age(own[name]), off(sign.at, own[name].at)), default="")
        best = freshest or faceless.get((sign.side, sign.at), "")
        if not best:
            found[key] = Known("unseen")
            continue
        had, far = own[best], off(sign.at, own[best].at)
        # By another name than its own a role knows a body, and not which: but for those of its side.
        said = bodies[best] if had.own else parts_of(best, had)
        whole = {*said} == {*parts} and (like or alike)(sign, had)
        how = _how(had, moved=far > near, whole=whole)
        if how is not None:
            found[key] = Known(how, best, far)
    return found


def _how(had: Sign, *, moved: bool, whole: bool) -> Literal["in part", "seen", "elsewhere"] | None:
    if moved:
        return "elsewhere"
    return "seen" if _is_blank(had) else None if whole else "in part"


def off(one: tuple[int, int], other: tuple[int, int]) -> int:
    """How far one place is from another, in whole units of the picture."""
    return isqrt((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2)


def alike(sign: Sign, had: Sign) -> bool:
    """Whether a sign shows troops of the same kind and strength as another."""
    return type(sign) is type(had) and _shows(sign) == _shows(had)


def _shows(sign: Sign) -> tuple[object, ...]:
    match sign:
        case Block():
            return (sign.sign, sign.ranks, sign.count)
        case Stack():
            return (sign.strength, sign.worn, sign.broken)
        case Troop():
            return (sign.arm, sign.parts, sign.ranks)


def signs_of(picture: Picture) -> dict[str, Sign]:
    """All that stands in a picture, by its keys."""
    return {**keyed(picture.blocks), **keyed(picture.stacks), **keyed(picture.troops)}


def parts_of(key: str, sign: Sign) -> tuple[str, ...]:
    """Those who stand in a sign: its key alone, where it does not say."""
    match sign:
        case Block():
            return sign.parts or (key,)
        case Stack():
            return tuple(flag.name for flag in sign.staff) or (key,)
        case Troop():
            return (key,)


def _age(sign: Sign) -> int:
    return _AGES.index(sign.certainty)


def _is_blank(sign: Sign) -> bool:
    """Whether it says that somebody is there, and nothing of who."""
    match sign:
        case Block():
            return sign.sign == "card"
        case Stack():
            return sign.strength is None
        case Troop():
            return sign.arm in ("unknown", "trace")
