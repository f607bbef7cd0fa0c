"""How orders become a unit's own: voice and papers, who may command whom, queues, triggers and reactions (KS-CMD)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.dispatches import Person
from pbem.systems.kriegsspiel.groups import lines_for
from pbem.systems.kriegsspiel.mind import Learned
from pbem.systems.kriegsspiel.orders import Line, Order
from pbem.systems.kriegsspiel.outcomes import CommandChanged, OrderEffective, OrderFailed, WordsPut
from pbem.systems.kriegsspiel.papers import level_of, side_unit
from pbem.systems.kriegsspiel.play import Play, one
from pbem.systems.kriegsspiel.state import Changes
from pbem.systems.kriegsspiel.tidings import CommandTold, ToldAtOnce
from pbem.systems.kriegsspiel.troops import Duty, Trigger, Unit, UnitPatch


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


@rule("KS-CMD-04", "KS-CMD-07", "KS-CMD-08", "KS-CMD-15", "KS-GM-02")
def take_lines(
    play: Play, unit: Unit, lines: tuple[Line, ...], *, by: str, rank: int, written: int, sender: str = ""
) -> None:
    """Make orders a unit's own: a new paper takes the place of queue and triggers unless it begins `then`.

    A paper of a higher commander beats a newer one of a lower; of one rank the one written later holds.
    """
    if unit.trial.state in ("captured", "destroyed"):
        return
    if play.ruling("forbid_order", unit.id) is not None and by != "umpire":
        play.add(
            OrderFailed(
                unit=unit.key, order=lines[0].text, reason="forbidden", rules=cited("KS-GM-02"), changes=Changes()
            )
        )
        return
    allowed = play.ruling("allow_order", unit.id) is not None
    if sender and not allowed and not may_command(play, sender, unit):
        _refuse(play, unit, lines, sender)
        return
    before = unit.duty
    held_rank, held_written = before.paper
    if (
        by != "voice"
        and held_written >= 0
        and (rank, -written) > (held_rank, -held_written)
        and before.queue
        and _crossing(play, unit, written)
    ):
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
    duty = _with_lines(play, before, lines)
    duty = replace(duty, paper=(rank, written if by != "voice" else play.move), idle_since=play.move, told_idle=False)
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


def _crossing(play: Play, unit: Unit, written: int) -> bool:
    """Whether the orders in force were written after this paper, or by somebody higher who is still to be obeyed."""
    return unit.duty.paper[1] >= written or unit.duty.begun < 0 or unit.duty.begun >= play.move - 15


def _with_lines(play: Play, duty: Duty, lines: tuple[Line, ...]) -> Duty:
    """What a unit has to do after *lines*."""
    aside = tuple(line.order for line in lines if line.order is not None and line.test is None and is_aside(line.order))
    orders = [line for line in lines if (line.order is not None and line.order not in aside) or line.lapse]
    fresh = any(line.order is None or line.order.verb not in STANDING for line in orders) and not orders[0].then
    queue = () if fresh else duty.queue
    triggers = () if fresh else duty.triggers
    reactions = dict(duty.reactions)
    policy, fire_on = duty.policy, duty.fire_on
    last_trigger = False
    for line in lines:
        if line.react is not None:
            key, value = line.react
            if key == "fire_policy":
                policy = value
            else:
                reactions[key] = f"{value} @{line.spot.at.x},{line.spot.at.y}" if line.spot is not None else value
            continue
        if line.lapse:
            triggers = ()
            continue
        if line.order is None or line.order in aside:
            continue
        if line.order.verb in STANDING and line.test is None:
            policy, fire_on = _policy(line.order, policy, fire_on)
            last_trigger = False
            continue
        if line.test is not None:
            triggers = (*triggers, Trigger(line))
            last_trigger = True
        elif line.then and last_trigger:
            triggers = (*triggers[:-1], replace(triggers[-1], after=(*triggers[-1].after, line.order)))
        else:
            queue = (line.order,) if line.now else (*queue, line.order)
            last_trigger = False
    begun = duty.begun if queue and duty.queue and queue[0] is duty.queue[0] and not aside else -1
    queue = (*aside, *queue)
    del play
    return replace(
        duty,
        queue=queue,
        triggers=triggers,
        reactions=reactions,
        policy=policy,
        fire_on=fire_on,
        begun=begun,
        stage=duty.stage if begun >= 0 else "",
        count=duty.count if begun >= 0 else 0,
    )


STANDING = ("fire_at_will", "fire_on", "cease_fire", "hold_fire")
"""Orders that set the fire of a unit and leave its queue as it is."""


ASIDE = ("patrol", "post", "report", "signal", "send_wagons", "release")
"""Orders by which a unit sends men or word, and goes on with what it does."""


def is_aside(order: Order) -> bool:
    """Whether an order leaves the queue as it is: a patrol is sent out, the unit does not go itself."""
    return order.verb in ASIDE and "unit" not in order.manner and order.until is None


def _policy(order: Order, policy: str, fire_on: Order | None) -> tuple[str, Order | None]:
    match order.verb:
        case "fire_at_will":
            return "at_will", None
        case "fire_on":
            return "on_target", order
        case "cease_fire":
            return "hold", None
        case "hold_fire":
            return f"hold until {order.number or 0}", None
        case _:
            return policy, fire_on


@rule("KS-CMD-04", "KS-MSG-08")
def _refuse(play: Play, unit: Unit, lines: tuple[Line, ...], sender: str) -> None:
    """The unit obeys only its own chain; it waits for its commander and says so."""
    play.add(
        OrderFailed(
            unit=unit.key,
            order=lines[0].text,
            reason=f"order from {sender} not executed, waiting for {unit.commander}",
            rules=cited("KS-CMD-04"),
            changes=Changes(),
        )
    )
    play.note(unit.key, "wrong_superior", f"Order from {sender} not executed, waiting for {unit.commander}.")


# ------------------------------------------------------------------ by word of mouth


@rule("KS-CMD-02", "KS-CMD-03")
def speak(play: Play, person: Person, lines: tuple[Line, ...]) -> None:
    """Orders by voice to a unit or group within 200 paces, in step 3 of the next move (KS-CMD-02)."""
    heard = 0
    for name in play.scene.units_of(person.side, lines[0].unit):
        unit = side_unit(play, person.side, name)
        if unit is None or unit.place.stand != "map":
            continue
        if not play.field.present(person, unit, play.war.options.voice_range):
            continue
        heard += 1
        take_lines(
            play,
            unit,
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


# ------------------------------------------------------------------ who commands


@rule("KS-CMD-03", "KS-CMD-04", "KS-CMD-10")
def change_commander(play: Play, unit: Unit, to: str, cause: str) -> None:
    """A unit has another commander; those concerned who are there know it."""
    start = unit.commander
    play.add(
        CommandChanged(
            unit=unit.key,
            start=start,
            to=to,
            cause=cause,
            rules=cited("KS-CMD-04"),
            changes=one(unit, UnitPatch(commander=to)),
        )
    )
    for name in dict.fromkeys((start, to)):
        tell_command(play, name, f"{unit.id} is under {play.war.persons[to].name if to in play.war.persons else to}")


def tell_command(play: Play, name: str, text: str) -> None:
    """What a played commander has under him, as it now is."""
    from pbem.systems.kriegsspiel.setup import command_of, under

    person = play.war.persons.get(name)
    if person is None or play.mind(person) is None:
        return
    play.tell(
        person.role,
        CommandTold(text=text, rules=cited("KS-CMD-04")),
        Learned(command=command_of(play.war.units, play.war.persons, name), below=under(play.war.persons, name)),
    )
