"""Fire and losses in words: all that befalls a target in one fire makes one paragraph with a table of the shots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.kernel.names import Role
from pbem.orders.prose import cap, counted, number, signed
from pbem.rules.contract import Teller
from pbem.rules.view import Told
from pbem.systems.half_league.page.sentences import Save, told
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.words import brief, called, dice, factors, headline_name, inches, where, whose
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world import outcomes_combat as c
from pbem.systems.half_league.world.fact import Fact
from pbem.systems.half_league.world.state import Battle

PRIORITIES: Mapping[str, str] = {
    "charging": "it was charging",
    "firing": "it was firing at them",
    "advancing": "it was advancing on them",
    "nearest": "it was the nearest",
}


def _row_words(fact: c.FireResolved) -> str:
    target = [fact.column, *(["cover"] if fact.cover else []), *(["skirmish"] if fact.skirmish else [])]
    return "; ".join(one for one in (fact.row.replace("_", ", "), ", ".join(target)) if one)


def _fire(scene: Scene, fact: c.FireResolved, mind: Battle, role: Role) -> Sequence[Told]:
    hits = f"{fact.raw_hits} halved: {fact.hits}" if fact.halved and fact.raw_hits else str(fact.hits)
    needed = f"{fact.need}{f', {signed(fact.modifier)}' if fact.modifier else ''}" if fact.need else ""
    firer = called(mind, fact.firer)
    text = f"{firer} fired at {called(mind, fact.target)} with {counted(len(fact.natural), 'die')}"
    text += f": {counted(fact.hits, 'possible hit')}."
    whence = (str(fact.stands), inches(fact.range)) if fact.row else ("", "")
    row = (firer, *whence, _row_words(fact), dice(fact.natural), needed, hits)
    lead, headline = f"Fire at {called(mind, fact.target)}.", f"Fire on {headline_name(mind, fact.target)}"
    shot, note = (len(fact.natural), fact.hits), _fire_note(fact)
    return told(fact, mind, text, note=note, lead=lead, box="fire", rows=(row,), shot=shot, weight=1, headline=headline)


def _fire_note(fact: c.FireResolved) -> str:
    target = f", {PRIORITIES[fact.priority]}" if fact.priority in PRIORITIES else ""
    modifiers = f"; {factors(fact.modifiers)}" if fact.modifiers else ""
    shifted = "; cover and skirmish order: one column to the right" if fact.shifted else ""
    twice = "; canister fires twice" if fact.canister else ""
    return f"{cap(brief(fact.firer))} at {brief(fact.target)}{target}{modifiers}{shifted}{twice}."


def _sixes(scene: Scene, fact: c.SixesCounted, mind: Battle, role: Role) -> Sequence[Told]:
    if not (fact.chits or fact.leader_tests):
        return []
    brings = [counted(fact.chits, "chit")] if fact.chits else []
    brings += [counted(fact.leader_tests, "possible leader kill")] if fact.leader_tests else []
    text = f"{number(fact.total_sixes)} sixes so far bring {' and '.join(brings)}."
    return told(fact, mind, text)


def _save(scene: Scene, fact: c.SaveRolled, mind: Battle, role: Role) -> Sequence[Told]:
    modifiers = factors(fact.modifiers)
    said = "saved" if fact.saved else "a figure lost"
    against = f" against {fact.need}" if fact.need else ""
    rolled = f"{fact.natural}{against}{f', {modifiers}' if modifiers else ''}" if fact.natural else "no save"
    unit = mind.units.get(fact.unit)
    text = f"{brief(fact.unit)}, hit {fact.number}: {rolled}: {said}."
    save = Save(fact.unit, fact.natural, fact.need, fact.saved, modifiers, called(mind, fact.unit))
    lost = (unit.front, 1) if unit is not None and not fact.saved else None
    return told(fact, mind, text, save=save, lost=lost)


def _figure(scene: Scene, fact: o.FigureLost, mind: Battle, role: Role) -> Sequence[Told]:
    """Told with the save that failed, but for one that the GM took."""
    if fact.cause != "ruling":
        return []
    return told(fact, mind, f"{called(mind, fact.unit)} lost a figure.")


def _stand(scene: Scene, fact: o.StandLost, mind: Battle, role: Role) -> Sequence[Told]:
    left = f"{number(fact.stands_left)} {'is' if fact.stands_left == 1 else 'are'} left"
    unit = mind.units.get(fact.unit)
    what = "gunner" if unit is not None and unit.guns else "stand"
    text = f"{brief(fact.unit)} lost a {what}: {left}."
    stand, headline = (fact.unit, fact.stands_left, what), f"{cap(headline_name(mind, fact.unit))} loses a {what}"
    return told(fact, mind, text, stand=stand, weight=3, headline=headline)


def _who(mind: Battle, who: str, unit: str) -> str:
    return f"the commander of {brief(unit)}" if who == "unit commander" else called(mind, who)


def _tested(scene: Scene, fact: c.LeaderTested, mind: Battle, role: Role) -> Sequence[Told]:
    if fact.killed:
        return told(fact, mind, "", note=_test_note(mind, fact))
    text = f"{_who(mind, fact.who, fact.unit)} was in danger and came off."
    return told(fact, mind, text, note=_test_note(mind, fact))


def _test_note(mind: Battle, fact: c.LeaderTested) -> str:
    """The die of one leader; he is named, since several may stand together under one combat."""
    who = _who(mind, fact.who, fact.unit)
    if not fact.natural:
        return f"No save for {who}."
    against = f" against {fact.need}" if fact.need else ""
    modifier = f", {signed(fact.modifier)}" if fact.modifier else ""
    return f"Save of {who}: {fact.natural}{against}{modifier}."


def _killed(scene: Scene, fact: c.LeaderKilled, mind: Battle, role: Role) -> Sequence[Told]:
    who = _who(mind, fact.who, fact.unit)
    points = ""
    if fact.rank == "unit_commander" and (fact.points_before or fact.points_after) and whose(fact.side, role):
        left = f"{number(fact.points_after)} {'is' if fact.points_after == 1 else 'are'} left"
        points = f" Of its {counted(fact.points_before, 'point')} {left if fact.points_after else 'none is left'}."
    short = "" if fact.rank == "unit_commander" else who.rpartition(" (")[0] or who
    headline = f"{short} is killed" if short else f"{headline_name(mind, fact.unit)} loses its commander"
    text = f"{who} was killed at {where(scene, fact.at)}.{points}"
    weight = {"unit_commander": 4, "brigadier": 7, "army_commander": 9}[fact.rank]
    gist = f"{who} was killed."
    return told(fact, mind, text, weight=weight, headline=cap(headline), gist=gist)


FIRE: Mapping[type[Fact], Teller] = {
    c.FireResolved: _fire,
    c.SixesCounted: _sixes,
    c.SaveRolled: _save,
    o.FigureLost: _figure,
    o.StandLost: _stand,
    c.LeaderTested: _tested,
    c.LeaderKilled: _killed,
}
"""How fire and losses are told."""
