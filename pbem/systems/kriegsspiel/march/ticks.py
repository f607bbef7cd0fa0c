"""Movement of both sides at once, in twelve ticks of ten seconds (KS-TUR-02, KS-TUR-06).

What a unit is to do stands in its `March`, which the decisions of this move have set: a way, a row of the march table,
ticks to wait.  Here the ways are walked, columns close up and narrow, and bodies meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from typing import Literal

from msgspec.structs import replace

from pbem.ground.plane import Point, distance, gap
from pbem.ground.way import at as way_at
from pbem.ground.way import heading, length, part
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import fightable, outline
from pbem.systems.kriegsspiel.field.works_standing import true_terrain
from pbem.systems.kriegsspiel.knowing.sighting import look_about
from pbem.systems.kriegsspiel.march.forming import ABREAST, changed_by
from pbem.systems.kriegsspiel.march.gate import STRIDE, first_met, kept_on, meets
from pbem.systems.kriegsspiel.march.passing import column_ahead, held_back, near_ways, up_to
from pbem.systems.kriegsspiel.march.tolls import at_the_walk, blocked, cut_at, delays, first_toll, is_temporary
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.terrain import TWELFTHS, Piece, Terrain, cell, weathered
from pbem.systems.kriegsspiel.scene.ways import dearest
from pbem.systems.kriegsspiel.tables import march as of_march
from pbem.systems.kriegsspiel.tables.knowledge import SIGHT_TICKS, TICKS
from pbem.systems.kriegsspiel.world import outcomes as o
from pbem.systems.kriegsspiel.world.bodies import is_on_map, is_post
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.forms import NARROW, depth_of, is_column, passes
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.state import War, changed
from pbem.systems.kriegsspiel.world.troops import ENEMY, March, Place, Side, Unit, UnitPatch

CLASSES: Sequence[tuple[str, ...]] = (("cavalry",), ("artillery",), ("infantry", "pioneers"), ("train",))
"""Who advances first in a tick; persons and riders have moved before (KS-TUR-06)."""

Cause = Literal["contact", "obstacle", "friend", "road"]


@rule("KS-TUR-02", "KS-TUR-06", "KS-TUR-04")
def move(play: Play) -> None:
    """Step 4: twelve ticks; sight is tried at the fourth and the eighth."""
    walk = Walk(play)
    for tick in range(1, TICKS + 1):
        play.tick = tick
        for arms in CLASSES:
            for key in walk.order(arms, tick):
                walk.advance(key, tick)
        if tick in SIGHT_TICKS[:-1]:
            look_about(play, walk.war())
    walk.settle()
    play.tick = 0


class Walk:
    """The units of one move as they go; nothing of it is a fact before the move is over."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.terrain: Terrain = true_terrain(play.scene, play.war)
        self.before = {key: unit for key, unit in play.war.units.items() if is_on_map(unit)}
        self.now = dict(self.before)
        self.keys: dict[Side, list[str]] = {
            side: [key for key, unit in self.before.items() if unit.side == side] for side in ENEMY
        }
        self.hasty = any(is_temporary(play, name) for name in self.terrain.chart.crossings)
        """Whether there is a bridge in haste on which anybody has to walk: nothing is built while they march."""
        self.rows: dict[str, str] = {}
        self.facts: list[Fact] = []
        self.halted: dict[str, tuple[Cause, str]] = {}
        self.walked: set[str] = set()
        for key, unit in self.before.items():
            if unit.march.way:
                self.rows[key] = self._row(unit)

    # -------------------------------------------------------------- who, and at what rate

    def order(self, arms: tuple[str, ...], tick: int) -> list[str]:
        """Those of a class in the order in which they advance: by id, red and blue by turns, who is first by parity."""
        by_side = {side: sorted(key for key in self.keys[side] if self.now[key].arm in arms) for side in ENEMY}
        one, other = (by_side["red"], by_side["blue"]) if tick % 2 else (by_side["blue"], by_side["red"])
        found = []
        for i in range(max(len(one), len(other))):
            found += one[i : i + 1] + other[i : i + 1]
        return found

    @rule("KS-MOV-05", "KS-MOV-06")
    def _row(self, unit: Unit) -> str:
        """The row for this move: a limited one that is used up gives way to the usual."""
        row = unit.march.row
        limit = of_march.RUN_LIMITS.get(row)
        if limit is None or unit.trial.flight > 0:
            # How long the beaten run is laid down by their retreat (KS-RET-04).
            return row
        number, of = limit
        used = [move for move in unit.march.fast if move > self.play.move - of]
        if len(used) < number:
            return row
        self.facts.append(
            o.FastRateRefused(
                unit=unit.key, row=row, counter=f"{len(used)} in {of}", rules=cited("KS-MOV-05"), changes=Changes()
            )
        )
        return of_march.RUN_USED_UP[row]

    @rule("KS-MOV-09", "KS-MOV-15", "KS-FRM-02", "KS-MAP-07")
    def grains(self, unit: Unit, piece: Piece, *, walks: bool = False) -> int:
        """Twelfths of a pace that a unit covers in a tick on this ground, or over a temporary bridge; 0: none."""
        clock = self.play.war.clock
        row = self.rows.get(unit.key, unit.march.row)
        keeps_road = is_post(unit) or piece.crossing or passes(unit.place.formation, unit.arm, self.width(piece))
        if piece.road and not keeps_road:
            # What is too wide for the road goes beside it (KS-MAP-07).
            piece = piece._replace(road="")
        foot = unit.size in ("picket10", "picket25", "post") and unit.arm == "infantry"
        rate = cell(row, piece, table=self.play.war.options.march_table, on_foot=foot)
        if not rate and unit.trial.flight > 0 and unit.arm in ("infantry", "pioneers"):
            # The beaten break their ranks among gardens and houses, where infantry in order has no rate.
            rate = cell(of_march.BROKEN, piece, table=self.play.war.options.march_table)
        if unit.march.most:
            rate = _capped(rate, row, unit.march.most)
        if unit.place.formation == "square":
            rate = min(rate, 100)
        if walks:
            arm = {"pioneers": "infantry"}.get(unit.arm, unit.arm)
            rate = min(rate, of_march.TEMPORARY_BRIDGE[arm])
        wheels = unit.arm in ("artillery", "train")
        number, by = weathered(rate, clock.ground, piece, wheels=wheels, night=clock.light.startswith("night"))
        return number // by

    # -------------------------------------------------------------- one tick

    def advance(self, key: str, tick: int) -> None:
        """One body goes on for ten seconds."""
        unit = self.now[key]
        march = unit.march
        if key in self.halted or unit.trial.contact >= 0:
            return
        if unit.change is not None:
            if self.play.move * TICKS + tick < unit.change.ready:
                return
            formed = self._formed(unit)
            if formed is None:
                return
            unit, march = formed, formed.march
        if not march.way:
            return
        if march.wait > 0:
            self.now[key] = replace(unit, march=replace(march, wait=march.wait - 1))
            return
        self._step(unit, tick)

    @rule("KS-FRM-05", "KS-FRM-06", "KS-FRM-07", "KS-TUR-04")
    def _formed(self, unit: Unit) -> Unit | None:
        """A change of formation is done; None: an enemy stands where it would form, and it stays as it was."""
        change = unit.change
        assert change is not None
        place = formed_place(unit.place, change.to, change.at, change.facing, change.limber, self.play.move)
        enemies = self._enemies(unit)
        if change.limber and meets(unit, replace(unit, place=place), enemies):
            # Guns that limber about have no room for their train, and stay abreast.
            place = replace(place, formation=ABREAST)
        if meets(unit, replace(unit, place=place), enemies):
            self.now[unit.key] = replace(unit, change=None)
            return None
        self.facts.append(
            o.FormationChanged(
                unit=unit.key, start=unit.place.formation, to=place.formation, done=True, rules=changed_by(unit.arm),
                changes=Changes(),
            )
        )  # fmt: skip
        found = replace(unit, place=place, change=None)
        self.now[unit.key] = found
        return found

    @rule("KS-MOV-04", "KS-MOV-08", "KS-MAP-05", "KS-MAP-06")
    def _step(self, unit: Unit, tick: int) -> None:
        march = unit.march
        whole = length(march.way) * TWELFTHS
        done = march.done
        slow = at_the_walk(self.play, self.terrain, unit) if self.hasty else []
        # No more of the way is cut than is gone: most of a long one lies behind, or far ahead.
        pieces = (piece for piece in cut_at(self.terrain.pieces(march.way), slow) if piece.end > done)
        target, bar = onward(pieces, done, Fraction(1), lambda piece: self._rate_on(unit, piece, slow))
        if bar is not None and blocked(self.play, unit, bar.crossing):
            self._halt(unit, "obstacle", bar.crossing)
        elif bar is not None and self._narrows(unit, bar):
            self._narrow(unit, bar)
            return
        elif bar is not None:
            self._halt(unit, "obstacle", bar.area or "slope")
        rate = self.grains(unit, Piece(0, 1, "", 0, "", "")) or 1
        toll = first_toll(self.play, self.terrain, unit, rate, done, target)
        if toll is not None:
            target = toll.far
            if toll.ticks is None:
                self._halt(unit, "obstacle", toll.id)
            else:
                # What is left of this tick counts toward the wait, to the nearest tick.
                ticks_left = toll.ticks - 1 if 2 * (target - done) < rate else toll.ticks
                march = replace(march, wait=ticks_left, passed=target + 1)
                self.facts += delays(self.play, unit, toll, toll.ticks)
        self._go(replace(unit, march=march), done, min(target, whole), tick)

    def _rate_on(self, unit: Unit, piece: Piece, slow: Sequence[tuple[int, int]]) -> int:
        """The rate on a piece of the way; 0: it ends there, before what is closed or too narrow."""
        if blocked(self.play, unit, piece.crossing) or self._narrows(unit, piece):
            return 0
        at = max(piece.start, unit.march.done)
        walks = any(start <= at < end for start, end in slow)
        if walks:
            self.walked.add(unit.key)
        return self.grains(unit, piece, walks=walks)

    @rule("KS-MOV-08")
    def _narrows(self, unit: Unit, piece: Piece) -> bool:
        """Whether the formation is too wide for the road or crossing ahead."""
        if is_post(unit) or not (piece.crossing or piece.road):
            return False
        if piece.road and not piece.crossing and not is_column(unit):
            # A body that is deployed crosses open ground beside the road as well.
            return False
        return not passes(unit.place.formation, unit.arm, self.width(piece))

    def width(self, piece: Piece) -> str:
        """`main` or `small`: how wide a road or crossing is."""
        crossing = self.terrain.chart.crossings.get(piece.crossing)
        if piece.crossing and crossing is not None:
            if crossing.kind == "ford":
                return of_march.PASSAGES["ford"] or "small"
            large = crossing.size == "large" and self.play.field.crossing_state(crossing.id) == "intact"
            return of_march.PASSAGES["large_bridge" if large else "small_bridge"] or "small"
        if piece.crossing:
            return of_march.PASSAGES["temporary_bridge"] or "small"
        return "main" if piece.road in ("main", "town") else "small"

    @rule("KS-MOV-08", "KS-FRM-04")
    def _narrow(self, unit: Unit, piece: Piece) -> None:
        """The unit narrows by itself, in a move."""
        to = NARROW[unit.arm]
        if unit.arm == "artillery" and passes("battery_column_2", unit.arm, self.width(piece)):
            to = "battery_column_2"
        march = replace(unit.march, wait=TICKS * of_march.NARROWING_MOVES - 1)
        place = replace(unit.place, formation=to, changed=self.play.move, limbered=True)
        self.facts.append(
            o.FormationChanged(
                unit=unit.key, start=unit.place.formation, to=to, done=True, rules=cited("KS-MOV-08"), changes=Changes()
            )
        )
        self.now[unit.key] = replace(unit, march=march, place=place)

    # -------------------------------------------------------------- meeting

    @rule("KS-TUR-04", "KS-MOV-17")
    def _go(self, unit: Unit, done: int, target: int, tick: int) -> None:
        """Put the head forward, unless a friend is in the way, or an enemy, at the end of the step or on it."""
        friends = [self.now[key] for key in self.keys[unit.side]]
        persons = self.play.war.persons
        heads = [(mark, _head(unit, mark)) for mark in _marks(done, target)] if is_column(unit) else []
        ahead = near_ways([_head(unit, done), *(at for _, at in heads)], friends) if heads else []
        for mark, head in heads if ahead else ():
            if friend := column_ahead(unit, head, ahead, persons):
                # It comes up to him, and goes on in a later tick, when he has.
                target = up_to(head, friend, done, mark)
                if column_ahead(unit, _head(unit, target), ahead, persons):
                    target = done
                break
        there = partial(placed, unit)
        inside = kept_on(self.terrain, partial(_head, unit), done, target)
        if inside < target:
            # At the edge of the map its march is over.
            unit = replace(unit, march=replace(unit.march, way=part(unit.march.way, 0, inside // TWELFTHS)))
            there, target = partial(placed, unit), inside
        target = held_back(unit, there, done, target, STRIDE * TWELFTHS, friends)
        if target <= done:
            self.now[unit.key] = unit
            return
        met = first_met(unit, there, done, target, STRIDE * TWELFTHS, self._enemies(unit))
        if met is None:
            self.now[unit.key] = placed(unit, target)
        else:
            self._contact(unit, placed(unit, met.far), met.key, tick)

    def _enemies(self, unit: Unit) -> list[Unit]:
        """The bodies of the other side that can be met, where they now are."""
        return [enemy for key in self.keys[ENEMY[unit.side]] if fightable(enemy := self.now[key])]

    @rule("KS-TUR-04", "KS-TUR-06", "KS-RET-03")
    def _contact(self, unit: Unit, stopped: Unit, enemy: str, tick: int) -> None:
        """Both stop, 25 paces apart; but the beaten go on before infantry on their heels, and before other beaten."""
        other = self.now[enemy]
        on_foot = unit.trial.pursuing and unit.arm == "infantry"
        if other.trial.flight > 0 and (on_foot or unit.trial.flight > 0):
            self.now[unit.key] = stopped
            return
        start = gap(outline(self.before[unit.key]), outline(self.before[enemy])).far
        for one, by in ((stopped, enemy), (other, unit.key)):
            trial = one.trial
            if trial.contact < 0:
                trial = replace(trial, contact=tick, began=start)
            self.now[one.key] = replace(one, trial=trial)
            self.halted[one.key] = ("contact", by)

    def _halt(self, unit: Unit, cause: Cause, by: str) -> None:
        self.halted[unit.key] = (cause, by)

    # -------------------------------------------------------------- the end of the move

    def war(self) -> War:
        """The truth with everybody where he now is, for those who look about in the middle of a move."""
        return changed(
            self.play.war,
            Changes(units={key: self._so_far(unit) for key, unit in self.now.items() if unit is not self.before[key]}),
        )

    @rule("KS-SIT-02")
    def _so_far(self, unit: Unit) -> UnitPatch:
        """A unit in the middle of a move, as fast as it has come so far."""
        gone = (unit.march.done - self.before[unit.key].march.done) // TWELFTHS
        pace = max(0, gone) * TICKS // max(self.play.tick, 1)
        return replace(_patch(unit), place=replace(unit.place, moved=pace))

    def settle(self) -> None:
        """Make facts of where everybody has come to."""
        play = self.play
        play.tick = TICKS
        play.add(*self.facts)
        for key in sorted(self.now):
            start, unit = self.before[key], self.now[key]
            if unit is start and not start.march.way and start.place.moved == 0:
                continue
            paces = (
                (unit.march.done - start.march.done) // TWELFTHS
                if unit.march.way == start.march.way
                else distance(start.place.at, unit.place.at)
            )
            self._settle(start, unit, max(paces, 0))
        for key, (cause, by) in sorted(self.halted.items()):
            play.add(o.UnitHalted(unit=key, cause=cause, by=by, rules=cited("KS-TUR-04"), changes=Changes()))

    def _settle(self, start: Unit, unit: Unit, paces: int) -> None:
        play = self.play
        moved = paces > 0
        place = replace(
            unit.place,
            moved=paces,
            marched=unit.place.marched + 1
            if moved and is_column(unit)
            else (unit.place.marched if is_column(unit) else 0),
            halted_since=start.place.halted_since if not moved else play.move + 1,
        )
        if moved and place.holds:
            place = replace(place, holds="", held_since=0)
        march = unit.march
        row = self.rows.get(unit.key, "")
        if moved and row in of_march.RUN_LIMITS:
            march = replace(march, fast=(*[one for one in march.fast if one > play.move - 6], play.move))
        march = replace(march, speed=paces)
        if march.way and march.done >= length(march.way) * TWELFTHS:
            march = March(fast=march.fast, speed=paces, row=march.row)
        cost = ""
        if moved and start.march.way == unit.march.way:
            cost = dearest(
                [
                    piece._replace(start=max(piece.start, start.march.done), end=min(piece.end, unit.march.done))
                    for piece in self.terrain.pieces(unit.march.way)
                    if piece.end > start.march.done and piece.start < unit.march.done
                ]
            )
        play.add(
            o.UnitMoved(
                unit=unit.key,
                start=start.place.at,
                to=place.at,
                row=row,
                paces=paces,
                cost_pieces=(cost,) if cost else (),
                rules=cited("KS-MOV-01", "KS-MOV-04", *(("KS-MOV-09",) if unit.key in self.walked else ())),
                changes=Changes(units={unit.key: replace(_patch(unit), place=place, march=march)}),
            )
        )


@rule("KS-MOV-04")
def onward(
    pieces: Iterable[Piece], done: int, time: Fraction, rate_on: Callable[[Piece], int]
) -> tuple[int, Piece | None]:
    """How far along a way one comes in that time, in twelfths of a pace, and the piece on which one cannot go on.

    *time* is in ticks; each piece takes its length by its rate, whole twelfths at the end.
    """
    target = done
    for piece in pieces:
        rate = rate_on(piece)
        if not rate:
            return target, piece
        room = piece.end - target
        if room > rate * time:
            return target + int(rate * time), None
        target, time = piece.end, time - Fraction(room, rate)
        if not time:
            break
    return target, None


def _capped(rate: int, row: str, most: int) -> int:
    """A rate not above a cap; a cap beyond the row's own gait stands for a faster one, in the same proportion."""
    even = of_march.MARCH[row]["even"] or most
    return rate * most // even if most > even else min(rate, most)


def _patch(unit: Unit) -> UnitPatch:
    return UnitPatch(place=unit.place, march=unit.march, change=unit.change, trial=unit.trial)


def _marks(done: int, target: int) -> tuple[int, ...]:
    """The places of a step that are looked at, in twelfths of a pace along the way; the last is its end."""
    return (*range(done + STRIDE * TWELFTHS, target, STRIDE * TWELFTHS), target) if target > done else ()


def _head(unit: Unit, done: int) -> Point:
    """Where its head is *done* twelfths of a pace along its way."""
    return way_at(unit.march.way, done // TWELFTHS)


@rule("KS-MOV-19")
def placed(unit: Unit, done: int) -> Unit:
    """A unit with its head *done* twelfths of a pace along its way, and its column behind it."""
    march = unit.march
    far = done // TWELFTHS
    at = _head(unit, done)
    before = march.done // TWELFTHS
    trail: tuple[Point, ...] = ()
    if is_column(unit) and march.keeps:
        # It moves as it stands: the tail goes beside the head.
        east, north = at.x - unit.place.at.x, at.y - unit.place.at.y
        trail = tuple(Point(point.x + east, point.y + north) for point in unit.place.trail)
    elif is_column(unit):
        gone = part(march.way, before, far)[::-1]
        old = unit.place.trail if unit.place.trail else (unit.place.at,)
        whole = _whole((*gone, *old) if len(gone) > 1 else old)
        trail = part(whole, 0, depth_of(unit)) if len(whole) > 1 else ()
    facing = unit.place.facing if march.keeps else heading(march.way, max(far - 1, 0))
    place = replace(unit.place, at=at, facing=facing, trail=trail)
    return replace(unit, place=place, march=replace(march, done=done, road=False))


def _whole(points: Sequence[Point]) -> tuple[Point, ...]:
    """A line without points that stand twice in a row."""
    return tuple(point for i, point in enumerate(points) if i == 0 or point != points[i - 1])


def formed_place(place: Place, to: str, at: Point, facing: int, limber: bool | None, move: int) -> Place:  # noqa: FBT001
    """Where and how a body stands when its change of formation is done."""
    limbered = place.limbered if limber is None else limber
    return replace(
        place, formation=to, at=at, facing=facing, trail=(), changed=move, limbered=limbered, marched=0, ropes=False
    )
