"""Commanders without a player, led by the rules (KS-CMD-06): who may be one, and how he comes to be."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.orders.prose import listed
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command.succession import taken_on
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.world.dispatches import Person
from pbem.systems.kriegsspiel.world.mind import Learned
from pbem.systems.kriegsspiel.world.outcomes_knowledge import CommandTold
from pbem.systems.kriegsspiel.world.patches import Changes, ClockPatch
from pbem.systems.kriegsspiel.world.troops import SIDES


def staff(scene: Scene, roles: Sequence[Role], played: bool) -> str:  # noqa: FBT001 # by position, as the contract has it
    """The directive that leaves roles to the rules, or (*played*) to players; empty: one of them must have a player."""
    return " ".join(("player" if played else "staff", *roles)) if all(role in scene.staff for role in roles) else ""


@rule("KS-CMD-06", "KS-GM-04")
def leave_to_staff(play: Play, persons: Sequence[Person]) -> Changes:
    """These have no player from now on; what called them calls nobody."""
    names = {one.id for one in persons}
    clock = play.war.clock
    raised = {name: kept for name, kept in clock.raised.items() if name not in names}
    return Changes(persons=tuple(replace(one, role="") for one in persons), clock=ClockPatch(raised=raised))


@rule("KS-CMD-06")
def tell_sides(play: Play, persons: Sequence[Person], *, played: bool) -> None:
    """All of a side know which of its commanders have players: that is of the table, not of the field."""
    for side in SIDES:
        changed = [one for one in persons if one.side == side]
        if not changed:
            continue
        names = listed([one.name for one in changed])
        one = len(changed) == 1
        text = f"{names} {'is' if one else 'are'} played from now on"
        if not played:
            text = f"{names} {'has no player and passes' if one else 'have no players and pass'} on what is ordered"
        for role in play.roles():
            mind = play.minds[role]
            person = play.war.persons.get(mind.person)
            if mind.side != side or person is None or person.role != role:
                continue
            others = [name for name in mind.players if name not in {one.id for one in changed}]
            if played:
                others += [one.id for one in changed if one.id != mind.person]
            play.tell(role, CommandTold(text=text, rules=cited("KS-CMD-06")), Learned(players=tuple(others)))


@rule("KS-CMD-06")
def tell_player(play: Play, person: Person) -> None:
    """Who plays a staff commander from now on knows where he is and what is under him, and the papers of before."""
    play.tell(
        person.role,
        CommandTold(text=f"You are {person.rank} {person.name} from now on", rules=cited("KS-CMD-06")),
        taken_on(play, person),
    )
