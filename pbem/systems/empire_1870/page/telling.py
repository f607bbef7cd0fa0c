"""A fact in words, as one side may know it, with the names it had for things just before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.ground.hexes import Hex, are_neighbours
from pbem.kernel.names import Moment, Role
from pbem.orders.prose import cap, counted, listed, ordinal, signed
from pbem.rules.contract import Teller
from pbem.rules.view import Note, Told
from pbem.systems.empire_1870.page.sentences import Passage, told
from pbem.systems.empire_1870.page.telling_combat import COMBAT
from pbem.systems.empire_1870.scene import words
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.world import outcomes as o
from pbem.systems.empire_1870.world.fact import Fact
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH
from pbem.systems.empire_1870.world.stacks import Strength
from pbem.systems.empire_1870.world.state import War

PULSE_ENDS: Mapping[str, str] = {
    "activations": "the activations of a pulse were used up",
    "both_passed": "both sides passed",
    "battle": "a great battle was fought",
    "all_spent": "everything on the map is spent",
}
_HALTED = "It went no further: {}."
STOPS: Mapping[str, str] = {
    **dict.fromkeys(("mp_short", "ezoc_stop", "enemy_in_path", "neutral", "path_gap"), _HALTED),
    **dict.fromkeys(("enemy_sighted", "garrison", "not_controlled", "no_exit", "exit_sp", "exit_train"), _HALTED),
    **dict.fromkeys(("rail_blocked", "rail_limit", "rail_rp", "rail_country"), "The ride was not made: {}."),
    "forced_not_allowed": "It was a plain march: {}.",
    "no_advance": "Nobody advanced: {}.",
    "no_enemy_at_target": "There was no attack: {}.",
}
"""What is told of a march or an attack that came to less than was ordered, by the ledger's code."""
CONDITIONS: Mapping[str, str] = {
    "vp": "The national morale of the Empire came to its end.",
    "napoleon": "The Emperor was struck a second time.",
    "german_army_hq": "A German army lost its commander.",
    "control": "What had to be held was held.",
    "time": "Time was up.",
    "ruling": "The umpire ended the game.",
}


# ------------------------------------------------------------------ set-up and the clock


def _set_up(scene: Scene, fact: o.SetupPlaced, mind: War, role: Role) -> Sequence[Told]:
    side = fact.side or FRENCH
    filled = "  What you did not place stands as in the default set-up." if fact.side == role and fact.defaulted else ""
    text = f"{'Your set-up stands' if side == role else f'{cap(words.side_name(side))} are set up'}.{filled}"
    sealed = f"  Sealed under {fact.seal[:16]}…; the seal is opened at the end." if fact.seal else ""
    return [told(fact, mind, text + sealed, note=f"SHA-256 {fact.seal}" if fact.seal else "")]


def _revealed(scene: Scene, fact: o.SetupRevealed, mind: War, role: Role) -> Sequence[Told]:
    text = f"The set-up of {words.side_name(fact.side or FRENCH)} is unsealed: {counted(len(fact.placements), 'line')}."
    lines = "; ".join(fact.placements)
    return [told(fact, mind, text, note=f"Seal {fact.seal}, salt {fact.salt}.  {lines}")]


def _pulse_ended(scene: Scene, fact: o.PulseEnded, mind: War, role: Role) -> Sequence[Told]:
    text = f"The {ordinal(max(1, fact.pulse))} pulse ended: {PULSE_ENDS[fact.reason]}."
    heading = f"End of the {ordinal(max(1, fact.pulse))} pulse"
    return [told(fact, mind, text, opens="end", heading=heading)]


def _phase_ended(scene: Scene, fact: o.ActionPhaseEnded, mind: War, role: Role) -> Sequence[Told]:
    text = f"The Action Phase ended: {PULSE_ENDS[fact.reason]}."
    return [told(fact, mind, text, opens="end", heading="End of the Action Phase")]


def _turn_ended(scene: Scene, fact: o.TurnEnded, mind: War, role: Role) -> Sequence[Told]:
    text = f"Turn {fact.turn}, {words.days(scene, fact.turn)}, is over; national morale stands at {mind.vp}."
    return [told(fact, mind, text)]


