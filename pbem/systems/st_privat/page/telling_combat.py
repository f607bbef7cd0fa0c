"""Fire, charges and what follows from them, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.kernel.event import Throw
from pbem.kernel.names import Role
from pbem.orders.prose import counted, number
from pbem.rules.contract import Teller
from pbem.rules.view import Note, Table, Told
from pbem.systems.st_privat.melee.charge import REASONS
from pbem.systems.st_privat.page.sentences import nothing, told
from pbem.systems.st_privat.play.play import Went
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import DIRECTIONS, as_counted, cap, names, side_name
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import Die, Fact
from pbem.systems.st_privat.world.pieces import ENEMY
from pbem.systems.st_privat.world.state import Battle

WEAPONS: Mapping[str, str] = {"french": "Chassepot", "prussian": "Needle gun"}
GUNFIRE: Mapping[str, str] = {"shot": "fired shot at", "shell": "shelled", "mg": "swept", "siege": "bombarded"}
FIGURE: Mapping[str, tuple[str, str]] = {
    "infantry": ("man", "men"),
    "cavalry": ("trooper", "troopers"),
    "crew": ("gunner", "gunners"),
    "team": ("horse", "horses"),
    "general": ("figure", "figures"),
}
"""What a stand of each kind loses."""


def figures(count: int, kind: str) -> str:
    """`two men`, `one horse`."""
    one, many = FIGURE.get(kind, ("figure", "figures"))
    return f"{number(count)} {one if count == 1 else many}"


# ------------------------------------------------------------------ fire


def _rifles(scene: Scene, fact: c.RifleFireResolved, mind: Battle, role: Role) -> Sequence[Told]:
    squares = list(dict.fromkeys(die.square for die in fact.fire if die.shooter))
    known = [die.shooter for die in fact.fire if die.shooter]
    hidden = len(fact.fire) - len(known)
    unseen = [f"{number(hidden)} whom you do not see"] if hidden else []
    shooters = cap(" and ".join([*([names(known)] if known else []), *unseen]))
    inside = " into the building" if fact.place == "inside" else ""
    lead = f"From {' and '.join([*squares, *(['out of sight'] if hidden else [])])}"
    result = f"{cap(_hits(fact.hits, fact.kills))}." if fact.kills else "Not a hit."
    notes = [Note(_die_in_words(fact.side, die), dice=_dice_of(fact, number)) for number, die in enumerate(fact.fire)]
    text = f"{shooters} fired at {fact.target_square}{inside}.  {result}"
    headline = f"Rifle fire at {fact.target_square}"
    return [
        told(
            fact,
            mind,
            text,
            lead=lead,
            notes=notes,
            weight=min(fact.kills, 4),
            headline=headline,
            place=fact.target_square,
        )
    ]


def _hits(hits: int, kills: int) -> str:
    """What the dice count, which is not always what falls: half for horsemen and gunners, nothing for dummies."""
    return f"{counted(hits, 'hit')}, worth {counted(kills, 'man', 'men')}"


def _dice_of(fact: Fact, at: int) -> tuple[Throw, ...]:
    return fact.dice[at : at + 1]


def _die_in_words(side: Role, die: Die) -> str:
    if not die.shooter:
        return f"Out of sight: {die.natural}: {f'hit, {die.kills} killed' if die.hit else 'miss'}."
    reach = f"hits on 1–{die.hit_max}" if die.hit_max > 1 else "hits on 1" if die.hit_max else "cannot hit"
    cover = ", ".join(f"{one.name or one.rule_id} {one.value:+d}" for one in die.modifiers) or "no cover"
    counted_as = f", counts {die.modified}" if die.modified != die.natural else ""
    what = f"hit, {die.kills} killed" if die.hit else "miss"
    return f"{die.shooter}: {WEAPONS[side]} at range {die.range} {reach}; {cover}. {die.natural}{counted_as}: {what}."


def _guns(scene: Scene, fact: c.ArtilleryFireResolved, mind: Battle, role: Role) -> Sequence[Told]:
    text = f"{GUNFIRE[fact.ammunition]} {fact.aim_square}." if fact.ammunition else f"fired at {fact.aim_square}."
    if fact.hit_square is None:
        text += "  The shell fell off the board."
    elif fact.hit_square != fact.aim_square:
        text += f"  The shell fell on {fact.hit_square}."
    if fact.points_to_structure:
        text += f"  {cap(counted(fact.points_to_structure, 'point'))} of damage."
    if fact.hit_square is not None:
        text += (
            f"  {cap(_hits(1, fact.kills))}." if fact.kills else "" if fact.points_to_structure else "  Nobody was hit."
        )
    return [
        told(
            fact,
            mind,
            text,
            lead=cap(fact.gun or "a gun out of sight"),
            note=_gun_note(fact),
            weight=min(fact.kills, 4),
            headline=f"Guns on {fact.aim_square}",
            place=fact.hit_square or "",
        )
    ]


def _gun_note(fact: c.ArtilleryFireResolved) -> str:
    if not fact.gun:
        return f"Out of sight: {fact.natural}: {'hit' if fact.hit else 'miss'}."
    ammunition = "MG" if fact.ammunition == "mg" else cap(fact.ammunition)
    parts = [f"{ammunition} at range {fact.range}"]
    if fact.deviation_dice:
        parts.append(f"deviation {'+'.join(map(str, fact.deviation_dice))}: {fact.sector or 'off the board'}")
    if fact.hit_square is not None:
        cover = ", ".join(f"{one.name or one.rule_id} {one.value:+d}" for one in fact.modifiers) or "no cover"
        parts.append(f"hits on 1–{fact.hit_max}; {cover}")
        counts = f", counts {fact.modified}" if fact.modified != fact.natural else ""
        parts.append(f"{fact.natural}{counts}: {'hit' if fact.hit else 'miss'}")
    return "; ".join(parts) + "."


def _man_or_horse(scene: Scene, fact: c.ManOrHorseRolled, mind: Battle, role: Role) -> Sequence[Told]:
    what = "a gunner" if fact.result == "man" else "a horse"
    return [told(fact, mind, "", note=f"{fact.section}: {fact.die} takes {what}.", follows=True)]


def _losses(scene: Scene, fact: c.LossesApplied, mind: Battle, role: Role) -> Sequence[Told]:
    if not fact.figures_left:
        return []
    what = figures(fact.figures_lost, fact.unit_kind)
    text = f"{cap(names([fact.unit]))} lost {what}, {fact.figures_left} left."
    return [told(fact, mind, text, follows=True, place=fact.square)]


ENDS: Mapping[str, str] = {
    "killed": "is destroyed",
    "destroyed": "is destroyed",
    "captured": "is taken",
    "wiped_out": "is wiped out",
    "forced_off": "is driven into the enemy or off the field and lost",
    "exited": "has marched off",
    "removed": "is off the field",
}


def _removed(scene: Scene, fact: c.UnitRemoved, mind: Battle, role: Role) -> Sequence[Told]:
    if fact.cause in ("exited", "removed"):
        return []
    points = f", {counted(fact.points, 'point')} to {side_name(fact.to_side)}" if fact.points and fact.to_side else ""
    text = f"{cap(names([fact.unit]))} {ENDS[fact.cause]}{points}."
    return [told(fact, mind, text, follows=True, place=fact.square or "")]


def _structure(
    scene: Scene, fact: c.StructureDamaged | c.StructureDestroyed, mind: Battle, role: Role
) -> Sequence[Told]:
    if isinstance(fact, c.StructureDestroyed):
        text = f"The {fact.type} at {fact.at} is destroyed."
        return [told(fact, mind, text, follows=True, weight=3, headline=f"The {fact.type} at {fact.at} destroyed")]
    return [told(fact, mind, f"The {fact.type} at {fact.at} has {fact.total} of {fact.value} points.", follows=True)]


def _equipment(
    scene: Scene, fact: c.EquipmentDamaged | c.EquipmentDestroyed, mind: Battle, role: Role
) -> Sequence[Told]:
    if isinstance(fact, c.EquipmentDestroyed):
        return []
    return [told(fact, mind, f"{cap(fact.id)} has {fact.total} of {fact.value} points of damage.", follows=True)]


def _demolition(scene: Scene, fact: c.DemolitionDone, mind: Battle, role: Role) -> Sequence[Told]:
    return [told(fact, mind, f"{cap(names(fact.units))} pulled at {fact.target}: {counted(fact.points, 'point')}.")]


# ------------------------------------------------------------------ melee


def _charge_failed(scene: Scene, fact: c.ChargeFailed, mind: Battle, role: Role) -> Sequence[Told]:
    if fact.side != role or not fact.units:
        return []
    why = REASONS[fact.reason][1]
    return [told(fact, mind, f"The charge of {names(fact.units)} at {fact.target} was not made: {why}.")]


def _called_off(scene: Scene, fact: c.ChargeCalledOff, mind: Battle, role: Role) -> Sequence[Told]:
    why = f": {fact.odds} where {fact.wanted} was wanted" if fact.reason == "odds" and fact.side == role else ""
    return [told(fact, mind, f"A charge at {fact.target} was called off{why}.")]


def _melee(scene: Scene, fact: c.MeleeResolved, mind: Battle, role: Role) -> Sequence[Told]:
    who = "You" if fact.side == role else cap(side_name(fact.side))
    lead = f"{who} charged {fact.defender_square} from {' and '.join(fact.attacker_squares)}."
    text = _fate(fact)
    headline, weight = _headline(fact)
    shift = f", shifted to {fact.column} ({fact.shift_reason})" if fact.column_shift else ""
    values = f"{fact.attack_cv.total} to {fact.defence_cv.total}"
    note = f"{values}: {fact.odds}{shift}. {fact.die}: {fact.attacker_result} / {fact.defender_result}."
    losses = f"Casualty factors: attacker {fact.attacker_factors}, defender {fact.defender_factors}."
    table = Table(
        caption=f"Attack on {fact.defender_square}",
        columns=("Side", "Value", "Total"),
        rows=tuple(
            (side_name(side).removeprefix("the ").capitalize(), _value(value), str(value.total))
            for side, value in ((fact.side, fact.attack_cv), (ENEMY[fact.side], fact.defence_cv))
        ),
        numbers=(2,),
    )
    return [
        told(
            fact,
            mind,
            text,
            lead=lead,
            note=f"{note}  {losses}",
            tables=(table,),
            weight=weight,
            headline=headline,
            place=fact.defender_square,
        )
    ]


def _value(value: c.Value) -> str:
    worths = {**value.stands, **value.crews}
    parts = [f"{name} {worths[name]}" for name in sorted(worths, key=as_counted) if worths[name]]
    parts += [f"command {value.command}"] if value.command else []
    parts += [f"general {value.general}"] if value.general else []
    return ", ".join(parts) or "nobody"


def _is_beaten(result: str) -> bool:
    return result == "X" or result.startswith("-")


def _fate(fact: c.MeleeResolved) -> str:
    attackers, defenders = _is_beaten(fact.attacker_result), _is_beaten(fact.defender_result)
    if attackers and defenders:
        return "Both sides gave way."
    if attackers:
        return "The charge was wiped out." if fact.attacker_result == "X" else "The charge was beaten off."
    if defenders:
        return "The defenders were wiped out." if fact.defender_result == "X" else "The defenders gave way."
    return "Nobody gave way."


def _headline(fact: c.MeleeResolved) -> tuple[str, int]:
    at = fact.defender_square
    if _is_beaten(fact.defender_result):
        return f"{at} cleared by a charge", 7
    if _is_beaten(fact.attacker_result):
        return f"The charge on {at} beaten off", 7
    return f"{at} held against a charge", 6


def _back(scene: Scene, fact: c.FellBack, mind: Battle, role: Role) -> Sequence[Told]:
    verb = "fell back" if isinstance(fact, c.RetreatMade) else "routed"
    facing = f", facing {DIRECTIONS[fact.facing]}" if fact.facing else ""
    return [told(fact, mind, f"{_who_went(fact)} {verb} to {fact.path[-1]}{facing}.", note=_way(fact), follows=True)]


def _advance(scene: Scene, fact: c.AdvanceMade, mind: Battle, role: Role) -> Sequence[Told]:
    return [told(fact, mind, f"{_who_went(fact)} advanced to {fact.path[-1]}.", note=_way(fact), follows=True)]


def _who_went(fact: Went) -> str:
    """Those who went, face-down cards by their number for him who does not know them."""
    unnamed = 0 if fact.secret else fact.card_count
    cards = [counted(unnamed, "card")] if unnamed else []
    return cap(" and ".join([*([names(fact.units)] if fact.units else []), *cards]))


def _way(fact: Went) -> str:
    return " ".join(fact.path)


def _abandoned(scene: Scene, fact: c.GunAbandoned, mind: Battle, role: Role) -> Sequence[Told]:
    return [told(fact, mind, f"{cap(fact.gun)} was left behind at {fact.square}.", follows=True)]


def _captured(scene: Scene, fact: c.GunCaptured, mind: Battle, role: Role) -> Sequence[Told]:
    taker = "you" if fact.by == role else side_name(fact.by)
    scored = f", {counted(fact.points, 'point')} to the Prussians" if fact.points else ""
    text = f"{cap(taker)} took {fact.gun} at {fact.square}{scored}."
    return [told(fact, mind, text, follows=True, weight=5, headline=f"{cap(fact.gun)} taken at {fact.square}")]


COMBAT: Mapping[type[Fact], Teller] = {
    c.FireDeclared: nothing,
    c.FireDiverted: nothing,
    c.FireImpossible: nothing,
    c.RifleFireResolved: _rifles,
    c.ArtilleryFireResolved: _guns,
    c.ManOrHorseRolled: _man_or_horse,
    c.LossesApplied: _losses,
    c.StructureDamaged: _structure,
    c.StructureDestroyed: _structure,
    c.EquipmentDamaged: _equipment,
    c.EquipmentDestroyed: _equipment,
    c.DemolitionDone: _demolition,
    c.ChargeDeclared: nothing,
    c.ChargeFailed: _charge_failed,
    c.ChargeCalledOff: _called_off,
    c.MeleeResolved: _melee,
    c.RetreatMade: _back,
    c.RoutMade: _back,
    c.AdvanceMade: _advance,
    c.AdvanceDeclined: nothing,
    c.GunAbandoned: _abandoned,
    c.GunCaptured: _captured,
    c.UnitRemoved: _removed,
}
"""How each kind of fact of fire and melee is told."""
