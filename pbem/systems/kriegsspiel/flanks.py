"""Flank and rear: from where a body is taken, and who counts double for it (KS-FLK)."""

from __future__ import annotations

from pbem.ground.bearing import off, opposite
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.forms import on_route
from pbem.systems.kriegsspiel.tables_attack import FLANK_ANGLE, FLANK_FROM, REAR_ANGLE
from pbem.systems.kriegsspiel.troops import Unit


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


@rule("KS-FLK-01", "KS-FLK-02")
def doubled_by(attacker: Unit, defender: Unit) -> str:
    """The rule by which an attacker counts double against a defender; empty: it does not."""
    if taken_in(attacker, defender) == "front":
        return ""
    if defender.arm == "cavalry":
        still = not defender.place.moved
        going_back = defender.trial.flight > 0 or defender.trial.answer.startswith("retire")
        return "KS-FLK-01" if still or going_back else ""
    if defender.arm in ("infantry", "pioneers"):
        open_flank = defender.place.formation == "line" or on_route(defender)
        near = attacker.trial.made_from <= FLANK_FROM["cavalry" if attacker.arm == "cavalry" else "infantry"]
        return "KS-FLK-02" if open_flank and near else ""
    return ""
