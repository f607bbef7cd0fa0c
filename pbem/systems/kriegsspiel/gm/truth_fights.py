"""Fire and fights in the umpire's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.wording import place_words
from pbem.systems.kriegsspiel.tables.fire import MAN_TW
from pbem.systems.kriegsspiel.world import outcomes_attack as a
from pbem.systems.kriegsspiel.world import outcomes_fire as f
from pbem.systems.kriegsspiel.world.fact import Fact

Words = Callable[[Scene, Any], str]  # type: ignore[explicit-any] # one function for each kind of fact


def named(key: str) -> str:
    """A key of the truth as the umpire reads it.

    >>> named("red:1/F"), named("dorn")
    ('red 1/F', 'dorn')
    """
    return key.replace(":", " ", 1)


def men(tw: int) -> str:
    """Twelfths of men, as men.

    >>> men(1200), men(12)
    ('100 men', '1 man')
    """
    whole = (tw + 6) // MAN_TW
    return f"{whole} {'man' if whole == 1 else 'men'}"


def _all(keys: tuple[str, ...]) -> str:
    return " and ".join(named(key) for key in keys)


def _plain(word: str) -> str:
    return word.replace("_", " ")


def _fire(scene: Scene, one: f.FireResolved) -> str:
    """The points, reckoned again in a line: what is 1 is left out."""
    del scene
    parts = [("units", one.units), ("share", one.share), *((factor.rule_id, factor.value) for factor in one.factors)]
    parts += [("cover", one.cover_factor), ("night", one.night_factor), ("ammunition", one.ammunition_part)]
    reckoned = "".join(f" × {value} ({name})" for name, value in parts if value != "1")
    exact = "" if one.points_exact == str(one.points) else f", exactly {one.points_exact}"
    worth = f", {men(one.men_tw)}" if one.men_tw else ""
    quality = f", {one.quality}" + (f" ({', '.join(one.reasons)})" if one.reasons else "") if one.quality else ""
    return (
        f"{named(one.firer)} on {named(one.target)}, {one.distance} paces, {_plain(one.weapon)}, {_plain(one.shot)}"
        f"{quality}: {one.table_number}{reckoned} = {one.points} points{exact}{worth}"
        f" ({', '.join(f'{part} {points}' for part, points in one.parts)})."
    )


def _odds(one: a.MeleeResolved | a.StrongholdAttacked) -> str:
    changed = f", by the rules {one.letter}" if one.letter != one.letter_thrown else ""
    winner = "nobody wins" if one.winner in ("", "none") else f"{one.winner} wins, {one.letter_thrown}{changed}"
    return f"die {one.die} for {one.favoured or 'neither'}, it fell {', '.join(map(str, one.throws))}: {winner}."


def _melee(scene: Scene, one: a.MeleeResolved) -> str:
    del scene
    return (
        f"{_all(one.attackers)} on {_all(one.defenders)}: difference {one.difference}, from {one.start_index} "
        f"({one.start_rule}) to {one.index}; {_odds(one)}"
    )


def _stronghold(scene: Scene, one: a.StrongholdAttacked) -> str:
    del scene
    return (
        f"{_all(one.attackers)} on {one.stronghold}, held by {_all(one.defenders) or 'nobody'}: attack "
        f"{one.attack_no}, {'fresh' if one.fresh else 'not fresh'}, filled {one.fill_a} against {one.fill_d}; "
        f"{_odds(one)}"
    )


LOSSES: Mapping[type[Fact], Words] = {
    f.LossApplied: lambda scene, one: (
        f"{named(one.unit)} loses {one.points} points by {_plain(one.cause)} ({one.part}), {men(one.men_tw)}: "
        f"{one.new_fraction}"
    ),
    f.PieceExchanged: lambda scene, one: (
        f"{named(one.battalion)}: {one.start} gives way to the {one.to} piece at {one.points_lost} points"
    ),
    f.BlockRemoved: lambda scene, one: (
        f"{named(one.unit)}: a {_plain(one.what)} is taken off, {men(one.survivors_tw)} are left"
        + (f" as {one.remnant_id}" if one.remnant_id else "")
    ),
    f.GunsLost: lambda scene, one: f"{named(one.battery)} loses {one.guns} guns; {one.points} points are carried on",
    f.AmmunitionUsed: lambda scene, one: f"{named(one.battery)} has used {one.used} of {one.what}, {one.left} are left",
    f.FireHeld: lambda scene, one: f"{named(one.firer)} does not fire: {_plain(one.reason)}",
}
"""What the apparatus counts, told together for a move."""

FIGHTS: Mapping[type[Fact], Words] = {
    f.FireResolved: _fire,
    f.CanisterTested: lambda scene, one: (
        f"{named(one.target)} under the canister of {named(one.battery)}: {one.result}."
    ),
    a.AttackDeclared: lambda scene, one: (
        f"{named(one.attacker)} on {named(one.target)}, from {one.distance} paces, {place_words(scene, one.at)}."
    ),
    a.AttackAnswered: lambda scene, one: (
        f"{named(one.target)}: {_plain(one.answer)}, {'as ordered' if one.by == 'order' else 'of itself'}."
    ),
    a.AttackEnded: lambda scene, one: f"{named(one.attacker)}: {_plain(one.reason)}.",
    a.MeleeResolved: _melee,
    a.Foregone: lambda scene, one: (
        f"{_all(one.attackers)} on {_all(one.defenders)}: decided without a throw, difference {one.difference}."
    ),
    a.StrongholdAttacked: _stronghold,
    a.StrongholdOccupied: lambda scene, one: f"{named(one.unit)} holds {one.stronghold}.",
    a.RetreatStarted: lambda scene, one: (
        f"{named(one.unit)} goes back {one.moves} moves ({one.letter}), towards {place_words(scene, one.to)}."
    ),
    a.StateChanged: lambda scene, one: (
        f"{named(one.unit)}: {_plain(one.start)}, now {_plain(one.to)}; defends itself from move {one.recover_defend}, "
        f"attacks from move {one.recover_attack}."
    ),
    a.PursuitMoved: lambda scene, one: (
        f"{named(one.unit)} pursues {one.paces} paces, move {one.move_no}{', half of it' if one.half else ''}."
    ),
    a.BatteryAttacked: lambda scene, one: (
        f"{_all(one.attackers)} on {named(one.battery)}, {one.situation}: die {one.die} for {one.favoured}, it fell "
        f"{', '.join(map(str, one.throws))}: {one.winner} wins."
    ),
    a.BatteryTaken: lambda scene, one: f"{named(one.battery)} is taken by {named(one.by)}.",
    a.BatteryRetaken: lambda scene, one: f"{named(one.battery)} is retaken by {named(one.by)}.",
    a.PrisonersTaken: lambda scene, one: f"{named(one.by)} takes {men(one.men_tw)} of {named(one.unit)}.",
    f.Recovered: lambda scene, one: f"{named(one.unit)}: {_plain(one.what)} again.",
}
"""What is told by itself."""
