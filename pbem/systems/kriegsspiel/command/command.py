"""How orders become a unit's own: voice and papers, who may command whom, queues, triggers and reactions (KS-CMD)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command.groups import lines_for
from pbem.systems.kriegsspiel.command.papers import level_of
from pbem.systems.kriegsspiel.field.duties import leads, with_lines
from pbem.systems.kriegsspiel.play.play import Play, one, side_unit
from pbem.systems.kriegsspiel.scene.wording import who
from pbem.systems.kriegsspiel.world.bodies import is_lost, is_on_map
from pbem.systems.kriegsspiel.world.dispatches import Person
from pbem.systems.kriegsspiel.world.mind import Learned
from pbem.systems.kriegsspiel.world.orders import Line
from pbem.systems.kriegsspiel.world.outcomes import CommandChanged, OrderEffective, OrderFailed, WordsPut
from pbem.systems.kriegsspiel.world.outcomes_knowledge import ToldAtOnce
from pbem.systems.kriegsspiel.world.patches import Changes
from pbem.systems.kriegsspiel.world.troops import Duty, Unit, UnitPatch


@rule("KS-CMD-15")
def has_word(play: Play, unit: Unit, sender: str) -> Unit:
    """A unit has had a person's word; gives the unit as it now is."""
    if sender in play.war.persons and sender not in unit.duty.word:
        play.change(unit, "word", duty=replace(unit.duty, word=(*unit.duty.word, sender)))
    return play.unit(unit.key)


OBEYED = 15
"""Moves after its beginning in which an order of higher command is not replaced by one of a lower commander."""


@rule("KS-CMD-04")
def may_command(play: Play, person: str, unit: Unit) -> bool:
    """Whether a person stands above a unit in the chain of command."""
    persons, name, seen = play.war.persons, unit.commander, set[str]()
    while name and name not in seen:
        if name == person:
            return True
        seen.add(name)
        name = persons[name].superior if name in persons else ""
    return False


@rule("KS-CMD-04")
def obeys(play: Play, unit: Unit, sender: str) -> bool:
    """Whether a unit does what a person orders: he stands above it, or is there himself, and above its commander."""
    if may_command(play, sender, unit):
        return True
    person = play.war.persons.get(sender)
    if person is not None and person.state == "captured":
        # What he wrote before binds: they know nothing of his fate.
        return person.side == unit.side and unit.id in person.had
    if person is None or person.side != unit.side or person.stand != "map" or person.state != "active":
        return False
    there = play.field.present(person, unit, play.war.options.voice_range)
    return there and level_of(play, sender) < level_of(play, unit.commander)


@rule("KS-CMD-04", "KS-CMD-07", "KS-CMD-08", "KS-CMD-15", "KS-GM-02")
def take_lines(
    play: Play, unit: Unit, lines: tuple[Line, ...], *, by: str, rank: int, written: int, sender: str = ""
) -> None:
    """Make orders a unit's own: a new paper takes the place of queue and triggers unless it begins `then`.

    A paper of a higher commander beats a newer one of a lower; of one rank the one written later holds.
    """
    if is_lost(unit):
        return
    if _ruled(play, "forbid_order", unit) and by != "umpire":
        play.add(
            OrderFailed(
                unit=unit.key, order=lines[0].text, reason="forbidden", rules=cited("KS-GM-02"), changes=Changes()
            )
        )
        return
    allowed = _ruled(play, "allow_order", unit)
    if sender and not allowed and not obeys(play, unit, sender):
        refuse(play, unit, lines[0].text, sender)
        return
    before = unit.duty
    held_rank, held_written = before.paper
    older = rank >= held_rank and written < held_written
    # What a commander says himself holds; what he passes on is as old as the paper that he has it from.
    spoken = by == "voice" and written == play.move
    if not spoken and held_written >= 0 and (older or (rank > held_rank and _still_obeyed(play, before))):
        play.add(
            OrderFailed(
                unit=unit.key, order=lines[0].text, reason="superseded", rules=cited("KS-CMD-07", "KS-CMD-04"),
                changes=Changes(),
            )
        )  # fmt: skip
        if rank > held_rank:
            play.note(
                unit.key, "wrong_superior", f"Not carried out ({lines[0].text}): we have orders from higher command."
            )
        else:
            play.note(unit.key, "change", f"An older paper has come ({lines[0].text}); we hold to the later one.")
        return
    duty = with_lines(before, lines)
    dropped = before.queue != duty.queue[: len(before.queue)] or any(
        one not in duty.triggers for one in before.triggers
    )
    if dropped and rank < held_rank == level_of(play, unit.commander) and held_written >= 0:
        _overruled(play, unit, sender or by, lines)
    stamp = (rank, written) if any(map(leads, lines)) else before.paper
    duty = replace(duty, paper=stamp, idle_since=play.move, told_idle=False)
    play.add(
        OrderEffective(
            unit=unit.key,
            order="; ".join(line.text for line in lines),
            by=by,
            rules=cited("KS-CMD-07", "KS-CMD-08"),
            changes=one(unit, UnitPatch(duty=duty)),
        )
    )
    for line in lines:
        if line.order is not None and line.order.verb == "words":
            play.add(WordsPut(unit=unit.key, text=line.order.text, rules=cited("KS-ORD-12"), changes=Changes()))


