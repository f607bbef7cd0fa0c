"""Who a commander is now, and whether he can give orders: as his page says first of all (KS-CMD-10)."""

from __future__ import annotations

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.wording import who
from pbem.systems.kriegsspiel.world.mind import Mind

UNABLE = {"captured": "You are a prisoner", "down": "You are wounded"}
"""What heads the page of one who can give no orders, by his state."""


@rule("KS-CMD-10")
def unable(mind: Mind) -> str:
    """Why he is asked for no orders, in sentences; empty: he gives them."""
    match mind.state:
        case "captured":
            return (
                "You are a prisoner of the enemy and give no orders. You go on as the major of a body of your troops, "
                "and are asked again as soon as you do."
            )
        case "down":
            return "You are wounded and give no orders. You are asked again when you are up."
        case _:  # he is well and free
            return ""


def heading_of(mind: Mind) -> str:
    """What his page is headed by while he can give no orders; empty: by what has happened."""
    return "" if mind.ended else UNABLE.get(mind.state, "")


def addressed(scene: Scene, mind: Mind) -> str:
    """How he is addressed: as the person whom he plays now, and his side."""
    commander = next(one for one in scene.commanders if one.role == mind.role)
    if mind.person in ("", mind.role):
        return f"{commander.commander}, {commander.name}"
    return f"{who(scene, mind.person)}, {commander.name}"
