"""The examples of orders as one side would write them: its own units, points of this table, the way it faces."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.orders.sheet import Complaint
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.scene.words import natural
from pbem.systems.crossroads.sheets.verbs import EXAMPLES, WORDS
from pbem.systems.crossroads.tables.units import LEADING_NATION, OFFICER_MOVES
from pbem.systems.crossroads.world.orders import NEAREST
from pbem.systems.crossroads.world.state import GUNS, Battle, Unit

_NAME = re.compile(r"(?P<foe>(?:fire|charge) )?\b(?P<id>[A-Z]{2}-[A-Z]?\d+|contact \d+)")
_POINT = re.compile(r"\b\d+,\d+\b")
_WAY = re.compile(r"\b[NS](?=E?\b)(?!-)")


def own_forms(scene: Scene, mind: Battle, role: Role) -> Mapping[str, str]:
    """The examples of all orders that a side can give, in its own names."""
    own = _Own(scene, mind, role)
    return {verb: own.written(verb, example) for verb, example in EXAMPLES.items() if own.gives(verb)}


def in_own_names(scene: Scene, mind: Battle, role: Role, complaint: Complaint) -> Complaint:
    """A complaint, with names of its reader in the examples that it gives."""
    verb = next((verb for verb, example in EXAMPLES.items() if example == complaint.example), "")
    own = _Own(scene, mind, role)
    like = WORDS["ID"]
    why = complaint.why.replace(like, own.written("", like)) if own.units else complaint.why
    if not verb:
        return replace(complaint, why=why)
    return replace(complaint, why=why, example=own.written(verb, complaint.example) if own.gives(verb) else "")


class _Own:
    """What a side has, by kind."""

    def __init__(self, scene: Scene, mind: Battle, role: Role) -> None:
        self.scene, self.mind, self.role = scene, mind, role
        here = [one for one in mind.units.values() if one.side == role and (one.stands or one.pos is None)]
        self.units = sorted(here, key=lambda one: (one.pos is None, natural(one.id)))
        self.foes = sorted((one.id for one in mind.units.values() if one.side != role and one.stands), key=natural)
        officers = [one for one in mind.officers.values() if one.side == role and OFFICER_MOVES.get(one.nation)]
        self.officers = sorted((one.id for one in officers), key=natural)
        self.leaders = sorted((one.id for one in officers if one.nation == LEADING_NATION), key=natural)
        self.way = "S" if self.units and 90 < self.units[0].facing < 270 else "N"

    def of(self, *types: str) -> list[Unit]:
        return [one for one in self.units if one.type in types]

    def gives(self, verb: str) -> bool:
        """Whether the side has what an order is for."""
        return {
            "joker": self.role != self.mind.sides[0],
            "officer": bool(self.officers),
            "officer move": bool(self.officers),
            "officer lead": bool(self.leaders),
            "clear": bool(self.of("mg")),
            "cross": bool(self.of("cavalry", *GUNS)),
        }.get(verb, True)

    def written(self, verb: str, example: str) -> str:
        """An example in the names of the side; what it has none of is called as it was."""
        infantry = [one.id for one in self.of("infantry")]
        if verb == "officer lead":
            infantry = [one.id for one in self.of("infantry") if one.nation == LEADING_NATION]
        guns = [one.id for one in self.of("mg" if verb == "clear" else "artillery")] or [
            one.id for one in self.of("cavalry", *GUNS)
        ]
        named: dict[str, str] = {}

        def name(found: re.Match[str]) -> str:
            said = found["id"]
            if found["foe"]:
                return f"{found['foe']}{self.foes[0] if self.foes else NEAREST}"
            if said[1] == "O":
                return _pick(named, said, self.leaders if verb == "officer lead" else self.officers)
            return _pick(named, said, guns if said[3] in "AM" else infantry)

        x, y = self.scene.width // 20, self.scene.height // 20
        ahead = -5 if self.way == "N" else 5
        points = {"52,50": f"{x},{y}", "52,55": f"{x},{y + ahead}", "60,30": f"{x + 4},{y}"}
        text = _NAME.sub(name, example)
        if self.units and self.units[0].formation == "line":
            text = text.replace("form line", "form column")
        return _WAY.sub(self.way, _POINT.sub(lambda found: points.get(found[0], found[0]), text))


def _pick(named: dict[str, str], said: str, names: Sequence[str]) -> str:
    """The next name of its kind that is not taken in this example, always the same for the same."""
    if said not in named:
        free = [one for one in names if one not in named.values()] or list(names)
        named[said] = free[0] if free else said
    return named[said]
