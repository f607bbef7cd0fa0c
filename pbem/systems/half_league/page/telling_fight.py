"""Charges, close combat, flight and what became of guns, in words; a combat has its dice in a box."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.ground.plane import distance
from pbem.kernel.names import Role
from pbem.orders.prose import cap, counted, listed
from pbem.rules.contract import Teller
from pbem.rules.view import Told
from pbem.systems.half_league.page.sentences import told
from pbem.systems.half_league.scene import words
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.words import brief, called, dice, factors, headline_name, inches, long, where
from pbem.systems.half_league.tables.printed import INCH, MORALE_NEED, TENTH
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world import outcomes_combat as c
from pbem.systems.half_league.world.fact import UNSEEN, Fact
from pbem.systems.half_league.world.pieces import ENEMY, side_of
from pbem.systems.half_league.world.state import Battle

FREELY = ("destination", "maximum", "dice", "turned")
"""Ends of a way at which nothing stood in it."""


# ------------------------------------------------------------------ charges


def _test(fact: c.ChargeMorale) -> str:
    if fact.auto:
        return "Passed without a throw."
    stands = f", {counted(fact.stands - 1, 'stand')} and the leader's" if fact.stands else ""
    chits = f", less {counted(fact.chits, 'chit')}" if fact.chits else ""
    total = f": {fact.total}" if fact.total else ""
    return f"Die {fact.natural}{stands}{chits}{total}; {MORALE_NEED} is needed."


def _charge_test(scene: Scene, fact: c.ChargeMorale, mind: Battle, role: Role) -> Sequence[Told]:
    if fact.passed:
        return told(fact, mind, f"{brief(fact.unit)} went forward.", note=_test(fact))
    text, headline = f"{called(mind, fact.unit)} would not charge.", f"{headline_name(mind, fact.unit)} will not charge"
    return told(fact, mind, text, note=_test(fact), weight=4, headline=headline, gist=text)


def _stand_test(scene: Scene, fact: c.DefenderMorale, mind: Battle, role: Role) -> Sequence[Told]:
    if not fact.tested:
        return told(fact, mind, "", note=f"At {fact.ratio} {brief(fact.unit)} need not test.", about=(), follows=True)
    total = f": {fact.total}; {MORALE_NEED} is needed" if fact.total else ""
    note = f"{fact.ratio}: {'passed without a throw' if fact.auto else f'die {fact.natural}{total}'}."
    text, headline = f"{called(mind, fact.unit)} did not stand.", f"{headline_name(mind, fact.unit)} does not stand"
    if fact.passed:
        return told(fact, mind, f"{called(mind, fact.unit)} stood.", note=note, follows=True)
    return told(fact, mind, text, note=note, follows=True, weight=5, headline=headline, gist=text)


AFTER_THE_GONE = " towards where its target had last been before it"
"""Of a charger whose target is gone, or no more to be seen in front."""


def _run_dice(fact: c.ChargeMoved, *, own: bool) -> str:
    """The dice of a charge, and what chits and ground left of them; of the ground its own side alone is told."""
    if not fact.natural:
        return ""
    thrown = sum(fact.natural) * INCH
    if not own:
        left = f" = {inches(thrown)}" if thrown == fact.allowed else f", of which {long(fact.allowed)} were left"
        return f"Dice {dice(fact.natural)}{left}"
    pips = thrown // INCH - fact.allowed // INCH - sum(one.value for one in fact.dice_dropped)
    chits = f", chits took {counted(pips, 'pip')}" if pips > 0 else ""
    return f"Dice {dice(fact.natural)} = {inches(fact.allowed)}{chits}"


def _charged(scene: Scene, fact: c.ChargeMoved, mind: Battle, role: Role) -> Sequence[Told]:
    name, target = called(mind, fact.unit), called(mind, fact.target)
    if fact.counter:
        text = f"{brief(fact.unit)} met the charge of {brief(fact.target)} with its own."
    elif fact.end is None:
        text = f"{brief(fact.unit)} ran out of sight."
    elif not fact.walked and not fact.connected:
        barred = fact.stopped_at if fact.stopped_by not in FREELY else ""
        text = f"{brief(fact.unit)} got no step forward{AFTER_THE_GONE if fact.vacated else ''}"
        text += f", stopped by {brief(barred)}." if barred else "."
    elif fact.vacated:
        text = f"{brief(fact.unit)} ran {long(fact.walked)}{AFTER_THE_GONE}."
    elif fact.connected:
        text = f"{brief(fact.unit)} ran {long(fact.walked)} and struck {target} at {where(scene, fact.end)}."
    else:
        short = f", {long(fact.needed - fact.walked)} short" if fact.needed > fact.walked else ""
        text = f"{brief(fact.unit)} ran {long(fact.walked)} towards {target} and stopped at "
        stopped = fact.stopped_at and fact.stopped_by not in FREELY
        text += f"{where(scene, fact.end)}{short}{f', stopped by {brief(fact.stopped_at)}' if stopped else ''}."
    rolled = _run_dice(fact, own=side_of(role) == fact.side)
    # Who met somebody on his way to where another had stood had that way to go, and did not need it.
    met = fact.connected and fact.needed > fact.walked + INCH
    needed = f", {inches(fact.needed)} to go" if rolled and fact.needed and not met else ""
    cost = "".join(f", {one}" for one in words.losses(fact.dice_dropped, fact.wheeled)) if rolled else ""
    note, lead = f"{rolled}{needed}{cost}." if rolled else "", f"The charge of {name}."
    weight, headline = 3 if fact.connected else 2, f"{headline_name(mind, fact.unit)} charges"
    headline += f" {headline_name(mind, fact.target)}"
    return told(fact, mind, text, lead=lead, note=note, weight=weight, headline=headline)


# ------------------------------------------------------------------ close combat


def _fighters(mind: Battle, side: Role, fighters: Sequence[c.FighterDice]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for one in fighters:
        parted = len(one.natural) - one.leaders
        thrown = dice(one.natural[:parted]) + (f" / {dice(one.natural[parted:])}" if one.leaders else "")
        counts = dice(one.result[:parted]) + (f" / {dice(one.result[parted:])}" if one.leaders else "")
        rows.append((f"{called(mind, one.unit)}", thrown, factors(one.modifiers) or "0", counts, str(one.total)))
    return rows


def _rows(mind: Battle, fact: c.MeleeRound | c.MeleeResolved, attacker: Role) -> tuple[tuple[str, ...], ...]:
    defender = ENEMY[attacker]
    return (
        *_fighters(mind, attacker, fact.att_dice),
        (f"{cap(words.ADJECTIVE[attacker])}, attacking", "", "", "", str(fact.att_total)),
        *_fighters(mind, defender, fact.def_dice),
        (f"{cap(words.ADJECTIVE[defender])}, defending", "", "", "", str(fact.def_total)),
    )


def _round(scene: Scene, fact: c.MeleeRound, mind: Battle, role: Role) -> Sequence[Told]:
    about = tuple(one.unit for one in (*fact.att_dice, *fact.def_dice))
    text = f"The {('first', 'second', 'third')[min(fact.round, 3) - 1]} round was a tie at {fact.att_total}."
    note = "; ".join(f"{brief(one.unit)} {dice(one.natural)}" for one in (*fact.att_dice, *fact.def_dice))
    return told(fact, mind, text, note=f"Thrown: {note}.", about=about)


TIES: Mapping[str, str] = {"wins_ties": "who wins ties", "attacker loses": "who stood, after the last round"}


def _melee(scene: Scene, fact: c.MeleeResolved, mind: Battle, role: Role) -> Sequence[Told]:
    attacker, winner = fact.attacker, fact.winner
    loser = ENEMY[winner]
    totals = sorted((fact.att_total, fact.def_total), reverse=True)
    won = f"{words.side_name(winner)} won, {totals[0]} to {totals[1]}"
    won += f": the tie goes to those {TIES[fact.tie_rule]}." if fact.tie_rule in TIES else "."
    twos = f"Twos of {words.side_name(loser)}: {counted(fact.loser_hits, 'possible hit')}"
    twos += f", and {counted(fact.leader_tests, 'possible leader kill')}." if fact.leader_tests else "."
    cost = ""
    if fact.winner_die and (fact.winner_hits or fact.winner_leader_tests or fact.winner_chits):
        cost = f" The winner’s die is {fact.winner_die}: {counted(fact.winner_hits, 'possible hit')} on him"
        cost += f", {counted(fact.winner_leader_tests, 'possible leader kill')}" if fact.winner_leader_tests else ""
        cost += ", and a chit." if fact.winner_chits else "."
    beaten = fact.defenders if fact.winners == "attackers" else fact.attackers
    victors = fact.attackers if fact.winners == "attackers" else fact.defenders
    headline = f"{headline_name(mind, victors[0])} beats {headline_name(mind, beaten[0])}"
    place = where(scene, fact.at)
    gist = f"{words.several(mind, victors)} beat {words.several(mind, beaten)} at {place}"
    about = (*fact.attackers, *fact.defenders)
    lead = f"{cap(words.several(mind, fact.attackers))} against {words.several(mind, fact.defenders)}, at {place}."
    said, gist = f"{won} {twos}{cost}", f"{gist}, {totals[0]} to {totals[1]}."
    return [
        *told(fact, mind, "", lead=lead, about=about, box="melee", rows=_rows(mind, fact, attacker)),
        *told(fact, mind, said, notes=(), about=about, weight=8, headline=headline, gist=gist),
    ]


def _advanced(scene: Scene, fact: c.UnitAdvanced, mind: Battle, role: Role) -> Sequence[Told]:
    place = f", {where(scene, fact.end)}" if fact.end is not None else ""
    text = f"{brief(fact.unit)} took the place{place}."
    return told(fact, mind, text)


# ------------------------------------------------------------------ flight


def _withdrew(scene: Scene, fact: c.UnitWithdrew, mind: Battle, role: Role) -> Sequence[Told]:
    seen = [brief(one) for one in fact.through if one != UNSEEN]
    through = f", through {listed(seen)}" if seen else ""
    if fact.end is None:
        return told(fact, mind, f"{brief(fact.unit)} withdrew out of sight.")
    far = distance(fact.start, fact.end)
    text = f"{brief(fact.unit)} withdrew {long(far)} to {where(scene, fact.end)}{through}."
    onward = f", and on to {inches(fact.walked)}, clear of friends" if fact.walked > fact.inches else ""
    barred = ", but there was no way on" if fact.walked < fact.inches and not fact.gone else ""
    total = f"{dice(fact.natural)} = {inches(fact.inches)}{onward}{barred}{_about_face(far, fact.walked)}"
    note = f"Withdrawal: {total}." if fact.natural else ""
    return told(fact, mind, text, note=note)


def _about_face(far: int, walked: int) -> str:
    """What a front centre went besides the dice, since the unit first turned its back."""
    return ", the rest by turning about" if walked and far >= walked + TENTH else ""


def _routed(scene: Scene, fact: c.UnitRouted, mind: Battle, role: Role) -> Sequence[Told]:
    name, short = called(mind, fact.unit), headline_name(mind, fact.unit)
    verb = "ran on" if fact.again else "broke and ran"
    seen = [brief(one) for one in fact.near if one != UNSEEN]
    near = f" It shook {listed(seen)}." if seen else ""
    if fact.end is None:
        text = f"{name} {verb} out of sight."
    else:
        text = f"{name} {verb} {long(distance(fact.start, fact.end))} to {where(scene, fact.end)}.{near}"
    chits = f"{cap(counted(fact.chits, 'chit'))} at a limit of {fact.limit}. " if fact.limit and not fact.again else ""
    note = f"{chits}Rout: {dice(fact.natural)} = {inches(fact.inches)}." if fact.natural else chits.strip()
    if fact.again:
        return told(fact, mind, text, note=note, weight=2, headline=f"{short} runs on")
    return told(fact, mind, text, note=note, weight=6, headline=f"{short} breaks", gist=f"{name} broke and ran.")


def _left(scene: Scene, fact: o.UnitLeftField, mind: Battle, role: Role) -> Sequence[Told]:
    how = {"rout": "ran off the field", "withdrawal": "withdrew off the field", "exit": "marched off by the road"}
    said, short = f"{called(mind, fact.unit)} {how[fact.why]}", headline_name(mind, fact.unit)
    text = f"{said} at {where(scene, fact.at)}."
    return told(fact, mind, text, weight=6, headline=f"{short} leaves the field", gist=f"{said}.")


def _destroyed(scene: Scene, fact: o.UnitDestroyed, mind: Battle, role: Role) -> Sequence[Told]:
    how = {
        "no stands": "is destroyed",
        "surrendered": "could not get away and surrendered",
        "gunners ran": "is no more: its gunners ran",
        "ruling": "was taken off the field by the umpire",
    }[fact.why]
    said, short = f"{called(mind, fact.unit)} {how}", headline_name(mind, fact.unit)
    text = f"{said}, at {where(scene, fact.at)}."
    return told(fact, mind, text, weight=8, headline=f"{short} is destroyed", gist=f"{said}.")


# ------------------------------------------------------------------ guns


def _guns_lost(scene: Scene, fact: c.GunsLost, mind: Battle, role: Role) -> Sequence[Told]:
    fate, name = "and were spiked" if fact.spiked else "unspiked", fact.battery
    text = f"The guns of {brief(name)} stayed at {where(scene, fact.at)}, {fate}."
    note, headline = f"Spiking: {fact.spike_die}; 4 or more spikes.", f"{headline_name(mind, name)} loses its guns"
    return told(fact, mind, text, note=note, weight=7, headline=headline, gist=f"{called(mind, name)} lost its guns.")


def _guns_taken(scene: Scene, fact: c.GunsCaptured, mind: Battle, role: Role) -> Sequence[Told]:
    text = f"{called(mind, fact.by)} took the guns of {called(mind, fact.battery)}."
    taker = "You take" if words.whose(fact.holder, role) else "The enemy takes"
    headline = f"{taker} the guns of {headline_name(mind, fact.battery)}"[:80]
    return told(fact, mind, text, about=(fact.battery, fact.by), weight=7, headline=headline, gist=text)


FIGHT: Mapping[type[Fact], Teller] = {
    c.ChargeMorale: _charge_test,
    c.DefenderMorale: _stand_test,
    c.ChargeMoved: _charged,
    c.MeleeRound: _round,
    c.MeleeResolved: _melee,
    c.UnitAdvanced: _advanced,
    c.UnitWithdrew: _withdrew,
    c.UnitRouted: _routed,
    o.UnitLeftField: _left,
    o.UnitDestroyed: _destroyed,
    c.GunsLost: _guns_lost,
    c.GunsCaptured: _guns_taken,
}
"""How charges, combats and flight are told."""
