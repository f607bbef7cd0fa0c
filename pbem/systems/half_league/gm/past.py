"""How a battle is looked back on: pictures by themselves, figures, whom a fact was about, to whom a die was good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from pbem.ground.picture import Picture
from pbem.kernel.event import Throw
from pbem.kernel.names import Moment, Role
from pbem.rules.knowing import compared
from pbem.rules.past import Both, Cut, Favour, Past, Rests, named, own_names
from pbem.rules.reel import Figures, Known, Side
from pbem.rules.view import Told
from pbem.systems.half_league.field.field import field_of
from pbem.systems.half_league.gm.truth import told_of, true_picture
from pbem.systems.half_league.page import drawing
from pbem.systems.half_league.page.landscape import style
from pbem.systems.half_league.page.sentences import Line
from pbem.systems.half_league.scene import words
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.words import side_name
from pbem.systems.half_league.world.fact import Fact
from pbem.systems.half_league.world.outcomes_combat import MeleeResolved
from pbem.systems.half_league.world.pieces import ENEMY, SIDES, side_of
from pbem.systems.half_league.world.state import Battle

UNITS = ("unit", "firer", "target", "battery", "attackers", "defenders", "leader", "who")
GOOD: Mapping[str, Literal["high", "low"]] = dict.fromkeys(
    (
        "fire", "save", "leader", "command_points", "initiative", "rally", "spike", "move", "reinforce", "melee",
        "charge_morale", "defender_morale", "charge",
    ),
    "high",
)  # fmt: skip
"""Which faces of a throw for a purpose are good to whose it is; the other purposes are good to nobody."""


def sides(scene: Scene) -> Sequence[Side]:
    """Both sides, each with its commands."""
    return tuple(Side(side, side_name(side), style(scene, side), tuple(_roles(scene, side))) for side in SIDES)


def _roles(scene: Scene, side: Role) -> Sequence[Role]:
    return [one.role for one in scene.commanders if side_of(one.role) == side]


def called(scene: Scene, role: Role) -> str:
    """A command with its commander."""
    one = scene.commander(role)
    return f"the {one.name} command, {one.commander}"


def picture(scene: Scene, mind: Battle, role: Role, told: Sequence[Told], moment: Moment) -> Picture:
    """What a command holds of the field."""
    lines = [line for line in told if isinstance(line, Line) and line.moment == moment]
    return drawing.picture(field_of(scene, mind), role, _title(moment), lines)


def truth(scene: Scene, battle: Battle, minds: Mapping[Role, Battle], facts: Sequence[Fact], moment: Moment) -> Picture:
    """The field as it is."""
    lines, traces = told_of(scene, battle, facts)
    return true_picture(field_of(scene, replace(battle, traces=traces)), lines)


def _title(moment: Moment) -> str:
    return f"The field in turn {moment.turn}" if moment.turn else "The field before the battle"


def figures(scene: Scene, battle: Battle) -> Sequence[Figures]:
    """Figures fallen and left of each side, as far as they are known."""
    found = []
    for side in SIDES:
        units = [one for one in battle.units.values() if one.side == side]
        left = sum(one.figures for one in units if one.there)
        found.append(Figures(side, lost=sum(one.fallen for one in units), left=left))
    return found


def clock(scene: Scene, battle: Battle) -> str:
    """The hour at which the turn begins."""
    return words.clock(scene, battle.turn or 1) or f"Turn {battle.turn}"


def rests(fact: Fact) -> Rests:
    """Whom a fact names, and the line that it came of."""
    line = getattr(fact, "line", 0)
    return Rests(named(fact, UNITS), (), getattr(fact, "role", Role("")) if line else Role(""), line)


def favour(scene: Scene, fact: Fact, throw: Throw) -> Favour | None:
    """A throw is that of the side of its fact; in a melee each unit throws for its own."""
    good, parts = GOOD.get(throw.purpose), throw.name.split("/")
    side: str = fact.side or ""
    if throw.purpose == "initiative":
        side = parts[2]
    elif isinstance(fact, MeleeResolved):
        side = fact.attacker if parts[3:4] and parts[3] in fact.attackers else ENEMY[fact.attacker]
    return Favour(side, good) if good is not None and side else None


def cut(fact: Fact, told: Sequence[Told], before: Sequence[Told]) -> Cut | None:
    """What is told of one piece is told together, as on the page: lines of one phase that are about one of the same."""
    about = {name for line in told if isinstance(line, Line) for name in line.about}
    known = {name for line in before if isinstance(line, Line) for name in line.about}
    return "joins" if about & known else None


def names(fact: Fact) -> Mapping[str, str]:
    """The contacts of each side, and whom they stand for."""
    labels = fact.game.labels if fact.game is not None else UNSET
    if labels is UNSET:
        return {}
    return {f"{side} {label}": unit for side, some in labels.items() for unit, label in some.items()}


def known(scene: Scene, both: Both[Battle, Battle]) -> Mapping[str, Known]:
    """What a side has of each sign: an enemy that it has not made out is a contact."""
    return compared(both.there, both.held, own_names(side_of(both.role), both.names))


PAST: Past[Scene, Battle, Battle, Fact] = Past(
    sides=sides,
    called=called,
    picture=picture,
    truth=truth,
    figures=figures,
    clock=clock,
    rests=rests,
    favour=favour,
    cut=cut,
    names=names,
    known=known,
)
