"""What a unit has to do once it has read a paper: queue, triggers, reactions, fire (KS-CMD-08, KS-CMD-15)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.world.orders import Line, Order
from pbem.systems.kriegsspiel.world.reactions import NONE
from pbem.systems.kriegsspiel.world.troops import Duty, Side, Trigger

IN_COLUMN = ("march", "retire")
"""Orders that a group carries out in one column, all behind the first."""


def order_of_march(scene: Scene, side: Side, group: str, lines: tuple[Line, ...]) -> tuple[str, ...]:
    """The units of a group in the order in which they march: as its list has it, or as a line of the paper says."""
    listed = scene.units_of(side, group)
    for line in lines:
        if line.order is not None and line.order.verb == "order_of_march":
            named = tuple(one for name in line.order.units for one in scene.units_of(side, name))
            return (*named, *(one for one in listed if one not in named))
    return listed


@rule("KS-CMD-07", "KS-CMD-08", "KS-CMD-15")
def with_lines(duty: Duty, lines: tuple[Line, ...]) -> Duty:
    """What a unit has to do after *lines*."""
    aside = tuple(line.order for line in lines if line.order is not None and line.test is None and is_aside(line.order))
    orders = [line for line in lines if (line.order is not None and line.order not in aside) or line.lapse]
    does = any(line.order is None or not (is_standing(line.order) or _is_word(line.order)) for line in orders)
    fresh = does and not orders[0].then
    lines = tuple(map(_asked, lines))
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
            elif value == NONE:
                reactions.pop(key, None)
            else:
                reactions[key] = f"{value} @{line.spot.at.x},{line.spot.at.y}" if line.spot is not None else value
            continue
        if line.lapse:
            triggers = ()
            continue
        if line.order is None or line.order in aside:
            continue
        if is_standing(line.order) and line.test is None and not line.then:
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
    return replace(
        duty,
        word=() if any(line.test is not None for line in lines) else duty.word,
        queue=queue,
        triggers=triggers,
        reactions=reactions,
        policy=policy,
        fire_on=fire_on,
        begun=begun,
        stage=duty.stage if begun >= 0 else "",
        count=duty.count if begun >= 0 else 0,
    )


@rule("KS-CMD-15", "KS-MSG-08")
def _asked(line: Line) -> Line:
    """A report that is to come later is waited for beside the queue: the unit goes on with what it does."""
    if line.order is None or line.test is not None or not _is_word(line.order):
        return line
    return replace(line, order=replace(line.order, until=None), test=line.order.until, then=False)


def _is_word(order: Order) -> bool:
    """Whether an order asks for a report at its time, and for nothing else."""
    return order.verb == "report" and order.until is not None


@rule("KS-CMD-07")
def leads(line: Line) -> bool:
    """Whether a line says what a unit is to do, and not only how it fires or reacts."""
    return line.lapse or (line.order is not None and not is_standing(line.order))


STANDING = ("fire_at_will", "fire_on", "cease_fire", "hold_fire")
"""Orders that set the fire of a unit and leave its queue as it is."""


ASIDE = ("patrol", "post", "report", "signal", "send_wagons", "release")
"""Orders by which a unit sends men or word, and goes on with what it does."""


@rule("KS-CMD-08")
def is_aside(order: Order) -> bool:
    """Whether an order leaves the queue as it is: a patrol is sent out, the unit does not go itself."""
    return order.verb in ASIDE and "unit" not in order.manner and order.until is None


@rule("KS-CMD-08")
def is_standing(order: Order) -> bool:
    """Whether an order sets how a unit fires, and leaves what it does as it is."""
    return order.verb in STANDING


@rule("KS-CMD-08", "KS-CMD-15")
def with_fire(duty: Duty, order: Order) -> Duty:
    """What a unit has to do once it fires as ordered."""
    policy, fire_on = _policy(order, duty.policy, duty.fire_on)
    return replace(duty, policy=policy, fire_on=fire_on)


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
        case _:  # no other order is about fire
            return policy, fire_on
