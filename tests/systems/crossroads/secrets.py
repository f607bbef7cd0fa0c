"""What each side at the crossroads must not know of the other: who is out of sight, names, losses, orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from pbem.ground.bearing import compass
from pbem.ground.plane import Point, bearing
from pbem.kernel.names import Role
from pbem.systems.crossroads.sheets.verbs import GRAMMAR
from pbem.systems.crossroads.tables.units import FORMATIONS
from pbem.systems.crossroads.world.state import FRENCH, GERMAN, Battle, Unit
from tests.systems.play import Game
from tests.systems.secret import Exchange, Secret

__all__ = ["GRAMMAR", "LARGE", "SECRETS", "likely"]

LARGE = ("la-folie", "sadowa")

FRENCH_TRIES = (
    "FR-3 fire PR-7",
    "FR-3 fire contact 1",
    "FR-3 fire contact 40",
    "FR-4 charge PR-3 if within 12 of PR-8 else fire nearest",
    "FR-6 move N 6 if not seen",
)
GERMAN_TRIES = (
    "PR-1 fire FR-6",
    "PR-1 fire contact 2",
    "PR-1 fire contact 30",
    "PR-4 charge FR-6 if within 20 else move half S 4",
    "PR-A1 fire FR-A1",
)


def _ruled(text: str) -> tuple[Exchange, ...]:
    return (Exchange(rulings=text),)


SECRETS = (
    Secret(
        name="losses of a battalion that has not been identified",
        scenario="la-folie",
        owner=GERMAN,
        blind=FRENCH,
        one=_ruled("set PR-6 losses 1"),
        other=_ruled("set PR-6 losses 4"),
        silence=0,
        probes=FRENCH_TRIES,
    ),
    Secret(
        name="where a battalion stands out of sight",
        scenario="la-folie",
        owner=FRENCH,
        blind=GERMAN,
        one=_ruled("place FR-6 at 66,10 facing N column"),
        other=_ruled("place FR-6 at 63,11 facing N column"),
        silence=1,
        probes=GERMAN_TRIES,
    ),
    Secret(
        name="that a battalion far off is an elite one",
        scenario="la-folie",
        owner=GERMAN,
        blind=FRENCH,
        one=_ruled("set PR-6 elite true"),
        other=_ruled("set PR-6 elite false"),
        silence=0,
        probes=FRENCH_TRIES,
    ),
    Secret(
        name="orders of the Germans till they are played",
        scenario="la-folie",
        owner=GERMAN,
        blind=FRENCH,
        one=(Exchange({GERMAN: "PR-6 none\npolicy shaken prone\npolicy advance yes"}),),
        other=(Exchange({GERMAN: "PR-6 move to 5,5 if loss >= 20 else none\npolicy after-melee hold"}),),
        silence=0,
    ),
    Secret(
        name="orders of the French till they are played",
        scenario="la-folie",
        owner=FRENCH,
        blind=GERMAN,
        one=(Exchange({FRENCH: "FR-6 none\npolicy defensive-fire no"}),),
        other=(Exchange({FRENCH: "FR-6 fire nearest if within 3 else none\npolicy advance yes"}),),
        silence=0,
    ),
    Secret(
        name="an order that could not be carried out",
        scenario="la-folie",
        owner=FRENCH,
        blind=GERMAN,
        one=(Exchange({FRENCH: "FR-6 charge nearest else none"}),),
        other=(Exchange({FRENCH: "FR-6 none"}),),
        silence=0,
    ),
    Secret(
        name="whether a unit that stands had an order at all",
        scenario="la-folie",
        owner=FRENCH,
        blind=GERMAN,
        one=(Exchange({FRENCH: "FR-5 none"}),),
        other=(Exchange({FRENCH: "FR-1 fire nearest"}),),
        silence=0,
    ),
    Secret(
        name="losses of a battalion out of sight",
        scenario="la-folie",
        owner=FRENCH,
        blind=GERMAN,
        one=_ruled("set FR-6 losses 2"),
        other=_ruled("set FR-6 losses 4"),
        silence=0,
        probes=GERMAN_TRIES,
    ),
    Secret(
        name="what is still to come, and when",
        scenario="la-folie",
        owner=FRENCH,
        blind=GERMAN,
        one=_ruled("set FR-7 arrive 5"),
        other=_ruled("set FR-7 arrive 7"),
        silence=1,
        probes=GERMAN_TRIES,
    ),
)


def likely(game: Game, role: Role) -> Sequence[str]:
    """Orders for every unit, officer and policy: advances, fire, charges, changes of formation."""
    mind: Battle = game.world.minds[role]
    random = Random(f"{game.luck} {game.pause.moment} {role}")
    lines: list[str] = []
    enemies = [one for one in mind.units.values() if one.side != role and one.stands]
    for name in sorted(mind.units):
        unit = mind.units[name]
        if unit.side == role and unit.stands:
            lines += _of_unit(unit, enemies, random)
    return [*lines, *_officers(mind, role, random), *POLICIES]


POLICIES = (
    "policy shaken prone",
    "policy shaken cover",
    "policy defensive-fire yes",
    "policy defensive-fire no",
    "policy advance yes",
    "policy after-melee fire",
    "policy after-melee hold",
)


def _far(one: Point, other: Point) -> int:
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2


def _of_unit(unit: Unit, enemies: Sequence[Unit], random: Random) -> Iterator[str]:
    at = unit.pos
    assert at is not None, "it stands"
    near = sorted((one for one in enemies if one.pos is not None), key=lambda one: (_far(one.pos or at, at), one.id))
    target = near[0] if near else None
    way = compass(bearing(at, target.pos)) if target is not None and target.pos is not None else "S"
    foe = random.choice([target.id, "nearest"]) if target is not None else "nearest"
    guns = unit.type in ("artillery", "mg")
    if unit.type != "cavalry":
        yield f"{unit.id} fire {foe} else none"
    if guns and unit.formation == "deployed":
        yield f"{unit.id} form limbered then move half {way} 4"
    else:
        yield f"{unit.id} move {way} {random.choice([2, 4, 6])}"
        yield f"{unit.id} move to 48,32 facing {way} if not seen else fire nearest"
    if unit.type == "infantry":
        yield f"{unit.id} move half {way} 3 then fire nearest"
        yield f"{unit.id} fire nearest then move half N 3"
        yield f"{unit.id} {'rise then move half S 2' if unit.prone else 'prone then fire nearest'}"
    if unit.type in ("infantry", "cavalry"):
        yield f"{unit.id} charge {foe} if within 12 else move {way} 5"
        yield f"{unit.id} charge nearest"
        yield f"{unit.id} wheel {random.choice(['left', 'right'])} {random.choice([15, 45, 90])} then move {way} 3"
    if unit.type != "infantry":
        yield f"{unit.id} cross"
    other = random.choice([one for one in FORMATIONS[unit.type] if one != unit.formation])
    yield f"{unit.id} form {other}"
    yield f"{unit.id} face {way}"
    yield f"joker {unit.id} fire nearest"
    yield f"star {unit.id} charge nearest else fire nearest"


def _officers(mind: Battle, role: Role, random: Random) -> Iterator[str]:
    own = [one.id for one in mind.units.values() if one.side == role and one.stands]
    for name in sorted(mind.officers):
        officer = mind.officers[name]
        if officer.side != role or not officer.stands or not own:
            continue
        yield f"officer {name} attach {random.choice(own)} {random.choice(['first', ''])}"
        yield f"officer {name} move to 48,40 after {random.choice(own)}"
        if officer.nation == "prussian":
            some = [one for one in own if one.startswith("PR") and mind.units[one].type == "infantry"]
            if some:
                yield f"officer {name} lead {', '.join(random.sample(some, min(3, len(some))))} move S 4"
