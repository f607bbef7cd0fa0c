"""The examples of orders as one commander would write them: his own units and leaders, points and places of his map."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.orders.sheet import Complaint
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.words import facing, natural
from pbem.systems.half_league.sheets.verbs import EXAMPLES
from pbem.systems.half_league.tables.printed import INCH
from pbem.systems.half_league.world.pieces import ENEMY, Unit, side_of
from pbem.systems.half_league.world.state import Battle

FOES = re.compile(r"\b(?P<word>fire|bombard|charge|and) (?P<foe>[A-Z]{2}-[A-Z]?\d+|contact \d+)")
NAMES = re.compile(r"\b(?:AC|BG|B|UK|RU)-[A-Z0-9]+")
POINTS = re.compile(r"\b\d+,\d+\b")
WAYS = re.compile(r"\b(?P<word>move|facing|face|prolong) [NSEW]{1,3}\b")
PLACE = "Great Redoubt"
ARMY = ("initiative", "flank", "charge-flank")
"""What the senior commander of a side orders alone."""
NEAR, FAR = 4 * INCH, 8 * INCH
"""How far ahead of a unit the points of the examples lie."""


def own_forms(scene: Scene, mind: Battle, role: Role) -> Mapping[str, str]:
    """The examples of all orders that a commander can give, in his own names."""
    own = _Own(scene, mind, role)
    return {verb: own.written(verb, example) for verb, example in EXAMPLES.items() if own.gives(verb, example)}


def in_own_names(scene: Scene, mind: Battle, role: Role, complaint: Complaint) -> Complaint:
    """A complaint, with names of its reader in the examples that it gives; what he may have meant stays as it is."""
    if "did you mean" in complaint.why:
        return complaint
    verb = next((verb for verb, example in EXAMPLES.items() if example == complaint.example), "")
    own = _Own(scene, mind, role)
    why = complaint.why
    if own.units:
        why = why.replace("like UK-7", f"like {own.units[0].id}").replace(f"like {PLACE}", f"like {own.place}")
    if not verb:
        return replace(complaint, why=why)
    example = own.written(verb, complaint.example) if own.gives(verb, complaint.example) else ""
    return replace(complaint, why=why, example=example)


class _Own:
    """What a commander has, by kind."""

    def __init__(self, scene: Scene, mind: Battle, role: Role) -> None:
        self.scene, self.role = scene, role
        side = side_of(role)
        self.brigades = [one.id for one in scene.brigades.values() if scene.commands(role, one.id, side)]
        mine = [one for one in mind.of(side) if one.brigade in self.brigades]
        self.units = sorted(mine, key=lambda one: (one.type != "infantry", natural(one.id)))
        self.foes = sorted((one.id for one in mind.of(ENEMY[side]) if not one.last_seen), key=natural)
        there = [one for one in mind.leaders.values() if one.side == side and not one.fallen]
        self.brigadiers = sorted(one.id for one in there if one.kind != "army" and one.brigade in self.brigades)
        self.army = sorted(one.id for one in there if one.kind == "army" and scene.senior(role))
        places = [aim.place for aim in scene.aims] or [one.name for one in scene.places.values()]
        self.place = places[0] if places else PLACE

    def gives(self, verb: str, example: str) -> bool:
        """Whether he has what an order is for."""
        needs = {
            "AC-": bool(self.army),
            "BG-": bool(self.brigadiers),
            "-A": any(one.guns for one in self.units),
        }
        own = FOES.sub(r"\g<word>", example)
        return (verb not in ARMY or self.scene.senior(self.role)) and all(
            has for part, has in needs.items() if part in own
        )

    def written(self, verb: str, example: str) -> str:
        """An example in his names; what he has none of is called as it was."""
        foes, named = iter([*self.foes, "contact 1", "contact 2"]), dict[str, str]()
        held: list[str] = []

        def foe(found: re.Match[str]) -> str:
            held.append(next(foes))
            return f"{found['word']} <{len(held) - 1}>"

        text = FOES.sub(foe, example)
        text = NAMES.sub(lambda found: _pick(named, found[0], self._names(verb, found[0])), text)
        if not self.units:
            return re.sub(r"<(\d+)>", lambda found: held[int(found[1])], text)
        first = next((one for one in self.units if one.id in named.values()), self.units[0])
        ahead = iter([FAR, NEAR])
        text = POINTS.sub(lambda _: self._point(first, 0 if verb == "deploy" else next(ahead)), text)
        text = WAYS.sub(lambda found: f"{found['word']} {facing(first)}", text).replace(PLACE, self.place)
        return re.sub(r"<(\d+)>", lambda found: held[int(found[1])], text)

    def _names(self, verb: str, said: str) -> Sequence[str]:
        """Those of his whom an example may name where it says *said*."""
        if said.startswith("AC-"):
            return self.army
        if said.startswith("BG-"):
            return self.brigadiers
        if said.startswith("B-"):
            return self.brigades
        return [one.id for one in self.units if one.guns] if "-A" in said else [one.id for one in self.units]

    def _point(self, unit: Unit, far: int) -> str:
        """A point so far before a unit, in whole inches, on the map."""
        south = 9000 < unit.bearing < 27000
        y = unit.front.y + (-far if south else far)
        at = Point(unit.front.x, min(max(y, 0), self.scene.height))
        return f"{at.x // INCH},{at.y // INCH}"


def _pick(named: dict[str, str], said: str, names: Sequence[str]) -> str:
    """The next name of its kind that is not taken in this example, always the same for the same."""
    if said not in named:
        free = [one for one in names if one not in named.values()] or list(names)
        named[said] = free[0] if free else said
    return named[said]
