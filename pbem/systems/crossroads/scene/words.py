"""How units, cards, lengths and directions are named in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pbem.ground import bearing
from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.orders.prose import cap, listed
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.world.state import INCHES, Battle, Unit

SUIT_NAMES: Mapping[str, str] = {"H": "hearts", "D": "diamonds", "S": "spades", "C": "clubs"}
FACES: Mapping[int, str] = {1: "ace", 11: "jack", 12: "queen", 13: "king"}
UNSEEN = "an unseen enemy"

TYPES: Mapping[str, str] = {
    "infantry": "infantry",
    "cavalry": "cavalry",
    "artillery": "artillery",
    "mg": "mitrailleuses",
}
SUBTYPES: Mapping[str, str] = {"chasseur": "chasseurs", "zouave": "Zouaves", "jaeger": "Jaegers"}


def inches(tenths: int) -> str:
    """A length in inches.

    >>> inches(45), inches(80), inches(10)
    ('4.5 inches', '8 inches', '1 inch')
    """
    return f"{length(tenths)} inch{'' if tenths == 10 else 'es'}"


def length(tenths: int) -> str:
    """A length as a plain number: `4.5`, `8`."""
    whole, part = divmod(abs(tenths), 10)
    return f"{'-' * (tenths < 0)}{whole}{f'.{part}' if part else ''}"


def place(at: Point) -> str:
    """A place as orders write it, without needless noughts.

    >>> place(Point(520, 605))
    '52,60.5'
    """
    return ",".join(length(part) for part in at)


def compass(degrees: int) -> str:
    """The nearest of the sixteen points.

    >>> compass(180), compass(35), compass(350)
    ('S', 'NE', 'N')
    """
    return bearing.compass(degrees * bearing.DEGREE)


def natural(name: str) -> tuple[str, int, str]:
    """A key that sorts names as people count them: PR-2 before PR-10.

    >>> sorted(["PR-10", "PR-A1", "PR-2"], key=natural)
    ['PR-2', 'PR-10', 'PR-A1']
    """
    found = re.fullmatch(r"(.*?)(\d*)", name)
    assert found is not None, "every text ends in digits or none"
    return found[1], int(found[2] or 0), name


def names(ids: Iterable[str]) -> str:
    """Units in a row.

    >>> names(["PR-1", "PR-2", "PR-3"])
    'PR-1, PR-2 and PR-3'
    """
    return listed(list(ids))


def who(name: str) -> str:
    """A piece as its reader knows it."""
    return name or UNSEEN


def adjective(scene: Scene, side: Role) -> str:
    """What a scenario calls a side: `French`, `German`, `Prussian`."""
    return scene.commander(side).name


def side_name(scene: Scene, side: Role) -> str:
    """`the French`, `the Prussians`."""
    name = adjective(scene, side)
    return f"the {name}" if name.endswith(("ch", "sh", "ese")) else f"the {name}s"


def card(face: str) -> str:
    """A card in words.

    >>> card("H1"), card("S12"), card("C7b"), card("Joker*")
    ('ace of hearts', 'queen of spades', '7 of clubs (second pack)', 'Joker*')
    """
    found = re.fullmatch(r"([HDSC])(\d+)(b?)", face)
    if found is None:
        return face
    worth = FACES.get(int(found[2]), found[2])
    return f"{worth} of {SUIT_NAMES[found[1]]}{' (second pack)' if found[3] else ''}"


def formation(unit: Unit) -> str:
    """How a unit stands: `in line`, `deployed`, `in skirmish order, prone`."""
    form = {
        "line": "in line",
        "column": "in column",
        "skirmish": "in skirmish order",
        "deployed": "deployed",
        "limbered": "limbered",
    }[unit.formation]
    return f"{form}, prone" if unit.prone else form


def kind(unit: Unit) -> str:
    """What a unit is: `infantry`, `Zouaves`."""
    return SUBTYPES.get(unit.subtype, TYPES[unit.type])


def called(battle: Battle, name: str) -> str:
    """A unit with what it is called, if that is known: `PR-1, I/39th Fusiliers`; `contact 3, infantry`."""
    unit = battle.units.get(name) or (battle.ghosts[name].unit if name in battle.ghosts else None)
    if unit is None:
        officer = battle.officers.get(name)
        return f"{name}, {officer.name}" if officer is not None else who(name)
    return f"{name}, {unit.name}" if unit.name else f"{name}, {kind(unit)}"


def subject(battle: Battle, name: str) -> str:
    """The same at the head of a sentence, before its verb: `PR-1, I/39th Fusiliers,`; `FO-1` who has no name yet."""
    said = called(battle, name)
    return cap(f"{said}," if "," in said else said)


def written(at: Point) -> str:
    """A place with one decimal, as orders and reports of the office write it."""
    return INCHES.written(at)
