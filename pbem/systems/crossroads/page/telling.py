"""A fact in words, as one side may know it, with the names it had for things just before."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.kernel.names import Moment, Role
from pbem.orders.prose import cap, counted, number
from pbem.rules.contract import Teller
from pbem.rules.view import Table, Told
from pbem.systems.crossroads.page.landscape import located
from pbem.systems.crossroads.page.sentences import Colour, heading, paid, told
from pbem.systems.crossroads.page.telling_combat import COMBAT
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.scene.words import (
    TYPES,
    adjective,
    called,
    card,
    compass,
    formation,
    inches,
    kind,
    length,
    names,
    place,
    side_name,
    subject,
    who,
)
from pbem.systems.crossroads.tables.units import CARD_COLOURS
from pbem.systems.crossroads.world import outcomes as o
from pbem.systems.crossroads.world.fact import Fact
from pbem.systems.crossroads.world.reasons import WORDS
from pbem.systems.crossroads.world.state import Battle, Unit

STOPS: Mapping[str, str] = {
    "enemy": "an inch from an enemy",
    "friend": "before a friendly unit",
    "edge": "at the edge of the table",
    "closed": "before ground that is closed to it",
    "obstacle": "at the obstacle",
    "linear": "before an obstacle that it could not pay for",
    "contour": "before a contour that it could not pay for",
    "room": "with no room to turn",
    "facing": "without enough left to turn",
    "difficult": "in difficult ground",
}
"""Where a move ended early; those that are not here went as far as they could."""

MOVE = re.compile(r"\b(?:move|wheel|face|form|prone|rise)\b.*", re.IGNORECASE)
"""What an officer makes his units do, in the line of his order."""

BECAME: Mapping[str, str] = {
    "done": "carried out",
    "in part": "carried out in part",
    "standing": "in force",
    "not used": "not used",
    "superseded": "replaced",
}
"""What became of a line."""

ELSES = ("", "first", "second")
"""Which `else` of a line was used."""

# ------------------------------------------------------------------ the clock and the cards


def _nothing(scene: Scene, fact: Fact, mind: Battle, role: Role) -> Sequence[Told]:
    return []


def _deck(scene: Scene, fact: o.DeckBuilt, mind: Battle, role: Role) -> Sequence[Told]:
    red, black = mind.sides
    own = mind.options.hidden_reserves
    cards = [
        f"{number(count)} {CARD_COLOURS['french' if side == red else 'german']}"
        for side, count in ((red, fact.count_french), (black, fact.count_german))
        if not own or side == role
    ]
    rolls = ", then ".join(f"{adjective(scene, red)} {a}, {adjective(scene, black)} {b}" for a, b in fact.control_rolls)
    yours = "You control" if fact.controller == role else f"{cap(side_name(scene, fact.controller))} control"
    text = f"The deck: {names(cards)} cards and two jokers. {yours} it and have the Joker*."
    tied = bool(fact.control_rolls) and fact.control_rolls[-1][0] == fact.control_rolls[-1][1]
    note = f"{rolls}{': a tie, it stays as it was' if tied else ''}." if rolls else ""
    return [told(fact, mind, text, note=note).opening()]


def _card(scene: Scene, fact: o.CardTurned, mind: Battle, role: Role) -> Sequence[Told]:
    mine = fact.side == role
    colour: Colour = "red" if fact.side == mind.sides[0] else "black"
    face = card(fact.card)
    note = f"The {face}." if face else ""
    if fact.joker:
        side = "you" if mine else side_name(scene, fact.side or mind.sides[1])
        lead = f"Card {fact.seq}, {'the ' if fact.joker == 'Joker' else ''}{fact.joker}, for {side}"
        if fact.blank:
            return [told(fact, mind, "Nobody could act.", lead=f"{lead}.").opening()]
        lead += f": {called(mind, fact.unit)}." if fact.unit else "."
        return [told(fact, mind, "" if fact.unit else "A unit that you do not see.", lead=lead).opening()]
    if fact.blank:
        text = f"{fact.unit or 'Its unit'} is gone: the card is blank."
        return [told(fact, mind, text, lead=f"Card {fact.seq}, {colour}.", note=note).opening()]
    if not fact.unit:
        line = told(fact, mind, "A unit that you do not see.", lead=f"Card {fact.seq}, {colour}.")
    else:
        line = told(fact, mind, "", lead=f"Card {fact.seq}, {colour}: {called(mind, fact.unit)}.", note=note)
    return [replace(line.opening(), colour=colour)]


def _action(scene: Scene, fact: o.ActionTaken, mind: Battle, role: Role) -> Sequence[Told]:
    led = any((one.kind, one.seq, one.unit) == ("move", fact.seq, fact.unit) for one in mind.traces)
    stood = who(fact.unit) if fact.action == "none" and not fact.halves and not led else ""
    if fact.default:
        note = f"{who(fact.unit)} did what a unit does without an order."
    elif fact.used_else:
        note = f"{fact.unit}, line {fact.order_line}, its {ELSES[fact.used_else]} else: {fact.text}"
    elif fact.text:
        note = f"{fact.unit}, line {fact.order_line}: {fact.text}" if fact.order_line else f"{fact.unit}: {fact.text}"
    else:
        note = ""
    return [replace(told(fact, mind, f"{cap(stood)} stood." if stood else "", note=note), stood=stood)]


def _order(scene: Scene, fact: o.OrderPlayed, mind: Battle, role: Role) -> Sequence[Told]:
    said = BECAME.get(fact.result, "tried")
    by = f", by its {ELSES[fact.used_else]} else" if fact.used_else else ""
    card_of = f" on card {fact.seq}" if fact.seq and fact.phase == "card" and fact.result in ("done", "in part") else ""
    why = WORDS.get(fact.reason, fact.reason)
    text = cap(f"{said}{card_of}{by}: {why}." if why and card_of else f"{why or said + card_of + by}.")
    moment = Moment(fact.turn, fact.sheet or mind.exchange)
    return [Told(moment=moment, phase=heading(fact), text=text, line=fact.line, result=fact.result)]


def _failed(scene: Scene, fact: o.OrderFailed, mind: Battle, role: Role) -> Sequence[Told]:
    why = WORDS.get(fact.reason, fact.reason).replace("the enemy", fact.target or "the enemy")
    where = f"line {fact.order_line}, " if fact.order_line else ""
    said = f"{where}“{fact.text}”" if fact.text else "its order"
    if fact.reason == "condition_false":
        return [told(fact, mind, "", note=f"{fact.unit}, {said}: {why}.")]
    return [told(fact, mind, f"{fact.unit} could not carry out {said}: {why}.")]


# ------------------------------------------------------------------ arrivals and sights


def _arrived(scene: Scene, fact: o.UnitArrived, mind: Battle, role: Role) -> Sequence[Told]:
    if fact.delayed:
        text = f"{subject(mind, fact.unit)} could not come on: its place is taken. It comes a turn later."
        return [told(fact, mind, text).opening()] if fact.unit else []
    if not fact.unit or fact.unit not in mind.units:
        at = f" at {place(fact.pos)}" if fact.pos is not None else ""
        text = f"Enemy {TYPES[fact.type]} came onto the table{at}."
        return [told(fact, mind, text, weight=2, headline="Fresh enemy troops").opening()]
    at = f" at {located(scene, fact.pos)}" if fact.pos is not None else ""
    text = f"{subject(mind, fact.unit)} came onto the table{at}."
    return [told(fact, mind, text, weight=2, headline=f"{fact.unit} arrives").opening()]


def _looks(unit: Unit) -> str:
    at = f" at {place(unit.pos)}" if unit.pos is not None else ""
    return f"{kind(unit)} {formation(unit)}{at}"


def _sighted(scene: Scene, fact: o.Sighted, mind: Battle, role: Role) -> Sequence[Told]:
    shown = {unit.id: unit for unit in fact.shows}
    fresh, known, lost = [], [], []
    for sight in fact.sights:
        unit = shown.get(sight.unit)
        if sight.level == "lost":
            lost.append(sight.unit)
        elif unit is None:
            continue
        elif sight.level == "contact":
            fresh.append(f"{unit.id} ({_looks(unit)})")
        elif sight.was:
            known.append(f"{sight.was} is {unit.id}, {unit.name}.")
        else:
            fresh.append(f"{unit.id}, {unit.name} ({_looks(unit)})")
    parts = [f"In sight: {'; '.join(fresh)}."] if fresh else []
    parts += [cap(one) for one in known]
    parts += [f"Out of sight: {names(lost)}."] if lost else []
    return [told(fact, mind, " ".join(parts))] if parts else []


# ------------------------------------------------------------------ moves


def _moved(scene: Scene, fact: o.UnitMoved, mind: Battle, role: Role) -> Sequence[Told]:
    unit = mind.units.get(fact.unit)
    name, stop = who(fact.unit), STOPS.get(fact.stopped_by, "")
    ended = f", {stop}" if stop else ""
    if fact.stopped_by == "volley":
        return [told(fact, mind, "")]
    if fact.to is None:
        return [told(fact, mind, f"{cap(name)} moved out of sight.")]
    at = located(scene, fact.to)
    if fact.start is None:
        text = f"{cap(name)} came up to {at}."
    elif not fact.walked:
        turned = fact.wheeled or unit is None or unit.facing != fact.facing
        how = f"{'wheeled' if fact.wheeled else 'turned'} to face {compass(fact.facing)}" if turned else "did not move"
        text = f"{cap(name)} {how}{ended}."
    else:
        facing = f", facing {compass(fact.facing)}" if unit is not None and unit.facing != fact.facing else ""
        text = f"{cap(name)} went {inches(fact.walked)} to {at}{facing}{ended}."
    if fact.side != role or not fact.allowance:
        return [told(fact, mind, text)]
    spent = ", ".join(["walked " + length(fact.walked), *(paid(one.event, one.inches) for one in fact.costs)])
    note = f"{fact.unit}: {length(fact.allowance)} inches to spend; {spent}; {length(fact.left)} left."
    return [told(fact, mind, text, note=note)]


def _formed(scene: Scene, fact: o.FormationChanged, mind: Battle, role: Role) -> Sequence[Told]:
    verb = {"deployed": "deployed", "limbered": "limbered up", "skirmish": "went into skirmish order"}
    return [told(fact, mind, f"{cap(who(fact.unit))} {verb.get(fact.to, f'formed {fact.to}')}.")]


def _did(what: str) -> Teller:
    """How a unit's deed is told that needs no more than a word or two."""
    return lambda scene, fact, mind, role: [told(fact, mind, f"{cap(who(fact.unit))} {what}.")]


