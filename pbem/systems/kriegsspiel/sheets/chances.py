"""What attacks and fires that are ordered may come to, by what their writer knows of both bodies.

The dice are read by the functions of fire and of the fight themselves.  Own bodies are reckoned as the order of battle
has them, the enemy's by the newest word of them; all stand where they were last known to, and no points of odds are
reckoned, for what gives them is known to those alone who are there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from pbem.ground.plane import Point, distance
from pbem.kernel.names import Role
from pbem.rules.chances import Attack, Came, Chances, Tray, odds
from pbem.systems.kriegsspiel.field.works_standing import mind_terrain, true_terrain
from pbem.systems.kriegsspiel.fire import gunnery, musketry
from pbem.systems.kriegsspiel.fire.cover import cover_part, defends
from pbem.systems.kriegsspiel.fire.effect import effect
from pbem.systems.kriegsspiel.fire.shots import Shot, reckoned
from pbem.systems.kriegsspiel.march.tasks import is_arm
from pbem.systems.kriegsspiel.melee.fighters import SQUADRON_TW, worth
from pbem.systems.kriegsspiel.melee.odds import Thrown, by_numbers, index_of, table_of, with_points
from pbem.systems.kriegsspiel.scene.forces import new_unit
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.terrain import Terrain
from pbem.systems.kriegsspiel.sheets.bench import Bench
from pbem.systems.kriegsspiel.tables import fire as of_fire
from pbem.systems.kriegsspiel.tables.dice import DICE, LETTERS, Face
from pbem.systems.kriegsspiel.world import orders as say
from pbem.systems.kriegsspiel.world.bodies import is_on_map
from pbem.systems.kriegsspiel.world.forms import DEPLOYED
from pbem.systems.kriegsspiel.world.mind import Entry, Mind
from pbem.systems.kriegsspiel.world.options import Options
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.strengths import share
from pbem.systems.kriegsspiel.world.troops import ENEMY, Place, Side, Strength, Unit, key_of

CANNOT = "papers on the road, and what every other commander knows, no set-up could give"
"""Why no world is supposed in which a role knows what it knows."""

MEANT = 500
"""Paces from the place that an order names within which a body is taken to be meant, as by who carries it out."""
ARMS = ("infantry", "cavalry", "artillery", "pioneers")


class Eyes(NamedTuple):
    """Both sides' bodies as whoever reckons has them."""

    terrain: Terrain
    options: Options
    own: Callable[[str], list[Unit]]
    """The bodies that a name of one's own stands for."""
    enemies: Mapping[str, Unit]
    """Those of the enemy, by the entry of the page, or by their keys."""


def eyes_of(scene: Scene, held: War | Mind, role: Role) -> Eyes:
    """What a mind knows; or, for the GM, what is so."""
    if isinstance(held, War):
        return _true(scene, held, role)
    bench = Bench(scene, held, role)
    enemies = {name: one for name, entry in held.entries.items() if (one := _seen(held, entry)) is not None}
    return Eyes(mind_terrain(scene, held), held.options, partial(_own, bench), enemies)


def _true(scene: Scene, war: War, role: Role) -> Eyes:
    side: Side = next(person.side for person in war.persons.values() if person.role == role)
    standing = {key: unit for key, unit in war.units.items() if is_on_map(unit)}

    def own(name: str) -> list[Unit]:
        keys = (key_of(side, one) for one in scene.units_of(side, name))
        return [standing[key] for key in keys if key in standing]

    enemies = {key: unit for key, unit in standing.items() if unit.side == ENEMY[side]}
    return Eyes(true_terrain(scene, war), war.options, own, enemies)


def _own(bench: Bench, name: str) -> list[Unit]:
    """One's own bodies as the order of battle has them, where they were last known to be."""
    found = []
    for one in bench.members(name):
        plan, at, known = bench.plan(one), bench.at(one), bench.mind.own.get(one)
        if plan is None or at is None:
            continue
        unit = new_unit(replace(plan, at=at), bench.mind.options)
        formation = known.state.formation if known is not None else ""
        place = replace(
            unit.place, formation=formation or unit.place.formation, facing=known.state.facing if known else 0
        )
        found.append(replace(unit, place=place))
    return found


def _seen(mind: Mind, entry: Entry) -> Unit | None:
    """A body of the enemy as it was last told of; None: too little was."""
    told = entry.tiding
    formed = told.size == "formed" and told.arm in ARMS and told.blocks > 0
    if entry.dropped or told.gone or told.side == mind.side or not formed:
        return None
    men = {"infantry": musketry.HALF_BATTALION_TW, "cavalry": SQUADRON_TW}.get(told.arm, 0) * told.blocks
    return Unit(
        side=ENEMY[mind.side],
        id=entry.id,
        name="",
        arm=told.arm,  # type: ignore[arg-type] # one of its words
        kind=told.kind,
        size="",
        place=Place(at=told.at, facing=told.heading or 0, formation=told.formation or DEPLOYED[told.arm]),
        strength=Strength(tw=men, full_tw=men, blocks=told.blocks),
    )


# ------------------------------------------------------------------ orders


def attacks(scene: Scene, held: War | Mind, role: Role, orders: Sequence[say.AnyAct]) -> Sequence[Attack]:
    """Each attack and each fire on a body that is known, by the lines that a sheet writes or says."""
    eyes = eyes_of(scene, held, role)
    return [one for act in orders for line in lines_in(act) for one in _attacks(eyes, line)]


def lines_in(act: say.AnyAct) -> tuple[say.Line, ...]:
    """The lines of an act, also of one that waits for his arrival."""
    return say.lines_of(act.then if isinstance(act, say.OnArrival) else act)


