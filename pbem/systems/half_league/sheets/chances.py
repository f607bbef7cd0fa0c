"""What the attacks of a sheet may come to: fire and its saves, and charges to the end of the melee, by what is known.

The dice are read by the functions of fire, losses, charge and melee themselves.  All stand where they stand now.  What
a side's own orders buy and its brigadiers give is reckoned in; of the enemy's points nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import bearing, distance, nearest
from pbem.kernel.names import Role
from pbem.orders.prose import counted as in_number
from pbem.rules.chances import Attack, Came, Chances, Tray, odds
from pbem.systems.half_league.field.field import Field, field_of
from pbem.systems.half_league.field.plans import Leg, Plan
from pbem.systems.half_league.fire import fire
from pbem.systems.half_league.fire.losses import capped, needed, saves
from pbem.systems.half_league.fire.shooting import Shot, Wish, bombardment, shots
from pbem.systems.half_league.march.walking import dice_count, walk, with_chits
from pbem.systems.half_league.melee import melee
from pbem.systems.half_league.melee.charge import dares, outnumbered, stands_of
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.tables import combat as table
from pbem.systems.half_league.tables.printed import CONTACT, DIE, EXTRA_DICE, INCH, MORALE_NEED
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world.pieces import Leader, Unit, side_of
from pbem.systems.half_league.world.state import Battle

CANNOT = "who stands out of sight, and where he has gone, no set-up says once the armies have marched"
"""Why no world is supposed in which a role knows what it knows."""

BEFORE_THE_TURN = ("setup", "initiative")
"""Phases in which who is with a unit is with it when the turn begins."""


def attacks(scene: Scene, battle: Battle, role: Role, orders: Sequence[say.AnyOrder]) -> Sequence[Attack]:
    """Each fire and charge of a sheet at an enemy that can be hit or reached as all stand now."""
    sheet = Sheet(field_of(scene, battle), role, tuple(orders))
    return [one for order in orders for one in sheet.attacks(order)]


class Sheet(NamedTuple):
    """The orders of a role on the field as it is known."""

    field: Field
    role: Role
    orders: tuple[say.AnyOrder, ...]

    def attacks(self, order: say.AnyOrder) -> Iterator[Attack]:
        """The attacks of one of its orders."""
        unit = self.field.battle.units.get(order.unit) if isinstance(order, say.UnitOrder) else None
        if unit is None or not unit.there:
            return
        match order:
            case say.Fire():
                wish = Wish([(part.target, part.stands) for part in order.parts])
                yield from (_fire(self, order.line, unit, one) for one in shots(self.field, unit, wish))
            case say.Bombard():
                found = bombardment(self.field, unit, self.still(order.target))
                if isinstance(found, Shot):
                    yield _fire(self, order.line, unit, found)
            case say.Charge():
                target = self.field.battle.units.get(order.target)
                charge = _charge(self, order.line, unit, target) if target is not None and target.there else None
                if charge is not None:
                    yield charge
            # Nobody else attacks.
            case _:
                pass

    def still(self, name: str) -> Unit | None:
        """The target of a bombardment: how long an enemy has stood still is not known, and taken to be long enough."""
        target = self.field.battle.units.get(name)
        if target is None or self.field.battle.viewer is None:
            return target
        return replace(target, stationary_turns=table.STATIONARY_TURNS, stirred=False)

    def gifts(self, unit: Unit, benefit: say.Benefit) -> tuple[str, ...]:
        """Who gives a unit a benefit by lines of the sheet."""
        bought = any(
            isinstance(one, say.Spend) and one.unit == unit.id and one.benefit == benefit for one in self.orders
        )
        leader = self.field.brigadier(unit)
        given = leader is not None and any(
            isinstance(one, say.Favour)
            and (one.benefit, one.leader) == (benefit, leader.id)
            and unit.id in self.reached(leader, one.unit)
            for one in self.orders
        )
        return (*(("brigadier",) if given else ()), *(("command_point",) if bought else ()))

    def reached(self, leader: Leader, only: str = "") -> list[str]:
        """Whom a brigadier's benefit reaches where he is; *only*: it is for one of them.

        Who joined his unit in this turn helps it alone (HL-CMD-10, HL-CMD-11).
        """
        unit = self.field.battle.units.get(leader.attached_to)
        if unit is None:
            return []
        late = self.field.battle.phase not in BEFORE_THE_TURN and not leader.attached_since_start_of_turn
        return [one.id for one in ([unit] if late else self.field.chained(unit)) if only in ("", one.id)]


# ------------------------------------------------------------------ fire and saves


class _Saves(NamedTuple):
    """So many possible hits that are still to be saved, and the figures that are left on each stand."""

    hits: int
    figures: tuple[int, ...]


def _fire(sheet: Sheet, line: int, unit: Unit, shot: Shot) -> Attack:
    field = sheet.field
    target = field.unit(shot.target)
    row = fire.row_of(field, unit, target, bombards=shot.bombards)
    gifts = () if shot.bombards else sheet.gifts(unit, "fire")
    modifier = 0 if shot.bombards else sum(one.value for one in fire.fire_modifiers(unit, gifts))

    def worth(face: int) -> tuple[int, ...]:
        return (int(fire.hits_by(row, face, modifier, bombards=shot.bombards)),)

    return Attack(
        line=line,
        kind="bombardment" if shot.bombards else "fire",
        what=f"{unit.id} at {target.id}",
        good="to cost a figure",
        measure="figures",
        given=_given(field, target, bombards=shot.bombards),
        on=partial(_fired, field, target, row, partial(_thrown, shot.dice, worth)),
    )


def _given(field: Field, target: Unit, *, bombards: bool) -> str:
    """What is taken for granted of an enemy."""
    kind = "" if target.identified else "if they are regulars"
    still = "if it has stood still long enough" if bombards and field.battle.viewer is not None else ""
    return " and ".join(one for one in (kind, still) if one)


def _thrown(count: int, worth: Callable[[int], tuple[int, ...]], tray: Tray) -> int:
    return tray.total(DIE, count, worth)[0]


def _fired(
    field: Field, target: Unit, row: fire.Row, throw: Callable[[Tray], int], now: _Saves | None, tray: Tray
) -> _Saves | Came:
    """The dice of a fire, then a save for each possible hit."""
    if now is None:
        return _Saves(fire.counted(row, throw(tray)), target.stand_figures)
    here = replace(target, stand_figures=now.figures)
    if not now.hits or not here.stands:
        lost = target.figures - here.figures
        what = "nobody falls" if not lost else in_number(lost, "figure") if here.stands else "all of them"
        return Came(what, good=lost > 0, lost=lost)
    need = needed(field.charts, here)
    modifier = table.SAVE_MODIFIERS["chit"] * target.chits
    if need is not None and saves(need, tray.face(DIE), modifier):
        return now._replace(hits=now.hits - 1)
    struck = capped(here)
    figures = list(now.figures)
    figures[struck] -= table.FIGURES_PER_FAILURE
    return _Saves(now.hits - 1, tuple(figures))


# ------------------------------------------------------------------ a charge

Stage = Literal["test", "stand", "run", "attack", "defence"]


class _Stands(NamedTuple):
    """Where a charge stands: the dice of its run so far, the round of the melee, and the total of who charged."""

    stage: Stage
    dice: tuple[int, ...] = ()
    round: int = 1
    total: int = 0


class _Fighter(NamedTuple):
    """What a unit throws in a round: its own dice and those of leaders, with what is added to each."""

    stands: int
    leaders: int
    modifier: int

    def throw(self, tray: Tray) -> int:
        """Its total."""
        own = tray.total(DIE, self.stands, lambda face: (melee.worth(face, self.modifier, leads=False),))
        led = tray.total(DIE, self.leaders, lambda face: (melee.worth(face, self.modifier, leads=True),))
        return own[0] + led[0]


@dataclass(frozen=True, eq=False)
class _Charge:
    """A charge that has been ordered."""

    unit: Unit
    target: Unit
    passes: bool
    """Its test, by a benefit."""
    tests: bool
    """Whether the target has to test."""
    dice: int
    kept: int
    """Of its dice, those that the ground leaves it."""
    far: int
    """How far it must come."""
    battle: Battle
    """As it comes up to its target."""
    combat: melee.Combat
    attackers: tuple[_Fighter, ...]
    defenders: tuple[_Fighter, ...]
    limits: tuple[int, int]
    """Stands with leaders of charger and target."""

    def on(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """What comes next."""
        return _STAGES[now.stage](self, now, tray)

    def test(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """Whether it dares."""
        if not self.passes and dares(tray.face(DIE), self.limits[0], self.unit.chits) < MORALE_NEED:
            return Came("it does not dare")
        return now._replace(stage="stand")

    def stand(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """Whether the target stands."""
        if self.tests and dares(tray.face(DIE), self.limits[1], self.target.chits) < MORALE_NEED:
            lost = "the guns are left" if self.target.unlimbered else "they go before it"
            return Came(lost, good=True)
        return now._replace(stage="run")

    def run(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """The dice of its run, one by one; in what order they fall is all the same."""
        if self.far and len(now.dice) < self.dice:
            return now._replace(dice=tuple(sorted((*now.dice, tray.face(DIE)))))
        come = sum(with_chits(now.dice, self.unit.chits)[: self.kept]) * INCH
        if come < self.far:
            return Came("it falls short")
        return now._replace(stage="attack", dice=())

    def attack(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """The dice of who charged, in a round of the melee."""
        return now._replace(stage="defence", total=sum(one.throw(tray) for one in self.attackers))

    def defence(self, now: _Stands, tray: Tray) -> _Stands | Came:
        """The dice of the others, and who has won; if nobody has, another round."""
        theirs = sum(one.throw(tray) for one in self.defenders)
        winner, _ = melee.winner_of(self.battle, self.combat, now.total, theirs, now.round)
        if winner is None:
            return _Stands("attack", round=now.round + 1)
        wins = winner == self.combat.attacker
        return Came("it wins the melee" if wins else "it loses the melee", good=wins)


_STAGES = {
    "test": _Charge.test,
    "stand": _Charge.stand,
    "run": _Charge.run,
    "attack": _Charge.attack,
    "defence": _Charge.defence,
}


def _charge(sheet: Sheet, line: int, unit: Unit, target: Unit) -> Attack | None:
    field = sheet.field
    aim = nearest(field.shape(target), unit.front)
    way = bearing(unit.front, aim) if aim != unit.front else unit.bearing
    plan = Plan(legs=(Leg(way, distance(unit.front, aim) + CONTACT),), charging=True)
    count = dice_count(field, unit, plan)
    count += EXTRA_DICE * len(sheet.gifts(unit, "move")) if count else 0
    there = field.gap(unit, target) <= CONTACT
    best = walk(field, unit, plan, (DIE,) * count)
    if not there and target.id not in best.contact:
        return None
    come = replace(
        unit, front=best.front, bearing=best.bearing, charged=True, charge_target=target.id, charged_from=unit.front,
        last_forward=best.walked, from_rear=(target.id,) if field.aspect(target, unit) == "rear" else (),
    )  # fmt: skip
    battle = replace(field.battle, units={**field.battle.units, unit.id: come})
    met = Field(field.scene, battle)
    sides = [[one, *(each for each in met.supports(one) if not each.engaged)] for one in (come, target)]
    made = _Charge(
        unit,
        target,
        passes=bool(sheet.gifts(unit, "morale")),
        tests=outnumbered(stands_of(field, [target]), stands_of(field, [unit])),
        dice=count,
        kept=count - len(best.dropped),
        far=0 if there else best.walked + best.wheeled,
        battle=battle,
        combat=melee.Combat("", unit.side, *(tuple(one.id for one in some) for some in sides)),
        attackers=tuple(_fighter(sheet, met, one, sides[1]) for one in sides[0]),
        defenders=tuple(_fighter(sheet, met, one, sides[0]) for one in sides[1]),
        limits=(field.limit(unit), field.limit(target)),
    )
    return Attack(
        line=line,
        kind="charge",
        what=f"{unit.id} at {target.id}",
        good="to win",
        begins=_Stands("test"),
        on=made.on,
    )


def _fighter(sheet: Sheet, field: Field, unit: Unit, foes: Sequence[Unit]) -> _Fighter:
    added = sum(one.value for one in melee.modifiers(field, unit, foes))
    if unit.side == side_of(sheet.role):
        added += sum(table.MELEE[gift] for gift in sheet.gifts(unit, "melee"))
    return _Fighter(unit.stands, melee.leaders_with(field.battle, unit), added)


# ------------------------------------------------------------------ in words


def clauses(sheet: Sheet, order: say.AnyOrder) -> str:
    """For a receipt: the chances of what a line orders; empty, where it orders no attack."""
    found = list(sheet.attacks(order))
    several = len(found) > 1
    return "; ".join(f"{f'{one.what}: ' if several else ''}{odds(one).clause}" for one in found)


CHANCES: Chances[Scene, Battle, Battle, say.AnyOrder] = Chances(attacks=attacks, cannot=CANNOT)