def _rode(scene: Scene, fact: o.OfficerMoved, mind: Battle, role: Role) -> Sequence[Told]:
    if not fact.officer:
        return []
    rode = "had to get away and rode" if "GC-OFF-01" in fact.rules else "rode"
    if fact.to is None:
        return [told(fact, mind, f"{subject(mind, fact.officer)} {rode} out of sight.")]
    if fact.start is None:
        return [told(fact, mind, f"{subject(mind, fact.officer)} {rode} up to {place(fact.to)}.")]
    if fact.start == fact.to:
        return []
    return [told(fact, mind, f"{subject(mind, fact.officer)} {rode} {inches(fact.inches)} to {place(fact.to)}.")]


def _attached(scene: Scene, fact: o.OfficerAttached, mind: Battle, role: Role) -> Sequence[Told]:
    if not fact.officer:
        return []
    joined = f"is with {fact.unit} now" if fact.unit else "is with no unit now"
    return [told(fact, mind, f"{fact.officer} {joined}.")] if fact.side in (role, None) else []


def _led(scene: Scene, fact: o.GroupMoved, mind: Battle, role: Role) -> Sequence[Told]:
    order = MOVE.search(fact.move)
    how = f": {order[0]}" if fact.side == role and order else ""
    leader = subject(mind, fact.officer) if fact.officer else "An officer"
    text = f"{leader} led {names(map(who, fact.units))} on one card{how}."
    return [told(fact, mind, text, weight=2, headline=f"{fact.officer or 'An officer'} leads the way")]


