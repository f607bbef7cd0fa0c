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
    name = called(mind, fact.unit)
    if fact.passed:
        return [told(fact, mind, f"{cap(brief(fact.unit))} went forward.", note=_test(fact), about=(fact.unit,))]
    short = headline_name(mind, fact.unit)
    text = f"{cap(name)} would not charge."
    return [
        told(
            fact, mind, text, note=_test(fact), about=(fact.unit,), weight=4, headline=f"{short} will not charge",
            gist=f"{cap(name)} would not charge.",
        )
    ]  # fmt: skip


def _stand_test(scene: Scene, fact: c.DefenderMorale, mind: Battle, role: Role) -> Sequence[Told]:
    if not fact.tested:
        return [told(fact, mind, "", note=f"At {fact.ratio} {brief(fact.unit)} need not test.", follows=True)]
    stands = "passed without a throw" if fact.auto else f"die {fact.natural}" + (
        f": {fact.total}; {MORALE_NEED} is needed" if fact.total else ""
    )  # fmt: skip
    said = "stood" if fact.passed else "did not stand"
    short = headline_name(mind, fact.unit)
    return [
        told(
            fact,
            mind,
            f"{cap(called(mind, fact.unit))} {said}.",
            note=f"{fact.ratio}: {stands}.",
            about=(fact.unit,),
            follows=True,
            weight=0 if fact.passed else 5,
            headline=f"{short} does not stand",
            gist="" if fact.passed else f"{cap(called(mind, fact.unit))} did not stand.",
        )
    ]


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
        text = f"{cap(brief(fact.unit))} met the charge of {brief(fact.target)} with its own."
    elif fact.end is None:
        text = f"{cap(brief(fact.unit))} ran out of sight."
    elif not fact.walked and not fact.connected:
        barred = fact.stopped_at if fact.stopped_by not in FREELY else ""
        text = f"{cap(brief(fact.unit))} got no step forward{AFTER_THE_GONE if fact.vacated else ''}"
        text += f", stopped by {brief(barred)}." if barred else "."
    elif fact.vacated:
        text = f"{cap(brief(fact.unit))} ran {long(fact.walked)}{AFTER_THE_GONE}."
    elif fact.connected:
        text = f"{cap(brief(fact.unit))} ran {long(fact.walked)} and struck {target} at {where(scene, fact.end)}."
    else:
        short = f", {long(fact.needed - fact.walked)} short" if fact.needed > fact.walked else ""
        text = f"{cap(brief(fact.unit))} ran {long(fact.walked)} towards {target} and stopped at "
        stopped = fact.stopped_at and fact.stopped_by not in FREELY
        text += f"{where(scene, fact.end)}{short}{f', stopped by {brief(fact.stopped_at)}' if stopped else ''}."
    rolled = _run_dice(fact, own=side_of(role) == fact.side)
    # Who met somebody on his way to where another had stood had that way to go, and did not need it.
    met = fact.connected and fact.needed > fact.walked + INCH
    needed = f", {inches(fact.needed)} to go" if rolled and fact.needed and not met else ""
    cost = "".join(f", {one}" for one in words.losses(fact.dice_dropped, fact.wheeled)) if rolled else ""
    lead = f"The charge of {name}."
    headline = f"{headline_name(mind, fact.unit)} charges {headline_name(mind, fact.target)}"
    return [
        told(
            fact, mind, text, lead=lead, note=f"{rolled}{needed}{cost}." if rolled else "", about=(fact.unit,),
            weight=3 if fact.connected else 2, headline=headline,
        )
    ]  # fmt: skip


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
    return [told(fact, mind, text, note=f"Thrown: {note}.", about=about)]


TIES: Mapping[str, str] = {
    "wins_ties": "who wins ties",
    "attacker loses": "who stood, after the last round",
}


def _melee(scene: Scene, fact: c.MeleeResolved, mind: Battle, role: Role) -> Sequence[Told]:
    attacker, winner = fact.attacker, fact.winner
    loser = ENEMY[winner]
    totals = sorted((fact.att_total, fact.def_total), reverse=True)
    won = f"{cap(words.side_name(winner))} won, {totals[0]} to {totals[1]}"
    won += f": the tie goes to those {TIES[fact.tie_rule]}." if fact.tie_rule in TIES else "."
    twos = f"Twos of {words.side_name(loser)}: {counted(fact.loser_hits, 'possible hit')}"
    twos += f", and {counted(fact.leader_tests, 'possible leader kill')}." if fact.leader_tests else "."
    cost = ""
    if fact.winner_die and (fact.winner_hits or fact.winner_leader_tests or fact.winner_chits):
        cost = f" The winner’s die is {fact.winner_die}: {counted(fact.winner_hits, 'possible hit')} on him"
        cost += f", {counted(fact.winner_leader_tests, 'possible leader kill')}" if fact.winner_leader_tests else ""
        cost += ", and a chit." if fact.winner_chits else "."
    first, other = (fact.attackers, fact.defenders)
    beaten = fact.defenders if fact.winners == "attackers" else fact.attackers
    victors = fact.attackers if fact.winners == "attackers" else fact.defenders
    headline = f"{headline_name(mind, victors[0])} beats {headline_name(mind, beaten[0])}"
    place = where(scene, fact.at)
    gist = f"{cap(words.several(mind, victors))} beat {words.several(mind, beaten)} at {place}"
    return [
        told(
            fact,
            mind,
            "",
            lead=f"{cap(words.several(mind, first))} against {words.several(mind, other)}, at {place}.",
            about=(*fact.attackers, *fact.defenders),
            box="melee",
            rows=_rows(mind, fact, attacker),
        ),
        told(
            fact,
            mind,
            f"{won} {twos}{cost}",
            notes=(),
            about=(*fact.attackers, *fact.defenders),
            weight=8,
            headline=headline,
            gist=f"{gist}, {totals[0]} to {totals[1]}.",
        ),
    ]


