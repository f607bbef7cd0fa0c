"""A fact in words, as one side may know it, with the names it had for things just before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.kernel.names import Moment, Role
from pbem.orders.prose import counted, number
from pbem.rules.contract import Teller
from pbem.rules.view import Told
from pbem.systems.st_privat.page.sentences import HEADINGS, nothing, told, who
from pbem.systems.st_privat.page.telling_combat import COMBAT
from pbem.systems.st_privat.play.pauses import exchange
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import DIRECTIONS, cap, names, side_name
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import Fact, RevealCause, StopReason
from pbem.systems.st_privat.world.state import Battle, evolve

STOPS: dict[StopReason, str] = {
    "stopped_by_zoc": "an enemy zone of control",
    "stopped_by_terrain": "the ground",
    "diagonal_blocked": "no way through between two enemy squares or zones",
    "capacity_full": "no room in the square",
    "move_shortened": "no movement left",
    "enemy_met": "an enemy whom you had not seen",
    "entry_blocked": "the cards there hold troops",
    "general_alone": "the cards there, which a general alone does not turn up",
    "ford": "the ford",
    "gun_found": "the enemy siege gun, which they had found",
}


# ------------------------------------------------------------------ set-up and the clock


def _zone(scene: Scene, fact: o.SiegeZoneRolled, mind: Battle, role: Role) -> Sequence[Told]:
    text = f"The siege gun may be placed on row {fact.row}, files {fact.files}; the French do not know where."
    return [told(fact, mind, text, note="The two dice of the zone.", lead="")]


def _set_up(scene: Scene, fact: o.SetupCompleted, mind: Battle, role: Role) -> Sequence[Told]:
    if fact.side == role:
        filled = f"  Placed by the default set-up: {names(fact.defaulted)}." if fact.defaulted else ""
        text = f"Your set-up stands.{filled}"
    else:
        cards = sum(shown.count for shown in fact.cards.values())
        hidden = f", and {counted(cards, 'card')} lie face down in the towns" if cards else ""
        text = f"{cap(side_name(fact.side))} are set up{hidden}."
    sealed = f"  Sealed under {fact.seal[:16]}…; the seal is opened at the end." if fact.seal else ""
    return [told(fact, mind, text + sealed, note=f"SHA-256 {fact.seal}" if fact.seal else "")]


def _revealed(scene: Scene, fact: o.SetupRevealed, mind: Battle, role: Role) -> Sequence[Told]:
    text = f"The set-up of {side_name(fact.side)} is unsealed: {counted(len(fact.placements), 'line')}."
    lines = "; ".join(fact.placements)
    return [told(fact, mind, text, note=f"Seal {fact.seal}, salt {fact.salt}.  {lines}")]


def _initiative(scene: Scene, fact: o.InitiativeRolled, mind: Battle, role: Role) -> Sequence[Told]:
    winner, chose = fact.winner, fact.choice
    mine = winner == role
    lead = f"{'You' if mine else cap(side_name(winner))} won the initiative and chose to move {chose}."
    charger = "you may charge" if fact.second_mover == role else f"{side_name(fact.second_mover)} may charge"
    mover = "you" if fact.first_mover == role else side_name(fact.first_mover)
    text = f"In the next turn {mover} move first and {charger}."
    rolls = f"French {fact.french_die}, Prussian {fact.prussian_die}"
    again = f", after {counted(fact.rerolls, 'tie')}" if fact.rerolls else ""
    return [told(fact, mind, text, lead=lead, note=f"{rolls}{again}.")]


def _withdrawal(scene: Scene, fact: o.WithdrawalOrdered, mind: Battle, role: Role) -> Sequence[Told]:
    lead = "Orders from headquarters: fall back on Metz."
    text = f"The road by {fact.square} is open to you from this turn; what marches off by it scores."
    return [told(fact, mind, text, lead=lead, weight=8, headline="Orders to fall back on Metz")]


def _order(scene: Scene, fact: o.OrderPlayed, mind: Battle, role: Role) -> Sequence[Told]:
    return [
        Told(
            moment=Moment(fact.turn, exchange(mind)),
            phase=HEADINGS[fact.phase],
            text=fact.text,
            line=fact.line,
            result=fact.result,
        )
    ]


def _ruling(scene: Scene, fact: o.Ruling, mind: Battle, role: Role) -> Sequence[Told]:
    what = f" “{fact.text}”" if fact.text else ""
    return [told(fact, mind, f"The umpire ruled{what}.")]


# ------------------------------------------------------------------ movement


def _of_movement(fact: Fact, mind: Battle, role: Role, text: str, note: str = "") -> Sequence[Told]:
    """A line under the head of its side's movement."""
    first = fact.phase == "move_first"
    side = mind.first_mover if first else mind.second_mover
    lead = f"{'You' if side == role else cap(side_name(side))} moved {'first' if first else 'second'}."
    return [told(fact, mind, text, lead=lead, note=note, follows=True)]


