"""What must hold of any fight: nobody falls twice, nobody learns what is hidden, and minds stay true."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from pbem.ground.square import Square
from pbem.kernel.dice import SeededDice
from pbem.kernel.names import FULL, Moment, Role
from pbem.orders.sheet import Order
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.sight import open_enemies
from pbem.systems.st_privat.mind.memory import learn
from pbem.systems.st_privat.turn.setup import counts
from pbem.systems.st_privat.turn.turn import resolve
from pbem.systems.st_privat.world.fact import Fact
from pbem.systems.st_privat.world.orders import Charge, Fire, Shoot
from pbem.systems.st_privat.world.outcomes import TownControlChanged, seen
from pbem.systems.st_privat.world.outcomes_combat import LossesApplied, RifleFireResolved, UnitRemoved
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, SIDES, Facing, Place
from pbem.systems.st_privat.world.state import Battle, evolve
from tests.systems.st_privat.field import Position, of, scene

FACINGS: tuple[Facing, ...] = ("n", "e", "s", "w")
LUCKS = range(12)


@dataclass
class Fought:
    """What came of a fight, the truth and the minds after it, and what each side was told."""

    before: Battle
    facts: list[Fact]
    truth: Battle
    minds: dict[Role, Battle]
    told: dict[Role, list[Fact]]


class Box:
    """The pieces that are not yet on the board."""

    def __init__(self) -> None:
        self.stands = {
            FRENCH: [f"f{n}" for n in range(1, 25)],
            PRUSSIAN: [f"p{n}" for n in range(1, 37)],
        }
        self.horse = {
            FRENCH: [f"fc{n}" for n in range(1, 11)],
            PRUSSIAN: [f"pc{n}" for n in range(1, 16)],
        }
        self.guns = {FRENCH: ["fg1 fk1", "fm1 fk4"], PRUSSIAN: ["pg1 pk1", "pg2 pk2 pl2 pt2", "pg4 pk4"]}
        self.dummies = [f"fd{n}" for n in range(1, 17)]


def take(names: list[str], number: int) -> str:
    """The next few pieces of a box."""
    taken = names[:number]
    del names[:number]
    return " ".join(taken)


def crowded(chance: Random, **options: object) -> Position:
    """A crowded field round St. Privat: troops of both sides anywhere, French cards in the town."""
    position, box = Position("rifle", turn=2, **options), Box()
    town = position.scene.towns["st-privat"].squares
    squares = [Square(f"{file}-{row}") for file in "FGHIJKLM" for row in range(6, 14)]
    chance.shuffle(squares)
    for at in squares[:40]:
        side, face = chance.choice(SIDES), chance.choice(FACINGS)
        hidden = side == FRENCH and at in town
        kind = chance.choice(("stands", "stands", "horse", "guns", "dummies"))
        if kind == "dummies" and hidden:
            position.put(take(box.dummies, chance.randint(1, 3)), at, face, hidden=True)
        elif kind == "guns" and box.guns[side]:
            position.put(take(box.guns[side], 1), at, face, deployed=True, hidden=hidden)
        elif kind == "horse" and not hidden:
            position.put(take(box.horse[side], chance.randint(1, 4)), at, face)
        else:
            within = position.field.building(at) is not None and chance.random() < 0.5
            where: Place = "inside" if within else "outside"
            number = chance.randint(1, 3)
            column = number > 1 and not within and chance.random() < 0.5
            names = take(box.stands[side], number)
            position.put(names, at, face, "column" if column else "line", where, hidden=hidden)
    for name, side in (("fh1", FRENCH), ("ph1", PRUSSIAN)):
        position.put(name, chance.choice([p.square for p in position.field.own(side) if p.square is not None]))
    return position


def sheet(position: Position, side: Role, chance: Random) -> list[Order]:
    """Random orders to fire and charge, many of them impossible."""
    found: list[Order] = []
    squares = sorted(position.field.by_square)
    for line, piece in enumerate(position.field.own(side), start=1):
        at = chance.choice(squares)
        if piece.kind == "infantry" and chance.random() < 0.5:
            found.append(Fire(line=line, text="", units=(piece.id,), square=at, otherwise=chance.choice(squares)))
        if piece.kind == "infantry" and chance.random() < 0.2 and piece.square is not None:
            beside = chance.choice(position.scene.board.neighbours(piece.square))
            found.append(Charge(line=line, text="", units=(f"@{piece.square}",), square=beside))
        if piece.kind == "field_gun":
            shell = chance.random() < 0.7
            found.append(
                Shoot(
                    line=line, text="", gun=piece.id, square=at, ammunition="shell" if shell else "shot",
                    aim="structure" if shell and chance.random() < 0.4 else "troops", danger=chance.random() < 0.5,
                )
            )  # fmt: skip
    return found


def fight(luck: int, **options: object) -> Fought:
    """Fight from rifle fire to the end of the turn on a crowded field."""
    chance = Random(luck)
    position = crowded(chance, **options)
    sheets = {side: sheet(position, side, chance) for side in SIDES}
    seed = hashlib.sha256(str(luck).encode()).digest()
    dice = SeededDice(Moment(2, 2), open_seed=seed, closed_seed=seed, forced={})
    found = resolve(position.scene, position.world(), sheets, {}, dice, "pause").facts
    truth, minds = position.battle, dict(position.world().minds)
    told: dict[Role, list[Fact]] = {side: [] for side in SIDES}
    for fact in found:
        truth = evolve(truth, fact)
        for role, aspect in fact.known.items():
            form = fact if aspect == FULL else seen(fact, aspect, role)
            if form is not None:
                told[role].append(form)
                minds[role] = learn(minds[role], form)
    return Fought(position.battle, list(found), truth, minds, told)


@pytest.mark.parametrize("luck", LUCKS)
def test_nobody_loses_more_than_he_has_and_nothing_vanishes(luck: int) -> None:
    fought = fight(luck)
    assert of(fought.facts, RifleFireResolved)
    assert sum(counts(fought.before).values()) == sum(counts(fought.truth).values())
    assert all(loss.figures_left >= 0 and loss.figures_lost > 0 for loss in of(fought.facts, LossesApplied))
    assert all(piece.left >= 0 for piece in fought.truth.pieces.values())
    gone = [fact.unit for fact in of(fought.facts, UnitRemoved)]
    assert len(gone) == len(set(gone))
    assert not [p for p in fought.truth.pieces.values() if p.stands and p.kind == "infantry" and p.men == 0]


@pytest.mark.parametrize("luck", LUCKS)
def test_the_score_is_the_sum_of_what_was_removed_and_taken(luck: int) -> None:
    fought = fight(luck)
    towns = sum(fact.points_awarded for fact in of(fought.facts, TownControlChanged))
    removed = sum(fact.points for fact in of(fought.facts, UnitRemoved) if fact.to_side == PRUSSIAN)
    assert fought.truth.vp.prussian - fought.before.vp.prussian == removed + towns


@pytest.mark.parametrize("luck", LUCKS)
def test_the_enemy_never_hears_of_what_lies_face_down(luck: int) -> None:
    fought = fight(luck)
    down = {p.id for p in fought.truth.pieces.values() if p.hidden}
    words = set(re.findall(r"\b[a-z]+\d+\b", " ".join(map(str, fought.told[PRUSSIAN]))))
    assert not down & words


@pytest.mark.parametrize("luck", LUCKS)
@pytest.mark.parametrize("fog", ["table", "los"])
def test_minds_know_what_can_be_seen(luck: int, fog: str) -> None:
    fought = fight(luck, fog_of_war=fog)
    field = Field(scene(), fought.truth)
    for side, mind in fought.minds.items():
        own = {name: p for name, p in mind.pieces.items() if p.side == side}
        assert own == {name: p for name, p in fought.truth.pieces.items() if p.side == side}
        enemies = {p.id: p for p in mind.pieces.values() if p.side != side and p.stands}
        assert enemies == {p.id: p for p in open_enemies(field, side)}
    counted = {key: shown for at in field.by_square for key, shown in field.shown_cards(at, FRENCH).items()}
    assert fought.minds[PRUSSIAN].cards == {key: shown for key, shown in counted.items() if shown.count}


@pytest.mark.parametrize("luck", [1, 2])
def test_a_hidden_piece_may_be_anything_to_the_enemy(luck: int) -> None:
    # The same field with another card under a town's card that did nothing: the Prussians hear the same.
    chance = Random(luck)
    position = crowded(chance)
    down = [p for p in position.field.own(FRENCH) if p.hidden and p.kind == "infantry" and p.men == 3]
    dummy = next(p for p in position.battle.pieces.values() if p.kind == "dummy" and not p.stands)
    sheets = {PRUSSIAN: [Fire(line=1, text="", units=("all",), square=down[0].square or Square("A-1"))]}
    seed = hashlib.sha256(str(luck).encode()).digest()

    def heard(swapped: bool) -> list[str]:
        battle = position.battle
        if swapped:
            there = down[0]
            card = {"square": there.square, "facing": there.facing, "place": there.place, "hidden": True}
            changed = Position().now(pieces=dict(battle.pieces)).set(dummy.id, **card)
            battle = changed.set(there.id, square=None, hidden=False).battle
        again = Position("rifle", turn=2).now(pieces=battle.pieces)
        dice = SeededDice(Moment(2, 2), open_seed=seed, closed_seed=seed, forced={})
        facts = resolve(again.scene, again.world(), sheets, {}, dice, "phase").facts
        return [
            str(fact if fact.known[PRUSSIAN] == FULL else seen(fact, fact.known[PRUSSIAN], PRUSSIAN))
            for fact in facts
            if PRUSSIAN in fact.known
        ]

    assert heard(swapped=False) == heard(swapped=True)


def test_the_order_of_hashes_changes_nothing() -> None:
    code = (
        "import hashlib\n"
        "from tests.systems.st_privat.test_fire_properties import fight\n"
        "print(hashlib.sha256(repr(fight(3).facts).encode()).hexdigest())\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1", "2")
    }
    assert len(found) == 1