def _advanced(scene: Scene, fact: c.UnitAdvanced, mind: Battle, role: Role) -> Sequence[Told]:
    place = f", {where(scene, fact.end)}" if fact.end is not None else ""
    text = f"{cap(brief(fact.unit))} took the place{place}."
    return [told(fact, mind, text, about=(fact.unit,))]


# ------------------------------------------------------------------ flight


def _withdrew(scene: Scene, fact: c.UnitWithdrew, mind: Battle, role: Role) -> Sequence[Told]:
    seen = [brief(one) for one in fact.through if one != UNSEEN]
    through = f", through {listed(seen)}" if seen else ""
    if fact.end is None:
        return [told(fact, mind, f"{cap(brief(fact.unit))} withdrew out of sight.", about=(fact.unit,))]
    far = distance(fact.start, fact.end)
    text = f"{cap(brief(fact.unit))} withdrew {long(far)} to {where(scene, fact.end)}{through}."
    onward = f", and on to {inches(fact.walked)}, clear of friends" if fact.walked > fact.inches else ""
    barred = ", but there was no way on" if fact.walked < fact.inches and not fact.gone else ""
    total = f"{dice(fact.natural)} = {inches(fact.inches)}{onward}{barred}{_about_face(far, fact.walked)}"
    note = f"Withdrawal: {total}." if fact.natural else ""
    return [told(fact, mind, text, note=note, about=(fact.unit,))]


def _about_face(far: int, walked: int) -> str:
    """What a front centre went besides the dice, since the unit first turned its back."""
    return ", the rest by turning about" if walked and far >= walked + TENTH else ""


def _routed(scene: Scene, fact: c.UnitRouted, mind: Battle, role: Role) -> Sequence[Told]:
    name, short = called(mind, fact.unit), headline_name(mind, fact.unit)
    verb = "ran on" if fact.again else "broke and ran"
    seen = [brief(one) for one in fact.near if one != UNSEEN]
    near = f" It shook {listed(seen)}." if seen else ""
    if fact.end is None:
        text = f"{cap(name)} {verb} out of sight."
    else:
        text = f"{cap(name)} {verb} {long(distance(fact.start, fact.end))} to {where(scene, fact.end)}.{near}"
    chits = f"{cap(counted(fact.chits, 'chit'))} at a limit of {fact.limit}. " if fact.limit and not fact.again else ""
    note = f"{chits}Rout: {dice(fact.natural)} = {inches(fact.inches)}." if fact.natural else chits.strip()
    return [
        told(
            fact,
            mind,
            text,
            note=note,
            about=(fact.unit,),
            weight=2 if fact.again else 6,
            headline=f"{short} {'runs on' if fact.again else 'breaks'}",
            gist="" if fact.again else f"{cap(name)} broke and ran.",
        )
    ]


def _left(scene: Scene, fact: o.UnitLeftField, mind: Battle, role: Role) -> Sequence[Told]:
    how = {"rout": "ran off the field", "withdrawal": "withdrew off the field", "exit": "marched off by the road"}
    short = headline_name(mind, fact.unit)
    text = f"{cap(called(mind, fact.unit))} {how[fact.why]} at {where(scene, fact.at)}."
    return [
        told(fact, mind, text, about=(fact.unit,), weight=6, headline=f"{short} leaves the field",
             gist=f"{cap(called(mind, fact.unit))} {how[fact.why]}.")
    ]  # fmt: skip


def _destroyed(scene: Scene, fact: o.UnitDestroyed, mind: Battle, role: Role) -> Sequence[Told]:
    how = {
        "no stands": "is destroyed",
        "surrendered": "could not get away and surrendered",
        "gunners ran": "is no more: its gunners ran",
        "ruling": "was taken off the field by the umpire",
    }[fact.why]
    short = headline_name(mind, fact.unit)
    text = f"{cap(called(mind, fact.unit))} {how}, at {where(scene, fact.at)}."
    return [
        told(fact, mind, text, about=(fact.unit,), weight=8, headline=f"{short} is destroyed",
             gist=f"{cap(called(mind, fact.unit))} {how}.")
    ]  # fmt: skip


# ------------------------------------------------------------------ guns


def _guns_lost(scene: Scene, fact: c.GunsLost, mind: Battle, role: Role) -> Sequence[Told]:
    fate = "and were spiked" if fact.spiked else "unspiked"
    short = headline_name(mind, fact.battery)
    text = f"The guns of {brief(fact.battery)} stayed at {where(scene, fact.at)}, {fate}."
    return [
        told(fact, mind, text, note=f"Spiking: {fact.spike_die}; 4 or more spikes.", about=(fact.battery,), weight=7,
             headline=f"{short} loses its guns", gist=f"{cap(called(mind, fact.battery))} lost its guns.")
    ]  # fmt: skip


def _guns_taken(scene: Scene, fact: c.GunsCaptured, mind: Battle, role: Role) -> Sequence[Told]:
    mine = words.whose(fact.holder, role)
    who = cap(called(mind, fact.by))
    text = f"{who} took the guns of {called(mind, fact.battery)}."
    short = headline_name(mind, fact.battery)
    return [
        told(fact, mind, text, about=(fact.battery, fact.by), weight=7,
             headline=f"{'You take' if mine else 'The enemy takes'} the guns of {short}"[:80],
             gist=f"{who} took the guns of {called(mind, fact.battery)}.")
    ]  # fmt: skip


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