def _order(scene: Scene, fact: o.OrderPlayed, mind: War, role: Role) -> Sequence[Told]:
    plain = "In force." if fact.result == "standing" else "Carried out."
    said = f"{cap(words.why(fact.reason))}." if fact.reason else plain
    if fact.reason == "condition_false" and fact.result == "standing":
        said = "Its condition was not met: it waits, and is tried again."
    line = told(fact, mind, said, notes=())
    sheet = Moment(line.moment.turn, fact.sheet) if fact.sheet else line.moment
    found: list[Told] = [Told(moment=sheet, phase=line.phase, text=said, line=fact.line, result=fact.result)]
    if fact.reason in STOPS:
        text = STOPS[fact.reason].format(words.why(fact.reason))
        alone = f"Of “{fact.text}”: {text[0].lower()}{text[1:]}" if fact.text else text
        found.append(told(fact, mind, text, follows=True, alone=alone))
    return found


def _ruling(scene: Scene, fact: o.GmRuling, mind: War, role: Role) -> Sequence[Told]:
    if not fact.text:
        return []
    return [told(fact, mind, f"The umpire ruled: “{fact.text}”.", weight=2, headline="A ruling of the umpire")]


# ------------------------------------------------------------------ administration


def _whose(fact: Fact, role: Role) -> str:
    return words.subject(fact.side or FRENCH, role)


def _collected(scene: Scene, fact: o.RpCollected, mind: War, role: Role) -> Sequence[Told]:
    text = f"{cap(_whose(fact, role))} collected {fact.amount} RP and hold {fact.total}."
    return [told(fact, mind, text, rp=("Collected", fact.amount) if fact.side == role else None)]


def _returned(scene: Scene, fact: o.HqReturned, mind: War, role: Role) -> Sequence[Told]:
    face = ", on its replacement face" if fact.face == "replacement" else ""
    text = f"{words.hq_title(scene, mind, fact.hq)} came back at {scene.place_name(fact.hex)}{face}."
    return [
        told(fact, mind, text, weight=3, headline=f"{fact.hq} is back at {words.town_name(scene, fact.hex)}", gist=text)
    ]


def _mobilized(scene: Scene, fact: o.Mobilized, mind: War, role: Role) -> Sequence[Told]:
    what = f"{fact.count} SP" if fact.what == "sp" else words.hq_title(scene, mind, fact.hq)
    mine = fact.side == role
    left = f", {fact.rp_left} left" if mine else ""
    text = f"{cap(_whose(fact, role))} mobilized {what} at {scene.place_name(fact.hex)} for {fact.cost} RP{left}."
    return [told(fact, mind, text, rp=("Mobilization", -fact.cost) if mine else None)]


def _not_mobilized(scene: Scene, fact: o.MobilizeFailed, mind: War, role: Role) -> Sequence[Told]:
    order = f"“{fact.text}”" if fact.text else "A standing mobilization"
    text = f"{order} failed at {scene.place_name(fact.hex)}: {words.why(fact.reason)}.  The RP are kept."
    return [
        told(
            fact, mind, text, skipped=(0, fact.order_line, fact.text or "standing mobilization", words.why(fact.reason))
        )
    ]


# ------------------------------------------------------------------ programme


def _initiative(scene: Scene, fact: o.InitiativeRolled, mind: War, role: Role) -> Sequence[Told]:
    who = f"{words.ADJECTIVE[fact.winner]} initiative"
    if not fact.rolled:
        lead = f"{who}, without a throw."
        return [told(fact, mind, "", lead=lead, opens="initiative")]
    tie = "; a tie is German" if fact.die_french == fact.die_german else ""
    text = f"French {fact.die_french}, German {fact.die_german}{tie}."
    return [told(fact, mind, text, lead=f"{who}:", opens="initiative")]


