"""Possible hits and possible leader kills: what is saved, and what is lost (HL-SAV)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from pbem.kernel.names import RuleId
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.march.morale import add_chits, destroyed
from pbem.systems.half_league.play.command import Moment, benefit_of, held, reached
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.tables.charts import MOST_STANDS, Charts
from pbem.systems.half_league.tables.combat import FIGURES_PER_FAILURE, SAVE_MODIFIERS
from pbem.systems.half_league.tables.printed import CHITS, POINTS_LOST
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world import outcomes_combat as c
from pbem.systems.half_league.world.fact import Modifier, of_unit
from pbem.systems.half_league.world.orders import Benefit
from pbem.systems.half_league.world.patches import LeaderPatch, UnitPatch
from pbem.systems.half_league.world.pieces import ENEMY, Leader, Unit

Cause = Literal["fire", "melee"]
UNIT_COMMANDER = "unit commander"
SAVES: dict[Cause, Benefit] = {"fire": "fire_save", "melee": "melee_save"}
BENEFIT_RULES = {"fire": "HL-CMD-06", "melee": "HL-CMD-09"}


@rule("HL-SAV-01", "HL-SAV-02")
def needed(charts: Charts, unit: Unit) -> int | None:
    """What a die must come to to save a figure of a unit as it now is; None: nothing does."""
    row = charts.saves[min(max(unit.stands, 1), MOST_STANDS)]
    return row["artillery" if unit.guns else unit.cls]


@rule("HL-SAV-01", "HL-SAV-02")
def saves(need: int | None, natural: int, modifier: int) -> bool:
    """Whether a die saves a figure, with what is added to it."""
    return need is not None and natural + modifier >= need


class Saves:
    """The saves of one unit for one cause: what is added to each die is settled once.

    *charged*: it was, in this close combat.
    """

    def __init__(self, play: Play, name: str, cause: Cause, hits: int, place: str, *, charged: bool = False) -> None:
        self.play, self.name, self.cause, self.place = play, name, cause, place
        self.number = 0
        if hits and needed(play.scene.charts, play.unit(name)) is not None:
            benefit_of(
                play, name, SAVES[cause], Moment(attacked=cause == "fire" or charged, charged=charged, hits=hits)
            )
        self.gifts = held(play.unit(name), SAVES[cause])
        self.chits = play.unit(name).chits

    @rule("HL-SAV-01", "HL-CMD-06", "HL-CMD-09", "HL-MOR-02")
    def modifiers(self) -> tuple[Modifier, ...]:
        """What is added to each of its dice."""
        found = [Modifier(gift, SAVE_MODIFIERS[gift], RuleId(BENEFIT_RULES[self.cause])) for gift in self.gifts]
        if self.chits:
            found.append(Modifier("chit", SAVE_MODIFIERS["chit"] * self.chits, RuleId("HL-MOR-02")))
        return tuple(found)

    @rule("HL-SAV-01", "HL-SAV-02")
    def save(self, stand: int) -> bool:
        """Roll for one possible hit; a figure comes off *stand* if it fails."""
        play, unit = self.play, self.play.unit(self.name)
        need = needed(play.scene.charts, unit)
        self.number += 1
        modifiers = self.modifiers()
        modifier = sum(one.value for one in modifiers)
        throw = None
        if need is not None:
            throw = play.throw("save", f"{self.name}/{self.cause}/{self.place}/{self.number}")
        natural = throw.faces[0] if throw else 0
        saved = saves(need, natural, modifier)
        play.add(
            c.SaveRolled(
                **of_unit(unit, "HL-SAV-01", "HL-SAV-02", *(one.rule for one in modifiers)),
                dice=(throw,) if throw else (),
                cause=self.cause,
                number=self.number,
                need=need or 0,
                natural=natural,
                modifier=modifier if throw else 0,
                modifiers=modifiers if throw else (),
                saved=saved,
                stands_left=unit.stands,
            )
        )
        if not saved:
            lose_figure(play, self.name, stand, self.cause)
        return saved


@rule("HL-SAV-03")
def lose_figure(play: Play, name: str, stand: int, cause: str) -> None:
    """A figure comes off a stand; the stand goes with its last figure, the unit with its last stand."""
    unit = play.unit(name)
    figures = list(unit.stand_figures)
    figures[stand] -= FIGURES_PER_FAILURE
    play.add(
        o.FigureLost(
            **of_unit(unit, "HL-SAV-01", "HL-SAV-03"),
            stand_index=stand,
            figures_left=figures[stand],
            cause=cause,
            units={name: UnitPatch(stand_figures=tuple(figures), fallen=unit.fallen + FIGURES_PER_FAILURE)},
        )
    )
    if figures[stand] == 0:
        left = play.unit(name).stands
        play.add(o.StandLost(**of_unit(unit, "HL-SAV-03"), stand_index=stand, stands_left=left))
        if not left:
            destroyed(play, name, "no stands", "HL-SAV-03")


@rule("HL-SAV-03")
def capped(unit: Unit) -> int:
    """The stand off which fire takes a figure: the one already capped, else the last."""
    there = [number for number, figures in enumerate(unit.stand_figures) if figures]
    worn = [number for number in there if unit.stand_figures[number] < unit.full[number]]
    return worn[0] if worn else there[-1]


def fire_losses(play: Play, name: str, hits: int, place: str) -> None:
    """The possible hits of a sub-phase of fire on one unit, one after the other."""
    made = Saves(play, name, "fire", hits, place)
    for _ in range(hits):
        unit = play.unit(name)
        if not unit.there:
            return
        made.save(capped(unit))


@rule("HL-SAV-03", "HL-CMB-04")
def melee_losses(play: Play, names: Sequence[str], hits: int, place: str, charged: Collection[str]) -> None:
    """Possible hits on the units of a side that fought: spread, a figure a stand in turn, the largest unit first.

    *charged*: those of them that were.
    """
    order = sorted(names, key=lambda name: (-play.unit(name).stands, name))
    made: dict[str, Saves] = {}
    ring = [(name, stand) for name in order for stand, left in enumerate(play.unit(name).stand_figures) if left]
    at = 0
    for _ in range(hits):
        there = [one for one in ring if play.unit(one[0]).there and play.unit(one[0]).stand_figures[one[1]]]
        if not there:
            return
        while ring[at % len(ring)] not in there:
            at += 1
        name, stand = ring[at % len(ring)]
        if name not in made:
            made[name] = Saves(play, name, "melee", hits, place, charged=name in charged)
        if not made[name].save(stand):
            at += 1


# ------------------------------------------------------------------ leaders


class AtRisk(NamedTuple):
    """Who may fall, and the unit that he is with."""

    who: str
    unit: str


class LeaderTests:
    """The possible leader kills of one phase: the first tests the unit commander, the next those with him.

    *names*: the units that may lose leaders; made before their losses are taken, for who is with a unit is at risk
    with it though it be destroyed.  The chits are those of that moment, as for the saves: the chit of one leader does
    not spoil the test of the next.
    """

    def __init__(self, play: Play, cause: Cause, place: str, names: Sequence[str]) -> None:
        self.play, self.cause, self.place = play, cause, place
        self.before = {name: self._with(name) for name in names}
        self.chits = {name: unit.chits for name, unit in play.battle.units.items()}
        self.tests: dict[str, int] = {}

    def _with(self, name: str) -> list[AtRisk]:
        attached = [one for _, one in sorted(self.play.battle.leaders.items()) if one.attached_to == name]
        attached.sort(key=lambda one: one.kind == "army")
        return [AtRisk(UNIT_COMMANDER, name), *(AtRisk(one.id, name) for one in attached)]

    def at_risk(self, name: str) -> list[AtRisk]:
        """Who is tested for possible kills on a unit, in this order (HL-SAV-04, HL-CMD-11)."""
        leaders = self.play.battle.leaders
        found = [one for one in self.before[name] if one.who not in leaders or not leaders[one.who].fallen]
        brigadier = self.play.field.brigadier(self.play.unit(name))
        if brigadier is not None and self._benefits_several(brigadier, name):
            others = [one for one in found if one.who != brigadier.id]
            return [AtRisk(brigadier.id, brigadier.attached_to), *others]
        return found

    @rule("HL-CMD-11", "HL-SAV-04")
    def _benefits_several(self, brigadier: Leader, name: str) -> bool:
        """Whether a unit is one of several that a brigadier benefits this turn."""
        if not brigadier.favour or not brigadier.attached_to:
            return False
        gained = [one.id for one in reached(self.play, brigadier)]
        return len(gained) > 1 and name in gained

    @rule("HL-SAV-04", "HL-CMD-10")
    def _gifts(self, one: AtRisk) -> tuple[str, ...]:
        """What is given for the saves of the unit that he is with holds for him too."""
        benefit = SAVES[self.cause]
        gifts = held(self.play.unit(one.unit), benefit)
        leader = self.play.battle.leaders.get(one.who)
        gives = leader is not None and leader.kind == "brigadier" and leader.favour == benefit
        return ("brigadier", *gifts) if gives and "brigadier" not in gifts else gifts

    @rule("HL-SAV-04", "HL-FIR-08", "HL-CMB-05")
    def test(self, name: str, count: int) -> None:
        """So many possible kills on a unit; each is tested on the column of the unit that the leader is with."""
        for _ in range(count):
            play, unit, risk = self.play, self.play.unit(name), self.at_risk(name)
            number = self.tests[name] = self.tests.get(name, 0) + 1
            tested = risk[(number - 1) % len(risk)]
            his = play.unit(tested.unit)
            need = needed(play.scene.charts, his)
            gifts = sum(SAVE_MODIFIERS[gift] for gift in self._gifts(tested))
            modifier = gifts + SAVE_MODIFIERS["chit"] * self.chits[his.id]
            throw = None
            if need is not None:
                throw = play.throw("leader", f"{name}/{self.cause}/{self.place}/{number}")
            natural = throw.faces[0] if throw else 0
            killed = need is None or natural + modifier < need
            play.add(
                c.LeaderTested(
                    **of_unit(unit, "HL-SAV-04", "HL-FIR-11" if self.cause == "fire" else "HL-CMB-05"),
                    dice=(throw,) if throw else (),
                    who=tested.who,
                    cause=self.cause,
                    need=need or 0,
                    natural=natural,
                    modifier=modifier if throw else 0,
                    killed=killed,
                ),
                told=self._in_sight(his),
            )
            if killed:
                kill(play, name, tested.who, at_once=self.cause == "melee", told=self._in_sight(his))

    @rule("HL-SAV-04", "HL-LOS-01")
    def _in_sight(self, unit: Unit) -> bool:
        """Whether the enemy sees the unit that a leader is with, and so what becomes of him."""
        return self.play.sees(ENEMY[unit.side], unit.id)


@rule("HL-SAV-05", "HL-MOR-01")
def kill(play: Play, name: str, who: str, *, at_once: bool, told: bool = True) -> None:
    """A leader falls; the chits of it are placed now, or at the end of the phase; *told*: the enemy sees it."""
    unit = play.unit(name)
    leader = play.battle.leaders.get(who)
    units = {name: UnitPatch()}
    leaders: dict[str, LeaderPatch] = {}
    before = after = 0
    if leader is None:
        before, after = unit.command_points, unit.command_points * POINTS_LOST[0] // POINTS_LOST[1]
        units = {name: UnitPatch(command_points=after, commander_lost=unit.commander_lost + 1)}
        reason, struck, rank = "unit_commander_killed", [name], "unit_commander"
    elif leader.kind == "brigadier":
        leaders = {who: LeaderPatch(status="killed_replaced", successor="")}
        struck = [one.id for one in play.battle.of(leader.side) if one.brigade == leader.brigade]
        reason, rank = "brigadier_killed", "brigadier"
    else:
        leaders = {who: LeaderPatch(status="dead", attached_to="")}
        struck = [one.id for one in play.battle.of(leader.side)]
        reason, rank = "army_commander_killed", "army_commander"
    if not at_once:
        units |= {
            one: replace(units.get(one, UnitPatch()), owed_chits=(*play.unit(one).owed_chits, reason)) for one in struck
        }
    play.add(
        c.LeaderKilled(
            rules=cited("HL-SAV-05", "HL-MOR-01"),
            side=unit.side,
            who=who,
            rank=rank,  # type: ignore[arg-type] # one of its words
            unit=name,
            points_before=before,
            points_after=after,
            chits=CHITS[reason],
            at=unit.front if leader is None else leader.front,
            units=units,
            leaders=leaders,
        ),
        told=told,
    )
    if at_once:
        for one in struck:
            add_chits(play, one, (reason,), "HL-SAV-05")
