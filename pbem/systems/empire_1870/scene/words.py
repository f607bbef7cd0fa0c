"""How troops, places, numbers and days are named in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from pbem.ground.hexes import Hex
from pbem.kernel.numbers import whole
from pbem.orders.prose import listed, signed
from pbem.systems.empire_1870.scene.reasons import REASONS
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.world.fact import Modifier
from pbem.systems.empire_1870.world.outcomes_combat import Share
from pbem.systems.empire_1870.world.parts import FRENCH, Hq
from pbem.systems.empire_1870.world.stacks import Strength
from pbem.systems.empire_1870.world.state import War

MONTHS = (
    "", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
ADJECTIVE: Mapping[str, str] = {"french": "French", "german": "German"}

FACTORS: Mapping[str, str] = {
    "cautious_into_ezoc": "cautious into EZOC",
    "civilian_resistance": "civilian resistance",
    "french_fortress": "from a French fortress",
    "german_fortress": "German fortress",
    "into_friends": "into friends",
    "out_of_friends": "out of friends",
}


def side_name(side: str) -> str:
    """`the French`, `the Germans`."""
    return "the French" if side == FRENCH else "the Germans"


def subject(side: str, role: str) -> str:
    """Who did something, as the reader sees it: `you`, `the Germans`."""
    return "you" if side == role else side_name(side)


def why(code: str) -> str:
    """A reason in words, with its code: `halted by the enemy's ZOC (ezoc_stop)`; free words as they are."""
    said = REASONS.get(code)
    return f"{said} ({code})" if said else code.replace("_", " ")


def factor(one: Modifier) -> str:
    """A modifier as small print names it: `river 1`."""
    return f"{FACTORS.get(one.name, one.name.replace('_', ' '))} {one.value}"


# ------------------------------------------------------------------ troops


def sp(strength: Strength) -> str:
    """SP in a sentence: `8 SP`, `6 SP (3 disrupted, 1 demoralized)`.

    >>> sp(Strength(6, 3, 3, 0, 0, 0, 0)), sp(Strength(8, 8, 0, 0, 8, 0, 0))
    ('6 SP (3 disrupted)', '8 SP')
    """
    statuses = ((strength.disrupted, "disrupted"), (strength.demoralized, "demoralized"))
    worn = [f"{number} {status}" for number, status in statuses if number]
    return f"{strength.sp} SP ({', '.join(worn)})" if worn else f"{strength.sp} SP"


def statuses(strength: Strength) -> str:
    """SP by status, in a table, as orders write them: `5G+2D+1M`.

    >>> statuses(Strength(8, 5, 2, 1, 0, 0, 0)), statuses(Strength(0, 0, 0, 0, 0, 0, 0))
    ('5G+2D+1M', 'none')
    """
    parts = ((strength.good, "G"), (strength.disrupted, "D"), (strength.demoralized, "M"))
    return "+".join(f"{n}{letter}" for n, letter in parts if n) or "none"


def summed(shares: Iterable[Share]) -> Strength:
    """Shares of several hexes as one strength."""
    return Strength.sum(share.sp for share in shares)


def force(units: Sequence[str], strength: Strength | None, side: str) -> str:
    """Who goes or fights: `G8 with 8 SP`, `G8 alone`, `3 SP`; `German troops` if it is not known."""
    if strength is None:
        return f"{ADJECTIVE[side]} troops" if not units else listed(list(units))
    if not units:
        return sp(strength) if strength.sp else f"{ADJECTIVE[side]} troops"
    named = listed(list(units))
    return f"{named} with {sp(strength)}" if strength.sp else f"{named} without SP"


def hq_title(scene: Scene, war: War, name: str) -> str:
    """An HQ by id and name: `G8 (VIII Corps, Goeben)`."""
    known = war.hqs.get(name)
    called = known.name if known else scene.headquarters[name].name if name in scene.headquarters else ""
    return f"{name} ({called})" if called else name


def ratings(hq: Hq) -> str:
    """What is printed on an HQ: attack, defence, MA, `c` for cautious: `+1/+2/4`, `0/+2/3c`."""
    return f"{signed(hq.ab)}/{signed(hq.db)}/{hq.ma}{'c' if hq.cautious else ''}"


# ------------------------------------------------------------------ places and days


def town_name(scene: Scene, at: Hex) -> str:
    """A place by its name alone, else by its number: for headlines."""
    return scene.cells[at].name or at


def places(scene: Scene, hexes: Sequence[Hex]) -> str:
    """`Metz 2107, 2108 and Nancy 2109`."""
    return listed([scene.place_name(at) for at in hexes])


def first_day(scene: Scene) -> date | None:
    """The first day of turn 1; None if the scenario's date is no day."""
    words = scene.date.split()
    day, year = (whole(words[0]), whole(words[2])) if len(words) == 3 else (None, None)
    if day is None or year is None or words[1] not in MONTHS[1:]:
        return None
    try:
        return date(year, MONTHS.index(words[1]), day)
    except ValueError:
        return None


def days(scene: Scene, turn: int) -> str:
    """The two days of a turn: `2 and 3 August 1870`, `31 August and 1 September 1870`."""
    start = first_day(scene)
    if start is None or turn < 1:
        return scene.date
    one = start + timedelta(days=2 * (turn - 1))
    other = one + timedelta(days=1)
    month = "" if one.month == other.month else f" {MONTHS[one.month]}"
    return f"{one.day}{month} and {other.day} {MONTHS[other.month]} {other.year}"
