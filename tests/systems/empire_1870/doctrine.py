"""How a sensible commander of either side might write his orders: for games that play themselves.

Knows nothing but a mind.  Both weigh an attack by what it may be expected to do to the marker, keep out of places
where the enemy could do the same to them, and bring their troops to order.  The Germans go for towns, weak stacks and
fortresses that can be had, and send an army's HQ into a fight only if the fight is worth it.  The French keep
together, stand in towns and fortresses, strike at what comes too near alone, and take back what was left unguarded.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from pbem.ground.hexes import Hex, hexside
from pbem.systems.empire_1870.field.supply import has_loc
from pbem.systems.empire_1870.march.force import command_limit
from pbem.systems.empire_1870.melee.totals import terrain_column
from pbem.systems.empire_1870.play.picking import unspent
from pbem.systems.empire_1870.tables.charts import INHERENT, INHERENT_LIMIT, MOBILIZATION, TERRAIN
from pbem.systems.empire_1870.tables.charts import VP_FRENCH_FORTRESS as FORTRESS_VP
from pbem.systems.empire_1870.turn.administration import place_refused, too_early
from pbem.systems.empire_1870.world.parts import FRENCH, GERMAN, RANKS_ORDER, Hq
from pbem.systems.empire_1870.world.stacks import count
from tests.systems.empire_1870.attacks import ARMY_RISK, Attacks
from tests.systems.empire_1870.prospects import expected
from tests.systems.empire_1870.staff import IN_REACH, distance

ARMY = 16
"""SP that make an army, which may go and look for the enemy."""

STANDS = -0.5
"""An army that is better off than this stays where it is."""

CROWD = {FRENCH: 60, GERMAN: 32}
"""SP in a hex beyond which more are of no use there."""

AFRAID = 0.8
"""VP of danger from which troops rather run than stand."""

FORCED = 3
"""MP that the French add when they run."""

DEFENDS = 0.8
"""What draws a French army to a town that is in danger, of what draws it to one that is lost."""

ABROAD = 0.5
"""The same of a weak enemy in his own country, whom it need not seek."""

OUT_OF_REACH = 0.5
"""What each hex between a French detachment and the enemy is reckoned at."""

HOMEWARD = 0.35
"""What each MP that a French corps is away from its army is reckoned at."""

FADES = {FRENCH: 0.85, GERMAN: 0.72}
"""What a goal is worth one hex further off."""


class Commander(Attacks):
    """One side's commander, writing the sheet of one exchange."""

    # ------------------------------------------------------------ the sheet

    def sheet(self) -> list[str]:
        """Order lines; a block is one of them."""
        if self.mind.phase.startswith("setup"):
            return []
        lines = [*self.mobilize()] if self.mind.phase == "administration" else []
        hqs = [hq for hq in self.mind.hqs.values() if hq.side == self.side and hq.state == "map" and not hq.spent]
        hqs.sort(key=lambda hq: (self._far(hq.hex), -RANKS_ORDER[hq.rank], hq.id))
        lines += self.attacks(hqs)
        moves = [(0.0, line) for line in self.sallies(hqs)]
        moves += [(self._urgency(hq.hex), line) for hq in hqs if hq.id not in self.used for line in self.move(hq)]
        moves += [(self._urgency(at), line) for at, line in self.detachments()]
        if self.side == FRENCH:
            moves.sort(key=lambda move: -move[0])
        return lines + [line for _, line in moves]

    def mobilize(self) -> Iterator[str]:
        """HQs first, then troops, as near the enemy as may be; some RP are left for guns and recovery."""
        chart = MOBILIZATION[self.side]
        left = self.mind.resource_points.get(self.side, 0) - (8 if self.side == FRENCH else 10)
        caps = self.mind.options.sp_cap
        cap = caps.french if self.side == FRENCH else caps.german
        room = cap - sum(count(stack) for stack in self.mind.stacks.get(self.side, {}).values()) if cap else 999
        pool = [
            hq for hq in self.mind.hqs.values() if (hq.side, hq.state) == (self.side, "pool") and not self._early(hq)
        ]
        places = [*self.scene.fortresses, *(self.scene.towns if chart.towns else ())]
        good = [at for at in places if self._safe(at) and not place_refused(self.field, self.side, at)]
        main = max(self.here, key=lambda at: (self.here[at], at), default=None)
        near = {at: self._far(at) if self.side == GERMAN or main is None else distance(at, main) for at in good}
        good.sort(key=lambda at: (near[at], at))
        for at in good:
            if pool and left >= chart.hq_rp + 4:
                yield f"MOBILIZE HQ {pool.pop().id} AT {at}"
                left -= chart.hq_rp
            number = min(chart.sp_per_hex, left // chart.sp_rp, room)
            if number < 1:
                return
            yield f"MOBILIZE {number}SP AT {at}"
            left -= number * chart.sp_rp
            room -= number

    def _safe(self, at: Hex) -> bool:
        """Whether a few recruits may be raised in a place: the French keep them from a front that would eat them."""
        return self.side == GERMAN or self._far(at) > IN_REACH or self.here.get(at, 0) >= ARMY

    def _early(self, hq: Hq) -> bool:
        return too_early(self.field, hq.id)

    # ------------------------------------------------------------ an army that goes out together

    def sallies(self, hqs: list[Hq]) -> Iterator[str]:
        """A French army goes for the enemy, or for what he has taken, one hex and all together."""
        if self.side != FRENCH:
            return
        for at in [at for at, sp in self.here.items() if sp >= ARMY]:
            there = [hq for hq in hqs if hq.hex == at and hq.id not in self.used]
            there.sort(key=lambda hq: (not hq.napoleon, -hq.ma, hq.id))
            if any(hq.napoleon and hq.casualties for hq in there):
                there = [hq for hq in there if not hq.napoleon]
            options: list[tuple[float, Hex, list[tuple[Hq, int]]]] = [(self._front(at, self.here[at]), at, [])]
            for to in self.scene.board.neighbours(at):
                columns = self._columns(there, at, to)
                sp = sum(number for _, number in columns)
                if sp >= ARMY:
                    options.append((self._front(to, self.here.get(to, 0) + sp), to, columns))
            _, to, columns = max(options, key=lambda option: (option[0], option[1] == at))
            for hq, number in columns:
                self.used.add(hq.id)
                self._spend(hq, number)
                self.here[at] = max(0, self.here[at] - number)
                self.here[to] = self.here.get(to, 0) + number
                yield f"ACT {hq.id}\n  SELF {number}SP MARCH {to}\nEND"
            if columns or self._front(at, self.here[at]) > STANDS:
                # Who is with the army stays with it.
                self.used |= {hq.id for hq in there}

    def _columns(self, hqs: list[Hq], at: Hex, to: Hex) -> list[tuple[Hq, int]]:
        """Who of an army can take a step, one after the other, and with how many SP; a few stay in a fortress."""
        ground = TERRAIN[self.field.cell(to).terrain].mp
        if ground is None or to in self.foes:
            return []
        ground += hexside(at, to) in self.scene.rivers
        left = self.left.get(at, 0) - (3 if self._walls(at, FRENCH) > 2 and self._far(at) > IN_REACH else 0)
        found: list[tuple[Hq, int]] = []
        for hq in hqs:
            number = min(command_limit(FRENCH, hq.rank), left)
            if number < 1:
                break
            cost = ground + (bool(found) or self.here.get(to, 0) > 0) + (left - number > 0)
            cost += hq.cautious and self.field.in_ezoc(FRENCH, to)
            if cost <= hq.ma:
                found.append((hq, number))
                left -= number
        return found

    def _front(self, at: Hex, sp: int) -> float:
        """How good it would be for an army to stand in a hex."""
        draws = {goal: 1.0 for goal in self._goals if self.field.controller(goal) == GERMAN and self._at_home(goal)}
        draws |= {town: DEFENDS for town in self.scene.towns if self._threatened(town)}
        draws |= {foe: 1.0 if self._at_home(foe) else ABROAD for foe, have in self.foes.items() if 2 * have <= sp}
        draw = max((worth * FADES[GERMAN] ** distance(at, goal) for goal, worth in draws.items()), default=0.0)
        score = draw + self._prize(at, FRENCH) - self._danger(at, sp)
        if self._far(at) == 1:
            score += self._chances(at, min(sp, 40))
        if self.field.cell(at).country != "FR":
            score -= 0.6
        if not has_loc(self.field, FRENCH, at):
            score -= 1.5
        return score + (0.3 if self._walls(at, FRENCH) > 2 else 0.0)

    def _at_home(self, at: Hex) -> bool:
        return self.field.cell(at).country == "FR"

    def _threatened(self, at: Hex) -> bool:
        """Whether a French town that is French still may soon be German."""
        cell = self.field.cell(at)
        return cell.town and self._at_home(at) and self.field.controller(at) == FRENCH and self._far(at) <= IN_REACH

    # ------------------------------------------------------------ marches

    def move(self, hq: Hq) -> Iterator[str]:
        """Rally, or march to the best hex in reach, or stay."""
        at = hq.hex
        if at is None:
            return
        sp = min(command_limit(self.side, hq.rank), self.left.get(at, 0))
        if sp < 1:
            if not hq.napoleon and not self.field.in_ezoc(self.side, at):
                yield from self._ride_to_troops(hq)
            return
        stack = unspent(self.field.stack(self.side, at))
        broken = sum(one.count for one in stack if one.status != "good")
        calm = not self.field.in_ezoc(self.side, at)
        if broken * 2 >= count(stack) and calm and has_loc(self.field, self.side, at):
            self._spend(hq, sp)
            yield f"ACT {hq.id}\n  SELF {sp}SP RALLY\nEND"
            return
        whole = sp
        sp -= self._garrison(at, sp)
        if sp < 1:
            return
        value = max(1, min(sp, self.here.get(at, 0)))
        ways = self._ways(at, sp, hq.ma, cautious=hq.cautious)
        if hq.rank == "army" and self.side == GERMAN:
            # Each step beside the French may draw fire on it: only the last may lie there.
            ways = {to: way for to, way in ways.items() if all(self._far(one) > 1 for one in way[:-1])}
        best = max(ways, key=lambda to: (self._worth(hq, at, to, value) - 0.01 * len(ways[to]), to))
        goal = self._goal(best)
        if goal is not None:
            self.claimed[goal] = self.claimed.get(goal, 0) + value
        if best == at and (self.side == GERMAN or self._danger(at, value) <= AFRAID):
            return
        if whole > sp and self._danger(at, whole - sp) > AFRAID:
            sp = whole
        action = f"MARCH {' '.join(ways[best])}"
        flight = self._flight(at, best, sp, hq.ma, cautious=hq.cautious)
        if flight is not None:
            best, action = flight
        self._spend(hq, sp)
        self.here[at] = max(0, self.here.get(at, 0) - value)
        self.here[best] = self.here.get(best, 0) + value
        if best == at:
            return
        yield f"ACT {hq.id}\n  SELF {sp}SP {action}\nEND"

    def _flight(self, at: Hex, best: Hex, sp: int, mp: int, *, cautious: bool = False) -> tuple[Hex, str] | None:
        """A forced march of the French to where it is safer by much than where a plain one leads."""
        stays = self.here.get(best, 0) + (0 if best == at else sp)
        good = all(one.status == "good" for one in unspent(self.field.stack(self.side, at)))
        now = self._danger(best, max(sp, stays))
        if self.side != FRENCH or now <= AFRAID or not good or self.field.in_ezoc(self.side, at):
            return None
        ways = self._ways(at, sp, mp + FORCED, cautious=cautious)
        free = [
            to
            for to, way in ways.items()
            if way
            and to in self._home
            and not self._astray(to)
            and not any(self.field.in_ezoc(self.side, one) for one in way)
        ]
        found = min(
            free,
            key=lambda to: (self._danger(to, self.here.get(to, 0) + sp) - self._clear(to), self._home[to], to),
            default=None,
        )
        if found is None or self._danger(found, self.here.get(found, 0) + sp) > now / 2:
            return None
        return found, f"FORCED {FORCED} {' '.join(ways[found])}"

    def _ways(self, start: Hex, sp: int, mp: int, *, cautious: bool = False) -> dict[Hex, tuple[Hex, ...]]:
        """The hexes that a march from a hex can end in, each with the cheapest path."""
        found: dict[Hex, tuple[int, tuple[Hex, ...]]] = {start: (0, ())}
        edge = [start]
        stays = self.here.get(start, 0) > sp
        while edge:
            at = edge.pop(0)
            spent, path = found[at]
            beside = self.side == FRENCH and self._far(at) == 1
            if at != start and (beside or self.field.in_ezoc(self.side, at)):
                continue
            for to in self.scene.board.neighbours(at):
                ground = TERRAIN[self.field.cell(to).terrain].mp
                if ground is None or to in self.foes:
                    continue
                cost = spent + ground + (hexside(at, to) in self.scene.rivers)
                if self.side == FRENCH:
                    cost += (self.here.get(to, 0) > 0) + (stays if at == start else self.here.get(at, 0) > 0)
                cost += cautious and self.field.in_ezoc(self.side, to)
                if cost <= mp and (to not in found or cost < found[to][0]):
                    found[to] = (cost, (*path, to))
                    edge.append(to)
        return {at: path for at, (_, path) in found.items()}

    def _worth(self, hq: Hq, start: Hex, at: Hex, sp: int) -> float:
        """How good it would be to stand in a hex with so many SP come from *start*."""
        there = self.here.get(at, 0) + (0 if at == start else sp)
        near = self._far(at)
        score = self._pull(at) - self._danger(at, there)
        score += self._prize(at, self.side) + self._siege(at, there)
        if self.field.cell(at).town and self.field.controller(at) == self.side and near <= 3:
            score += 0.3
        if near == 1 and (self.side == GERMAN or there >= ARMY):
            score += 0.5 * self._chances(at, there)
        if hq.rank == "army" and near == 1:
            score -= ARMY_RISK if self.side == GERMAN else 0.3 + hq.casualties
        if not has_loc(self.field, self.side, at):
            score -= 0.5
        if self.side == FRENCH and self.field.cell(at).country != "FR" and there < ARMY:
            score -= 3.0
        return score - 0.03 * max(0, there - CROWD[self.side])

    def _chances(self, at: Hex, sp: int) -> float:
        """What an attack from a hex may promise next turn, with the friends who stand by."""
        best = 0.0
        for target in self.scene.board.neighbours(at):
            strength = self.foes.get(target, 0)
            if strength < 1:
                continue
            around = [self.here.get(one, 0) for one in self.scene.board.neighbours(target) if one != at]
            total = sp + sum(sorted(around)[-2 if self.side == GERMAN else -1 :])
            walls = self._walls(target, self.enemy)
            column = terrain_column(self.field, target, self.enemy)
            prize = self._prize(target, self.side)
            bonus = 1 if self.side == GERMAN else -1
            gain = expected(self.side, min(total, 60), strength + walls, column, bonus, min(total, 40), strength, prize)
            best = max(best, gain)
        return best

    @cached_property
    def _goals(self) -> dict[Hex, float]:
        """What is to be had, and what it is worth."""
        goals: dict[Hex, float] = {}
        for at in self.scene.towns:
            if self.field.cell(at).town and self.field.controller(at) == self.enemy:
                far = self.side == FRENCH and self.field.cell(at).country != "FR"
                goals[at] = 0.3 if far else 1.0 if at not in self.foes else 0.5
        if self.side == GERMAN:
            for at in self.scene.fortresses:
                if self.field.fortress_of(at) == FRENCH:
                    goals[at] = 0.3 + 0.3 * -FORTRESS_VP.get(self.field.sr(at), 0)
        if self.side == GERMAN:
            for at, strength in self.foes.items():
                goals[at] = max(goals.get(at, 0.0), 0.8 if strength <= 8 else 0.5)
        if self.side == FRENCH:
            for at, strength in self.here.items():
                if strength >= ARMY:
                    goals[at] = max(goals.get(at, 0.0), 1.2)
            for at in self.scene.aims.german_major_hexes:
                goals[at] = max(goals.get(at, 0.0), 0.8)
        return goals

    def _calls(self, at: Hex, goal: Hex) -> float:
        """How much a goal draws those who would stand in a hex; less if enough go there."""
        share = 1.0 if self.side == FRENCH or self.claimed.get(goal, 0) < self._wanted[goal] else 0.4
        return share * self._goals[goal] * FADES[self.side] ** distance(at, goal)

    @cached_property
    def _wanted(self) -> dict[Hex, int]:
        """How many SP are enough for each goal."""
        return {goal: 2 * self.foes.get(goal, 0) + 2 * self.field.sr(goal) + 8 for goal in self._goals}

    def _goal(self, at: Hex) -> Hex | None:
        return max(self._goals, key=lambda goal: (self._calls(at, goal), goal), default=None)

    @cached_property
    def _home(self) -> dict[Hex, int]:
        """For the French: how far it is, round the enemy, to where most of them stand together."""
        main = max(self.here, key=lambda at: (self.here[at], at), default=None)
        found: dict[Hex, int] = {} if main is None else {main: 0}
        edge = [*found]
        while edge:
            at = edge.pop(0)
            for to in self.scene.board.neighbours(at):
                ground = TERRAIN[self.field.cell(to).terrain].mp
                if ground is None or to in self.foes:
                    continue
                cost = found[at] + ground + (2 if self.field.in_ezoc(self.side, to) else 0)
                if cost < found.get(to, 99):
                    found[to] = cost
                    edge.append(to)
        return found

    def _pull(self, at: Hex) -> float:
        if self.side == FRENCH:
            return -HOMEWARD * min(20, self._home.get(at, 20))
        return 1.5 * max((self._calls(at, goal) for goal in self._goals), default=0.0)

    def _ride_to_troops(self, hq: Hq) -> Iterator[str]:
        """An HQ without troops goes where some have no HQ."""
        assert hq.hex is not None, "it is on the map"
        start = hq.hex
        led = {one.hex for one in self.mind.hqs.values() if one.side == self.side and one.state == "map"}
        loose = [at for at, sp in self.left.items() if sp > 1 and at not in led]
        goal = min(loose, key=lambda at: (distance(start, at), at), default=None)
        if goal is None:
            return
        ways = self._ways(start, 0, hq.ma)
        best = min(ways, key=lambda at: (distance(at, goal), at))
        if best != start:
            yield f"ACT {hq.id}\n  SELF 0SP MARCH {' '.join(ways[best])}\nEND"

    # ------------------------------------------------------------ troops without an HQ

    def _relief(self, at: Hex, sp: int) -> tuple[Hex, ...]:
        """The way to the nearest fortress in reach that has too few in it; empty: there is none."""
        if self.side != FRENCH:
            return ()
        ways = self._ways(at, sp, INHERENT[FRENCH].ma)
        found = [way for to, way in ways.items() if way and self._post(to) > self.here.get(to, 0)]
        return min(found, key=lambda way: (len(way), way), default=())

    def _clear(self, at: Hex) -> float:
        """That the French are the safer the further they are from him who marches further than they."""
        return OUT_OF_REACH * min(self._far(at), 6) if self.side == FRENCH else 0.0

    def detachments(self) -> Iterator[tuple[Hex, str]]:
        """Those whom no HQ leads go to where one has room for them; the French take the train if there is one."""
        led = {one.hex: one for one in self.mind.hqs.values() if one.side == self.side and one.state == "map"}
        wanting = {
            at: command_limit(self.side, hq.rank) - self.here.get(at, 0)
            for at, hq in sorted(led.items(), key=lambda pair: pair[1].id)
            if at is not None
        }
        lines = 0
        rails = self.side == FRENCH
        for at, sp in sorted(self.left.items(), key=lambda pair: (self._far(pair[0]), pair[0])):
            if at in led or sp < 1 or lines >= 8:
                continue
            free = sp - self._post(at) if self.side == FRENCH else sp
            if free < 1:
                continue
            number = min(free, INHERENT_LIMIT[self.side])
            if way := self._relief(at, number):
                self.here[way[-1]] = self.here.get(way[-1], 0) + number
                self.left[at] -= number
                lines += 1
                yield at, f"DIV {at} {number}SP MARCH {' '.join(way)}"
                continue
            if self.side == GERMAN and self.field.cell(at).town and self._far(at) <= 3 and sp <= 2:
                continue
            goal = min(
                (to for to, room in wanting.items() if room > 0 or self.side == FRENCH),
                key=lambda to: (distance(at, to) + 4 * self._danger(to, self.here.get(to, 0) + number), to),
                default=None,
            )
            if goal is None:
                continue
            if rails and number >= 2 and distance(at, goal) > 3 and self._rails_lead(at, goal):
                rails = False
                number = min(number, 3)
                action = f"MARCH RAIL {at} TO {goal}"
            else:
                ways = self._ways(at, number, INHERENT[self.side].ma)
                best = min(
                    ways,
                    key=lambda to: (
                        self._astray(to) + distance(to, goal) + 2 * self._danger(to, number) - self._clear(to),
                        to,
                    ),
                )
                flight = self._flight(at, best, number, INHERENT[self.side].ma)
                if flight is not None:
                    action = flight[1]
                elif best == at:
                    continue
                else:
                    action = f"MARCH {' '.join(ways[best])}"
            self.left[at] -= number
            lines += 1
            yield at, f"DIV {at} {number}SP {action}"
