"""A fact in words, as one side may know it, with the names it had for things just before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.orders.prose import cap, counted, listed, number
from pbem.rules.contract import Teller
from pbem.rules.view import Table, Told
from pbem.systems.half_league.page.sentences import Chits, told
from pbem.systems.half_league.page.telling_fight import FIGHT, FREELY
from pbem.systems.half_league.page.telling_fire import FIRE
from pbem.systems.half_league.scene import words
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.words import brief, called, dice, factors, headline_name, inches, long, where
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.fact import UNSEEN, Fact
from pbem.systems.half_league.world.state import Battle

VERBS: Mapping[str, str] = {
    "move": "moved",
    "follow": "followed the road",
    "wheel": "wheeled",
    "face": "turned",
    "about": "turned about",
    "retire": "retired",
    "shift": "moved sideways",
    "prolong": "moved its guns by hand",
    "reinforce": "moved up",
    "ride": "rode",
}
"""What a unit did, by the verb of its order."""
CARRIED_OUT = "Carried out."
DONE: Mapping[str, str] = {
    "standing": "In force.",
    "not used": "Its moment did not come.",
    "in part": "As far as it went.",
}
"""What is said of a line where there is no reason to give."""
TURNS = ("wheel", "face", "about")
"""Orders whose unit turns, whether or not it goes on."""
PULLED: Mapping[str, str] = {
    "": "lost a chit",
    "auto": "took a chit off",
    "point": "took a second chit off for a point",
    "brigadier": "lost a chit by its brigadier's help",
    "army": "lost a chit under the eyes of the army commander",
    "rally": "lost a chit by its rally",
}


# ------------------------------------------------------------------ set-up and the clock


def _nothing(scene: Scene, fact: Fact, mind: Battle, role: Role) -> Sequence[Told]:
    return []


def _points_rolled(scene: Scene, fact: o.CommandPointsRolled, mind: Battle, role: Role) -> Sequence[Told]:
    elite = f", +{fact.elite} each" if fact.elite else ""
    text = f"{called(mind, fact.unit)} has {counted(fact.points, 'command point')}: {dice(fact.natural)}{elite}."
    row = (called(mind, fact.unit), f"{dice(fact.natural)}{elite}", str(fact.points))
    return told(fact, mind, text, box="rolled", rows=(row,))


def _order(scene: Scene, fact: o.OrderPlayed, mind: Battle, role: Role) -> Sequence[Told]:
    if fact.role != role:
        return []
    who = f"{fact.unit}: " if fact.unit and "," in fact.text else ""
    done = DONE.get(fact.result, CARRIED_OUT)
    said = f"{cap(words.why(fact.reason))}." if fact.reason else done
    # Of an order to a leader the unit is the one that he rides to.
    first = fact.text.replace(",", " ").split()[:1]
    [line] = told(
        fact, mind, f"{who}{said}", notes=(), about=(fact.unit or "", *(word.upper() for word in first or [""]))
    )
    return [replace(line, line=fact.line, result=fact.result)]


def _failed(scene: Scene, fact: o.OrderFailed, mind: Battle, role: Role) -> Sequence[Told]:
    text = f"{called(mind, fact.unit)} did not carry out “{fact.order}”: {words.why(fact.reason)}."
    return told(fact, mind, text)


def _ruling(scene: Scene, fact: o.GmRuling, mind: Battle, role: Role) -> Sequence[Told]:
    if not fact.text:
        return []
    return told(fact, mind, f"The umpire ruled: “{fact.text}”.", weight=2, headline="A ruling of the umpire")


# ------------------------------------------------------------------ initiative


def _initiative(scene: Scene, fact: o.InitiativeRolled, mind: Battle, role: Role) -> Sequence[Told]:
    last = {one.side: one for one in fact.rounds[-1]}
    totals = listed([f"{words.ADJECTIVE[side]} {one.total}" for side, one in last.items()], "against")
    ties = f", after {counted(fact.rerolls, 'tie')}" if fact.rerolls else ""
    gave = " and gave it away" if fact.chosen_side != fact.winner else ""
    who = cap(words.side_name(fact.chosen_side))
    text = f"{totals}{ties}: {words.side_name(fact.winner)} won the roll{gave}. {who} begin in the {fact.flank}"
    text += f", and charge from the {fact.charge_flank}." if fact.charge_flank != fact.flank else "."
    mine = next((one for one in fact.rounds[-1] if words.whose(one.side, role)), None)
    note = f"Your die {mine.natural}" + (f", {factors(mine.modifiers)}" if mine.modifiers else "") if mine else ""
    lead = f"{cap(words.ADJECTIVE[fact.chosen_side])} initiative."
    return told(fact, mind, text, lead=lead, note=f"{note}." if note else "")


# ------------------------------------------------------------------ movement


def _moved(scene: Scene, fact: o.UnitMoved, mind: Battle, role: Role) -> Sequence[Told]:
    mine, name = words.whose(fact.side, role), fact.unit
    verb = VERBS.get(fact.how, "moved")
    if not mine:
        return _enemy_moved(scene, fact, mind, verb)
    end = where(scene, fact.end) if fact.end else ""
    stopped = words.STOPS.get(fact.stopped_by or "", "")
    if fact.stopped_at and fact.stopped_by not in ("destination", "dice", "maximum"):
        stopped = brief(fact.stopped_at)
    if fact.walked:
        text = f"{called(mind, name)} {verb}{' and went' if fact.how in TURNS else ''} {long(fact.walked)} to {end}"
    else:
        text = f"{called(mind, name)} {verb}" if fact.how in TURNS else f"{called(mind, name)} stayed at {end}"
    text += f", stopped by {stopped}." if stopped and fact.stopped_by not in FREELY else "."
    row = (called(mind, name), verb, _dice_of(fact), inches(fact.walked), end, stopped)
    cost = "".join(f", {one}" for one in _costs(fact))
    short = f"The dice gave no more: {_dice_of(fact)}{cost}." if fact.stopped_by == "dice" and fact.natural else ""
    return told(fact, mind, text, note=_move_note(fact), box="moves", rows=(row,), short=short)


def _dice_of(fact: o.UnitMoved) -> str:
    return f"{dice(fact.natural)} = {inches(fact.allowed)}" if fact.natural else ""


def _costs(fact: o.UnitMoved) -> list[str]:
    """What the dice lost on the way."""
    chits = [f"chits took {counted(fact.pips_lost_chits, 'pip')}"] if fact.pips_lost_chits else []
    return [*chits, *words.losses(fact.dice_dropped, fact.wheeled)]


def _move_note(fact: o.UnitMoved) -> str:
    parts = _costs(fact)
    if fact.through:
        parts.append(f"through {listed(list(fact.through))}")
    return f"{fact.unit}: {', '.join(parts)}." if parts else ""


def _enemy_moved(scene: Scene, fact: o.UnitMoved, mind: Battle, verb: str) -> Sequence[Told]:
    name = called(mind, fact.unit)
    stayed = fact.end == fact.start and fact.facing_to == fact.facing_from
    if fact.unit == UNSEEN or stayed:
        return []
    if fact.end is not None:
        end, far = where(scene, fact.end), inches(fact.walked) if fact.walked else ""
        text = f"{name} {verb}, at {end}." if fact.how in TURNS else f"{name} {verb} to {end}."
    else:
        end, far, text = "out of sight", "", f"{name} {verb} out of sight."
    return told(fact, mind, text, box="moves", rows=((name, verb, "", far, end, ""),))


def _formed(scene: Scene, fact: o.FormationChanged, mind: Battle, role: Role) -> Sequence[Told]:
    verb = f"went from {fact.before.replace('_', ' ')} to {fact.after.replace('_', ' ')}"
    slid = f", {long(abs(fact.slid))} to the {'right' if fact.slid > 0 else 'left'}" if fact.slid else ""
    unit = mind.units.get(fact.unit)
    here = where(scene, unit.front) if unit is not None else ""
    row = (called(mind, fact.unit), f"{verb}{slid}", "", "", here, "")
    return told(fact, mind, f"{called(mind, fact.unit)} {verb}{slid}.", box="moves", rows=(row,))


def _marked(scene: Scene, fact: o.ChargeMarked, mind: Battle, role: Role) -> Sequence[Told]:
    target = brief(fact.target) if words.whose(fact.side, role) else called(mind, fact.target)
    text = f"{called(mind, fact.unit)} is marked to charge {target}."
    mine = words.whose(fact.side, role)
    headline = f"{headline_name(mind, fact.unit)} will charge" if mine else "The enemy prepares to charge"
    unit = mind.units.get(fact.unit)
    row = (called(mind, fact.unit), f"marked to charge {target}", "", "", where(scene, unit.front) if unit else "", "")
    # Where a turn has two exchanges there is still something to be done about it.
    gist = text if mind.options.exchanges_per_turn == 2 else ""
    return told(fact, mind, text, box="moves", rows=(row,), weight=1 if mine else 2, headline=headline, gist=gist)


def _attached(scene: Scene, fact: o.LeaderAttached, mind: Battle, role: Role) -> Sequence[Told]:
    did = f"joined {called(mind, fact.unit)}" if fact.unit else f"left {brief(fact.before)}"
    row = (called(mind, fact.leader), did, "", "", "", "")
    return told(fact, mind, f"{called(mind, fact.leader)} {did}.", box="moves", rows=(row,))


def _rode(scene: Scene, fact: o.LeaderMoved, mind: Battle, role: Role) -> Sequence[Told]:
    if not fact.natural and not fact.back:
        return []
    back = " back before the enemy" if fact.back else ""
    text = f"{called(mind, fact.leader)} rode{back} {long(fact.walked)} to {where(scene, fact.end)}."
    rolled = f"{dice(fact.natural)} = {sum(fact.natural)}" if fact.natural else ""
    stopped = words.STOPS.get(fact.stopped_by or "", "")
    row = (called(mind, fact.leader), f"rode{back}", rolled, inches(fact.walked), where(scene, fact.end), stopped)
    return told(fact, mind, text, box="moves", rows=(row,))


# ------------------------------------------------------------------ morale and command


def _chit_off(scene: Scene, fact: o.ChitRemoved, mind: Battle, role: Role) -> Sequence[Told]:
    unit, left = mind.units.get(fact.unit), f"; {number(fact.left)} left" if fact.left else "; none is left"
    did = f"{PULLED[fact.how]}{left}"
    text = f"{called(mind, fact.unit)} {did}."
    if fact.how != "auto":
        return told(fact, mind, text)
    row = (called(mind, fact.unit), did, "", "", where(scene, unit.front) if unit is not None else "", "")
    return told(fact, mind, text, box="moves", rows=(row,))


def _chit(scene: Scene, fact: o.ChitAdded, mind: Battle, role: Role) -> Sequence[Told]:
    reason = words.CHITS.get(fact.reason, fact.reason.replace("_", " "))
    now = f", {fact.now} of {fact.limit} now" if fact.limit else ""
    text = f"{counted(fact.count, 'chit')} on {brief(fact.unit)} for {reason}{now}."
    chits = Chits(fact.unit, fact.count, reason, fact.now, fact.limit)
    return told(fact, mind, text, chits=chits, follows=True)


def _rally(scene: Scene, fact: o.RallyRolled, mind: Battle, role: Role) -> Sequence[Told]:
    name = called(mind, fact.unit)
    total = f" and {number(fact.stands)} stands: {fact.total}" if fact.stands else ""
    note = f"Die {fact.natural}{total}; 8 rallies."
    if fact.passed and fact.good:
        text, headline = f"{name} rallied.", f"{headline_name(mind, fact.unit)} rallies"
        return told(fact, mind, text, note=note, weight=3, headline=headline, gist=text)
    said = "came to a stand, but routs still" if fact.passed else "could not be rallied"
    return told(fact, mind, f"{name} {said}.", note=note)


def _spent(scene: Scene, fact: o.CommandPointSpent, mind: Battle, role: Role) -> Sequence[Told]:
    free = fact.by == "brigadier_free"
    source = "its brigadier, free" if free else f"a point, {inches(fact.distance)} from its brigadier"
    name, benefit = called(mind, fact.unit), words.BENEFITS[fact.benefit]
    text = f"{name}: {benefit}, from {source}."
    row = (name, f"{fact.benefit}: {benefit}", source, "" if free else str(fact.left))
    return told(fact, mind, text, box="points", rows=(row,))


def _refused(scene: Scene, fact: o.CommandPointRefused, mind: Battle, role: Role) -> Sequence[Told]:
    text = f"{called(mind, fact.unit)} did not get `{fact.benefit}`: {words.why(fact.reason)}."
    return told(fact, mind, text)


def _successor(scene: Scene, fact: o.SuccessorRolled, mind: Battle, role: Role) -> Sequence[Told]:
    gives = "gives his benefit" if fact.gives else "gives no benefit this turn"
    note = f"Die {fact.natural}; 5 or 6 is needed."
    return told(fact, mind, f"The successor of {called(mind, fact.leader)} {gives}.", note=note)


# ------------------------------------------------------------------ knowledge, the end


def _sighted(scene: Scene, fact: o.Sighting, mind: Battle, role: Role) -> Sequence[Told]:
    there = {unit.id: unit for unit in fact.new_units}
    said = []
    for sight in fact.sights:
        unit = there.get(sight.unit)
        if unit is None:
            continue
        if sight.level == "seen":
            said.append(f"{cap(sight.unit)} came into sight: {words.kind(unit)}, {where(scene, unit.front)}.")
        elif sight.level == "identified":
            was = f"{cap(sight.was)} is" if sight.was and sight.was != sight.unit else "Known now:"
            said.append(f"{was} {sight.unit} ({unit.name}), {words.kind(unit)}.")
        else:
            said.append(f"{cap(sight.unit)} was lost from sight at {where(scene, unit.front)}.")
    if not said or not fact.turn:
        return []
    return told(fact, mind, " ".join(said), about=("sightings",), notes=())


def _released(scene: Scene, fact: o.ReserveReleased, mind: Battle, role: Role) -> Sequence[Told]:
    reason = "its turn has come" if fact.why == "turn" else "the enemy was seen across the line"
    text = f"The reserve may move: {reason}."
    return told(fact, mind, text, weight=2, headline="The reserve is released", gist=text)


def _counted(scene: Scene, fact: o.VictoryCounted, mind: Battle, role: Role) -> Sequence[Told]:
    rows = tuple((item.what, words.ADJECTIVE[item.side], str(item.count), str(item.points)) for item in fact.items)
    totals = ", ".join(f"{words.ADJECTIVE[side]} {points}" for side, points in sorted(fact.totals.items()))
    result = cap(fact.result.replace("russian", "Russian"))
    honours = f", with the honours to {words.side_name(fact.honours)}" if fact.honours else ""
    table = Table(
        caption=f"What counts: {totals}", columns=("For", "Side", "Number", "Points"), rows=rows, numbers=(2, 3)
    )
    text = f"{result}{honours}: {totals}."
    headline = f"{result}, honours to {words.side_name(fact.honours)}" if fact.honours else result
    lead = "The battle is over."
    return told(fact, mind, text, lead=lead, tables=(table,), weight=10, headline=headline, gist=text)


TELLERS: Mapping[type[Fact], Teller] = {
    **dict.fromkeys((o.UnitPlaced, o.PhaseBegan, o.TurnEnded, o.StandingSet, o.UnitActivated), _nothing),
    o.CommandPointsRolled: _points_rolled,
    o.OrderPlayed: _order,
    o.OrderFailed: _failed,
    o.InitiativeRolled: _initiative,
    o.UnitMoved: _moved,
    o.ReinforcementMoved: _moved,
    o.FormationChanged: _formed,
    o.ChargeMarked: _marked,
    o.LeaderAttached: _attached,
    o.LeaderMoved: _rode,
    o.ChitRemoved: _chit_off,
    o.ChitAdded: _chit,
    o.RallyRolled: _rally,
    o.CommandPointSpent: _spent,
    o.CommandPointRefused: _refused,
    o.SuccessorRolled: _successor,
    o.Sighting: _sighted,
    o.ReserveReleased: _released,
    o.VictoryCounted: _counted,
    o.GmRuling: _ruling,
    **FIRE,
    **FIGHT,
}
"""How each kind of fact is told; every kind stands here."""


def tell(scene: Scene, fact: Fact, mind: Battle, role: Role) -> Sequence[Told]:
    """A fact, as *role* may know it, in words, with the names it had for things just before."""
    return TELLERS[type(fact)](scene, fact, mind, role)