def _without_trains(units: Sequence[str], mind: Battle) -> list[str]:
    """Units as a report names them: a section by its gun."""
    pieces = mind.pieces
    guns = {name for name in units if name in pieces and pieces[name].is_gun}
    return [name for name in units if name not in pieces or pieces[name].gun_id not in guns]


def _moved(scene: Scene, fact: o.UnitMoved, mind: Battle, role: Role) -> Sequence[Told]:
    mover = who(_without_trains(fact.units, mind), fact.count, fact.side, role)
    start, end = fact.path[0], fact.path[-1]
    how = " in column" if fact.formation == "column" else ""
    into = ", into the building" if fact.place == "inside" else ""
    if start == end:
        return []
    road = ", by the road" if fact.road_bonus_used else ""
    text = f"{cap(mover)} went from {start} to {end}{how}{road}{into}."
    via = f"{mover}: {' '.join(fact.path)}"
    note = f"{via}, {fact.cost} of {fact.allowance} points." if fact.side == role else f"{via}."
    return _of_movement(fact, mind, role, text, note)


def _stopped(scene: Scene, fact: o.MoveStopped, mind: Battle, role: Role) -> Sequence[Told]:
    if fact.reason == "move_shortened":
        return []
    # Who made no step at all has no line before this one: he is named.
    went = any(mind.pieces[name].moved_this_turn for name in fact.units if name in mind.pieces)
    text = f"{cap(names(_without_trains(fact.units, mind)))} {'stopped' if went else 'stayed'} at {fact.square}"
    return [told(fact, mind, f"{text}: {STOPS[fact.reason]}." if fact.side == role else f"{text}.", follows=True)]


def _blocked(scene: Scene, fact: o.EntryBlocked, mind: Battle, role: Role) -> Sequence[Told]:
    text = f"{cap(names([fact.unit]))} came up to the cards in {fact.card_square} and was barred: they hold troops."
    return [told(fact, mind, text, weight=2)]


def _dummies(scene: Scene, fact: o.DummiesRemoved, mind: Battle, role: Role) -> Sequence[Told]:
    cards = counted(fact.count, "card")
    are = "was a dummy" if fact.count == 1 else "were dummies"
    text = f"{cap(cards)} in {fact.square} {are} and {'is' if fact.count == 1 else 'are'} off the field."
    headline = f"{fact.square} held dummies only"
    return [told(fact, mind, text, weight=4 if fact.cause == "charged" else 1, headline=headline)]


CAUSES: dict[RevealCause, str] = {
    "fired": "by firing",
    "left_town": "by leaving the town",
    "driven": "when they were swept along",
    "abandoned": "when the gun was left behind",
    "charged": "by charging",
    "attacked": "to meet a charge",
    "owner": "by order",
    "removed": "when they fell",
    "crew_lost": "when the crew was lost",
    "entered": "when the square was entered",
}


def _turned_up(scene: Scene, fact: o.CardsRevealed, mind: Battle, role: Role) -> Sequence[Told]:
    up = _without_trains(fact.units, evolve(mind, fact))
    if not up:
        return [told(fact, mind, f"Cards turned up at {fact.square}, out of your sight.")]
    return [told(fact, mind, f"{cap(names(up))} turned up at {fact.square} {CAUSES[fact.cause]}.")]