def _attacks(eyes: Eyes, line: say.Line) -> Iterator[Attack]:
    order = line.order
    reckon = {"attack": _fight, "charge": _fight, "fire_on": _fire}.get(order.verb) if order is not None else None
    if order is None or order.target is None or reckon is None:
        return
    own = eyes.own(line.unit)
    target = _meant(eyes, order.target, own[0].place.at) if own else None
    if target is None:
        return
    found = reckon(eyes, line, own, target)
    if found is not None:
        yield found


def _meant(eyes: Eyes, target: say.Target, start: Point) -> Unit | None:
    """The body that an order means: the entry that it names, or the nearest of its arm to its place."""
    if target.entry in eyes.enemies:
        return eyes.enemies[target.entry]
    if target.own:
        return None
    at = target.at.at if target.at is not None else start
    fit = [one for one in eyes.enemies.values() if is_arm(one, target.arm)]
    near = [one for one in fit if target.at is None or distance(one.place.at, at) <= MEANT]
    return min(near, key=lambda one: (distance(one.place.at, at), one.key), default=None)


# ------------------------------------------------------------------ hand to hand


def _fight(eyes: Eyes, line: say.Line, own: list[Unit], target: Unit) -> Attack | None:
    ours, theirs = sum((worth(one).whole for one in own), Fraction(0)), worth(target).whole
    if not ours or not theirs:
        return None
    start = by_numbers(ours, theirs)
    if all(one.arm == "cavalry" for one in own):
        found = table_of([target], len(own))
        start = -index_of(found[0]) if found is not None else start
    thrown = with_points(start, 0)
    return Attack(
        line=line.line,
        kind="fight",
        what=f"{line.unit} at {target.id}",
        good="to win",
        given="before any points" if not thrown.foregone else "",
        on=partial(_fought, thrown),
    )


def _fought(thrown: Thrown, begun: None, tray: Tray) -> Came:
    """The die of a fight; a blank is thrown again, and where the numbers leave no doubt black alone counts."""
    faces = [face for face in DICE[thrown.die] if _counts(face, thrown)]
    face = faces[tray.face(len(faces)) - 1]
    wins = (thrown.favoured == "attackers") == (face.circle == "black")
    letter = LETTERS[face.letter] if face.letter is not None else ""
    return Came(f"{'they are' if wins else 'it is'} {letter}", good=wins)


def _counts(face: Face, thrown: Thrown) -> bool:
    return face.circle == "black" or (face.circle == "white" and not thrown.foregone)


# ------------------------------------------------------------------ fire


def _fire(eyes: Eyes, line: say.Line, own: list[Unit], target: Unit) -> Attack | None:
    laid = [shot for unit in own for shot in [_shot(eyes, unit, target)] if shot is not None]
    if not laid:
        return None
    return Attack(
        line=line.line,
        kind="fire",
        what=f"{line.unit} at {target.id}",
        good="to hit",
        measure="points",
        begins=(0, 0),
        on=partial(_fired, laid),
    )


def _fired(laid: Sequence[Shot], so_far: tuple[int, int], tray: Tray) -> tuple[int, int] | Came:
    """The dice of several bodies, one after another: from so many of them thrown, and their points."""
    number, points = so_far
    if number == len(laid):
        return Came(f"{points} points" if points else "nothing", good=points > 0, lost=points)
    return number + 1, points + reckoned(laid[number], tray.face()).points


def _shot(eyes: Eyes, unit: Unit, target: Unit) -> Shot | None:
    """The fire of a body from where it stands; None: out of range, or it does not fire so."""
    far = distance(unit.place.at, target.place.at)
    if unit.arm == "infantry":
        return _musketry(eyes, unit, target, far)
    return _gunfire(eyes, unit, target, far) if unit.arm == "artillery" else None


def _musketry(eyes: Eyes, unit: Unit, target: Unit, far: int) -> Shot | None:
    band, part = musketry.infantry_band(far), musketry.formation_part(unit.place.formation, eyes.options)
    blocks = musketry.blocks_in_line(unit)
    if band is None or not part or not blocks:
        return None
    die, numbers = musketry.weapon_numbers("close_order", band)
    covered = defends(eyes.terrain, target, "line", unit.place.at)
    return Shot(
        firer=unit.key, part="line", target=target.key, on="line", weapon="close_order", kind="infantry", distance=far,
        band=band, die=die, numbers=numbers, units=blocks, rules=(), share=share(unit), factors=(("", part),),
        cover=cover_part("defending" if covered else "", "infantry"),
    )  # fmt: skip


def _gunfire(eyes: Eyes, unit: Unit, target: Unit, far: int) -> Shot | None:
    which = gunnery.range_class(unit.kind, far) if unit.kind in of_fire.RANGE_CLASSES else None
    if which is None or not gunnery.guns_in(unit, "battery"):
        return None
    quality = effect(eyes.terrain, unit.place.at, target.place.at, which).quality
    numbers, units, row = gunnery.section_numbers(unit, "battery", which, quality, eyes.options)
    kind = gunnery.kind_of_shot(unit, "battery", which)
    covered = defends(eyes.terrain, target, "line", unit.place.at)
    return Shot(
        firer=unit.key, part="battery", target=target.key, on="line", weapon=row, kind=kind, distance=far, band=which,
        die=gunnery.die_of(quality), numbers=numbers, units=units, rules=(),
        cover=cover_part("defending" if covered else "", kind),
    )  # fmt: skip


# ------------------------------------------------------------------ in words


def clauses(eyes: Eyes, line: say.Line) -> str:
    """For a receipt: the chances of what a line orders; empty, where it orders no attack on anybody known."""
    return "".join(f"; {odds(one).clause}" for one in _attacks(eyes, line))


CHANCES: Chances[Scene, War, Mind, say.AnyAct] = Chances(attacks=attacks, cannot=CANNOT)
