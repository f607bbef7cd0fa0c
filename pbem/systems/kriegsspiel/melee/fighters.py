"""Who takes part in a fight, and what each counts (KS-ATK-08, KS-ODD-01)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple, assert_never

from msgspec.structs import replace

from pbem.ground.bearing import off
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.field.field import along_and_aside, fightable, is_formed
from pbem.systems.kriegsspiel.fire.musketry import HALF_BATTALION_TW
from pbem.systems.kriegsspiel.melee.flanks import taken_in
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.tables.attack import BESIDE, CONTACT, WEAKEST_SQUADRON, ZUG_STRENGTH
from pbem.systems.kriegsspiel.tables.formation import THIRD_RANK, ZUGS_OUT
from pbem.systems.kriegsspiel.tables.works import DISMOUNTED
from pbem.systems.kriegsspiel.world.bodies import is_battalion, is_worn_out
from pbem.systems.kriegsspiel.world.forms import front_of
from pbem.systems.kriegsspiel.world.strengths import share
from pbem.systems.kriegsspiel.world.troops import Unit

SQUADRON_TW = 1800
PIECE_SHARE = {"larger": Fraction(5, 6), "smaller": Fraction(4, 6)}
CHAIN_PRESENT = 100
"""Paces ahead of the line up to which its zugs are with it in the fight."""


class Bout(NamedTuple):
    """Those who are in one fight, by key; the first of each side is who met first."""

    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    tick: int

    def turned(self) -> Bout:
        """The same with the sides changed."""
        return Bout(self.defenders, self.attackers, self.tick)


class Worth(NamedTuple):
    """What a body counts: its blocks, and the share of them that losses have left."""

    blocks: Fraction
    share: Fraction

    @property
    def whole(self) -> Fraction:
        """Both together."""
        return self.blocks * self.share


# ------------------------------------------------------------------ strength


@rule("KS-ODD-01", "KS-STR-06", "KS-FIR-08")
def worth(unit: Unit) -> Worth:
    """Half battalions or squadrons that a body counts; guns, trains and remnants count nothing."""
    none = Worth(Fraction(0), Fraction(1))
    if is_worn_out(unit):
        return none
    match unit.arm:
        case "infantry":
            if is_battalion(unit):
                return _battalion(unit)
            men = unit.strength.men_tw
            return Worth(Fraction(men, HALF_BATTALION_TW), Fraction(1))
        case "pioneers":
            return Worth(Fraction(unit.strength.tw, HALF_BATTALION_TW), Fraction(1))
        case "cavalry":
            return _squadron(unit)
        case "artillery" | "train":
            return none
        case other:
            assert_never(other)


def _squadron(unit: Unit) -> Worth:
    men = Fraction(unit.strength.tw, SQUADRON_TW)
    if unit.size == "squadron":
        men = min(max(men, Fraction(*WEAKEST_SQUADRON)), Fraction(1))
    if unit.place.dismounted:
        number, by = DISMOUNTED
        men *= Fraction(by, number)
    return Worth(men, Fraction(1))


@rule("KS-ODD-01", "KS-FRM-08", "KS-LOS-03")
def _battalion(unit: Unit) -> Worth:
    """Blocks left, less what zugs beyond the third rank have taken from them, and those zugs if they are present."""
    strength, chain = unit.strength, unit.strength.chain
    out = len(chain.zugs)
    blocks, extra = Fraction(strength.blocks), 0
    if chain.half:
        blocks, extra = Fraction(max(strength.blocks - 1, 0)), out
    elif out > THIRD_RANK.get(unit.size, 0):
        # A half battalion with n zugs out stands as the half of a battalion with 2n.
        row = ZUGS_OUT[min(out if unit.size == "battalion" else 2 * out, 12)]
        body = row.half_battalions - (1 - PIECE_SHARE[row.piece] if row.piece else 0)
        blocks = min(blocks, Fraction(body, 1 if unit.size == "battalion" else 2))
        extra = out - THIRD_RANK.get(unit.size, 0)
    if not strength.tw:
        blocks, extra = Fraction(0), out
    present = Fraction(*ZUG_STRENGTH) * (extra if chain.ahead <= CHAIN_PRESENT else 0)
    return Worth(blocks + Fraction(present, share(unit) or 1), share(unit))


# ------------------------------------------------------------------ who is near whom


def touching(play: Play, unit: Unit) -> list[Unit]:
    """The enemy bodies within contact of a unit, the nearest first."""
    found = [
        (play.field.gap(unit, enemy), enemy.key, enemy)
        for enemy in play.field.enemies(unit.side)
        if fightable(enemy) and play.field.within(unit, enemy, CONTACT)
    ]
    return [enemy for _, _, enemy in sorted(found, key=lambda one: one[:2])]


@rule("KS-ATK-08")
def beside(play: Play, unit: Unit) -> list[Unit]:
    """Neighbours in the same line: facing alike, within 50 paces at a side, and not behind."""
    found = []
    for other in play.field.units(unit.side, formed=True):
        if other.key == unit.key or off(other.place.facing, unit.place.facing) > 4500 or other.arm == "artillery":
            continue
        along, aside = along_and_aside(unit, other)
        room = abs(aside) - (front_of(unit) + front_of(other)) // 2
        if abs(along) <= 2 * BESIDE and room <= BESIDE and play.field.gap(unit, other) <= BESIDE:
            found.append(other)
    return found


@rule("KS-ATK-08", "KS-TUR-04")
def gather(play: Play, first: Unit, used: set[str]) -> Bout | None:
    """The fight that an attacker begins: whom it touches, who attacks with it, and the neighbours of the attacked."""
    met = [enemy for enemy in touching(play, first) if enemy.key not in used]
    if not met:
        return None
    aim = next((enemy for enemy in met if enemy.key == first.trial.attacks), met[0])
    attackers = {first.key: first}
    touched = {enemy.key: enemy for enemy in (aim, *met)}
    while True:
        defenders = touched | _neighbours(play, first, touched, used)
        more = {unit.key: unit for unit in _joining(play, first, attackers, defenders) if unit.key not in used}
        if not more:
            break
        attackers |= more
        for unit in more.values():
            touched |= {enemy.key: enemy for enemy in touching(play, unit) if enemy.key not in used | touched.keys()}
    formed = [key for key, enemy in defenders.items() if is_formed(enemy)]
    bout = Bout(tuple(attackers), tuple(formed or defenders), max(first.trial.contact, 0))
    return bout.turned() if _ridden_at(units_of(play, bout.attackers), units_of(play, bout.defenders)) else bout


@rule("KS-ODD-06")
def _ridden_at(attackers: Sequence[Unit], defenders: Sequence[Unit]) -> bool:
    """Whether infantry has attacked cavalry that counter-charges: then it is the attacked side itself."""
    on_foot = all(unit.arm in ("infantry", "pioneers") for unit in attackers)
    return on_foot and all(
        unit.arm == "cavalry" and unit.trial.answer.startswith("countercharge") for unit in defenders
    )


@rule("KS-ATK-08")
def _neighbours(play: Play, first: Unit, touched: dict[str, Unit], used: set[str]) -> dict[str, Unit]:
    """Who stands beside the attacked in the same line, and faces the attack."""
    found = {}
    for enemy in touched.values():
        for other in beside(play, enemy):
            free = other.key not in used and other.key not in touched and not other.trial.flight
            if free and not other.trial.attacks and taken_in(first, other) == "front":
                found[other.key] = other
    return found


@rule("KS-ATK-08")
def _joining(play: Play, first: Unit, attackers: dict[str, Unit], targets: dict[str, Unit]) -> list[Unit]:
    """Who attacks one of the attacked as well and touches it, or stands within 50 paces beside and attacks the same."""
    found = []
    for friend in play.field.units(first.side):
        if friend.key in attackers or friend.trial.flight or not friend.trial.attacks:
            continue
        met = any(enemy.key in targets for enemy in touching(play, friend))
        near = any(play.field.gap(friend, other) <= BESIDE for other in attackers.values())
        same = friend.trial.attacks in targets and friend.trial.attacks == first.trial.attacks
        if met or (same and near):
            found.append(friend)
    return found


@rule("KS-TUR-02", "KS-ODD-01")
def as_they_stood(play: Play, keys: tuple[str, ...]) -> list[Unit]:
    """The units of a fight with the pieces that they had before the fire of this move: it changes them in step 8."""
    return [
        replace(unit, strength=play.stood[unit.key]) if unit.key in play.stood and not is_worn_out(unit) else unit
        for unit in units_of(play, keys)
    ]


def units_of(play: Play, keys: tuple[str, ...]) -> list[Unit]:
    """The units of a fight as they now are."""
    return [play.war.units[key] for key in keys]
