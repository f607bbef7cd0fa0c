"""The roll for initiative, and what a new turn finds (HL-INI)."""

from __future__ import annotations

from pbem.kernel.event import Throw
from pbem.kernel.names import Role, RuleId
from pbem.rules.ledger import cited, rule
from pbem.systems.half_league.field.segments import default_flank
from pbem.systems.half_league.play.play import Play
from pbem.systems.half_league.tables.printed import INITIATIVE
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.course import Command
from pbem.systems.half_league.world.fact import Modifier
from pbem.systems.half_league.world.orders import SetFlank, SetInitiative
from pbem.systems.half_league.world.patches import GamePatch, LeaderPatch, UnitPatch
from pbem.systems.half_league.world.pieces import ALLIED, ENEMY, RUSSIAN, SIDES
from pbem.systems.half_league.world.state import Battle

RULE = RuleId("HL-INI-01")


@rule("HL-INI-01")
def modifiers(battle: Battle, side: Role) -> tuple[Modifier, ...]:
    """What is added to a side's die; nothing in the first turn."""
    if battle.turn <= 1:
        return ()
    enemy = ENEMY[side]
    routing = {one: sum(unit.routing for unit in battle.of(one)) for one in SIDES}
    won = battle.won_before
    found = {
        "held_initiative": battle.held == side,
        "won_most_combats": won.get(side, 0) > won.get(enemy, 0),
        "more_routing": routing[side] > routing[enemy],
    }
    return tuple(Modifier(why, INITIATIVE[why], RULE) for why, holds in found.items() if holds)


def begin_turn(play: Play) -> None:
    """What was of the turn before is over: everybody is fresh."""
    units = {
        name: UnitPatch(
            charge_target="",
            charge_else=False,
            charge_place=None,
            charged=False,
            charge_test="",
            stood="",
            charged_from=None,
            from_rear=(),
            activity="none",
            pulled_too=False,
            last_forward=0,
            stirred=False,
            fired=False,
            engaged=False,
            fired_before=unit.fired_at,
            fired_at=(),
            began=unit.front,
            began_bearing=unit.bearing,
            benefits_used=(),
            favours=(),
            sixes=0,
        )
        for name, unit in play.battle.units.items()
        if unit.there
    }
    leaders = {
        name: LeaderPatch(
            attached_since_start_of_turn=bool(leader.attached_to), modes={}, pulls=0, favour="", successor=""
        )
        for name, leader in play.battle.leaders.items()
        if not leader.fallen
    }
    play.add(o.PhaseBegan(rules=cited("HL-SEQ-01"), units=units, leaders=leaders))


@rule("HL-INI-01", "HL-TRN-02", "HL-TRN-04")
def initiative(play: Play) -> None:
    """Roll until one side has more, and let it choose."""
    begin_turn(play)
    rounds: list[tuple[o.InitiativeSide, ...]] = []
    dice: list[Throw] = []
    while not rounds or rounds[-1][0].total == rounds[-1][1].total:
        row = []
        for side in (ALLIED, RUSSIAN):
            throw = play.throw("initiative", f"{side}/{len(rounds) + 1}")
            dice.append(throw)
            added = modifiers(play.battle, side)
            row.append(o.InitiativeSide(side, throw.faces[0], added, throw.faces[0] + sum(one.value for one in added)))
        rounds.append(tuple(row))
    winner = max(rounds[-1], key=lambda one: one.total).side
    wish = play.battle.command.get(winner, Command()).initiative
    has = winner if wish == "take" else ENEMY[winner]
    command = play.battle.command.get(has, Command())
    default = default_flank(play.field, has)
    flank, charge = command.flank or default, command.charge_flank or default
    play.add(
        o.InitiativeRolled(
            rules=cited("HL-INI-01", "HL-TRN-02", "HL-TRN-04"),
            dice=tuple(dice),
            rounds=tuple(rounds),
            rerolls=len(rounds) - 1,
            winner=winner,
            chosen_side=has,
            flank=flank,
            charge_flank=charge,
            game=GamePatch(
                initiative=has, chose=winner, flank=flank, charge_flank=charge, wins=dict.fromkeys(SIDES, 0)
            ),
        )
    )
    for role, order in (*play.ordered(SetFlank), *play.ordered(SetInitiative)):
        side = next(one for one in SIDES if role in play.scene.roles(one))
        used = side == (has if isinstance(order, SetFlank) else winner)
        why = "no_initiative" if isinstance(order, SetFlank) else "roll_lost"
        play.came_of(role, order, "done" if used else "standing", "" if used else why)
