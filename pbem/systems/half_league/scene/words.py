"""How units, places, lengths, dice and times are named in a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pbem.ground.bearing import compass
from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.kernel.numbers import whole
from pbem.orders.prose import listed, signed
from pbem.systems.half_league.scene.reasons import REASONS
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.world.fact import UNSEEN, Dropped, Modifier
from pbem.systems.half_league.world.pieces import ALLIED, SCALE, Leader, Unit
from pbem.systems.half_league.world.state import Battle

ADJECTIVE: Mapping[str, str] = {"allied": "allied", "russian": "Russian"}

TYPES: Mapping[str, str] = {
    "infantry": "infantry",
    "cavalry": "cavalry",
    "foot_artillery": "foot artillery",
    "horse_artillery": "horse artillery",
}
CLASSES: Mapping[str, str] = {"elite": "elite", "regular": "regular", "second": "second class"}
FORMATIONS: Mapping[str, str] = {
    "skirmish": "in skirmish order",
    "line": "in line",
    "double_line": "in double line",
    "column": "in column",
    "road_column": "in road column",
    "square": "in square",
    "dismounted": "dismounted",
    "limbered": "limbered",
    "unlimbered": "unlimbered",
}
BENEFITS: Mapping[str, str] = {
    "move": "an extra die of movement",
    "pull": "a second chit or activity",
    "fire": "+1 on fire",
    "fire_save": "+1 on saves against fire",
    "morale": "a test passed unrolled",
    "melee": "+1 in melee",
    "melee_save": "+1 on saves in melee",
}
CHITS: Mapping[str, str] = {
    "": "something out of sight",
    "pair_of_sixes": "pairs of sixes",
    "unit_commander_killed": "its commander killed",
    "brigadier_killed": "its brigadier killed",
    "army_commander_killed": "the army commander killed",
    "charge_morale_failed": "its charge failed",
    "friend_routed": "a friend that routed by",
    "friend_withdrew_through": "a friend that withdrew through it",
    "lost_combat": "a combat lost",
    "withdrew": "its withdrawal",
    "winner_die_one": "a dear victory",
}
"""Why a chit came."""
MODIFIERS: Mapping[str, str] = {
    "benefit": "a benefit",
    "command_point": "command point",
    "brigadier": "the brigadier",
    "busy": "moved, pulled, changed or marked",
    "chit": "chits",
    "chits": "chits",
    "cavalry_charging_double_line": "charged in double line",
    "cavalry_charging_single_line": "charged in line",
    "behind_wall": "behind a wall",
    "behind_stream": "behind a stream",
    "behind_trench": "behind a trench",
    "on_high_crest": "on the crest",
    "infantry_attacking_in_column": "charged in column",
    "infantry_in_double_line": "double line",
    "infantry_in_square": "square",
    "leader_stand": "leader stand",
    "hit_from_rear": "hit from the rear",
    "unlimbered_artillery": "guns",
    "standing_cavalry": "standing",
    "dismounted_cavalry": "dismounted",
    "routing": "routing",
    "limbered_artillery": "limbered",
    "skirmishing": "skirmish order",
    "held_initiative": "held the initiative",
    "won_most_combats": "won most combats",
    "more_routing": "more units routing",
}
STOPS: Mapping[str, str] = {
    "dice": "dice used up",
    "destination": "there",
    "maximum": "as ordered",
    "edge": "map edge",
    "enemy": "an enemy",
    "friend": "a friend",
    "ground": "worse ground",
    "line": "an obstacle",
    "turned": "turned",
}
"""What ended a move."""


def dice(faces: Sequence[int]) -> str:
    """Faces as they lie: `5 2 4`."""
    return " ".join(map(str, faces))


def inches(length: int) -> str:
    """A length in inches, without a useless nought.

    >>> inches(8000), inches(10650), inches(1000)
    ('8', '10.7', '1')
    """
    return SCALE.show(length).removesuffix(".0")


def long(length: int) -> str:
    """A length with its measure: `8 inches`, `1 inch`."""
    return f"{inches(length)} inch" + ("" if inches(length) == "1" else "es")


def at(point: Point) -> str:
    """A place as orders write it, without useless noughts: `61,56.4`."""
    return f"{inches(point.x)},{inches(point.y)}"


def where(scene: Scene, point: Point) -> str:
    """A place and what lies there: `74,42.5 (Great Redoubt)`."""
    near = scene.place_near(point)
    return f"{at(point)} ({near.name})" if near else at(point)


def facing(unit: Unit) -> str:
    """Where a unit looks, as one of sixteen points."""
    return compass(unit.bearing)


def side_name(side: str) -> str:
    """`the allies`, `the Russians`."""
    return "the allies" if side == ALLIED else "the Russians"


def kind(unit: Unit) -> str:
    """What a unit looks like: `infantry in column`, `foot artillery, unlimbered`."""
    comma = "," if unit.guns or unit.formation == "dismounted" else ""
    return f"{TYPES[unit.type]}{comma} {FORMATIONS[unit.formation]}"


def short_name(unit: Unit) -> str:
    """A unit's name without what stands in brackets behind it."""
    return unit.name.partition(" (")[0]