def _crossing(scene: Scene, fact: o.ObstacleStarted, mind: Battle, role: Role) -> Sequence[Told]:
    more = f" It needs {counted(fact.left, 'card')} more." if fact.left and fact.side == role else ""
    note = f"D6: {fact.die}." if fact.die else ""
    return [told(fact, mind, f"{cap(who(fact.unit))} is crossing the obstacle before it.{more}", note=note)]


def _crossed(scene: Scene, fact: o.ObstacleCrossed, mind: Battle, role: Role) -> Sequence[Told]:
    at = f", at {place(fact.to)}" if fact.to is not None else ""
    return [told(fact, mind, f"{cap(who(fact.unit))} is over the obstacle{at}.")]


# ------------------------------------------------------------------ the end


def _taken(scene: Scene, fact: o.PlaceTaken, mind: Battle, role: Role) -> Sequence[Told]:
    side = fact.by_side
    yours = side == role
    points = next((one.points for one in scene.held if one.place == fact.place), 0)
    lead = f"{'You hold' if yours else f'{cap(side_name(scene, side))} hold'} {fact.place}."
    headline = f"{fact.place} {'taken' if yours else 'lost'}"
    text = f"It is worth {counted(points, 'point')}."
    line = told(fact, mind, text, lead=lead, weight=8, headline=headline)
    return [replace(line.opening(), gist=lead)]


