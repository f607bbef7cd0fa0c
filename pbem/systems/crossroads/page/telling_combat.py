"""Fire, morale, charges and melees in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.orders.prose import cap, counted, number
from pbem.rules.contract import Teller
from pbem.rules.view import Note, Told
from pbem.systems.crossroads.page.sentences import changes, told
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.scene.words import compass, inches, length, place, side_name, subject, who
from pbem.systems.crossroads.world import outcomes_combat as c
from pbem.systems.crossroads.world.fact import Fact
from pbem.systems.crossroads.world.state import Battle

SITUATIONS: Mapping[str, str] = {
    "column": "a column in the open",
    "line": "a line in the open",
    "skirmish": "skirmishers, prone troops or guns in the open",
    "far": "in the open, beyond half of the range",
    "cover": "in cover",
    "cover_far": "in cover, beyond half of the range",
}
"""The columns of the firing chart in words."""


def _own(mind: Battle, name: str, role: Role) -> bool:
    unit = mind.units.get(name)
    return unit is not None and unit.side == role


# ------------------------------------------------------------------ fire


def _fired(scene: Scene, fact: c.FireResolved, mind: Battle, role: Role) -> Sequence[Told]:
    at = f"the charge of {who(fact.target)}" if fact.volley == "defensive" else who(fact.target)
    half = " with half of its dice" if fact.half and fact.volley == "fire" else ""
    when = " after the melee" if fact.volley == "after_melee" else ""
    start = f"{cap(who(fact.firer))} fired at {at}{half}{when}, {inches(fact.range)} off"
    if fact.jammed and not fact.naturals:
        text = f"{start}, and jammed: the volley is lost."
        return [told(fact, mind, text, note=f"Red die {fact.red_die}.", weight=2, headline=f"{who(fact.firer)} jams")]
    result = f"{counted(fact.hits, 'hit')}" if fact.hits else "no hit"
    jam = " It jammed." if fact.jammed else ""
    text = f"{start}: {result}.{jam}"
    situation = SITUATIONS.get(fact.situation, fact.situation)
    harder = ", the next harder number for skirmishers" if fact.shifted else ""
    dice = changes(f"{fact.base_dice} dice", fact.dice_changes)
    thrown = f"; {counted(fact.count, 'die', 'dice')} thrown" if fact.dice_changes else ""
    red = f" Red die {fact.red_die}." if fact.red_die else ""
    note = f"{cap(situation)}{harder}: {fact.need} or more hits. {dice}{thrown}.{red}"
    return [told(fact, mind, text, note=note, weight=min(fact.hits, 3), headline=_fire_headline(fact))]


def _fire_headline(fact: c.FireResolved) -> str:
    return f"{cap(number(fact.hits))} of {fact.target} hit" if fact.target else "Fire"


def _lost(scene: Scene, fact: c.FiguresLost, mind: Battle, role: Role) -> Sequence[Told]:
    unit = mind.units.get(fact.unit)
    text = f"{cap(who(fact.unit))} lost {number(fact.count)}"
    if fact.losses and unit is not None and unit.strength:
        left = max(unit.strength - fact.losses, 0)
        text += f", {left} of {unit.strength} left"
        if fact.level_after != fact.level_before and left:
            text += f", level {fact.level_after} now"
    return [told(fact, mind, f"{text}.")]


def _officer(scene: Scene, fact: c.OfficerTested, mind: Battle, role: Role) -> Sequence[Told]:
    officer = mind.officers.get(fact.officer)
    rolled = f"{fact.officer}: {fact.natural}, " if fact.natural and fact.officer else ""
    if not fact.killed:
        return [told(fact, mind, "", note=f"{rolled}unhurt." if rolled else "")]
    name = officer.name if officer is not None else "An officer"
    text = f"{name} fell with {fact.unit}." if fact.unit else f"{name} fell."
    return [told(fact, mind, cap(text), note=f"{rolled}killed.", weight=6, headline=f"{name} killed")]


# ------------------------------------------------------------------ morale


def _rolled(fact: c.RallyRolled | c.MoraleChecked) -> str:
    """The small print of a check; empty if its numbers are not known."""
    check = f"{who(fact.unit)}, {fact.row}"
    if not fact.natural:
        return f"{check}: level {fact.level} passes." if not fact.level else ""
    added = "".join(f", {one.name.replace('_', ' ')} {one.value:+d}" for one in fact.bonus)
    counts = f", counts {fact.total}" if fact.bonus else ""
    return f"{check} at level {fact.level}: D{fact.die_sides} {fact.natural}{added}{counts}; {fact.need}+ passes."


RALLIES: Mapping[str, Mapping[str, str]] = {
    "shaken": {
        "pass": "rallied",
        "S": "could not be rallied and stays shaken",
        "WD": "could not be rallied and withdraws",
    },
    "withdrawn": {
        "pass": "rallied",
        "WD": "could not be rallied and falls back again",
        "R": "broke when it was to rally",
    },
    "routed": {"pass": "rallied from its rout", "R": "could not be rallied and flees again"},
}


def _rallied(scene: Scene, fact: c.RallyRolled, mind: Battle, role: Role) -> Sequence[Told]:
    said = RALLIES.get(fact.from_status, {}).get(fact.result, "rallied" if fact.result == "pass" else "did not rally")
    name = who(fact.unit)
    return [told(fact, mind, f"{cap(name)} {said}.", note=_rolled(fact), weight=1, headline=f"{name} {said}")]


def _checked(scene: Scene, fact: c.MoraleChecked, mind: Battle, role: Role) -> Sequence[Told]:
    note = _rolled(fact)
    if fact.result == "pass" and not fact.natural:
        return [told(fact, mind, "", note=note if _own(mind, fact.unit, role) else "")]
    cause = f" (from {fact.trigger})" if fact.trigger and fact.row in _CAUSED else ""
    unit = mind.units.get(fact.unit)
    came = AGAIN.get((unit.status if unit is not None else "", fact.result)) or CAME[fact.result]
    text = f"{cap(who(fact.unit))} checked {fact.row}{cause} and {came}."
    weight = {"pass": 0, "S": 2, "WD": 3, "R": 5}[fact.result]
    headline = f"{who(fact.unit)} {came}"
    return [told(fact, mind, text, note=note, weight=weight, headline=cap(headline))]


CAME: Mapping[str, str] = {"pass": "passed", "S": "is shaken", "WD": "withdraws", "R": "routs"}
"""What a check came to."""

AGAIN: Mapping[tuple[str, str], str] = {
    ("shaken", "S"): "stays shaken",
    ("withdrawn", "S"): "stays withdrawn",
    ("withdrawn", "WD"): "falls back again",
    ("routed", "S"): "flees again",
    ("routed", "WD"): "flees again",
    ("routed", "R"): "flees again",
}
"""The same for a unit that was so, or worse, before: a check never makes anything better (GC-MOR-08)."""

_CAUSED = ("Flank/Rear Threat", "FU Routs")


def _marked(scene: Scene, fact: c.StatusChanged, mind: Battle, role: Role) -> Sequence[Told]:
    marker = f"{who(fact.unit)}: {fact.marker} marker." if fact.marker else ""
    return [told(fact, mind, "", note=marker)]


def _back(scene: Scene, fact: c.WentBack, mind: Battle, role: Role) -> Sequence[Told]:
    verb = "fell back" if isinstance(fact, c.UnitWithdrew) else "fled"
    if fact.edge:
        return [told(fact, mind, f"{cap(who(fact.unit))} {verb} to the edge of the table.")]
    far = f" {inches(fact.inches)}" if fact.inches else ""
    if not fact.inches and fact.to is not None:
        return [told(fact, mind, f"{cap(who(fact.unit))} found no way to go.")]
    end = f" to {place(fact.to)}, facing {compass(fact.facing)}" if fact.to is not None else " out of sight"
    return [told(fact, mind, f"{cap(who(fact.unit))} {verb}{far}{end}.")]


# ------------------------------------------------------------------ charges


def _charge(scene: Scene, fact: c.ChargeStarted, mind: Battle, role: Role) -> Sequence[Told]:
    text = f"{cap(who(fact.unit))} charged {who(fact.target)}, {inches(fact.distance)} off."
    note = f"{counted(fact.volleys, 'volley', 'volleys')} for {length(fact.distance)} inches."
    headline = f"{cap(who(fact.unit))} charges {who(fact.target)}"
    return [told(fact, mind, text, note=cap(note), weight=3, headline=headline)]


def _charge_ended(scene: Scene, fact: c.ChargeEnded, mind: Battle, role: Role) -> Sequence[Told]:
    at = f" at {place(fact.to)}" if fact.to is not None else ""
    name = who(fact.unit)
    text = {
        "contact": f"{cap(name)} reached {who(fact.target)}.",
        "morale": f"The charge of {name} broke down{at}.",
        "stopped": f"The charge of {name} was stopped{at}.",
        "short": f"The charge of {name} fell short{at}.",
        "no_contact": f"{cap(name)} met nobody; the charge ended{at}.",
    }[fact.why]
    beaten = fact.why in ("morale", "stopped")
    headline = f"The charge of {name} stopped" if beaten else ""
    return [told(fact, mind, text, weight=5 if beaten else 0, headline=headline)]


def _round(scene: Scene, fact: c.MeleeRound, mind: Battle, role: Role) -> Sequence[Told]:
    au, du = who(fact.au), who(fact.du)
    text = (
        f"Round {fact.round}: {au} {counted(fact.au_hits, 'hit')} of {counted(fact.au_count, 'die', 'dice')}, "
        f"{du} {number(fact.du_hits) if fact.du_hits else 'none'} of {number(fact.du_count)}."
    )
    base = "dice of its level"
    notes = (
        Note(f"Attacker {au}: {changes(f'{fact.au_base} {base}', fact.au_mods)}; 8 or more hits.", fact.dice[:1]),
        Note(
            f"Defender {du}: {changes(f'{fact.du_base} {base}', fact.du_mods)}; 8 or more hits.",
            fact.dice[1:],
            fact.rules,
        ),
    )
    return [replace(told(fact, mind, text, weight=2, headline=f"{cap(au)} against {du}"), notes=notes)]


def _melee_ended(scene: Scene, fact: c.MeleeEnded, mind: Battle, role: Role) -> Sequence[Told]:
    rounds, winner, loser = counted(fact.rounds, "round"), cap(fact.winner), cap(fact.loser)
    if not winner and not loser:
        text, headline = f"After {rounds} neither had the better of it.", "A melee nobody won"
    elif not loser:
        text, headline = f"{winner} was left on the field after {rounds}.", f"{winner} wins hand to hand"
    elif not winner:
        text, headline = f"{loser} was beaten after {rounds}.", f"{fact.loser} beaten"
    else:
        text = f"{winner} had the better of {fact.loser} after {rounds}."
        headline = f"{winner} beats {fact.loser} hand to hand"
    return [told(fact, mind, text, weight=6 if winner or loser else 4, headline=headline)]


def _surrendered(scene: Scene, fact: c.UnitSurrendered, mind: Battle, role: Role) -> Sequence[Told]:
    to = f" to {fact.by}" if fact.by else ""
    text = f"{subject(mind, fact.unit)} laid down its arms{to}."
    return [told(fact, mind, cap(text), weight=7, headline=f"{cap(who(fact.unit))} surrenders")]


def _destroyed(scene: Scene, fact: c.UnitDestroyed, mind: Battle, role: Role) -> Sequence[Told]:
    if fact.why == "guns_left":
        text = f"{subject(mind, fact.unit)} left its guns and is no more."
    else:
        text = f"{subject(mind, fact.unit)} is destroyed."
    return [told(fact, mind, cap(text), weight=7, headline=f"{cap(who(fact.unit))} destroyed")]


def _left(scene: Scene, fact: c.UnitLeftField, mind: Battle, role: Role) -> Sequence[Told]:
    if fact.exit:
        text = f"{subject(mind, fact.unit)} marched off the table as ordered."
        return [told(fact, mind, cap(text), weight=5, headline=f"{cap(who(fact.unit))} marches off")]
    text = f"{subject(mind, fact.unit)} was driven off the table."
    return [told(fact, mind, cap(text), weight=7, headline=f"{cap(who(fact.unit))} driven from the field")]


def _advanced(scene: Scene, fact: c.AdvancedIntoSpace, mind: Battle, role: Role) -> Sequence[Told]:
    at = f" at {place(fact.to)}" if fact.to is not None else ""
    return [told(fact, mind, f"{cap(who(fact.unit))} moved into the space{at}.")]


def _captured(scene: Scene, fact: c.GunsCaptured, mind: Battle, role: Role) -> Sequence[Told]:
    taker = fact.by or (side_name(scene, fact.by_side) if fact.by_side else "the enemy")
    guns = f"The guns of {fact.unit}" if fact.unit else "Guns that were left behind"
    return [told(fact, mind, f"{guns} are in the hands of {taker}.", weight=6, headline=f"{guns} taken")]


COMBAT: Mapping[type[Fact], Teller] = {
    c.FireResolved: _fired,
    c.FiguresLost: _lost,
    c.OfficerTested: _officer,
    c.RallyRolled: _rallied,
    c.MoraleChecked: _checked,
    c.StatusChanged: _marked,
    c.UnitWithdrew: _back,
    c.UnitRouted: _back,
    c.ChargeStarted: _charge,
    c.ChargeEnded: _charge_ended,
    c.MeleeRound: _round,
    c.MeleeEnded: _melee_ended,
    c.UnitSurrendered: _surrendered,
    c.UnitDestroyed: _destroyed,
    c.UnitLeftField: _left,
    c.AdvancedIntoSpace: _advanced,
    c.GunsCaptured: _captured,
}
"""How each kind of fact of fire, morale and melee is told."""
