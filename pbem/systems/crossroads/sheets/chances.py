"""What the attacks of a sheet may come to: volleys and charges, by what is known of the field.

The dice are read by the functions of fire, morale and melee themselves.  All stand where they stand now; officers who
fall meanwhile, and friends who shake for them, are not reckoned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.orders.prose import cap, counted
from pbem.rules.chances import Attack, Came, Chances, Tray, odds
from pbem.systems.crossroads.field.able import in_order, routed
from pbem.systems.crossroads.field.field import Field, field_of
from pbem.systems.crossroads.fire.fire import Shot, fire_dice, shot
from pbem.systems.crossroads.fire.morale import bands, bonuses, column, outcome
from pbem.systems.crossroads.melee import melee
from pbem.systems.crossroads.melee.charge import Onset, onset, volleys_at
from pbem.systems.crossroads.scene.forces import morale_die
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.tables import combat
from pbem.systems.crossroads.tables.morale import LOSSES_ROW, Result
from pbem.systems.crossroads.world import orders as say
from pbem.systems.crossroads.world.patches import Policies, Status
from pbem.systems.crossroads.world.state import Battle, Unit

CANNOT = "who is out of sight or only a contact, and what is left in the deck, no set-up says once cards are out"
"""Why no world is supposed in which a role knows what it knows."""


def attacks(scene: Scene, battle: Battle, role: Role, orders: Sequence[say.AnyOrder]) -> Sequence[Attack]:
    """The volley or the charge with which a line begins, at an enemy that can be hit or reached as all stand now."""
    field = field_of(scene, battle)
    return [one for order in orders if isinstance(order, say.CardOrder) for one in _attacks(field, order)]


def _attacks(field: Field, order: say.CardOrder) -> Iterator[Attack]:
    unit, first = field.battle.units.get(order.unit), order.alternatives[0]
    if unit is None or not unit.stands:
        return
    if isinstance(first.action, say.Fire):
        found = _fire(field, order.line, unit, first.action.enemy, half=first.then is not None)
    elif isinstance(first.action, say.Charge):
        found = _charge(field, order.line, unit, first.action.enemy)
    else:
        return
    if found is not None:
        yield found


def nearest(field: Field, unit: Unit) -> list[Unit]:
    """The enemies in sight, the nearest first."""
    enemies = [one for one in field.standing if one.side != unit.side]
    return sorted(enemies, key=lambda one: (field.gap(unit, one), one.id))


def known(field: Field, said: str) -> Unit | None:
    """The enemy that an order names, if it stands where it is known."""
    enemy = field.battle.units.get(field.battle.named.get(said, said))
    return enemy if enemy is not None and enemy.stands else None


# ------------------------------------------------------------------ a volley


class _Volley(NamedTuple):
    """So many dice, on which faces they hit, and whether one shows first whether the gun jams."""

    dice: int
    need: int
    may_jam: bool
    jam_counts: bool

    def hits(self, tray: Tray) -> int:
        """Throw it."""
        if self.may_jam and tray.face(combat.JAM_DIE) >= combat.JAM_FACE and not self.jam_counts:
            return 0
        return tray.total(combat.HIT_DIE, self.dice, lambda face: (int(face >= self.need),))[0]


def _volley(
    field: Field, firer: Unit, target: Unit, *, half: bool = False, green: bool | None = None
) -> _Volley | None:
    found = shot(field, firer, target)
    if not isinstance(found, Shot):
        return None
    options = field.battle.options
    dice = fire_dice(firer, options, half=half, green=green).thrown
    return _Volley(dice, found.need, firer.type == "mg", options.jam_volley_counts) if dice else None


def _fire(field: Field, line: int, unit: Unit, said: str, *, half: bool) -> Attack | None:
    named = [known(field, said)] if said != say.NEAREST else nearest(field, unit)
    for target in named:
        volley = _volley(field, unit, target, half=half) if target is not None else None
        if target is not None and volley is not None:
            return Attack(
                line=line,
                kind="fire",
                what=f"{unit.id} at {target.id}",
                good="to hit",
                measure="figures",
                on=partial(_shot, volley, target.strength - target.losses if target.known else None),
            )
    return None


def _shot(volley: _Volley, there: int | None, begun: None, tray: Tray) -> Came:
    hits = volley.hits(tray)
    lost = hits if there is None else min(hits, there)
    return Came(counted(hits, "hit") if hits else "no hit", good=hits > 0, lost=lost)


# ------------------------------------------------------------------ a charge

Stage = Literal["check", "fire", "losses", "stand", "melee", "answer", "worse"]
Worse = Literal["", "au", "du"]


class _Side(NamedTuple):
    """What changes of a unit in a charge."""

    losses: int
    status: Status


class _Stands(NamedTuple):
    """Where a charge stands: how many volleys or rounds are over, who has lost what, and whether a check is owed."""

    stage: Stage
    au: _Side
    du: _Side
    number: int = 0
    hit: bool = False
    hits: int = 0
    """Of the charger in this round."""
    worse: Worse = ""
    """Who had the worse of it."""


@dataclass(frozen=True, eq=False)
class _Charge:
    """A charge that can be made."""

    field: Field
    """As the charger comes up to the other."""
    au: Unit
    du: Unit
    fire: tuple[_Volley | None, ...]
    """Of each volley on its way."""
    ground: melee.Ground
    bonuses: dict[tuple[str, str], int]
    """What is added to checks, by unit and row, as they were asked for."""

    def on(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """What comes next."""
        return _STAGES[now.stage](self, now, tray)

    def checked(self, unit: Unit, row: str, other: Unit, tray: Tray) -> Result:
        """A check on the chart of morale."""
        options = self.field.battle.options
        level = column(unit, options)
        cell = bands(row, level, options) if level else None
        if cell is None:
            return "pass"
        if (unit.id, row) not in self.bonuses:
            added = bonuses(self.field, unit, row, other.id)
            self.bonuses[unit.id, row] = sum(one.value for one in added)
        return outcome(cell, tray.face(morale_die(unit)), self.bonuses[unit.id, row], options)

    def check(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """Whether it dares."""
        if self.checked(self.au, "Charge", self.du, tray) != "pass":
            return Came("it does not charge")
        return now._replace(stage="fire")

    def fired_on(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """The next volley of the other."""
        if now.number == len(self.fire):
            return now._replace(stage="stand", number=0)
        volley = self.fire[now.number]
        hits = volley.hits(tray) if volley is not None else 0
        losses = min(now.au.losses + hits, self.au.strength)
        if losses == self.au.strength:
            return Came("it falls to their fire")
        hit, number = now.hit or hits > 0, now.number + 1
        owed = hit and (self.field.battle.options.charge_check == "per_volley" or number == len(self.fire))
        au = now.au._replace(losses=losses)
        return now._replace(au=au, number=number, hit=hit and not owed, stage="losses" if owed else "fire")

    def lost(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """Whether it goes on through the fire."""
        row = LOSSES_ROW[self.du.type]
        if self.checked(_as(self.au, now.au), row, self.du, tray) != "pass":
            return Came("their fire stops it")
        return now._replace(stage="fire")

    def stood(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """Whether the other stands."""
        if routed(self.du):
            return Came("they surrender", good=True)
        result = self.checked(_as(self.du, now.du), "Stand To Charge", self.au, tray)
        if result in ("WD", "R"):
            return Came("they give way", good=True)
        if self.du.type in combat.SURRENDERS:
            return Came("they surrender", good=True)
        return now._replace(stage="melee", du=_shaken(now.du, self.du, result), number=1)

    def fought(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """The dice of the charger in a round of the melee."""
        au, du = _as(self.au, now.au), _as(self.du, now.du)
        count = melee.attack(au, du, self.ground, now.number).thrown
        return now._replace(stage="answer", hits=tray.total(combat.HIT_DIE, count, _melee_hit)[0])

    def answered(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """The dice of the other, and what both lose."""
        au, du = _as(self.au, now.au), _as(self.du, now.du)
        count = melee.defence(du, au, self.ground, now.number, self.field.battle.options).thrown
        hits = tray.total(combat.HIT_DIE, count, _melee_hit)[0]
        taken = (min(au.losses + hits, au.strength), min(du.losses + now.hits, du.strength))
        worse: Worse = "" if hits == now.hits else "du" if now.hits > hits else "au"
        return now._replace(
            stage="worse", au=now.au._replace(losses=taken[0]), du=now.du._replace(losses=taken[1]), worse=worse, hits=0
        )

    def ended(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """The check of the one who had the worse of a round, and whether both fight on."""
        au, du = _as(self.au, now.au), _as(self.du, now.du)
        fights = {"au": au.losses < au.strength, "du": du.losses < du.strength}
        if now.worse and fights[now.worse]:
            one, other = (au, du) if now.worse == "au" else (du, au)
            row = "Inf after cav melee" if (one.type, other.type) == ("infantry", "cavalry") else "Melee Lost"
            result = self.checked(one, row, other, tray)
            fights[now.worse] = result == "pass" or (result == "S" and not routed(one))
            side = _shaken(now.au if now.worse == "au" else now.du, one, result)
            now = now._replace(au=side) if now.worse == "au" else now._replace(du=side)
        if not fights["du"]:
            return Came("it wins the melee", good=True) if fights["au"] else Came("nobody is left of either")
        if not fights["au"]:
            return Came("it loses the melee")
        if now.number == self.field.battle.options.max_rounds:
            return Came("nobody wins the melee")
        return now._replace(stage="melee", number=now.number + 1, worse="")


_STAGES = {
    "check": _Charge.check,
    "fire": _Charge.fired_on,
    "losses": _Charge.lost,
    "stand": _Charge.stood,
    "melee": _Charge.fought,
    "answer": _Charge.answered,
    "worse": _Charge.ended,
}


def _melee_hit(face: int) -> tuple[int, ...]:
    return (int(face >= combat.MELEE_HIT),)


def _as(unit: Unit, side: _Side) -> Unit:
    return replace(unit, losses=side.losses, status=side.status)


def _shaken(side: _Side, unit: Unit, result: Result) -> _Side:
    return side._replace(status="shaken") if result == "S" and in_order(unit) else side


def _charge(field: Field, line: int, unit: Unit, said: str) -> Attack | None:
    target = known(field, said) if said != say.NEAREST else next(iter(nearest(field, unit)), None)
    # Of a contact neither strength nor nation are known.
    found = onset(field, unit, target) if target is not None and target.known else None
    if target is None or not isinstance(found, Onset) or found.touches != target.id:
        return None
    assert unit.pos is not None, "it stands"
    there = _come(field, unit, found, -1)
    ground = melee.ground_of(there, there.unit(unit.id), target, unit.pos)
    made = _Charge(there, unit, target, tuple(_fire_on(field, unit, target, found)), ground, {})
    begins = _Stands("check", _Side(unit.losses, unit.status), _Side(target.losses, target.status))
    return Attack(line=line, kind="charge", what=f"{unit.id} at {target.id}", good="to win", begins=begins, on=made.on)


def _come(field: Field, unit: Unit, found: Onset, place: int) -> Field:
    """The field when the charger has come to a place of its way."""
    here = replace(unit, pos=found.places[place])
    return Field(field.scene, replace(field.battle, units={**field.battle.units, unit.id: here}))


def _fire_on(field: Field, unit: Unit, target: Unit, found: Onset) -> Iterator[_Volley | None]:
    """What the target fires at the charger on its way, as far as is known: an enemy's policy never is."""
    policies: Mapping[Role, Policies] = field.battle.policies
    fires = policies.get(target.side, Policies()).defensive_fire
    if not fires or routed(target) or target.jammed or field.aspect(target, unit) != "front":
        return
    for mark in volleys_at(found.distance, field.battle.options.defensive_fire_min):
        there = _come(field, unit, found, min(mark, len(found.places) - 1))
        yield _volley(there, target, there.unit(unit.id), green=False)


# ------------------------------------------------------------------ in words


def clauses(field: Field, order: say.AnyOrder) -> str:
    """For a receipt: the chances of the attack with which a line begins; empty, where it begins with none."""
    found = _attacks(field, order) if isinstance(order, say.CardOrder) else ()
    return "".join(f" {cap(odds(one).clause)}." for one in found)


CHANCES: Chances[Scene, Battle, Battle, say.AnyOrder] = Chances(attacks=attacks, cannot=CANNOT)