@rule("KS-GM-02")
def _ruled(play: Play, effect: str, unit: Unit) -> bool:
    """Whether the umpire has ruled so of a unit: by its key, `red:1/F`, or by an id of both sides alike."""
    return any(play.ruling(effect, name) is not None for name in (unit.key, unit.id))


@rule("KS-MSG-08", "KS-CMD-04")
def _overruled(play: Play, unit: Unit, sender: str, lines: tuple[Line, ...]) -> None:
    """Its commander's orders are in force no longer: he is to know at once whose are."""
    told = "; ".join(line.text for line in lines)
    play.note(unit.key, "overruled", f"{who(play.scene, sender)} has overruled your order: {told}.")


@rule("KS-CMD-04")
def _still_obeyed(play: Play, duty: Duty) -> bool:
    """Whether orders in force are still to be obeyed before those of somebody lower."""
    if duty.queue:
        return duty.begun < 0 or duty.begun >= play.move - OBEYED
    return bool(duty.triggers) and duty.paper[1] >= play.move - OBEYED


@rule("KS-CMD-04", "KS-MSG-08")
def refuse(play: Play, unit: Unit, order: str, sender: str) -> None:
    """The unit obeys only its own chain; it waits for its commander and says so."""
    play.add(
        OrderFailed(
            unit=unit.key,
            order=order,
            reason=f"order from {sender} not executed, waiting for {unit.commander}",
            rules=cited("KS-CMD-04"),
            changes=Changes(),
        )
    )
    play.note(
        unit.key,
        "wrong_superior",
        f"Order from {who(play.scene, sender)} not executed, waiting for {who(play.scene, unit.commander)}.",
    )


# ------------------------------------------------------------------ by word of mouth


@rule("KS-CMD-02", "KS-CMD-03")
def speak(play: Play, person: Person, lines: tuple[Line, ...]) -> tuple[str, ...]:
    """Orders by voice to a unit or group within 200 paces, in step 3 of the next move; gives who hears them."""
    heard: list[str] = []
    for name in play.scene.units_of(person.side, lines[0].unit):
        unit = side_unit(play, person.side, name)
        if unit is None or not is_on_map(unit):
            continue
        if not play.field.present(person, unit, play.war.options.voice_range):
            continue
        heard.append(unit.id)
        take_lines(
            play,
            has_word(play, unit, person.id),
            lines_for(play, person.side, unit.id, lines),
            by="voice",
            rank=level_of(play, person.id),
            written=play.move,
            sender=person.id,
        )
    if not heard:
        play.tell(
            person.role,
            ToldAtOnce(
                line=lines[0].line,
                order="; ".join(line.text for line in lines),
                reason="not within voice",
                rules=cited("KS-CMD-02"),
                learned=Learned(),
            ),
        )
    return tuple(heard)


# ------------------------------------------------------------------ who commands


@rule("KS-CMD-03", "KS-CMD-04", "KS-CMD-10")
def change_commander(play: Play, unit: Unit, to: str, cause: str) -> None:
    """A unit has another commander; who knows of it is told apart (`succession`)."""
    person = play.war.persons.get(to)
    persons: tuple[Person, ...] = ()
    if person is not None and unit.id in person.given:
        persons = (replace(person, given=tuple(one for one in person.given if one != unit.id)),)
    patch = UnitPatch(commander=to, duty=replace(unit.duty, under="")) if unit.duty.under else UnitPatch(commander=to)
    play.add(
        CommandChanged(
            unit=unit.key,
            start=unit.commander,
            to=to,
            cause=cause,
            rules=cited("KS-CMD-04"),
            changes=replace(one(unit, patch), persons=persons),
        )
    )
