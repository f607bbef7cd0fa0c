"""Words to the enemy under a flag of truce: the umpire sees them, and carries them or keeps them (KS-GM-01)."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.kernel.names import RuleId
from pbem.kernel.owed import Query
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.command.papers import writing_moves
from pbem.systems.kriegsspiel.command.succession import titled
from pbem.systems.kriegsspiel.field.hierarchy import chief_of
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.world.dispatches import TRUCE, Paper, Person
from pbem.systems.kriegsspiel.world.orders import Parley
from pbem.systems.kriegsspiel.world.outcomes import ParleySent
from pbem.systems.kriegsspiel.world.patches import Changes, ClockPatch
from pbem.systems.kriegsspiel.world.troops import ENEMY

CARRY, KEEP = "carry", "keep"


@rule("KS-GM-01", "KS-MSG-01", "KS-MSG-05")
def parley(play: Play, person: Person, act: Parley) -> None:
    """The umpire is asked; if he carries it, it is written and ridden as any letter, and no post takes the rider."""
    side = ENEMY[person.side]
    to = play.war.persons[chief_of(play.scene, play.war, side)]
    answer = play.ask(
        Query(
            key=f"{play.war.clock.turn}.{play.move}/parley/{person.role}/{act.line}",
            to=None,
            rule=RuleId("KS-GM-01"),
            asks=f"{titled(person)} sends words to the enemy under a flag of truce: “{act.text}” "
            f"They go to {titled(to)}, if you carry them.",
            options=(CARRY, KEEP),
            otherwise=CARRY,
        )
    )
    changes = _paper(play, person, to, act.text) if answer == CARRY else Changes()
    play.add(
        ParleySent(
            person=person.id,
            to=to.id,
            text=act.text,
            carried=answer == CARRY,
            rules=cited("KS-GM-01", "KS-MSG-01"),
            changes=changes,
        )
    )


def _paper(play: Play, person: Person, to: Person, text: str) -> Changes:
    """The letter as a paper of the side that gets it: from the enemy, and from where is not told."""
    words, clock = len(text.split()), play.war.clock
    written = max(play.move + 1, person.writes_until + 1) + writing_moves(words) - 1
    letter = Paper(
        id=clock.papers + 1,
        kind="letter",
        side=to.side,
        sender=TRUCE,
        to=to.id,
        written=written,
        place=to.at,
        words=words,
        text=text,
        at=person.at,
        aim=to.at,
    )
    return Changes(
        papers=(letter,),
        persons=(replace(person, writes_until=written),),
        clock=ClockPatch(papers=clock.papers + 1),
    )
