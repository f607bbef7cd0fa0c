"""Capture: against obstacles, in rear after a defeat, in a defile, surrounded; who is overrun (KS-PRI, KS-RET-08)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import UNSET
from msgspec.structs import replace

from pbem.ground.bearing import FULL, off
from pbem.ground.plane import Point, Shape, bearing, distance, gap, shifted
from pbem.ground.way import at as way_at
from pbem.ground.way import length
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import is_formed, outline, terrain_of, trail_behind
from pbem.systems.kriegsspiel.field.works_standing import true_terrain
from pbem.systems.kriegsspiel.march.gate import bounded
from pbem.systems.kriegsspiel.melee.fighters import Bout, touching
from pbem.systems.kriegsspiel.melee.flanks import taken_in
from pbem.systems.kriegsspiel.melee.prisoners import free
from pbem.systems.kriegsspiel.melee.retreats import passable, thrown_on
from pbem.systems.kriegsspiel.melee.second_line import total
from pbem.systems.kriegsspiel.play.fight_review import decided, faces_of
from pbem.systems.kriegsspiel.play.losses import captured
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.tables.attack import CONTACT, SURROUNDED, TRAPPED, TRAPPED_FRIEND
from pbem.systems.kriegsspiel.world import bodies
from pbem.systems.kriegsspiel.world.forms import is_column
from pbem.systems.kriegsspiel.world.outcomes_attack import CapturedInRetreat, EncirclementChecked, PrisonersTaken
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import ENEMY, March, Side, Unit, UnitPatch

CLOSED, CAPTURED = 1, 2
STEP = 100
"""Paces before the fugitives that decide whether they stand against an obstacle."""

RAYS = 16
"""Bearings on which ways of retreat are tried."""


# ------------------------------------------------------------------ taking a body


@rule("KS-PRI-05", "KS-PRI-04")
def take(play: Play, unit: Unit, by: Unit, *rules: str) -> None:
    """A whole body is captured; guns are lost, prisoners that it led are free."""
    unit = play.unit(unit.key)
    if unit.strength.prisoners_tw:
        free(play, unit, by)
        unit = play.unit(unit.key)
    tw = unit.strength.men_tw
    guns = unit.strength.guns
    changes = captured(play, unit, tw)
    strength = changes.units[unit.key].strength
    assert strength is not UNSET
    strength = replace(strength, cannon=(0, 0), howitzers=(0, 0), points=0, blocks=0)
    patch = UnitPatch(
        strength=strength, trial=replace(unit.trial, state="captured", flight=0, attacks="", answer="", pursuing=0),
        place=replace(unit.place, stand="gone"), march=March(), change=None,
    )  # fmt: skip
    lost = {**changes.losses, **({f"{unit.side} guns lost": guns} if guns else {})}
    captor = play.unit(by.key)
    holds = replace(captor.strength, prisoners_tw=captor.strength.prisoners_tw + tw)
    play.add(
        PrisonersTaken(
            unit=unit.key, by=by.key, men_tw=tw, rules=cited(*rules, "KS-PRI-05"),
            changes=Changes(
                units={unit.key: patch, captor.key: UnitPatch(strength=holds)},
                losses={name: number for name, number in lost.items() if number},
            ),
        )
    )  # fmt: skip
    play.note(by.key, "change", "We have taken prisoners.")


# ------------------------------------------------------------------ in the fight


@rule("KS-PRI-05", "KS-PRI-04", "KS-FIR-09")
def overrun(play: Play) -> None:
    """Formed troops that come upon remnants, trains, escorts and posts take them; riders of a post get away."""
    for key in [unit.key for unit in play.on_map()]:
        unit = play.unit(key)
        if is_formed(unit) or unit.trial.contact < 0 or not bodies.is_on_map(unit):
            continue
        if bodies.is_lost(unit) or unit.trial.taken_by:
            continue
        if is_to_be_beaten(unit):
            continue
        by = [enemy for enemy in touching(play, unit) if is_formed(enemy) and not enemy.trial.flight]
        if not by:
            continue
        posts = unit.arm == "cavalry" and bodies.is_sent_out(unit) and bodies.is_fresh(unit)
        if posts and not unit.trial.flight:
            trial = replace(unit.trial, flight=2, beaten=play.move, contact=-1)
            away = bearing(by[0].place.at, unit.place.at) if by[0].place.at != unit.place.at else 0
            place = replace(thrown_on(play, unit, away, CONTACT), facing=away)
            play.change(unit, "gets away", trial=trial, place=place, march=March())
            continue
        take(play, unit, by[0], *(("KS-PRI-04",) if unit.strength.prisoners_tw else ()))


@rule("KS-PRI-05", "KS-ODD-01")
def is_to_be_beaten(unit: Unit) -> bool:
    """Whether a body that is no formed one is still to be beaten hand to hand: not a remnant, a train or a post."""
    has_front = unit.arm in ("infantry", "cavalry", "pioneers") and not bodies.is_post(unit)
    return not bodies.is_remnant(unit) and (has_front or bodies.is_staff(unit))


@rule("KS-PRI-02")
def taken_in_rear(play: Play, first: Unit) -> bool:
    """A body forced back in this fight or the last, and attacked in rear by another formation: captured."""
    for enemy in touching(play, first):
        if enemy.trial.flight <= 0 or enemy.trial.beaten < play.move - 3 or not is_formed(enemy):
            continue
        if first.trial.won == enemy.trial.beaten or first.trial.pursuing or not first.trial.attacks:
            continue
        toward = bearing(enemy.place.at, first.place.at) if enemy.place.at != first.place.at else enemy.place.facing
        if off(toward, enemy.place.facing) <= 6000:
            take(play, enemy, first, "KS-PRI-02")
            return True
    return False


@rule("KS-PRI-02")
def taken_from_behind(play: Play, bout: Bout) -> dict[str, str]:
    """Of a fight: the attacked who have one enemy before them and another in their rear, and who that is."""
    found = {}
    attackers = [play.unit(key) for key in bout.attackers]
    for key in bout.defenders:
        unit = play.unit(key)
        met = [enemy for enemy in attackers if play.field.gap(enemy, unit) <= CONTACT]
        rear = [enemy for enemy in met if taken_in(enemy, unit) == "rear"]
        if rear and len(rear) < len(met):
            found[key] = rear[0].key
    return found


@rule("KS-PRI-02")
def captured_between(play: Play, key: str, by: str) -> None:
    """Who has been forced back hand to hand upon another enemy formation is captured."""
    unit = play.unit(key)
    if unit.trial.flight > 0 and bodies.is_on_map(unit):
        take(play, unit, play.unit(by), "KS-PRI-02")


@rule("KS-PRI-03", "KS-BRG-11")
def in_defile(play: Play, unit: Unit) -> bool:
    """Whether more than half of a column is in a defile: on a bridge, in a thick wood."""
    if not is_column(unit):
        return False
    trail = trail_behind(unit)
    long = length(trail)
    marks = range(0, long + 1, max(long // 20, 1))
    inside = sum(1 for far in marks if _confined(play, way_at(trail, far)))
    return 2 * inside > len(marks)


@rule("KS-PRI-03")
def _confined(play: Play, at: Point) -> bool:
    area = terrain_of(play.scene).area(at)
    if area is not None and area.kind == "wood_thick":
        return True
    crossings = true_terrain(play.scene, play.war).chart.crossings.values()
    return any(2 * distance(at, crossing.at) <= crossing.length for crossing in crossings)


@rule("KS-PRI-03")
def caught_in_defile(play: Play, attackers: Sequence[Unit], unit: Unit) -> bool:
    """A column in a defile attacked from front or rear is captured even by an equal force."""
    if not in_defile(play, unit) or all(taken_in(enemy, unit) == "flank" for enemy in attackers):
        return False
    if total(attackers) < total([unit]):
        return False
    take(play, unit, attackers[0], "KS-PRI-03")
    return True


# ------------------------------------------------------------------ against an obstacle


@rule("KS-RET-08")
def trapped(play: Play) -> None:
    """Step 8: the defeated against an obstacle, with the enemy among them and no friend near, are lost by thirds."""
    for key in [unit.key for unit in play.on_map()]:
        unit = play.unit(key)
        if unit.trial.flight <= 0 or unit.trial.beaten >= play.move or bodies.is_lost(unit):
            continue
        enemies = [enemy for enemy in play.field.enemies(unit.side, formed=True) if not enemy.trial.flight]
        at = unit.place.at
        among = [enemy for enemy in enemies if play.field.within(enemy, unit, 2 * CONTACT)]
        among.sort(key=lambda enemy: (distance(enemy.place.at, at), enemy.key))
        if not among or not cornered(play, unit):
            continue
        friends = play.field.units(unit.side, formed=True)
        if any(
            friend.key != key and not friend.trial.flight and play.field.within(friend, unit, TRAPPED_FRIEND)
            for friend in friends
        ):
            continue
        _lost_by_thirds(play, unit, among[0])


@rule("KS-RET-08")
def cornered(play: Play, unit: Unit) -> bool:
    """Whether it has come to an obstacle that it cannot pass, where it goes back to."""
    if unit.place.moved > CONTACT:
        return False
    at, to = unit.place.at, unit.trial.flight_to
    away = bearing(at, to) if to is not None and to != at else unit.place.facing
    return not passable(play, unit, at, shifted(at, away, STEP))


@rule("KS-RET-08", "KS-PRI-05")
def _lost_by_thirds(play: Play, unit: Unit, by: Unit) -> None:
    moves = min(unit.trial.trapped + 1, len(TRAPPED))
    number, of = (1, 1) if unit.arm == "artillery" else TRAPPED[moves - 1]
    play.add(
        CapturedInRetreat(
            unit=unit.key, fraction=str(Fraction(number, of)), moves_uncontested=moves, rules=cited("KS-RET-08"),
            changes=one(unit, UnitPatch(trial=replace(unit.trial, trapped=moves))),
        )
    )  # fmt: skip
    unit = play.unit(unit.key)
    if unit.arm == "artillery" or moves == len(TRAPPED):
        take(play, unit, by, "KS-RET-08")
        return
    whole = unit.strength.men_tw
    # A third of the men of the first move: of what is left, 1/3 and then 1/2.
    tw = whole // (len(TRAPPED) - moves + 1)
    changes = captured(play, unit, tw)
    captor = play.unit(by.key)
    holds = replace(captor.strength, prisoners_tw=captor.strength.prisoners_tw + tw)
    units = {**changes.units, captor.key: UnitPatch(strength=holds)}
    play.add(
        PrisonersTaken(
            unit=unit.key,
            by=by.key,
            men_tw=tw,
            rules=cited("KS-RET-08", "KS-PRI-05"),
            changes=replace(changes, units=units),
        )
    )


# ------------------------------------------------------------------ surrounded


@rule("KS-PRI-01")
def encircled(play: Play) -> None:
    """Step 8: corps that are closed in by three times their strength, with no help to be expected."""
    sides: tuple[Side, Side] = ("red", "blue")
    for side in sides:
        for corps in _corps(play, side):
            _closed_in(play, corps)


def _corps(play: Play, side: Side) -> list[list[Unit]]:
    """Formed bodies that stand together."""
    left = [unit for unit in play.field.units(side, formed=True) if unit.arm != "artillery" or not unit.trial.taken_by]
    found = []
    while left:
        group, left = [left[0]], left[1:]
        for unit in group:
            near = [other for other in left if play.field.within(other, unit, SURROUNDED["touch"])]
            group += near
            left = [other for other in left if other not in near]
        found.append(group)
    return found


@rule("KS-PRI-01")
def is_enough(around: Fraction, within: Fraction) -> bool:
    """Whether the surrounders are three times as strong.

    >>> is_enough(Fraction(6), Fraction(2)), is_enough(Fraction(29, 5), Fraction(2))
    (True, False)
    """
    return around >= SURROUNDED["ratio"] * within


@rule("KS-PRI-01")
def _closed_in(play: Play, corps: list[Unit]) -> None:
    side, keys = corps[0].side, {unit.key for unit in corps}
    centre = corps[0].place.at
    around = [
        enemy
        for enemy in play.field.near(centre, 2 * SURROUNDED["ways"], ENEMY[side], formed=True)
        if any(play.field.within(enemy, unit, SURROUNDED["ways"]) for unit in corps) and not enemy.trial.flight
    ]
    closed = (
        len(around) > 1
        and total(corps) > 0
        and is_enough(total(around), total(corps))
        and not any(
            friend.key not in keys and friend.trial.surrounded != CAPTURED
            for friend in play.field.near(centre, SURROUNDED["help"], side, formed=True)
        )
        and _envelops(play, corps, around)
    )  # fmt: skip
    before = max(unit.trial.surrounded for unit in corps)
    if not closed:
        _mark(play, corps, 0)
        return
    if before == CLOSED:
        return
    if before == CAPTURED:
        take(play, corps[0], around[0], "KS-PRI-01")
        return
    _thrown(play, corps, around)


@rule("KS-PRI-01")
def _envelops(play: Play, corps: list[Unit], around: list[Unit]) -> bool:
    """All ways of retreat within 800 paces cut, and the surrounders in touch: both, or by the option either."""
    centre = corps[0].place.at
    shapes = [outline(enemy) for enemy in around]
    touch = SURROUNDED["touch"]
    cut = all(_cut(play, corps[0], centre, turn * FULL // RAYS, shapes) for turn in range(RAYS))
    order = sorted(around, key=lambda enemy: (bearing(centre, enemy.place.at), enemy.key))
    joined = all(
        play.field.gap(order[i - 1], order[i]) <= touch or _sealed(play, corps[0], order[i - 1], order[i])
        for i in range(len(order))
    )
    return (cut or joined) if play.war.options.encirclement_test == "either" else (cut and joined)


@rule("KS-PRI-01")
def _cut(play: Play, unit: Unit, centre: Point, way: int, shapes: Iterable[Shape]) -> bool:
    ray = Shape((centre, bounded(play, centre, shifted(centre, way, SURROUNDED["ways"]))))
    for shape in shapes:
        lie = gap(ray, shape)
        # Who stands at its beginning and not on it leaves it free.
        if lie.far <= SURROUNDED["touch"] // 2 and lie.here != centre:
            return True
    return not passable(play, unit, *ray.points)


@rule("KS-PRI-01")
def _sealed(play: Play, unit: Unit, one_: Unit, other: Unit) -> bool:
    """Whether ground that cannot be passed closes the gap between two surrounders."""
    lie = gap(outline(one_), outline(other))
    middle = Point((lie.here.x + lie.there.x) // 2, (lie.here.y + lie.there.y) // 2)
    return not passable(play, unit, unit.place.at, middle)


def _mark(play: Play, corps: list[Unit], value: int) -> None:
    for unit in corps:
        now = play.unit(unit.key)
        if now.trial.surrounded != value:
            play.change(now, "closed in", trial=replace(now.trial, surrounded=value))


@rule("KS-PRI-01", "KS-GM-02")
def _thrown(play: Play, corps: list[Unit], around: list[Unit]) -> None:
    """Die III against those within, once; who cannot defend himself is taken without it."""
    ratio = str(Fraction(total(around), total(corps))) if total(corps) else "0"
    keys, by = tuple(unit.key for unit in corps), tuple(enemy.key for enemy in around)
    if all(not bodies.may_defend(unit, play.move) for unit in corps):
        play.add(
            EncirclementChecked(
                corps=keys, by=by, ratio=ratio, die="", throws=(), result="captured without a throw",
                rules=cited("KS-PRI-01"), changes=Changes(),
            )
        )  # fmt: skip
        _mark(play, corps, CAPTURED)
        take(play, corps[0], around[0], "KS-PRI-01")
        return
    asks = f"{' and '.join(keys)} closed in: black, their capture begins."
    found = decided(play, "encirclement", (*by, *keys), "III", "attackers", asks, around[0].side)
    black = (found.favoured == "attackers") == (found.face.circle == "black")
    play.add(
        EncirclementChecked(
            corps=keys, by=by, ratio=ratio, die=found.die, throws=faces_of(found.throws),
            result="capture" if black else "stands", dice=found.throws, rules=cited("KS-PRI-01", "KS-DIE-04"),
            changes=Changes(),
        )
    )  # fmt: skip
    _mark(play, corps, CAPTURED if black else CLOSED)
    if black:
        take(play, corps[0], around[0], "KS-PRI-01")