def called(battle: Battle, name: str) -> str:
    """A piece with its name: `UK-7 (7th Royal Fusiliers)`, `contact 3 (infantry in column)`, `an unseen enemy`."""
    if name == UNSEEN:
        return "an unseen enemy"
    unit = battle.units.get(name)
    if unit is not None:
        return f"{name} ({short_name(unit) or kind(unit)})"
    leader = battle.leaders.get(name)
    if leader is not None:
        return f"{leader.name} ({name})"
    return "its commander" if name == "unit commander" else name


def brief(name: str) -> str:
    """A piece by its id, where it has been named before."""
    return "an unseen enemy" if name == UNSEEN else name


SHORT_NAME = 3
"""Words of a name that a headline has room for."""


def headline_name(battle: Battle, name: str) -> str:
    """A piece in a headline: its name if that is short, else its id."""
    unit = battle.units.get(name)
    named = short_name(unit) if unit is not None else ""
    return named if named and len(named.split()) <= SHORT_NAME else brief(name)


def losses(dropped: Sequence[Dropped], wheeled: int) -> list[str]:
    """What a way cost: `a 3 lost to UK-30`, `wheels cost 2 inches`."""
    cost = [f"wheels cost {long(wheeled)}"] if wheeled else []
    return [*(f"a {one.value} lost to {brief(one.reason)}" for one in dropped), *cost]


def natural(name: str) -> tuple[tuple[str, int], ...]:
    """What names are sorted by, so that RU-2 comes before RU-10, and contact 9 before contact 10.

    >>> sorted(["RU-10", "RU-A1", "RU-2"], key=natural)
    ['RU-2', 'RU-10', 'RU-A1']
    """
    return tuple((word, int(number or -1)) for word, number in re.findall(r"(\D*)(\d*)", name))


def several(battle: Battle, names: Sequence[str]) -> str:
    """Pieces in a list, each with its name."""
    return listed([called(battle, name) for name in names])


def factors(modifiers: Sequence[Modifier]) -> str:
    """Modifiers as small print has them: `+1 command point, −1 chits`; empty if there are none."""
    return ", ".join(f"{signed(one.value)} {MODIFIERS.get(one.why, one.why.replace('_', ' '))}" for one in modifiers)


def clock(scene: Scene, turn: int) -> str:
    """When a turn begins: `14:10`; empty if the scenario has no clock, or it is past midnight."""
    hours, minutes = (whole(part) for part in f"{scene.game.clock}:".split(":")[:2])
    if hours is None or minutes is None or turn < 1:
        return ""
    total = hours * 60 + minutes + (turn - 1) * scene.charts.scale.turn_minutes
    return f"{total // 60 % 24:02}:{total % 60:02}"


def leader_place(battle: Battle, leader: Leader) -> str:
    """Where a leader is: with a unit, or at a place."""
    return f"with {leader.attached_to}" if leader.attached_to in battle.units else at(leader.front)


def whose(side: Role | None, role: Role) -> bool:
    """Whether something is the reader's own."""
    return side is not None and role.partition(".")[0] == side


def why(code: str) -> str:
    """A reason in words; free words as they are."""
    return REASONS.get(code, code.replace("_", " "))
