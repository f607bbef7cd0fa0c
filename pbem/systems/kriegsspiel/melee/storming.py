"""An attack on a place that is held, from the fire of its defenders to who holds it then (KS-STR, KS-BRG-11)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from msgspec.structs import replace

from pbem.kernel.event import Throw
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.field.field import under_canister
from pbem.systems.kriegsspiel.field.works_standing import class_of
from pbem.systems.kriegsspiel.melee import strongholds
from pbem.systems.kriegsspiel.melee.aftermath import at_once, beaten_side, winning_side
from pbem.systems.kriegsspiel.melee.fighters import Bout, as_they_stood, units_of, worth
from pbem.systems.kriegsspiel.melee.letters import Beaten, forced
from pbem.systems.kriegsspiel.melee.odds import with_points
from pbem.systems.kriegsspiel.melee.points import IN_STRONGHOLDS, Sides, added, of_fight
from pbem.systems.kriegsspiel.melee.second_line import lines_behind, total
from pbem.systems.kriegsspiel.play.fight_review import Decided, decided, faces_of, ruled_points
from pbem.systems.kriegsspiel.play.losses import beaten_losses, lose, melee_points
from pbem.systems.kriegsspiel.play.play import Die, Play
from pbem.systems.kriegsspiel.scene.chart import Stronghold
from pbem.systems.kriegsspiel.tables.attack import PREPARED_MOVES
from pbem.systems.kriegsspiel.tables.dice import DICE
from pbem.systems.kriegsspiel.tables.works import DEFENCE_CLASSES, STRONGHOLD_CANISTER, STRONGHOLD_FIRE, STRONGHOLD_LOSS
from pbem.systems.kriegsspiel.world.bodies import is_fresh, may_defend
from pbem.systems.kriegsspiel.world.outcomes_attack import MeleeLoss, Pointed, StrongholdAttacked, StrongholdOccupied
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.state import by_night
from pbem.systems.kriegsspiel.world.troops import ENEMY, Unit, UnitPatch

FIRE_DIE: Die = "II"


class _Storm:
    """One attack as it is worked out."""

    def __init__(self, play: Play, bout: Bout, place: Stronghold) -> None:
        self.play, self.bout, self.place = play, bout, place
        chart = play.scene.chart
        self.attackers, self.defenders = as_they_stood(play, bout.attackers), as_they_stood(play, bout.defenders)
        self.sides = Sides(
            self.attackers, self.defenders, lines_behind(play, self.attackers), lines_behind(play, self.defenders)
        )
        self.kind = strongholds.kind_of(chart, place)
        self.long = strongholds.sector(chart, place, self.attackers[0].place.at)
        defending, attacking = total(self.defenders), total(self.attackers)
        self.need: strongholds.Need = strongholds.needed(self.kind, self.long, defending)
        if self.kind == "defile":
            # Only the leading half battalion fights in front (KS-BRG-11).
            attacking = min(attacking, max(worth(unit).whole for unit in self.attackers), Fraction(self.need.attacker))
        self.fill: strongholds.Strengths = strongholds.too_few(self.need, defending, attacking)
        feature = play.war.features.get(place.id)
        side = self.attackers[0].side
        self.number = strongholds.attack_number(feature.attacks if feature is not None else (), side, play.move)
        self.fresh = strongholds.are_fresh(self.attackers, play.move)
        # Who has come in later does not make the place less long held.
        self.held = play.move - min(unit.place.held_since for unit in self.defenders if unit.place.holds)
        self.place_class = class_of(play.war, place)
        self.breached = strongholds.breached(play, place, self.attackers[0].place.at)
        if self.breached and play.war.options.breach_lowers_class:
            self.place_class = DEFENCE_CLASSES[max(DEFENCE_CLASSES.index(self.place_class) - 1, 0)]


@rule("KS-STR-03", "KS-STR-05", "KS-STR-07", "KS-STR-08", "KS-STR-09", "KS-BRG-11", "KS-BRE-06", "KS-FIR-09")
def storm(play: Play, bout: Bout, place: Stronghold) -> bool:
    """Play it; whether the attackers have the place."""
    one_ = _Storm(play, bout, place)
    _note_attack(play, one_)
    fire, fire_loss = _defenders_fire(play, one_)
    keys = (*bout.attackers, *bout.defenders)
    side = one_.attackers[0].side
    points = _points(play, one_)
    ruled = ruled_points(play, keys, side)
    if ruled:
        points.append(("ruling", ruled))
    start = strongholds.start_index("fresh" if one_.fresh else "tired", one_.number, one_.place_class, one_.held)
    odds = with_points(start, added(points))
    asks = f"{place.name}, attack {one_.number}, index {odds.step}."
    found = decided(play, "stronghold", keys, odds.die, odds.favoured, asks, side)
    wins = (found.favoured == "attackers") == (found.face.circle == "black")
    thrown = found.face.letter or "R"
    beaten = one_.defenders if wins else one_.attackers
    lettered = {unit.key: forced(thrown, _beaten(play, one_, unit, attackers_win=wins)) for unit in beaten}
    letters = {key: letter for key, (letter, _) in lettered.items()}
    letter, changes = lettered[beaten[0].key]
    costs = _costs(play, one_, found, letters, fire_loss, attackers_win=wins)
    rules = _rules(play, one_, points, found)
    play.add(
        StrongholdAttacked(
            stronghold=place.id, attackers=bout.attackers, defenders=bout.defenders, sector=one_.long,
            attack_no=one_.number, fresh=one_.fresh, place_class=one_.place_class, held_moves=one_.held,
            required_d=one_.need.defender, required_a=one_.need.attacker, fill_d=str(one_.fill.fill_d),
            fill_a=str(one_.fill.fill_a),
            points=tuple(Pointed(name, side if n >= 0 else ENEMY[side], abs(n)) for name, n in points), die=found.die,
            favoured=side if found.favoured == "attackers" else ENEMY[side], throws=faces_of(found.throws),
            fire_throws=faces_of(fire), winner=side if wins else ENEMY[side], letter_thrown=thrown,
            letter_changes=changes, letter=letter,
            losses=tuple(MeleeLoss(unit.key, n, name) for unit, n, name in costs if n),
            dice=(*fire, *found.throws), rules=cited(*rules, *(change.rule_id for change in changes)),
            changes=Changes(),
        )
    )  # fmt: skip
    for unit, number, name in costs:
        lose(play, unit, number, "melee", name)
    _leave(play, one_, letters, attackers_win=wins)
    return wins


# ------------------------------------------------------------------ the parts of it


def _note_attack(play: Play, storm_: _Storm) -> None:
    """The attack counts for the number of the next, and for who is fresh."""
    units = {
        unit.key: UnitPatch(trial=replace(unit.trial, attacked_here=(*unit.trial.attacked_here, play.move)))
        for unit in storm_.attackers
    }
    before = play.war.features.get(storm_.place.id)
    feature = strongholds.recorded(before, storm_.place.id, play.move, storm_.attackers[0].side)
    play.keep("attacks a place", Changes(units=units, features=(feature,)))


@rule("KS-STR-09", "KS-NIG-01")
def _defenders_fire(play: Play, storm_: _Storm) -> tuple[tuple[Throw, ...], int]:
    """The zugs of the defenders: Die II, the second number of the right side, for each two of them."""
    zugs = strongholds.zugs_that_fire(storm_.defenders)
    if not zugs:
        return (), 0
    throw = play.throw("stronghold_fire", storm_.attackers[0].key, FIRE_DIE)
    face = DICE[STRONGHOLD_FIRE[0]][throw.faces[0] - 1]
    numbers = face.right or (0, 0, 0, 0)
    return (throw,), strongholds.attackers_loss(numbers[STRONGHOLD_FIRE[2] - 1], zugs, night=by_night(play.war))


@rule("KS-STR-05", "KS-STR-07", "KS-ODD-10")
def _points(play: Play, storm_: _Storm) -> list[tuple[str, int]]:
    """Too few troops, canister on the defenders, and the few others that apply to a place."""
    found = of_fight(play, storm_.sides, IN_STRONGHOLDS)
    if storm_.fill.points:
        found.append(("KS-STR-05", storm_.fill.points))
    within = PREPARED_MOVES[1]
    if any(
        sum(under_canister(unit, move) for move in range(play.move - within + 1, play.move + 1)) >= STRONGHOLD_CANISTER
        for unit in storm_.defenders
    ):
        found.append(("KS-STR-07", 1))
    return found


@rule("KS-STR-08", "KS-ODD-11")
def _beaten(play: Play, storm_: _Storm, unit: Unit, *, attackers_win: bool) -> Beaten:
    """Defenders of a defile, and attackers with a second line, are only R; all others fare by the dice."""
    defile = attackers_win and storm_.kind == "defile"
    second = not attackers_win and bool(storm_.sides.behind_attackers.second)
    return Beaten(
        not_defending=not may_defend(unit, play.move),
        only_repulsed="KS-STR-08" if defile or second else "",
    )


@rule("KS-STR-09", "KS-NIG-01")
def _costs(
    play: Play, storm_: _Storm, found: Decided, letters: Mapping[str, str], fire_loss: int, *, attackers_win: bool
) -> list[tuple[Unit, int, str]]:
    """What both lose: the attackers by the zugs, the defenders by block; by option the beaten by the circle besides."""
    costs = [
        (unit, points, "KS-STR-09")
        for unit, points in zip(storm_.attackers, strongholds.spread(fire_loss, len(storm_.attackers)), strict=True)
    ]
    each = STRONGHOLD_LOSS["attack_succeeds" if attackers_win else "attack_fails"]
    for unit in storm_.defenders:
        costs.append((unit, melee_points(play.war, each, max(unit.strength.blocks, 1)), "KS-STR-09"))
    if play.war.options.stronghold_circle_losses:
        for unit in storm_.defenders if attackers_win else storm_.attackers:
            per = beaten_losses(found.face, letters[unit.key], found.die, unit.arm, d4_inf=play.war.options.die4_D_inf)
            costs.append((unit, melee_points(play.war, per, max(unit.strength.blocks, 1)), "KS-LOS-05"))
    return costs


def _rules(play: Play, storm_: _Storm, points: list[tuple[str, int]], found: Decided) -> tuple[str, ...]:
    return (
        "KS-STR-01", "KS-STR-02", "KS-STR-03", "KS-STR-04", "KS-STR-08", "KS-STR-09",
        *(name for name, _ in points if name.startswith("KS")),
        *(("KS-BRG-11",) if storm_.kind == "defile" else ()),
        *(("KS-BRE-06",) if storm_.breached else ()),
        *(("KS-STR-06",) if any(unit.place.dismounted for unit in storm_.defenders) else ()),
        *(("KS-FIR-09",) if all(unit.size == "company" for unit in storm_.defenders) else ()),
        *(("KS-NIG-01",) if by_night(play.war) else ()), *(("KS-GM-02",) if found.ruled else ()),
    )  # fmt: skip


@rule("KS-STR-08", "KS-RET-03", "KS-BRG-11", "KS-RET-08")
def _leave(play: Play, storm_: _Storm, letters: Mapping[str, str], *, attackers_win: bool) -> None:
    """Beaten defenders leave the sector; the attackers hold the outskirts, and the count of attacks begins anew."""
    bout = storm_.bout
    owed = {}
    if attackers_win and any(at_once(unit) for unit in storm_.attackers):
        each = STRONGHOLD_LOSS["attack_succeeds"]
        owed = {
            unit.key: melee_points(play.war, each, max(unit.strength.blocks, 1), halved=True)
            for unit in storm_.defenders
        }
    carried = _carried_back(play, storm_) if not attackers_win else []
    beaten_side(play, bout, storm_.sides, letters, attackers_win=attackers_win, owed=owed)
    if carried:
        beaten_side(
            play, Bout(tuple(carried), (), 0), storm_.sides, dict.fromkeys(carried, "R"), attackers_win=False, owed={},
        )  # fmt: skip
    winning_side(play, bout, attackers_win=attackers_win, letter=next(iter(letters.values()), "R"))
    if not attackers_win:
        return
    taker = play.unit(storm_.attackers[0].key)
    feature = replace(play.war.features[storm_.place.id], attacks=())
    held = [unit for unit in units_of(play, bout.attackers) if unit.arm != "artillery" and is_fresh(unit)]
    units = {
        unit.key: UnitPatch(place=replace(unit.place, holds=storm_.place.id, held_since=play.move)) for unit in held
    }
    changes = Changes(units=units, features=(feature,))
    play.add(
        StrongholdOccupied(
            stronghold=storm_.place.id, unit=taker.key, since=play.move, rules=cited("KS-STR-08"), changes=changes
        )
    )


@rule("KS-BRG-11")
def _carried_back(play: Play, storm_: _Storm) -> list[str]:
    """The beaten on a bridge cannot leave sideways: the column right behind them goes back with them."""
    if storm_.kind != "defile":
        return []
    fighting = set(storm_.bout.attackers)
    return [
        friend.key
        for friend in play.field.units(storm_.attackers[0].side, formed=True)
        if friend.key not in fighting and friend.arm == "infantry"
        and any(play.field.gap(friend, unit) <= 50 for unit in storm_.attackers)
    ]  # fmt: skip
