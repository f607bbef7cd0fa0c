"""What the contract suite is told of this game: what is likely to be ordered, and what must stay hidden.

    pytest --pyargs pbem.suite --system bare-bones

`pbem.suite.secret` says what may stand here.  Nothing in this folder is part of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.kernel.names import Role
from pbem.rules.contract import World
from pbem.suite.play import Game
from pbem.suite.secret import Exchange, Secret

from bare_bones.state import Valley, own

RED, BLUE = Role("red"), Role("blue")

SECRETS = (
    Secret(
        name="how many men a company has",
        scenario="first",
        owner=RED,
        blind=BLUE,
        one=(Exchange(rulings="set r1 men 3"), Exchange({RED: "march r1 to church"})),
        other=(Exchange(rulings="set r1 men 5"), Exchange({RED: "march r1 to church"})),
        silence=0,
        probes=("march r1 to ford", "march b1 to ford"),
    ),
    Secret(
        name="that a company was told to stay",
        scenario="first",
        owner=RED,
        blind=BLUE,
        one=(Exchange({RED: "hold r1"}),),
        other=(Exchange({RED: ""}),),
    ),
)


def likely(game: Game, role: Role) -> Sequence[str]:
    """Marches to every village that can be reached, and orders to stay."""
    marches = [
        f"march {name} to {village}"
        for name, company in own(game.world.minds[role], role).items()
        for village in game.scene.villages[company.at].next
    ]
    return [*marches, *(f"hold {name}" for name in own(game.world.minds[role], role))]


def breaches(scene: Any, before: World[Valley, Valley], fact: Any, after: World[Valley, Valley]) -> Iterator[str]:
    """What must always hold: a sentence for each rule that is broken."""
    for name, company in after.truth.companies.items():
        if company.men is None or company.men < 0:
            yield f"BB-FIG-02: {name} has {company.men} men"
        if company.at not in scene.villages:
            yield f"BB-MAR-01: {name} stands in {company.at}, which is nowhere"
