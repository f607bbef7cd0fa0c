"""What the guard must not know of the carts, and the smuggler not of the patrols."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.kernel.names import Role
from tests.systems.play import Game
from tests.systems.secret import Exchange, Secret
from tests.systems.toy.orders import GRAMMAR
from tests.systems.toy.state import GUARD, SMUGGLER, own

__all__ = ["GRAMMAR", "SECRETS", "likely"]

FIRE = {GUARD: "fire g1 at 1\nfire g2 at 2"}

MOVES = "move s1 to 3\nmove s2 to 4"

SECRETS = (
    Secret(
        name="which cart is laden",
        scenario="ford",
        owner=SMUGGLER,
        blind=GUARD,
        one=(Exchange(rulings="set s1 laden true\nset s2 laden false"), Exchange(FIRE)),
        other=(Exchange(rulings="set s1 laden false\nset s2 laden true"), Exchange(FIRE)),
        revealed_by=("cart_removed", "game_ended"),
    ),
    Secret(
        name="how many men a cart has left",
        scenario="ford",
        owner=SMUGGLER,
        blind=GUARD,
        one=(Exchange(rulings="set s1 men 2"),),
        other=(Exchange(rulings="set s1 men 3"),),
        probes=("fire g1 at 1", "move s1 to 2", "watch s1 3"),
    ),
    Secret(
        name="what a patrol watches, until it fires",
        scenario="ford",
        owner=GUARD,
        blind=SMUGGLER,
        one=(Exchange({GUARD: "watch g1 4"}),),
        other=(Exchange({GUARD: "watch g1 6"}),),
        silence=0,
    ),
    *(
        Secret(
            name=f"that a patrol heard a cart, and the guard was asked ({alarm})",
            scenario="ford",
            owner=GUARD,
            blind=SMUGGLER,
            one=(Exchange({GUARD: "watch g1 3", SMUGGLER: MOVES}),),
            other=(Exchange({GUARD: "watch g1 6", SMUGGLER: MOVES}),),
            options={"alarm": alarm},
            silence=0,
        )
        for alarm in ("step", "urgent")
    ),
    Secret(
        name="an order that could not be carried out",
        scenario="ford",
        owner=SMUGGLER,
        blind=GUARD,
        one=(Exchange({SMUGGLER: "move s1 to 2"}),),
        other=(Exchange({SMUGGLER: ""}),),
    ),
)


def likely(game: Game, role: Role) -> Sequence[str]:
    """Moves within reach, fire at the carts, watches."""
    field, places = game.world.minds[role], range(1, game.scene.places + 1)
    if role == SMUGGLER:
        return [
            f"move {name} to {place}"
            for name, cart in own(field, role).items()
            for place in places
            if abs(place - cart.square) <= 3
        ]
    carts = sorted({cart.square for cart in own(field, SMUGGLER).values()})
    return [f"{verb} {name} {word}{at}" for name in own(field, role) for at in carts for verb, word in WORDS]


WORDS = (("fire", "at "), ("watch", ""))