def _counted_up(scene: Scene, fact: o.VictoryCounted, mind: Battle, role: Role) -> Sequence[Told]:
    one, other = mind.sides
    totals = f"{adjective(scene, one)} {fact.totals.get(one, 0)}, {adjective(scene, other)} {fact.totals.get(other, 0)}"
    kind_of = "a marginal victory" if fact.result == "marginal" else "a victory"
    if fact.winner is None:
        lead, headline = "The battle is drawn.", "The battle is drawn"
    else:
        won = fact.winner == role
        lead = f"{'Yours is' if won else f'{cap(side_name(scene, fact.winner))} have'} {kind_of}."
        headline = "The battle is won" if won else "The battle is lost"
    rows = tuple((adjective(scene, item.side), item.what, str(item.points)) for item in fact.items)
    table = Table(caption="The count", columns=("For", "What", "Points"), rows=rows, numbers=(2,))
    line = told(fact, mind, f"{totals}.", lead=lead, weight=10, headline=headline)
    return [replace(line.opening(), tables=(table,), gist=f"{lead} {totals}.")]


def _ruling(scene: Scene, fact: o.GmRuling, mind: Battle, role: Role) -> Sequence[Told]:
    if not fact.text and fact.side == role:
        # It was not for his ears; what it made of his own he finds on his page.
        return []
    what = f" “{fact.text}”" if fact.text else ""
    return [told(fact, mind, f"The umpire ruled{what}.").opening()]


TELLERS: Mapping[type[Fact], Teller] = {
    o.Mustered: _nothing,
    o.PhaseBegan: _nothing,
    o.OrdersTaken: _nothing,
    o.OrderPlayed: _order,
    o.OrderFailed: _failed,
    o.DeckBuilt: _deck,
    o.CardTurned: _card,
    o.ActionTaken: _action,
    o.UnitArrived: _arrived,
    o.Sighted: _sighted,
    o.UnitMoved: _moved,
    o.FormationChanged: _formed,
    o.UnitProne: _did("lay down"),
    o.UnitRisen: _did("rose"),
    o.JamCleared: _did("cleared its jam"),
    o.OfficerMoved: _rode,
    o.OfficerAttached: _attached,
    o.GroupMoved: _led,
    o.ObstacleStarted: _crossing,
    o.ObstacleCrossed: _crossed,
    o.TurnEnded: _nothing,
    o.PlaceTaken: _taken,
    o.VictoryCounted: _counted_up,
    o.GmRuling: _ruling,
    **COMBAT,
}
"""How each kind of fact is told; every kind stands here."""


def tell(scene: Scene, fact: Fact, mind: Battle, role: Role) -> Sequence[Told]:
    """A fact, as *role* may know it, in words, with the names it had for things just before."""
    return TELLERS[type(fact)](scene, fact, mind, role)
