"""The sequence of play: who is asked when, in which order dice fall, and how one turn follows another."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.kernel.dice import ScriptedDice
from pbem.kernel.names import Moment, Role
from pbem.orders.sheet import Order
from pbem.systems.st_privat.play.pauses import awaits, moves_now
from pbem.systems.st_privat.play.victory import verdict
from pbem.systems.st_privat.turn.setup import counts, muster
from pbem.systems.st_privat.turn.turn import resolve
from pbem.systems.st_privat.world.fact import Fact
from pbem.systems.st_privat.world.game import Ended, Phase, Policy, Reactions, Score, Sealed, Standing, TownState
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.orders import (
    Charge,
    Fire,
    HoldFire,
    Initiative,
    Reset,
    Retreat,
    Reveal,
    Shoot,
    SiegeReveal,
    Targets,
)
from pbem.systems.st_privat.world.outcomes import (
    CardsRevealed,
    GameEnded,
    InitiativeRolled,
    PhaseBegan,
    ReactionSet,
    SetupRevealed,
    SiegeGunPlaced,
    WithdrawalOrdered,
)
from pbem.systems.st_privat.world.outcomes_combat import ChargeFailed
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN
from pbem.systems.st_privat.world.state import Battle, evolve
from tests.systems.st_privat.field import Position, of, scene

HOLD_ALL = HoldFire(line=9, text="hold fire all", units=("all",))


def run(
    position: Position,
    dice: dict[str, list[int]] | list[int],
    *,
    french: Sequence[Order] = (),
    prussian: Sequence[Order] = (),
) -> tuple[list[Fact], Battle, ScriptedDice]:
    """Play to the next pause."""
    script = ScriptedDice(Moment(position.battle.turn, 2), dice)
    found = resolve(position.scene, position.world(), {FRENCH: french, PRUSSIAN: prussian}, {}, script, "pause")
    battle = position.battle
    for fact in found.facts:
        battle = evolve(battle, fact)
    return list(found.facts), battle, script


def quiet(phase: Phase = "end", *, turn: int = 2, **options: object) -> Position:
    """A field on which nobody can reach anybody, a Prussian in Roncourt."""
    return Position(phase, turn=turn, **options).put("f1", "A-1", "n").put("p1", "N-8", "n")


LATER = {"initiative_french": [5], "initiative_prussian": [3]}


@pytest.mark.parametrize(
    ("mode", "phase", "moment", "sorts"),
    [
        ("two_step", "setup_french", "S1", {"french": ("setup", "reactions"), "prussian": ("reactions",)}),
        ("two_step", "setup_prussian", "S2", {"prussian": ("setup", "reactions"), "french": ("reactions",)}),
        ("two_step", "move_first", "2A", {"prussian": ("movement", "siege", "reactions"), "french": ("reactions",)}),
        (
            "two_step", "move_second", "2B",
            {"french": ("movement", "fire", "melee", "reactions"), "prussian": ("fire", "siege", "reactions")},
        ),
        ("two_step", "melee", "2B", None),
        (
            "one_step", "move_first", "2A",
            {
                "prussian": ("movement", "siege", "fire", "reactions"),
                "french": ("movement", "fire", "melee", "reactions"),
            },
        ),
        ("three_step", "move_second", "2B", {"french": ("movement", "reactions"), "prussian": ("reactions",)}),
        (
            "three_step", "rifle", "2C",
            {"french": ("fire", "melee", "reactions"), "prussian": ("fire", "siege", "reactions")},
        ),
    ],
)  # fmt: skip
def test_who_may_send_what(mode: str, phase: Phase, moment: str, sorts: dict[str, tuple[str, ...]] | None) -> None:
    pause = awaits(Position(phase, turn=2, mail_mode=mode).battle)
    assert str(pause.moment) == moment
    if sorts is not None:
        assert {call.role: call.sorts for call in pause.calls} == sorts
        assert all(call.otherwise for call in pause.calls)
        assert {call.role for call in pause.calls if not call.must} == {
            role for role, kinds in sorts.items() if kinds == ("reactions",)
        }


def test_nobody_charges_who_moves_first() -> None:
    for first, second in ((FRENCH, PRUSSIAN), (PRUSSIAN, FRENCH)):
        battle = replace(Position("move_second").battle, first_mover=first, second_mover=second)
        assert {call.role for call in awaits(battle).calls if "melee" in call.sorts} == {second}


def test_dice_fall_in_the_order_of_the_ledger() -> None:
    position = Position("rifle").put("f1", "Q-9", "n").put("p1", "R-10", "s").put("p2", "Q-10", "s")
    position.put("pg1 pk1", "H-12", "s", deployed=True).put("f2", "H-9", "s").put("p3", "N-8", "n")
    position.now(first_mover=FRENCH, second_mover=PRUSSIAN)
    orders = [
        Fire(line=1, text="", units=("p1",), square=Square("Q-9")),
        HoldFire(line=2, text="", units=("p2", "p3")),
        Shoot(line=3, text="", gun="pg1", ammunition="shell", square=Square("H-9")),
        Charge(line=4, text="", units=("p2",), square=Square("Q-9")),
    ]
    _, _, script = run(position, [6, 6, 3, 4, 6, 6, 5, 3], prussian=orders, french=[])
    assert script.purposes == [
        "rifle", "rifle", "artillery_deviation", "artillery_deviation", "artillery_hit", "melee",
        "initiative_french", "initiative_prussian",
    ]  # fmt: skip


def test_rifle_losses_are_gone_before_the_charge() -> None:
    position = Position("rifle").put("f1", "Q-9", "n").put("p1 p2", "Q-10", "s").put("p3", "N-8", "n")
    position.now(first_mover=FRENCH, second_mover=PRUSSIAN)
    charge = Charge(line=1, text="", units=("@Q-10",), square=Square("Q-9"))
    facts, after, _ = run(position, {"rifle": [6, 3, 5], **LATER}, prussian=[charge])
    assert after.pieces["f1"].removed == "killed"
    assert [fact.reason for fact in of(facts, ChargeFailed)] == ["empty"]


@pytest.mark.parametrize(
    ("french", "prussian", "reaction", "expected"),
    [
        ([4, 5], [4, 2], "", ("french", "second", "prussian", 1)),
        ([2], [6], "prussian first", ("prussian", "first", "prussian", 0)),
        ([5], [3], "french first", ("french", "first", "french", 0)),
    ],
)
def test_the_winner_of_the_initiative_chooses(
    french: list[int], prussian: list[int], reaction: str, expected: tuple[str, str, str, int]
) -> None:
    position = quiet()
    sheets: dict[Role, list[Order]] = {FRENCH: [], PRUSSIAN: []}
    if reaction:
        side, _ = reaction.split()
        sheets[Role(side)] = [Initiative(line=1, text="initiative first", choice="first")]
    facts, after, _ = run(
        position,
        {"initiative_french": french, "initiative_prussian": prussian},
        french=sheets[FRENCH],
        prussian=sheets[PRUSSIAN],
    )
    (rolled,) = of(facts, InitiativeRolled)
    assert (rolled.winner, rolled.choice, rolled.first_mover, rolled.rerolls) == expected
    assert (after.turn, after.phase, after.first_mover) == (3, "move_first", rolled.first_mover)
    assert rolled.turn == 2


def test_by_option_the_initiative_is_thrown_in_the_new_turn() -> None:
    facts, _, _ = run(quiet(initiative_timing="start_of_turn"), LATER)
    assert [fact.turn for fact in of(facts, InitiativeRolled)] == [3]


def test_a_new_turn_clears_the_marks_of_the_old() -> None:
    position = quiet().set("f1", moved_this_turn=True, retreated_this_turn=True, demolishes="wall A|B")
    position.now(squares_attacked=(Square("A-1"),))
    _, after, _ = run(position, LATER)
    assert not after.pieces["f1"].moved_this_turn
    assert not after.pieces["f1"].retreated_this_turn
    assert (after.pieces["f1"].demolishes, after.squares_attacked) == ("", ())


def test_each_turn_adds_its_figures_for_the_plots() -> None:
    position = quiet().put("f2", "C-6", "n", hidden=True, men=1).now(vp=Score(1, 4))
    _, after, _ = run(position, LATER)
    # The Prussians gain Roncourt; the card counts in full, for nobody may tell what it has lost.
    assert after.course == (Standing(2, Score(1, 24), Score(french=6, prussian=3)),)


def test_out_of_sight_nobody_is_given_the_figures_that_the_other_has_left() -> None:
    position = quiet().now(vp=Score(1, 4), options=Options(fog_of_war="los"))
    _, after, _ = run(position, LATER)
    assert after.course == (Standing(2, Score(1, 24), None),)


def test_the_french_alone_learn_of_the_withdrawal_when_turn_10_opens() -> None:
    facts, after, _ = run(quiet(turn=9), LATER)
    (order,) = of(facts, WithdrawalOrdered)
    assert (set(order.known), order.turn, order.square) == ({FRENCH}, 10, "D-1")
    assert after.turn == 10
    assert not of(run(quiet(turn=8), LATER)[0], WithdrawalOrdered)


def test_after_the_end_nobody_is_asked_and_the_seals_are_broken() -> None:
    sealed = {FRENCH: Sealed("ab", "cd", "place f1 at A-1\nplace f2 at A-2")}
    facts, after, _ = run(quiet(turn=15).now(sealed=sealed), {})
    assert of(facts, GameEnded)
    assert (after.phase, awaits(after).calls, awaits(after).name) == ("over", (), "the game is over")
    (shown,) = of(facts, SetupRevealed)
    assert shown.placements == ("place f1 at A-1", "place f2 at A-2")
    found = verdict(after)
    assert found is not None
    assert found.winner == "prussian" if after.vp.prussian > after.vp.french else "french"


def test_while_the_game_goes_on_there_is_no_verdict() -> None:
    assert verdict(quiet().battle) is None
    drawn = replace(quiet().battle, ended=Ended("turn_15", "draw"))
    found = verdict(drawn)
    assert found is not None
    assert found.winner is None


def test_a_phase_alone_goes_no_further() -> None:
    facts, battle = quiet("rifle").play({})
    assert (battle.phase, of(facts, PhaseBegan)) == ("rifle", [])


@pytest.mark.parametrize(
    ("mode", "stops"),
    [
        ("one_step", ["move_first"]),
        ("two_step", ["move_second", "move_first"]),
        ("three_step", ["move_second", "rifle", "move_first"]),
    ],
)
def test_a_turn_stops_where_mail_is_asked_for(mode: str, stops: list[str]) -> None:
    position = quiet("move_first", mail_mode=mode)
    found: list[str] = []
    for _ in stops:
        late = position.battle.phase != "move_first" or mode == "one_step"
        last = late and stops[len(found)] == "move_first"
        _, after, _ = run(position, LATER if last else {})
        position.battle = after
        found.append(after.phase)
    assert found == stops
    assert position.battle.turn == 3


def test_reactions_replace_older_ones_and_reset_drops_all() -> None:
    old = Reactions(
        targets=(Policy(("f1",), ("guns",)), Policy(("all",), ("cavalry",))), retreat=(Policy(("all",), ("e",)),)
    )
    position = quiet("rifle").now(reactions={FRENCH: old})
    orders = [Targets(line=1, text="targets f1 none", units=("f1",), words=("none",))]
    facts, after = position.play({}, french=orders)
    assert [policy.words for policy in after.reactions[FRENCH].targets] == [("none",), ("cavalry",)]
    assert all(set(fact.known) == {FRENCH} for fact in of(facts, ReactionSet))
    everything = [Reset(line=1, text="reset all"), Retreat(line=2, text="", units=("all",), toward=("n",))]
    _, after = position.play({}, french=everything)
    assert after.reactions[FRENCH] == Reactions(retreat=(Policy(("all",), ("n",), text=""),))
    _, after = position.play({}, french=[HOLD_ALL])
    assert [policy.words for policy in after.reactions[FRENCH].targets] == [("none",)]


def test_cards_turn_up_when_their_owner_says_so() -> None:
    position = quiet("rifle").put("f2 f3", "C-6", "n", hidden=True).put("fd1", "C-6", "n", hidden=True)
    facts, after = position.play({}, french=[Reveal(line=1, text="reveal @C-6", units=("@C-6",))])
    assert [(fact.units, fact.cause) for fact in of(facts, CardsRevealed)] == [(("f2", "f3"), "owner")]
    assert after.pieces["fd1"].hidden


def test_the_siege_gun_comes_on_in_an_exchange_without_movement_of_its_side() -> None:
    position = quiet("move_second").put("ps1 pk5", "Q-16", "s").put("f5 f6", "R-2", "s")
    position.set("ps1", on_table=False).set("pk5", on_table=False)
    assert not moves_now(position.battle, PRUSSIAN)
    facts, after, _ = run(position, LATER, prussian=[SiegeReveal(line=1, text="siege reveal")])
    assert of(facts, SiegeGunPlaced)
    assert after.pieces["ps1"].on_table


def test_only_the_prussians_learn_the_zone_of_the_siege_gun() -> None:
    script = ScriptedDice(Moment(0, 1), {"siege_zone_file": [4], "siege_zone_row": [5]})
    (rolled,) = muster(scene(), Position().world(), script)
    assert rolled.game is not None
    assert str(rolled.game.siege_zone) == "Zone(files='G-L', row=14)"
    assert set(rolled.known) == {PRUSSIAN}
    assert {die.seed for die in rolled.dice} == {"closed"}


def test_figures_in_the_box_are_those_of_the_order_of_battle() -> None:
    found = dict(counts(Position().battle))
    assert found.pop("french in the box") == 24 * 3 + 10 * 2 + 5 * 6 + 2 * 4 + 3 * 2
    assert found.pop("prussian in the box") == 36 * 3 + 15 * 2 + 5 * 6 + 3 * 4 + 3 * 2
    assert set(found.values()) == {0}


def test_towns_are_counted_before_the_initiative() -> None:
    position = quiet().now(town_state={**quiet().battle.town_state, "roncourt": TownState()})
    facts, _, _ = run(position, LATER)
    kinds = [type(fact).__name__ for fact in facts]
    assert kinds.index("TownControlChanged") < kinds.index("InitiativeRolled") < kinds.index("PhaseBegan")
