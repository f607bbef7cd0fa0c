"""Flank and rear: from where a body is taken, and who counts double for it (KS-FLK)."""

from __future__ import annotations

from pbem.ground.bearing import FULL, off, opposite
from pbem.ground.plane import Point, shifted
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.field import terrain_of
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.tables.attack import FLANK_ANGLE, FLANK_FROM, REAR_ANGLE, SECURE_FLANK
from pbem.systems.kriegsspiel.world.forms import front_of, on_route
from pbem.systems.kriegsspiel.world.troops import Unit

WOODS = ("wood_light", "wood_thick")
BESIDE = 50
"""Paces beyond the end of a line within which that lies on which it rests."""


@rule("KS-FLK-01")
def part_taken(angle: int) -> str:
    """`front`, `flank` or `rear`, by hundredths of a degree between the way of approach and the front.

    >>> part_taken(6000), part_taken(6001), part_taken(13501)
    ('front', 'flank', 'rear')
    """
    if angle > REAR_ANGLE * 100:
        return "rear"
    return "flank" if angle > FLANK_ANGLE * 100 else "front"


@rule("KS-FLK-01")
def taken_in(attacker: Unit, defender: Unit) -> str:
    """Where an attacker comes upon a defender, by the way it came."""
    if defender.place.formation == "square":
        return "front"
    return part_taken(off(opposite(attacker.place.facing), defender.place.facing))


@rule("KS-ATK-02", "KS-ODD-06", "KS-FLK-01")
def stands(unit: Unit) -> bool:
    """Whether a body is at the halt when it is met: it neither came on nor was about to."""
    comes_on = bool(unit.trial.attacks and unit.march.way) or unit.trial.answer.startswith("countercharge")
    return not unit.place.moved and not comes_on


@rule("KS-FLK-01", "KS-FLK-02")
def doubled_by(attacker: Unit, defender: Unit) -> str:
    """The rule by which an attacker counts double against a defender; empty: it does not."""
    if taken_in(attacker, defender) == "front":
        return ""
    if defender.arm == "cavalry":
        still = stands(defender)
        going_back = defender.trial.flight > 0 or defender.trial.answer.startswith("retire")
        return "KS-FLK-01" if still or going_back else ""
    if defender.arm in ("infantry", "pioneers"):
        open_flank = defender.place.formation == "line" or on_route(defender)
        near = attacker.trial.made_from <= FLANK_FROM["cavalry" if attacker.arm == "cavalry" else "infantry"]
        return "KS-FLK-02" if open_flank and near else ""
    return ""


# ------------------------------------------------------------------ what a line rests on


@rule("KS-CAV-03", "KS-FLK-02")
def secure(play: Play, line: Unit) -> bool:
    """Whether both ends of a line rest on woods, houses, water, a height or friends."""
    return all(_rests(play, line, turn) for turn in (9000, FULL - 9000))


@rule("KS-CAV-03")
def _rests(play: Play, line: Unit, turn: int) -> bool:
    within, steep = SECURE_FLANK
    side = (line.place.facing + turn) % FULL
    end = shifted(line.place.at, side, front_of(line) // 2)
    friends = play.field.near(end, within, line.side, formed=True)
    if any(friend.key != line.key and not friend.trial.flight for friend in friends):
        return True
    return any(_holds_off(play, end, shifted(end, side, far), steep * 100) for far in (BESIDE // 2, BESIDE))


@rule("KS-CAV-03")
def _holds_off(play: Play, end: Point, beyond: Point, steep: int) -> bool:
    terrain = terrain_of(play.scene)
    if not terrain.on_board(beyond):
        return True
    area = terrain.area(beyond)
    among = area is not None and (area.built or area.kind in WOODS)
    return among or terrain.water_at(beyond) is not None or abs(terrain.slope(end, beyond)) > steep
