"""What each side sees of the enemy: which pieces, how well, and when it loses them again.

A piece in sight is `contact 3` to a side until it is identified: within the identify range of any own piece, or after
fire or melee with it.  It stays identified while it stays in sight.  A contact that is lost and seen again is a new
contact: nothing tells that it is the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgspec.structs import replace

from pbem.ground.plane import Point, apart, near, widened
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.field.sight import in_sight, sees
from pbem.systems.half_league.tables.printed import GUNNERS_PER_GUN, TENTH
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.patches import GamePatch
from pbem.systems.half_league.world.pieces import ENEMY, Guns, Leader, Unit
from pbem.systems.half_league.world.state import Battle


@rule("HL-OPT-01")
def close(field: Field, side: Role, unit: Unit) -> bool:
    """Whether a unit is within the identify range of any piece of the other *side*."""
    far, shape = field.battle.options.identify_range * TENTH, field.shape(unit)
    reach = widened(shape.box, far)
    return any(not apart(box, reach) and near(own, shape, far) for box, own in field.covered(side))


@rule("HL-OPT-01")
def fresh(field: Field, side: Role, unit: Unit) -> bool:
    """Whether *side* can tell class, chits and figures of a unit in sight now."""
    return (0 < unit.shown_turn == field.battle.turn) or close(field, side, unit)


def as_seen(field: Field, unit: Unit, label: str, before: Unit | None, *, now: bool) -> Unit:
    """A unit as one sees it under *label*; *before*: as he knew it last; *now*: he can tell what it is like."""
    known = label == unit.id
    options, turn = field.battle.options, field.battle.told_turn
    chits_now = now or options.chits_visible == "always"
    figures = unit.stand_figures if known and now else (field.charts.figures[unit.type],) * unit.stands
    if known and not now and before is not None and before.stands == unit.stands:
        figures = before.stand_figures
    chits = unit.chits if chits_now else before.chits if before is not None else 0
    return Unit(
        id=label,
        name=unit.name if known else "",
        nation=unit.nation if known else "",
        side=unit.side,
        type=unit.type,
        cls=unit.cls if known else "regular",
        arm=unit.arm if known else "none",
        full=figures,
        stand_figures=figures,
        may_skirmish=unit.formation == "skirmish",
        formation=unit.formation,
        front=unit.front,
        bearing=unit.bearing,
        chits=chits,
        status=unit.status,
        command_points=unit.command_points if known and options.command_points_open else 0,
        charge_target=unit.charge_target,
        identified=known,
        chits_known=turn if chits_now else before.chits_known if before is not None else 0,
    )


class Watch:
    """What one side comes to see: built up piece by piece, then made into one fact."""

    def __init__(self, field: Field, side: Role, mind: Battle) -> None:
        self.field, self.side, self.mind = field, side, mind
        self.labels = dict(field.battle.labels.get(side, {}))
        self.contacts = field.battle.contacts.get(side, 0)
        self.units: dict[str, Unit] = {}
        self.leaders: dict[str, Leader] = {}
        self.guns: dict[str, Guns] = {}
        self.removes: list[str] = []
        self.sights: list[o.Sight] = []

    def unit(self, unit: Unit, *, seen: bool) -> None:
        """Take note of a unit of the enemy, in sight or not."""
        label = self.labels.get(unit.id)
        if not seen or not unit.there:
            if label is not None:
                del self.labels[unit.id]
                self._lost(label, gone=seen)
            return
        clear = fresh(self.field, self.side, unit)
        known = label == unit.id or clear
        now = unit.id if known else label or self._contact()
        if now != label:
            self.labels[unit.id] = now
            self.sights.append(o.Sight(now, "identified" if known else "seen", label or ""))
            if label is not None:
                self.removes.append(label)
        before = self.mind.units.get(label or now)
        asked = (unit, now, before, clear, self.field.battle.told_turn)
        if now == label and self.field.familiar.get((self.side, unit.id)) == asked:
            return
        looks = as_seen(self.field, unit, now, before, now=clear)
        if looks != self.mind.units.get(now):
            self.units[now] = looks
        else:
            self.field.familiar[self.side, unit.id] = asked

    def _lost(self, label: str, *, gone: bool) -> None:
        """What was in sight is so no more: it was seen to go for good, or it is where it was seen last."""
        ghost = self.mind.units.get(label)
        if gone:
            self.removes.append(label)
        elif ghost is not None:
            self.units[label] = replace(ghost, last_seen=self.field.battle.turn, charge_target="")
            self.sights.append(o.Sight(label, "lost"))

    def _contact(self) -> str:
        self.contacts += 1
        return f"contact {self.contacts}"

    def leader(self, leader: Leader, *, seen: bool) -> None:
        """Take note of a leader of the enemy."""
        known = leader.id in self.labels
        if not seen or leader.fallen:
            if known:
                del self.labels[leader.id]
                ghost = self.mind.leaders.get(leader.id)
                if leader.fallen:
                    self.removes.append(leader.id)
                elif ghost is not None:
                    self.leaders[leader.id] = replace(ghost, last_seen=self.field.battle.turn)
            return
        self.labels[leader.id] = leader.id
        looks = Leader(
            id=leader.id,
            name=leader.name,
            kind=leader.kind,
            side=leader.side,
            front=leader.front,
            attached_to=self.labels.get(leader.attached_to, ""),
            status=leader.status,
        )
        if looks != self.mind.leaders.get(leader.id):
            self.leaders[leader.id] = looks

    def left_guns(self) -> None:
        """Take note of guns without gunners that stand in sight."""
        for name, guns in sorted(self.field.battle.guns.items()):
            if self.mind.guns.get(name) != guns and sees_guns(self.field, self.side, guns):
                self.guns[name] = guns

    def ghosts(self) -> None:
        """Forget what was last seen at places that are in sight again, with nothing there."""
        known = set(self.labels.values()) | set(self.units)
        for name, ghost in sorted(self.mind.units.items()):
            gone = ghost.side != self.side and ghost.last_seen and name not in known
            if gone and sees(self.field, self.side, ghost):
                self.removes.append(name)

    def fact(self) -> o.Sighting | None:
        """What changed; None: nothing."""
        if not (self.units or self.leaders or self.guns or self.removes):
            return None
        table = GamePatch(labels={self.side: self.labels}, contacts={self.side: self.contacts})
        return o.Sighting(
            rules=cited("HL-OPT-01", "HL-LOS-01"),
            side=self.side,
            new_units=tuple(unit for _, unit in sorted(self.units.items())),
            new_leaders=tuple(leader for _, leader in sorted(self.leaders.items())),
            removes=tuple(name for name in self.removes if name not in self.units),
            sights=tuple(self.sights),
            game=replace(table, guns=self.guns) if self.guns else table,
        )


def _stand_in(leader: Leader) -> Unit:
    """A leader as something to be looked at."""
    return Unit(
        id=leader.id,
        side=leader.side,
        type="infantry",
        formation="road_column",
        stand_figures=(1,),
        front=leader.front,
    )


@rule("HL-LOS-01", "HL-CMB-08")
def sees_guns(field: Field, side: Role, guns: Guns) -> bool:
    """Whether a side sees guns without gunners where they stand."""
    stand_in = Unit(
        id=guns.id,
        side=guns.side,
        type="foot_artillery",
        formation="unlimbered",
        stand_figures=(1,) * guns.models * GUNNERS_PER_GUN,
        front=guns.front,
        bearing=guns.bearing,
    )
    return sees(field, side, stand_in)


@rule("HL-LOS-01", "HL-MOV-13")
def in_view(field: Field, side: Role, unit: Unit) -> bool:
    """Whether a side sees a unit where it is; one that is gone: the place where it went."""
    if unit.there:
        return sees(field, side, unit)
    west, south, east, north = field.scene.box
    last = Point(min(max(unit.front.x, west), east), min(max(unit.front.y, south), north))
    return sees(field, side, replace(unit, status="good", front=last))


def _from_the_west(units: Iterable[Unit]) -> list[Unit]:
    """Units in an order that anybody sees: contacts that are numbered by it do not tell whose ids come first."""
    return sorted(units, key=lambda unit: (unit.front, unit.id))


@rule("HL-LOS-01", "HL-OPT-01")
def look(field: Field, side: Role, mind: Battle, kept: Collection[str] = ()) -> o.Sighting | None:
    """All that *side* sees now; of whom it knows it still knows those *kept*, seen or not."""
    watch, enemy = Watch(field, side, mind), ENEMY[side]
    for unit in _from_the_west(unit for unit in field.battle.units.values() if unit.side == enemy):
        known = unit.id in watch.labels
        seen = (known and unit.id in kept) or in_view(field, side, unit)
        watch.unit(unit, seen=(unit.there or known) and seen)
    watch.left_guns()
    _leaders(field, watch, enemy)
    watch.ghosts()
    return watch.fact()


def _leaders(field: Field, watch: Watch, enemy: Role) -> None:
    for _, leader in sorted(field.battle.leaders.items()):
        if leader.side == enemy:
            watch.leader(leader, seen=not leader.fallen and _sees_leader(field, watch.side, leader))


@rule("HL-OPT-01")
def _sees_leader(field: Field, side: Role, leader: Leader) -> bool:
    piece = field.battle.units.get(leader.attached_to) or _stand_in(leader)
    return close(field, side, piece) and sees(field, side, piece)


def glance(field: Field, mover: Unit, minds: Mapping[Role, Battle]) -> Iterable[o.Sighting]:
    """What changes at once when one unit has moved: whether it is seen, and what it sees.

    What it no longer hides, and hides now, is seen to at the end of the phase.
    """
    enemy = ENEMY[mover.side]
    if enemy in minds:
        watch = Watch(field, enemy, minds[enemy])
        watch.unit(mover, seen=in_view(field, enemy, mover))
        if found := watch.fact():
            yield found
    if mover.side in minds and mover.there:
        watch = Watch(field, mover.side, minds[mover.side])
        for unit in _from_the_west(field.battle.of(enemy)):
            known = unit.id in watch.labels
            if known or in_sight(field, mover.front, mover, unit):
                watch.unit(unit, seen=True)
        if found := watch.fact():
            yield found


@rule("HL-CHG-06", "HL-OPT-01")
def sighted(field: Field, unit: Unit, mind: Battle) -> Iterable[o.Sighting]:
    """A unit becomes known to the other side, whose *mind* this is, though it does not see it: they fight."""
    watch = Watch(field, ENEMY[unit.side], mind)
    watch.unit(unit, seen=True)
    if found := watch.fact():
        yield found