def _taken(scene: Scene, fact: o.ActivationTaken, mind: War, role: Role) -> Sequence[Told]:
    side = fact.side or FRENCH
    who, mine = cap(_whose(fact, role)), fact.side == role
    if fact.passed:
        how = (", as ordered" if fact.by_entry else ": nothing in your programme could run") if mine else ""
        return [told(fact, mind, f"{who} passed{how}.", follows=True, opens="activation")]
    then = "" if fact.initiative_won else f"{who} took it up.  "
    root = _root(scene, fact, mind)
    whose = words.ADJECTIVE[side] + (f": {root}" if root else "")
    heading = f"Pulse {max(1, fact.pulse)}, activation {fact.activation_no}, {whose}"
    unseen = "Nothing of it came to your knowledge." if role == ENEMY[side] else "Nothing came of it."
    entry = f"{then}Entry {fact.entry} of {'your' if mine else 'the'} programme." if fact.entry else then.strip()
    return [told(fact, mind, entry, opens="activation", heading=heading, unseen=unseen)]


def _root(scene: Scene, fact: o.ActivationTaken, mind: War) -> str:
    if not fact.root:
        return ""
    return (
        words.hq_title(scene, mind, fact.root) if fact.root in scene.headquarters else scene.place_name(Hex(fact.root))
    )


def _entry_skipped(scene: Scene, fact: o.EntrySkipped, mind: War, role: Role) -> Sequence[Told]:
    fate = "waits, and is tried again" if fact.tried_again else "was skipped"
    text = f"Entry {fact.entry}, “{fact.text}”, {fate}: {words.why(fact.reason)}."
    skipped = (fact.entry, fact.line, fact.text, words.why(fact.reason) + ("; it waits" if fact.tried_again else ""))
    return [told(fact, mind, text, follows=True, skipped=skipped, weight=1, headline="")]


def _line_skipped(scene: Scene, fact: o.LineSkipped, mind: War, role: Role) -> Sequence[Told]:
    text = f"“{fact.text}” was left out: {words.why(fact.reason)}."
    return [told(fact, mind, text, skipped=(fact.entry, fact.line, fact.text, words.why(fact.reason)))]


def _activated(scene: Scene, fact: o.SubActivated, mind: War, role: Role) -> Sequence[Told]:
    if not fact.parent:
        note = f"{fact.hq} at {scene.place_name(fact.hex)}, command limit {fact.limit} SP."
    else:
        note = f"{fact.parent} activated {fact.hq} at {scene.place_name(fact.hex)}, command limit {fact.limit} SP."
    return [told(fact, mind, "", note=note, opens="under")]


# ------------------------------------------------------------------ marches


def _moved(scene: Scene, fact: o.ForceMoved, mind: War, role: Role) -> Sequence[Told]:
    notes = [
        Note(
            f"To {scene.place_name(step.hex)}: {', '.join(map(words.factor, step.modifiers))}; {step.cost} MP.",
            rules=tuple(dict.fromkeys(one.rule for one in step.modifiers)),
        )
        for step in fact.steps
    ]
    passage = Passage(
        words.force(fact.units, fact.sp, fact.side or FRENCH),
        fact.side or FRENCH,
        (fact.start, *(step.hex for step in fact.steps)),
        sum(step.cost for step in fact.steps),
        fact.mp,
    )
    end = fact.steps[-1].hex
    text = f"{cap(passage.who)} went from {scene.place_name(fact.start)} to {scene.place_name(end)}."
    return [told(fact, mind, text, notes=notes, passage=passage)]


def _seen_moving(scene: Scene, fact: o.MovementSeen, mind: War, role: Role) -> Sequence[Told]:
    side = fact.side or FRENCH
    who = words.force(fact.units, fact.sp, side)
    if len(fact.hexes) == 1:
        return [told(fact, mind, f"{cap(who)} were seen at {scene.place_name(fact.hexes[0])} on the march.")]
    start, end = fact.hexes[0], fact.hexes[-1]
    # Only a train takes a force further than the next hex at one step.
    rides = fact.rail or not are_neighbours(start, end)
    how = "went by rail" if rides else "went"
    text = f"{cap(who)} {how} from {scene.place_name(start)} to {scene.place_name(end)}."
    return [told(fact, mind, text, passage=None if rides else Passage(who, side, fact.hexes))]


