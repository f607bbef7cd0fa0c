"""What stands in the way of an order on receipt, by what its writer knows (the ledger's `Orders`)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.ground.bearing import DEGREE, show_bearing
from pbem.kernel.names import Role
from pbem.orders.refusal import Wrong
from pbem.rules.ledger import rule
from pbem.systems.crossroads.field.able import in_order, routed
from pbem.systems.crossroads.field.field import Field
from pbem.systems.crossroads.march.walking import base_move
from pbem.systems.crossroads.scene.words import adjective
from pbem.systems.crossroads.tables.combat import CHARGERS, FARTHEST_CHARGE
from pbem.systems.crossroads.tables.move import LARGEST_WHEEL
from pbem.systems.crossroads.tables.units import FORMATIONS, LEADING_NATION, LED_UNITS, OFFICER_MOVES
from pbem.systems.crossroads.world import orders as say
from pbem.systems.crossroads.world.state import GUNS, INCHES, Battle, Unit

_MOST_MOVE = (134, 100)
"""How much of its base a move may be ordered: with the road bonus, and a little for rounding."""
MOST_ALTERNATIVES = 3


def _goal(action: say.Move) -> str:
    """Where a move goes that is to be half of one, as it is written."""
    if action.direction is None:
        return f"half to {action.place or (INCHES.written(action.to) if action.to is not None else '')}"
    return f"half {show_bearing(action.direction * DEGREE)} {min(action.inches // 10, 4) or 1}"


def _head(order: say.AnyOrder) -> str:
    """What a line of its kind begins with."""
    match order:
        case say.UnitOrder():
            return order.unit
        case say.JokerOrder():
            return f"{'star' if order.star else 'joker'} {order.unit}"
        case say.Lead():
            return f"officer {order.officer} lead {', '.join(order.units[:LED_UNITS])}"
        case say.AttachOfficer() | say.MoveOfficer() | say.Policy():
            return ""


class Judge:
    """Judges orders over what one side knows; *words_only*: a sheet for later, of which only names are looked at."""

    def __init__(self, field: Field, role: Role, *, words_only: bool) -> None:
        self.field, self.role, self.words_only = field, role, words_only

    @property
    def battle(self) -> Battle:
        """What the writer knows."""
        return self.field.battle

    @property
    def names(self) -> frozenset[str]:
        """Names that the writer knows."""
        return frozenset((*self.battle.units, *self.battle.officers, *(one.name for one in self.field.scene.places)))

    def wrong(self, order: say.AnyOrder) -> Wrong | None:
        """The first thing that stands in the way of an order."""
        found = next(self._wrongs(order), None)
        if found is None or not found.instead:
            return found
        # What would do is a whole line, to be sent as it stands.
        return found._replace(instead=f"{_head(order)} {found.instead}")

    def _wrongs(self, order: say.AnyOrder) -> Iterator[Wrong]:
        match order:
            case say.UnitOrder():
                yield from self._unit(order.unit)
                yield from self._alternatives(order.unit, order.alternatives)
            case say.JokerOrder():
                if not order.star and self.role != self.battle.sides[1]:
                    whose = adjective(self.field.scene, self.battle.sides[1])
                    yield Wrong(f"the Joker is the {whose} side's; yours may be `star`, for the Joker*", "GC-CRD-02")
                yield from self._unit(order.unit)
                yield from self._alternatives(order.unit, order.alternatives)
            case say.AttachOfficer() | say.MoveOfficer():
                yield from self._ride(order)
            case say.Lead():
                yield from self._lead(order)
            case say.Policy():
                for name in order.units:
                    yield from self._own(name)

    # -------------------------------------------------------------- names

    def _own(self, name: str) -> Iterator[Wrong]:
        unit = self.battle.units.get(name)
        if unit is None or unit.side != self.role:
            yield Wrong(f"{name} is none of your units", "GC-ACT-01")

    @rule("GC-ARV-01", "GC-CRD-01")
    def _unit(self, name: str) -> Iterator[Wrong]:
        """An own unit that has a card this turn."""
        yield from self._own(name)
        unit = self.battle.units.get(name)
        if unit is None or self.words_only:
            return
        if unit.pos is not None and not unit.stands:
            yield Wrong(f"{name} is off the table: {unit.status.replace('_', ' ')}", "GC-CRD-01")
        elif unit.pos is None and unit.arrive != self.battle.turn:
            yield Wrong(f"{name} comes onto the table on turn {unit.arrive}", "GC-ARV-01")

    def enemy(self, said: str) -> Unit | None:
        """An enemy by a name that stands in the writer's view."""
        said = self.battle.named.get(said, said)
        unit = self.battle.units.get(said)
        if unit is not None and unit.side != self.role and unit.stands:
            return unit
        ghost = self.battle.ghosts.get(said)
        return ghost.unit if ghost is not None and ghost.unit.known else None

    @rule("GC-ACT-04")
    def _enemy(self, said: str) -> Iterator[Wrong]:
        unit = self.battle.units.get(said)
        if unit is not None and unit.side == self.role:
            yield Wrong(f"{said} is your own; name an enemy, or `nearest`", "GC-ACT-04")
        if said != say.NEAREST and not self.words_only and self.enemy(said) is None:
            yield Wrong(f"{said} is no enemy that you know to be there; name one in sight, or `nearest`", "GC-ACT-04")

    # -------------------------------------------------------------- what a unit does

    def _alternatives(self, name: str, alternatives: tuple[say.Alternative, ...]) -> Iterator[Wrong]:
        unit = self.battle.units.get(name)
        if len(alternatives) > MOST_ALTERNATIVES:
            yield Wrong(f"a line has {MOST_ALTERNATIVES} alternatives at most", "GC-ACT-04")
        plain = len(alternatives) == 1 and alternatives[0].condition is None
        for number, one in enumerate(alternatives):
            if plain and isinstance(one.action, say.Charge) and unit is not None:
                yield from self._far(unit, one.action)
            if one.condition is not None and one.condition.of:
                yield from self._enemy(one.condition.of)
            if unit is not None:
                # What comes after an `else` may be possible only by then: a unit on its feet may have gone to ground.
                if not (
                    number and isinstance(one.action, say.GoProne | say.Rise | say.Rally) and unit.type == "infantry"
                ):
                    yield from self.action(unit, one.action, unit.formation)
                if one.then is not None:
                    yield from self._pair(unit, one.action, one.then)

    @rule("GC-ACT-01", "GC-MOV-06")
    def _pair(self, unit: Unit, first: say.AnyAction, then: say.AnyAction) -> Iterator[Wrong]:
        """Two halves of one activation: only certain pairs, and what each kind of unit can do of them."""
        half_move = isinstance(then, say.Move) and then.half
        fits = {
            say.Move: isinstance(first, say.Move) and first.half and isinstance(then, say.Fire),
            say.Fire: half_move,
            say.Wheel: isinstance(then, say.Move) and not then.half,
            say.FormUp: half_move or isinstance(then, say.Fire),
            say.GoProne: isinstance(then, say.Fire),
            say.Rise: half_move or isinstance(then, say.Fire),
            say.Rally: not isinstance(then, say.Rally),
        }
        if not fits.get(type(first), False):
            why = "these two are not halves of one activation; with another action a move is `move half`"
            yield Wrong(why, "GC-ACT-01", "move half S 4 then fire nearest")
        if isinstance(first, say.FormUp) and unit.type == "cavalry":
            yield Wrong("cavalry needs a whole activation to change its formation", "GC-MOV-06")
        if unit.type != "infantry" and {type(first), type(then)} == {say.Move, say.Fire}:
            yield Wrong("only infantry moves and fires on one card", "GC-ACT-01")
        yield from self.action(unit, then, first.formation if isinstance(first, say.FormUp) else unit.formation)

    def action(self, unit: Unit, action: say.AnyAction, formation: say.Formation) -> Iterator[Wrong]:
        """What stands in the way of an action of a unit that is in a formation; of those not named here, nothing."""
        match action:
            case say.Fire():
                if unit.type == "cavalry":
                    yield Wrong("cavalry does not fire", "GC-FIR-01")
                yield from self._enemy(action.enemy)
            case say.Move():
                yield from self._move(unit, action, formation)
            case say.Wheel():
                if action.degrees > LARGEST_WHEEL or not action.degrees:
                    yield Wrong(f"a wheel is of 1 to {LARGEST_WHEEL} degrees", "GC-MOV-04", "wheel left 45")
                yield from self._limbered(unit, formation, "half S 4")
            case say.FormUp():
                yield from self._form(unit, action, formation)
            case say.Charge():
                yield from self._charge(unit, action)
            case say.GoProne() | say.Rise():
                yield from self._prone(unit, down=isinstance(action, say.GoProne))
            case say.Rally():
                if in_order(unit) and not self.words_only:
                    yield Wrong(f"{unit.id} has nothing to rally from", "GC-RAL-01")
            case say.Clear():
                if unit.type != "mg":
                    yield Wrong("only an MG jams", "GC-FIR-06")
            case say.Cross():
                if unit.type == "infantry":
                    yield Wrong("infantry crosses an obstacle as it moves", "GC-MOV-03")

    @rule("GC-MOV-01")
    def _limbered(self, unit: Unit, formation: say.Formation, goal: str) -> Iterator[Wrong]:
        if unit.type in GUNS and formation == "deployed" and not self.words_only:
            yield Wrong(f"{unit.id} is deployed: limber first", "GC-MOV-01", f"form limbered then move {goal}")

    @rule("GC-MOV-01", "GC-MOV-02")
    def _move(self, unit: Unit, action: say.Move, formation: say.Formation) -> Iterator[Wrong]:
        yield from self._limbered(unit, formation, _goal(action))
        base = base_move(unit, self.battle.options, formation)
        most = base * _MOST_MOVE[0] // _MOST_MOVE[1]
        if action.direction is not None and action.inches > most and not self.words_only and base:
            why = f"{unit.id} moves {INCHES.show(base)} inches in {formation}, with the bonus of a road a third more"
            yield Wrong(why, "GC-MOV-01")

    @rule("GC-MOV-06")
    def _form(self, unit: Unit, action: say.FormUp, formation: say.Formation) -> Iterator[Wrong]:
        if action.formation not in FORMATIONS[unit.type]:
            have = ", ".join(FORMATIONS[unit.type])
            yield Wrong(f"{unit.type} has no formation {action.formation}; it has {have}", "GC-MOV-06")
        elif formation == action.formation and not self.words_only:
            yield Wrong(f"{unit.id} is in {formation} already", "GC-MOV-06")

    @rule("GC-CHG-01")
    def _charge(self, unit: Unit, action: say.Charge) -> Iterator[Wrong]:
        if unit.type not in CHARGERS:
            yield Wrong("artillery and MG do not charge", "GC-CHG-01")
        yield from self._enemy(action.enemy)
        if routed(unit) and not self.words_only:
            yield Wrong(f"{unit.id} is routed", "GC-CHG-01")

    @rule("GC-CHG-01")
    def _far(self, unit: Unit, action: say.Charge) -> Iterator[Wrong]:
        """A charge with no condition and nothing else to do, at an enemy out of any reach."""
        enemy = self.enemy(action.enemy)
        if self.words_only or enemy is None or not unit.stands:
            return
        if not self.field.within(unit, enemy, FARTHEST_CHARGE * 10):
            yield Wrong(f"{action.enemy} is more than {FARTHEST_CHARGE} inches off", "GC-CHG-01")

    @rule("GC-FIR-09")
    def _prone(self, unit: Unit, *, down: bool) -> Iterator[Wrong]:
        if unit.type != "infantry":
            yield Wrong("only infantry lies down", "GC-FIR-09")
        elif unit.prone == down and not self.words_only:
            yield Wrong(f"{unit.id} is {'prone' if down else 'on its feet'} already", "GC-FIR-09")

    # -------------------------------------------------------------- officers

    def _officer(self, name: str) -> Iterator[Wrong]:
        officer = self.battle.officers.get(name)
        if officer is None or officer.side != self.role:
            yield Wrong(f"{name} is none of your officers", "GC-ACT-02")
        elif officer.killed and not self.words_only:
            yield Wrong(f"{name} has fallen", "GC-FIR-07")

    @rule("GC-ACT-02")
    def _ride(self, order: say.Ride) -> Iterator[Wrong]:
        yield from self._officer(order.officer)
        officer = self.battle.officers[order.officer]
        if officer.nation and OFFICER_MOVES[officer.nation] is None:
            why = f"{officer.nation.capitalize()} officers have no move of their own: they go with their units"
            yield Wrong(why, "GC-ACT-02")
        if isinstance(order, say.AttachOfficer):
            yield from self._unit(order.unit)
        if order.of:
            yield from self._unit(order.of)

    @rule("GC-ACT-03")
    def _lead(self, order: say.Lead) -> Iterator[Wrong]:
        yield from self._officer(order.officer)
        if self.battle.officers[order.officer].nation != LEADING_NATION:
            yield Wrong("only a Prussian officer moves several units on one card", "GC-ACT-03")
        if len(order.units) > LED_UNITS:
            yield Wrong(f"he moves {LED_UNITS} units at most", "GC-ACT-03")
        if not isinstance(order.action, say.Move | say.FormUp | say.Face | say.Wheel):
            yield Wrong("he leads a move, a wheel, a turn or a change of formation", "GC-ACT-03", "move S 8")
        for name in order.units:
            yield from self._unit(name)
            unit = self.battle.units[name]
            if unit.nation != LEADING_NATION:
                yield Wrong(f"{name} is not Prussian", "GC-ACT-03")
            yield from self.action(unit, order.action, unit.formation)