def _card(scene: Scene, fact: o.CardMoved, mind: Battle, role: Role) -> Sequence[Told]:
    what = names(fact.units) if fact.units else counted(fact.card_count, "card")
    if fact.start == fact.end:
        return _of_movement(fact, mind, role, f"{cap(what)} at {fact.start} turned to face {fact.facing}, face down.")
    return _of_movement(fact, mind, role, f"{cap(what)} moved from {fact.start} to {fact.end}, face down.")


def _formed(scene: Scene, fact: o.FormationChanged, mind: Battle, role: Role) -> Sequence[Told]:
    if "SP-FOR-05" in fact.rules or not fact.units:
        return []
    text = f"{cap(names(fact.units))} formed {fact.end} at {fact.group_square}."
    return _of_movement(fact, mind, role, text, note=f"{counted(fact.cost, 'point')}.")


def _turned(scene: Scene, fact: o.UnitTurned, mind: Battle, role: Role) -> Sequence[Told]:
    body = names(fact.units) if fact.units else "cards"
    return _of_movement(fact, mind, role, f"{cap(body)} at {fact.group_square} turned to face {DIRECTIONS[fact.end]}.")


def _place(scene: Scene, fact: o.PlaceChanged, mind: Battle, role: Role) -> Sequence[Told]:
    way = "went into" if fact.place == "inside" else "came out of"
    body = names(fact.units) if fact.units else "cards"
    return _of_movement(fact, mind, role, f"{cap(body)} {way} the building at {fact.square}.")


def _limbered(scene: Scene, fact: o.GunLimbered, mind: Battle, role: Role) -> Sequence[Told]:
    return _of_movement(fact, mind, role, f"{cap(fact.gun)} was limbered at {fact.square}.")


def _unlimbered(scene: Scene, fact: o.GunUnlimbered, mind: Battle, role: Role) -> Sequence[Told]:
    text = f"{cap(fact.gun)} unlimbered at {fact.square}, facing {DIRECTIONS[fact.facing]}; it may not fire this turn."
    return _of_movement(fact, mind, role, text)


def _prolonged(scene: Scene, fact: o.GunProlonged, mind: Battle, role: Role) -> Sequence[Told]:
    return _of_movement(fact, mind, role, f"{cap(fact.gun)} was pushed by its crew from {fact.start} to {fact.square}.")


def _detached(scene: Scene, fact: o.CrewDetached, mind: Battle, role: Role) -> Sequence[Told]:
    where = "into the building" if fact.place == "inside" else "beside it"
    return _of_movement(fact, mind, role, f"{cap(fact.crew)} left {fact.gun} at {fact.square} and went {where}.")


def _manned(scene: Scene, fact: o.GunManned, mind: Battle, role: Role) -> Sequence[Told]:
    return _of_movement(fact, mind, role, f"{cap(fact.crew)} took to {fact.gun} at {fact.square}.")


def _ford(scene: Scene, fact: o.FordStarted | o.FordCrossed, mind: Battle, role: Role) -> Sequence[Told]:
    """Small print of the move that led there; every stand of a body has a fact of its own."""
    how = "goes into" if isinstance(fact, o.FordStarted) else "comes out of"
    return [told(fact, mind, "", note=f"{fact.unit} {how} the ford at {fact.square}.", follows=True)]


def _wall(scene: Scene, fact: o.WallCrossed, mind: Battle, role: Role) -> Sequence[Told]:
    return [told(fact, mind, "", note=f"{fact.unit} over the wall {fact.edge}.", follows=True)]


def _siege_gun(scene: Scene, fact: o.SiegeGunPlaced, mind: Battle, role: Role) -> Sequence[Told]:
    how = "was found by the French" if fact.cause == "found" else "was brought into action"
    headline = f"A siege gun at {fact.square}"
    lead = f"The 24-pounder {how} at {fact.square}."
    return [told(fact, mind, "It is on the table from now on.", lead=lead, weight=6, headline=headline)]


def _siege_failed(scene: Scene, fact: o.SiegeRevealFailed, mind: Battle, role: Role) -> Sequence[Told]:
    return [told(fact, mind, "The siege gun stayed hidden: the French dispute its square.")]


