"""Where play stands still for mail, and what each commander may send there (KS-TUR-08)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Call, Pause
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.world.dispatches import Person
from pbem.systems.kriegsspiel.world.options import Options
from pbem.systems.kriegsspiel.world.state import War

SETUP_SORTS = ("setup", "orders")
SORTS = ("orders",)
DISPOSITIONS = "your troops begin at their listed places, without orders but their standing reactions"
SILENCE = "your troops go on with the orders that they have, and you stay where you are"
STANDING = "your orders and the standing reactions of your troops decide"


STEPS: Mapping[str, Callable[[Options], int]] = {
    "private": lambda options: options.turn_moves // options.step_moves,
    "urgent_only": lambda _: 1,
    "shared": lambda _: 0,
    "off": lambda _: 0,
}
"""Of a run: how many hours are fixed when it opens, by the option `interrupts`."""


def players(war: War) -> Mapping[Role, Person]:
    """Who plays whom now."""
    return {Role(one.role): one for one in war.persons.values() if one.role}


@rule("KS-GM-08")
def in_second_stage(war: War) -> tuple[Role, ...]:
    """Who sets up only when the commander-in-chief has: by option, the players who have a superior."""
    if not war.options.two_stage_setup:
        return ()
    return tuple(sorted(role for role, person in players(war).items() if person.superior))


@rule("KS-CMD-10")
def _free(war: War) -> list[Role]:
    """Who can give orders: no prisoner and nobody wounded; he is called when he goes on.  If nobody can, all."""
    played = players(war)
    return [role for role in sorted(played) if played[role].state == "active"] or sorted(played)


@rule("KS-TUR-08", "KS-TUR-03")
def awaits(war: War) -> Pause:
    """Where play stands, and who may send what."""
    clock, options = war.clock, war.options
    roles = sorted(players(war))
    if clock.phase == "over":
        return Pause(moment=Moment(max(clock.turn, 1)), name="the game is over", calls=())
    if clock.phase in ("setup", "setup_second"):
        second, later = clock.phase == "setup_second", in_second_stage(war)
        return Pause(
            moment=Moment(0, 2 if second else 1),
            name="dispositions of the commanders" if second else "dispositions",
            calls=tuple(
                Call(role=role, sorts=SETUP_SORTS, otherwise=DISPOSITIONS)
                for role in roles
                if (role in later) == second
            ),
        )
    steps = STEPS[options.interrupts](options)
    if clock.phase == "halt":
        return Pause(
            moment=Moment(clock.turn, 1, clock.move),
            name="a halt",
            calls=tuple(
                Call(role=role, sorts=SORTS, otherwise=STANDING, must=True, why=clock.why.get(person.id, ""))
                for role, person in sorted(players(war).items())
                if person.id in clock.called
            ),
            step=step_of(war) if options.interrupts == "private" else 1,
            steps=steps,
            urgent=clock.urgent,
            least=options.urgent_min,
        )
    return Pause(
        moment=Moment(clock.turn),
        name=f"run {clock.turn}",
        calls=tuple(Call(role=role, sorts=SORTS, otherwise=SILENCE) for role in _free(war)),
        steps=steps,
    )


def step_of(war: War) -> int:
    """The step of the run in which the last move lies, from 1."""
    return (war.clock.move - war.clock.run_from) // war.options.step_moves + 1


@rule("KS-TUR-05")
def seals(war: War) -> bool:
    """Whether no seed is shown before the end: with it one could work out the faces of one's own fire."""
    return war.options.reveal_seed == "end"