def _picked_up(scene: Scene, fact: o.SpPickedUp, mind: War, role: Role) -> Sequence[Told]:
    return [told(fact, mind, f"At {scene.place_name(fact.hex)}, {words.sp(fact.sp)} joined it.", follows=True)]


def _dropped(scene: Scene, fact: o.SpDropped, mind: War, role: Role) -> Sequence[Told]:
    return [told(fact, mind, f"At {scene.place_name(fact.hex)}, {words.sp(fact.sp)} were left behind.", follows=True)]


def _rail(scene: Scene, fact: o.RailMoved, mind: War, role: Role) -> Sequence[Told]:
    mine = fact.side == role
    who = cap(words.force(fact.units, fact.sp, fact.side or FRENCH))
    if fact.start == fact.end:
        text = f"{who} left the train at {scene.place_name(fact.end)}."
    else:
        stays = ", and stayed on the train" if fact.stays else ""
        text = f"{who} went by rail from {scene.place_name(fact.start)} to {scene.place_name(fact.end)}{stays}."
    cost = f"  {fact.rp_cost} RP." if fact.rp_cost and mine else ""
    used = f"  {fact.sp_used_this_turn} SP have used the railway this turn." if fact.sp_used_this_turn else ""
    note = f"By {' '.join(fact.route)}.{used}"
    return [told(fact, mind, text + cost, note=note, rp=("Railway", -fact.rp_cost) if fact.rp_cost and mine else None)]


def _forced(scene: Scene, fact: o.ForcedMarchResolved, mind: War, role: Role) -> Sequence[Told]:
    who = listed(list(fact.units)) if fact.units else "the force"
    result = "every SP of it is disrupted" if fact.disrupted else "it kept its order"
    text = f"{cap(who)} made a forced march of {fact.n} MP more: {result}."
    dice = [face for throw in fact.dice for face in throw.faces]
    thrown = f"{'+'.join(map(str, dice))} + {fact.n} = {fact.total}; " if dice else ""
    note = f"{thrown}above 7 disrupts."
    return [
        told(fact, mind, text, note=note, weight=2 if fact.disrupted else 0, headline="A forced march ends in disorder")
    ]


def _rallied(scene: Scene, fact: o.RallyResolved, mind: War, role: Role) -> Sequence[Told]:
    place, mine = scene.place_name(fact.hex), fact.side == role
    if fact.refused_reason:
        return [told(fact, mind, f"No rally at {place}: {words.why(fact.refused_reason)}.")]
    text = f"{_better(fact.sp_before, fact.sp_after)} rallied at {place} for 1 RP."
    return [told(fact, mind, cap(text), rp=("Rally", -1) if mine else None)]


def _better(before: Strength, after: Strength) -> str:
    return f"{before.sp} SP, {words.statuses(before)} before and {words.statuses(after)} now,"


def _recovered(scene: Scene, fact: o.Recovered, mind: War, role: Role) -> Sequence[Told]:
    improved = fact.before.disrupted + fact.before.demoralized
    course = f"{words.statuses(fact.before)} to {words.statuses(fact.after)}"
    text = f"At {scene.place_name(fact.hex)} {improved} SP recovered: {course}."
    return [told(fact, mind, text, rp=("Recovery", -1) if fact.side == role else None)]


# ------------------------------------------------------------------ control, victory, knowledge


def _control(scene: Scene, fact: o.ControlChanged, mind: War, role: Role) -> Sequence[Told]:
    cell, name = scene.ground(mind.options.towns)[fact.hex], words.town_name(scene, fact.hex)
    if not (cell.town or cell.fortress):
        return [
            told(fact, mind, "", note=f"{fact.hex} is {words.ADJECTIVE[fact.after]}.", follows=True, taken=fact.hex)
        ]
    verb = "retook" if cell.owner == fact.after else "took"
    text = f"{cap(words.side_name(fact.after))} {verb} {scene.place_name(fact.hex)}."
    headline = f"{name} {'retaken' if verb == 'retook' else 'taken'}"
    if fact.walls is not None and fact.walls != fact.after:
        stays = f"the fortress stays {words.ADJECTIVE[fact.walls]} until it is destroyed"
        text = f"{cap(words.side_name(fact.after))} took the hex of {scene.place_name(fact.hex)}; {stays}."
        headline = f"{name} entered"
    weight = 6 if cell.town else 4
    return [told(fact, mind, text, follows=True, weight=weight, headline=headline, gist=text, taken=fact.hex)]


