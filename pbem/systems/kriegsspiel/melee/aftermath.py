"""After a fight: the beaten go back, the winner stands, pursues or takes the place, and who sees it is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.ground.bearing import opposite
from pbem.ground.plane import distance
from pbem.kernel.numbers import whole
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.command.command import may_command
from pbem.systems.kriegsspiel.field.field import along_and_aside, fightable, terrain_of
from pbem.systems.kriegsspiel.knowing.interrupts import raise_interrupt
from pbem.systems.kriegsspiel.knowing.sighting import eye_of, sees
from pbem.systems.kriegsspiel.melee.fighters import Bout
from pbem.systems.kriegsspiel.melee.points import Sides, mass_on_line
from pbem.systems.kriegsspiel.melee.retreats import ROOM, beaten, thrown_on
from pbem.systems.kriegsspiel.play.play import Play, one
from pbem.systems.kriegsspiel.tables.attack import CONTACT, WINNER_BEYOND
from pbem.systems.kriegsspiel.tables.knowledge import SIGHTING, TOPS
from pbem.systems.kriegsspiel.world.bodies import is_remnant
from pbem.systems.kriegsspiel.world.parts import Fight
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import March, Place, Trial, Unit, UnitPatch

NO_WAIT = 1
RESERVE = "reserve"
"""What a reserve line that pursues does (KS-SEC-04)."""

CLOSE_CAVALRY_WAITS = -1
"""Of a charge on a mass: a move more before the pursuit, for half of it must be in hand (KS-CAV-02)."""


# ------------------------------------------------------------------ the beaten


@rule("KS-ATK-07", "KS-SEC-03", "KS-SEC-07")
def beaten_side(
    play: Play,
    bout: Bout,
    sides: Sides,
    letters: Mapping[str, str],
    *,
    attackers_win: bool,
    owed: Mapping[str, int],
) -> None:
    """Everybody on the losing side goes back, each from who beat him; cavalry takes a line too near behind along."""
    ways = {key: _away(play, sides, key, attackers_win=attackers_win) for key in letters}
    own = sides.behind_defenders if attackers_win else sides.behind_attackers
    mass = not attackers_win and mass_on_line(sides)
    clear = WINNER_BEYOND + CONTACT + ROOM if attackers_win else ROOM
    riders = [key for key in letters if play.unit(key).arm == "cavalry"]
    back = {other.key: along_and_aside(play.unit(riders[0]), other)[0] for other in own.near if riders}
    for other in sorted(own.near if riders else (), key=lambda other: (back[other.key], other.key)):
        # First, and the rearmost before all, so that nobody takes it for a reserve to fall back upon.
        nearest = min(riders, key=lambda key: (play.field.gap(other, play.unit(key)), key))
        if other.arm == "cavalry":
            beaten(play, other.key, letters[nearest], ways[nearest], 0, "KS-SEC-07")
    for key in bout.defenders if attackers_win else bout.attackers:
        unit = play.unit(key)
        if unit.arm == "artillery" or key not in letters:
            continue
        beaten(play, key, letters[key], ways[key], clear, mass=mass)
        unit = play.unit(key)
        trial = replace(unit.trial, owed=owed.get(key, 0))
        if unit.arm == "cavalry" and own.second:
            trial = replace(trial, first_beaten=unit.trial.first_beaten + 1)
        if trial != unit.trial:
            play.change(unit, "beaten", trial=trial)


@rule("KS-ATK-07", "KS-RET-05")
def _away(play: Play, sides: Sides, key: str, *, attackers_win: bool) -> int:
    """The bearing on which one of the beaten turns: back the way he came to attack, or on with who has struck him."""
    unit = play.unit(key)
    if not attackers_win or not sides.attackers:
        return opposite(unit.place.facing)
    struck = min(sides.attackers, key=lambda enemy: (play.field.gap(play.unit(enemy.key), unit), enemy.key))
    return play.unit(struck.key).place.facing


# ------------------------------------------------------------------ the winner


@rule("KS-ATK-11", "KS-RET-01", "KS-RET-03")
def winning_side(play: Play, bout: Bout, *, attackers_win: bool, letter: str, mass_beaten: bool = False) -> None:
    """The winner takes the loser's ground if it attacked, re-forms, and pursues if it is to."""
    winners = bout.attackers if attackers_win else bout.defenders
    losers = [key for key in (bout.defenders if attackers_win else bout.attackers) if play.unit(key).trial.flight > 0]
    for key in winners:
        unit = play.unit(key)
        if is_remnant(unit) or not fightable(unit):
            continue
        trial = replace(
            unit.trial, won=play.move, attacks="", declared=-100, answer="", hit_advancing=False, canister_from=(),
            pursuing=0, half_follows=False,
        )  # fmt: skip
        # Who wins twice in a move goes forward once, and has carried out one order.
        first = unit.trial.won != play.move
        place = advanced(play, unit) if attackers_win and first else unit.place
        duty = unit.duty
        attacked = first and (attackers_win or unit.trial.attacks in losers)
        if attacked and duty.queue and duty.queue[0].verb in ("attack", "charge"):
            queue = duty.queue[1:]
            duty = replace(duty, queue=queue, begun=-1, stage="", count=0, idle_since=play.move, told_idle=False)
        if losers:
            trial = _pursuit(unit, trial, _nearest(play, replace(unit, place=place), losers), mass_beaten=mass_beaten)
        patch = UnitPatch(trial=trial, place=place, duty=duty, march=March(fast=unit.march.fast))
        play.keep("has won", one(unit, patch))
        if attackers_win:
            play.note(key, "change", "Our attack has succeeded.")
        else:
            play.note(key, "attack_repulsed", "We have thrown an attack back.")
    witnessed(play, bout, winner=play.unit(winners[0]), letter=letter)