def _sighted(scene: Scene, fact: o.Sighted, mind: Battle, role: Role) -> Sequence[Told]:
    seen = [piece.id for piece in fact.shows]
    out = list(fact.forgets)
    parts = [f"{cap(names(seen))} came into sight."] if seen else []
    parts += [f"{cap(names(out))} went out of sight."] if out else []
    return [told(fact, mind, "  ".join(parts))] if parts else []


# ------------------------------------------------------------------ the end of a turn


def _town(scene: Scene, fact: o.TownControlChanged, mind: Battle, role: Role) -> Sequence[Told]:
    name = scene.towns[fact.town].name
    holder = {"prussian": "The Prussians", "french": "The French"}.get(fact.end, "Nobody")
    if fact.points_awarded:
        scored = f"It scores {number(fact.points_awarded)} points for the Prussians."
    elif fact.points_subtracted:
        scored = f"The Prussians lose its {number(fact.points_subtracted)} points again."
    else:
        scored = "It does not score any more."
    verb = "took" if fact.end == "prussian" else "have retaken"
    headline = f"{name} {'taken' if fact.end == 'prussian' else 'retaken'}"
    return [told(fact, mind, scored, lead=f"{holder} {verb} {name}.", weight=9, headline=headline)]


def _exited(scene: Scene, fact: c.UnitExited, mind: Battle, role: Role) -> Sequence[Told]:
    text = f"{cap(names(fact.units))} marched off by {fact.square}: {counted(fact.points, 'point')} for the French."
    return [told(fact, mind, text, weight=5, headline="The French march for Metz")]


def _ended(scene: Scene, fact: o.GameEnded, mind: Battle, role: Role) -> Sequence[Told]:
    score = f"French {fact.french}, Prussian {fact.prussian}."
    if fact.winner == "draw":
        lead, headline = "The battle is drawn.", "The battle is drawn"
    else:
        won = fact.winner == role
        lead = f"{'You have' if won else cap(side_name(Role(fact.winner))) + ' have'} won."
        headline = "The battle is won" if won else "The battle is lost"
    why = {
        "turn_15": "The last turn is over.",
        "no_town_turn_9": "The Prussians hold no town, and the battle is broken off.",
    }[fact.reason]
    return [told(fact, mind, f"{why}  {score}", lead=lead, weight=10, headline=headline)]


TELLERS: Mapping[type[Fact], Teller] = {
    o.SiegeZoneRolled: _zone,
    o.SetupCompleted: _set_up,
    o.SetupRevealed: _revealed,
    o.PhaseBegan: nothing,
    o.InitiativeRolled: _initiative,
    o.WithdrawalOrdered: _withdrawal,
    o.ReactionSet: nothing,
    o.OrderPlayed: _order,
    o.UnitMoved: _moved,
    o.MoveStopped: _stopped,
    o.EntryBlocked: _blocked,
    o.DummiesRemoved: _dummies,
    o.CardsRevealed: _turned_up,
    o.CardMoved: _card,
    o.FormationChanged: _formed,
    o.UnitTurned: _turned,
    o.PlaceChanged: _place,
    o.GunLimbered: _limbered,
    o.GunUnlimbered: _unlimbered,
    o.GunProlonged: _prolonged,
    o.CrewDetached: _detached,
    o.GunManned: _manned,
    o.FordStarted: _ford,
    o.FordWaited: nothing,
    o.FordCrossed: _ford,
    o.WallCrossed: _wall,
    o.SiegeGunPlaced: _siege_gun,
    o.SiegeRevealFailed: _siege_failed,
    o.UnitLost: nothing,
    o.Sighted: _sighted,
    o.TownControlChanged: _town,
    c.UnitExited: _exited,
    o.ScoreUpdated: nothing,
    o.GameEnded: _ended,
    o.Ruling: _ruling,
    **COMBAT,
}
"""How each kind of fact is told; every kind stands here."""


def tell(scene: Scene, fact: Fact, mind: Battle, role: Role) -> Sequence[Told]:
    """A fact, as *role* may know it, in words, with the names it had for things just before."""
    return TELLERS[type(fact)](scene, fact, mind, role)
