"""The odds of an attack are those with which the engine fights it: played many times, by other dice each time."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import sqrt

import pytest
from msgspec.structs import replace

from pbem.kernel.dice import SeededDice
from pbem.kernel.names import Moment
from pbem.orders.sheet import lines_of
from pbem.rules.chances import odds
from pbem.rules.contract import apply
from pbem.systems.crossroads.melee.charge import charge
from pbem.systems.crossroads.play.play import Play as Cards
from pbem.systems.crossroads.sheets.chances import attacks as of_cards
from pbem.systems.crossroads.world import outcomes_combat as crossroads
from pbem.systems.crossroads.world.state import GERMAN
from pbem.systems.empire_1870 import SYSTEM as EMPIRE
from pbem.systems.empire_1870.field.field import field_of
from pbem.systems.empire_1870.melee.combat import fight
from pbem.systems.empire_1870.play.play import Play as War
from pbem.systems.empire_1870.sheets.chances import attacks as of_war
from pbem.systems.empire_1870.sheets.chances import plans
from pbem.systems.empire_1870.turn.conditions import known_battle
from pbem.systems.st_privat.turn.turn import resolve
from pbem.systems.st_privat.world import outcomes_combat as st_privat
from pbem.systems.st_privat.world.pieces import PRUSSIAN
from tests.systems.crossroads.odds import WORN, close
from tests.systems.empire_1870.test_receipt import POSITION, SCENE
from tests.systems.play import seed
from tests.systems.st_privat.odds import known, position
from tests.systems.st_privat.sheets import EVERYTHING, given

PLAYS = 300
Fought = tuple[Fraction, Callable[[SeededDice], bool]]
"""The chance that an attack is what it was for; and the attack, played."""


def st_privat_charge() -> Fought:
    field, text = position().now(phase="melee"), "charge p1+p2+p3+p4 at H-9"
    orders = given(field, PRUSSIAN, text, sorts=EVERYTHING).items

    def played(dice: SeededDice) -> bool:
        facts = resolve(field.scene, field.world(), {PRUSSIAN: orders}, {}, dice, "phase").facts
        return any(isinstance(fact, st_privat.AdvanceMade) and fact.side == PRUSSIAN for fact in facts)

    [attack] = known(field, PRUSSIAN, text)
    return odds(attack).chance, played


def empire_combat() -> Fought:
    world = EMPIRE.blank(SCENE, {})
    for line in lines_of(f"{POSITION}\nset rp french 30\nset rp german 30\nplace german 6SP at 2306"):
        for fact in EMPIRE.direct(SCENE, world, [line], {}).items:
            world = apply(EMPIRE, world, fact)
    call = next(call for call in EMPIRE.awaits(world.truth).calls if call.role == "french")
    sheet = lines_of("ACT F3\n SELF 8SP ASSAULT 2306\nEND")
    orders = EMPIRE.read(SCENE, sheet, world.minds[call.role], call.role, call).items
    field = field_of(SCENE, world.truth)
    [(_, plan)] = plans(field, call.role, orders)
    battle = known_battle(field, call.role, plan)
    assert battle is not None
    battle = replace(battle, name="a1/2306", acting=("F3",))

    def played(dice: SeededDice) -> bool:
        return fight(War(SCENE, world, {}, {}, dice), battle).winner == call.role

    [attack] = of_war(SCENE, world.truth, call.role, orders)
    return odds(attack).chance, played


def crossroads_charge() -> Fought:
    game = close(WORN, 2)
    orders, _ = game.read(GERMAN, "PR-2 charge FR-1")

    def played(dice: SeededDice) -> bool:
        play = Cards(game.scene, game.world, {}, {}, dice)
        charge(play, "PR-2", "FR-1")
        fought = [fact.winner for fact in play.facts if isinstance(fact, crossroads.MeleeEnded)]
        checks = [fact for fact in play.facts if isinstance(fact, crossroads.MoraleChecked)]
        gave_way = any(one.row == "Stand To Charge" and one.result in ("WD", "R") for one in checks)
        return "PR-2" in fought or (not fought and gave_way)

    [attack] = of_cards(game.scene, game.world.truth, GERMAN, orders)
    return odds(attack, 2_000_000).chance, played


@pytest.mark.parametrize("attack", [st_privat_charge, empire_combat, crossroads_charge])
def test_it_is_fought_as_its_odds_say(attack: Callable[[], Fought]) -> None:
    chance, played = attack()
    dice = (
        SeededDice(Moment(1), open_seed=seed(f"open {number}"), closed_seed=seed(f"closed {number}"), forced={})
        for number in range(PLAYS)
    )
    won = sum(map(played, dice))

    assert abs(won - PLAYS * chance) <= 3 * sqrt(PLAYS * chance * (1 - chance))