@rule("KS-ATK-11")
def advanced(play: Play, unit: Unit) -> Place:
    """The loser's former front and 50 beyond it, as far as ground and enemies let it."""
    return thrown_on(play, unit, unit.place.facing, WINNER_BEYOND + CONTACT)


@rule("KS-RET-01")
def _nearest(play: Play, unit: Unit, losers: Sequence[str]) -> str:
    """Whom of the beaten a winner goes after: who is nearest to it."""
    return min(losers, key=lambda key: (distance(unit.place.at, play.unit(key).place.at), key))


@rule("KS-RET-01", "KS-RET-03", "KS-CAV-02", "KS-CMD-08")
def _pursuit(unit: Unit, trial: Trial, loser: str, *, mass_beaten: bool) -> Trial:
    """What the reaction `victory` makes of it; of itself infantry halts and cavalry pursues two moves."""
    if pursuit_moves(unit) <= 0 or unit.arm not in ("infantry", "cavalry"):
        return trial
    waits = mass_beaten and unit.arm == "cavalry"
    return replace(
        trial,
        pursuing=CLOSE_CAVALRY_WAITS if waits else NO_WAIT,
        half_follows=waits or at_once(unit),
        attacks=loser,
        back_to=unit.place.at,
    )


@rule("KS-CMD-08", "KS-RET-01", "KS-RET-03")
def pursuit_moves(unit: Unit) -> int:
    """Moves of pursuit that its reaction `victory` gives a body, waiting included; 0: it does not pursue."""
    value = unit.duty.reactions.get("victory", "pursue 2" if unit.arm == "cavalry" else "halt")
    if at_once(unit):
        return 5
    words = value.split()
    if not words or words[0] != "pursue":
        return 0
    return next((moves for word in words[1:] if (moves := whole(word)) is not None), 2)


@rule("KS-RET-03")
def at_once(unit: Unit) -> bool:
    """Whether infantry follows without a halt."""
    return unit.arm == "infantry" and unit.duty.reactions.get("victory", "").startswith("pursue without")


@rule("KS-RET-03")
def follow_at_once(victors: Sequence[Unit]) -> bool:
    """Victorious infantry that goes on without a halt: half of them, for half of the loss."""
    return all(unit.arm == "infantry" for unit in victors) and any(at_once(unit) for unit in victors)


@rule("KS-SEC-04")
def take_up_pursuit(play: Play, reserve: Sequence[Unit], beaten_line: Sequence[Unit]) -> None:
    """The second line of cavalry that has won goes after the beaten in the next move, if it may pursue at all."""
    losers = [unit.key for unit in beaten_line if play.unit(unit.key).trial.flight > 0]
    for unit in reserve if losers else ():
        now = play.unit(unit.key)
        if pursuit_moves(now) <= 0 or now.trial.attacks:
            continue
        aim = _nearest(play, now, losers)
        trial = replace(now.trial, pursuing=NO_WAIT, attacks=aim, answer=RESERVE, back_to=now.place.at)
        play.change(now, "takes up the pursuit", trial=trial)


# ------------------------------------------------------------------ who sees it


@rule("KS-TUR-08", "KS-SIT-01")
def witnessed(play: Play, bout: Bout, *, winner: Unit, letter: str) -> None:
    """The fight is there to be seen; a commander of those in it who sees it from near is called (W3)."""
    at = winner.place.at
    fight = Fight(at, bout.attackers, bout.defenders, winner.side, letter, play.move)
    play.keep("fight", Changes(fights=(*play.war.fights, fight)))
    terrain = terrain_of(play.scene)
    for person in list(play.persons()):
        if not person.role or distance(person.at, at) > play.war.options.presence_range:
            continue
        own = [play.unit(key) for key in (*bout.attackers, *bout.defenders) if play.unit(key).side == person.side]
        eye = eye_of(play.war, person)
        seen = sees(terrain, eye, at, SIGHTING["arm"]["formed"], TOPS["cavalry"])
        if not seen or not any(may_command(play, person.id, unit) for unit in own):
            continue
        how = "was won" if winner.side == person.side else "was lost"
        raise_interrupt(play, person.id, "W3", f"the fight of {own[0].id} {how}", f"{play.move} {own[0].id}")