def _exited(scene: Scene, fact: o.UnitExited, mind: War, role: Role) -> Sequence[Told]:
    who = listed([words.hq_title(scene, mind, name) for name in (fact.hq, *fact.along)])
    text = f"{who} with {words.sp(fact.sp)} left the map by {scene.place_name(fact.hex)}."
    return [told(fact, mind, text, weight=7, headline=f"{fact.hq} marches into southern Germany", gist=text)]


def _sighted(scene: Scene, fact: o.Sighted, mind: War, role: Role) -> Sequence[Told]:
    """What can be looked into now stands in the table of the enemy; an enemy met unawares is told of."""
    met = [at for at in fact.occupied if at not in mind.occupied] if mind.options.fog == "blind" and mind.turn else []
    return [told(fact, mind, f"The enemy was found at {words.places(scene, met)}.", follows=True)] if met else []


def _vp(scene: Scene, fact: o.VpChanged, mind: War, role: Role) -> Sequence[Told]:
    reason = fact.reason
    for side, adjective in words.ADJECTIVE.items():
        reason = reason.replace(f" {side} ", f" {adjective} ")
    text = f"National morale {signed(fact.delta)} to {fact.vp}: {reason}."
    return [told(fact, mind, text, follows=True, vp=(reason, fact.delta, fact.vp))]


def _won(scene: Scene, fact: o.GameWon, mind: War, role: Role) -> Sequence[Told]:
    if fact.winner == "draw":
        lead, headline = "The war is drawn.", "The war is drawn"
    else:
        won = fact.winner == role
        lead = f"{'You have' if won else cap(words.side_name(fact.winner)) + ' have'} won a {fact.how} victory."
        headline = f"A {fact.how} {'victory' if won else 'defeat'}"
    text = CONDITIONS.get(fact.condition, cap(fact.condition))
    gist = f"{lead} {text}"
    return [told(fact, mind, f"{text}  National morale stands at {mind.vp}.", lead=lead, weight=10, headline=headline,
                 gist=gist)]  # fmt: skip


def _nothing(scene: Scene, fact: Fact, mind: War, role: Role) -> Sequence[Told]:
    return []


TELLERS: Mapping[type[Fact], Teller] = {
    o.SetupPlaced: _set_up,
    o.SetupRevealed: _revealed,
    o.PhaseBegan: _nothing,
    o.PulseEnded: _pulse_ended,
    o.ActionPhaseEnded: _phase_ended,
    o.TurnEnded: _turn_ended,
    o.ProgrammeSet: _nothing,
    o.StandingSet: _nothing,
    o.OrderPlayed: _order,
    o.RpCollected: _collected,
    o.HqReturned: _returned,
    o.Mobilized: _mobilized,
    o.MobilizeFailed: _not_mobilized,
    o.InitiativeRolled: _initiative,
    o.ActivationTaken: _taken,
    o.EntrySkipped: _entry_skipped,
    o.LineSkipped: _line_skipped,
    o.UnitsSpent: _nothing,
    o.SubActivated: _activated,
    o.ForceMoved: _moved,
    o.MovementSeen: _seen_moving,
    o.SpPickedUp: _picked_up,
    o.SpDropped: _dropped,
    o.RailMoved: _rail,
    o.ForcedMarchResolved: _forced,
    o.RallyResolved: _rallied,
    o.ControlChanged: _control,
    o.UnitExited: _exited,
    o.Recovered: _recovered,
    o.Sighted: _sighted,
    o.VpChanged: _vp,
    o.GameWon: _won,
    o.GmRuling: _ruling,
    **COMBAT,
}
"""How each kind of fact is told; every kind stands here."""


def tell(scene: Scene, fact: Fact, mind: War, role: Role) -> Sequence[Told]:
    """A fact, as *role* may know it, in words, with the names it had for things just before."""
    return TELLERS[type(fact)](scene, fact, mind, role)
