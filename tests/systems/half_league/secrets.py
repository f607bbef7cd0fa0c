"""What each side must not know of the other: pieces out of sight, points, orders, policies, classes and chits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from pbem.ground.bearing import DEGREE
from pbem.ground.plane import bearing, nearest
from pbem.kernel.names import Role
from pbem.systems.half_league.field.field import Field, nearest_unit
from pbem.systems.half_league.sheets.verbs import GRAMMAR
from pbem.systems.half_league.world.pieces import ALLIED, RUSSIAN, Unit, side_of
from pbem.systems.half_league.world.state import Battle
from tests.systems.play import Game
from tests.systems.secret import Exchange, Secret

__all__ = ["GRAMMAR", "LARGE", "SECRETS", "likely"]

LARGE = ("great-redoubt", "kourgane")

ALLIED_TRIES = (
    "UK-7 fire RU-1",
    "UK-7 fire RU-12 stands 2",
    "UK-33 charge RU-3",
    "UK-33 charge contact 1",
    "UK-7 move S 14",
    "UK-7 move to Great Redoubt",
    "UK-RB fire BG-KAZ",
    "AC-1 move to 60,72",
    "BG-COD attach UK-7",
    "UK-GG reinforce to 60.5,70",
)
RUSSIAN_TRIES = (
    "RU-A1 bombard UK-GG",
    "RU-A1 bombard contact 1",
    "RU-1 charge contact 2 else nearest",
    "RU-10 reinforce to 52,24",
    "RU-12 move N 8",
    "RU-7 fire UK-7",
)


def _rulings(*lines: str) -> tuple[Exchange, ...]:
    return (Exchange(rulings="\n".join(lines)),)


def _pulls(sheet: str) -> tuple[Exchange, ...]:
    """RU-9, near the enemy, has chits and its brigadier with it, and takes two off."""
    near = "place RU-9 at 62,56\nset RU-9 chits 3\nplace BG-BOR at 62,53\nset BG-BOR attached_to RU-9"
    return (Exchange(rulings=near), Exchange({RUSSIAN: sheet}))


SECRETS = (
    Secret(
        name="where the reserve stands behind the hill",
        scenario="kourgane",
        owner=RUSSIAN,
        blind=ALLIED,
        one=_rulings("place RU-12 at 80,17"),
        other=_rulings("place RU-12 at 84,17"),
        probes=ALLIED_TRIES,
    ),
    Secret(
        name="how many points a regiment has",
        scenario="kourgane",
        owner=RUSSIAN,
        blind=ALLIED,
        one=_rulings("set RU-1 command_points 1"),
        other=_rulings("set RU-1 command_points 6"),
        probes=ALLIED_TRIES,
    ),
    Secret(
        name="chits of a unit in sight and far off",
        scenario="kourgane",
        owner=ALLIED,
        blind=RUSSIAN,
        one=_rulings("set UK-GG chits 1"),
        other=_rulings("set UK-GG chits 2"),
        silence=1,
        probes=RUSSIAN_TRIES,
    ),
    Secret(
        name="figures of a unit in sight and far off",
        scenario="kourgane",
        owner=ALLIED,
        blind=RUSSIAN,
        one=_rulings("set UK-GG stand_figures 3,3,3,3,3,1"),
        other=_rulings("set UK-GG stand_figures 3,3,3,3,3,3"),
        silence=1,
        probes=RUSSIAN_TRIES,
    ),
    Secret(
        name="of what class a unit far off is",
        scenario="kourgane",
        owner=ALLIED,
        blind=RUSSIAN,
        one=_rulings("set UK-GG class elite"),
        other=_rulings("set UK-GG class second"),
        silence=1,
        probes=RUSSIAN_TRIES,
    ),
    Secret(
        name="policies",
        scenario="kourgane",
        owner=RUSSIAN,
        blind=ALLIED,
        one=(Exchange({RUSSIAN: "policy cp all melee if-attacked\npolicy advance no B-KAZ"}),),
        other=(Exchange({RUSSIAN: "policy pull all when chits >= 2\npolicy cp B-KAZ fire_save when-hits >= 3"}),),
        silence=0,
        probes=ALLIED_TRIES,
    ),
    Secret(
        name="on which flank one would charge first, if one had the initiative",
        scenario="kourgane",
        owner=RUSSIAN,
        blind=ALLIED,
        one=(Exchange({ALLIED: "initiative take", RUSSIAN: "initiative give\ncharge-flank west"}),),
        other=(Exchange({ALLIED: "initiative take", RUSSIAN: "initiative give\ncharge-flank east"}),),
        silence=0,
        probes=ALLIED_TRIES,
    ),
    Secret(
        name="an order that was refused",
        scenario="kourgane",
        owner=ALLIED,
        blind=RUSSIAN,
        one=(Exchange({ALLIED: "UK-7 hold\nUK-7 move N 3\nUK-A1 charge RU-1"}),),
        other=(Exchange({ALLIED: "UK-33 hold"}),),
        silence=1,
        probes=RUSSIAN_TRIES,
    ),
    Secret(
        name="who paid for a benefit, the colonel or the brigadier",
        scenario="kourgane",
        owner=RUSSIAN,
        blind=ALLIED,
        one=(Exchange({RUSSIAN: "BG-KAZ attach RU-A1\nbrigadier BG-KAZ fire"}),),
        other=(Exchange({RUSSIAN: "BG-KAZ attach RU-A1\nbrigadier BG-KAZ pull\nRU-A1 spend fire"}),),
        silence=1,
        probes=ALLIED_TRIES,
    ),
    Secret(
        name="whether a chit went for a point or by the brigadier",
        scenario="kourgane",
        owner=RUSSIAN,
        blind=ALLIED,
        one=_pulls("RU-9 pull double\nbrigadier BG-BOR melee_save"),
        other=_pulls("RU-9 pull\nbrigadier BG-BOR pull"),
        silence=0,
        probes=ALLIED_TRIES,
    ),
    Secret(
        name="the march of a unit out of sight",
        scenario="kourgane",
        owner=RUSSIAN,
        blind=ALLIED,
        one=(
            Exchange(rulings="place RU-12 at 80,17\noption reserve_release false"),
            Exchange({RUSSIAN: "RU-12 hold"}),
        ),
        other=(
            Exchange(rulings="place RU-12 at 80,17\noption reserve_release false"),
            Exchange({RUSSIAN: "RU-12 shift right 2"}),
        ),
        silence=1,
        probes=ALLIED_TRIES,
    ),
)


# ------------------------------------------------------------------ likely orders


def likely(game: Game, role: Role) -> Sequence[str]:
    """What a commander might write: moves towards the enemy, charges, fire, points and policies, in any order."""
    mind: Battle = game.world.minds[role]
    field = Field(game.scene, mind)
    random = Random(f"{game.luck}/{mind.turn}/{role}/{mind.phase}")
    if mind.phase == "setup":
        return [*_deployments(game, field, role, random), "policy cp all fire_save when-hits >= 3"]
    return [*_lines(game, field, role, random), *_standing(game, field, role)]


def _own(game: Game, field: Field, role: Role) -> list[Unit]:
    side = side_of(role)
    return [unit for unit in field.battle.of(side) if game.scene.commands(role, unit.brigade, side)]


def _deployments(game: Game, field: Field, role: Role, random: Random) -> Iterator[str]:
    for unit in _own(game, field, role):
        x, y = unit.front.x / 1000, unit.front.y / 1000
        yield f"{unit.id} deploy {x + random.choice((-1, 0, 1)):.1f},{y:.1f} facing {unit.facing}"


def _lines(game: Game, field: Field, role: Role, random: Random) -> Iterator[str]:
    side = side_of(role)
    enemies = field.enemies(side)
    for unit in _own(game, field, role):
        foe = nearest_unit(field, unit, enemies)
        yield _activity(field, unit, foe, random)
        if foe is not None and random.random() < 0.4:
            yield random.choice(
                (f"{unit.id} fire {foe.id}", f"{unit.id} fire {foe.id} stands 2", f"{unit.id} hold-fire")
            )
        if random.random() < 0.3:
            benefit = random.choice(("move", "fire", "fire_save", "morale", "melee", "melee_save", "pull"))
            yield f"{unit.id} spend {benefit}"
        if random.random() < 0.2:
            yield f"{unit.id} advance {random.choice(('yes', 'no'))}"
        if random.random() < 0.3:
            way = -4 if game.scene.edges[side] == "north" else 4
            yield f"{unit.id} reinforce to {unit.front.x / 1000:.1f},{max(unit.front.y / 1000 + way, 1):.1f}"
        if unit.type == "foot_artillery" and foe is not None and random.random() < 0.5:
            yield f"{unit.id} bombard {random.choice(enemies).id}"
    yield from _leaders(game, field, role, random)


def _activity(field: Field, unit: Unit, foe: Unit | None, random: Random) -> str:
    name, roll = unit.id, random.random()
    if unit.status == "routing":
        return f"{name} face {random.choice('NESW')}"
    if unit.chits and roll < 0.4:
        return random.choice((f"{name} pull", f"{name} pull double", f"{name} pull then move {unit.facing} 6"))
    if foe is not None and field.within(unit, foe, 14000) and field.ahead(unit, foe) and not unit.guns and roll < 0.7:
        return f"{name} charge {foe.id}{random.choice(('', ' else nearest'))}"
    if unit.formation == "unlimbered":
        return random.choice((f"{name} hold", f"{name} prolong {unit.facing} 3", f"{name} form limbered"))
    if unit.formation == "square":
        return f"{name} form line"
    if roll < 0.06:
        return f"{name} form {random.choice(_formations(unit))}"
    if roll < 0.1:
        return random.choice((f"{name} retire 3", f"{name} shift left 3", f"{name} about then 2", f"{name} face NE"))
    if roll < 0.2:
        return random.choice((f"{name} wheel left 30 then move 4", f"{name} wheel right 60"))
    way = unit.facing
    if foe is not None:
        aim = bearing(unit.front, nearest(field.shape(foe), unit.front)) // DEGREE
        off = (aim - unit.facing + 180) % 360 - 180
        way = (unit.facing + max(-44, min(44, off))) % 360
    return f"{name} move {way} {random.randint(4, 14)}"


def _formations(unit: Unit) -> tuple[str, ...]:
    if unit.guns:
        return ("unlimbered",)
    return ("line", "column", "square", "double_line") if unit.type == "infantry" else ("line", "column")


def _leaders(game: Game, field: Field, role: Role, random: Random) -> Iterator[str]:
    side = side_of(role)
    for leader in field.battle.leaders.values():
        if leader.side != side or leader.status == "dead" or not game.scene.commands(role, leader.brigade, side):
            continue
        units = [unit for unit in _own(game, field, role) if leader.kind == "army" or unit.brigade == leader.brigade]
        if not leader.attached_to and units:
            yield f"{leader.id} attach {random.choice(units).id}"
        elif leader.attached_to and random.random() < 0.1:
            yield f"{leader.id} detach"
        if leader.kind == "brigadier":
            yield f"brigadier {leader.id} {random.choice(('fire', 'melee', 'move', 'fire_save', 'morale'))}"
        else:
            yield f"army-pull {leader.id} when chits >= {random.randint(1, 4)}"


def _standing(game: Game, field: Field, role: Role) -> Iterator[str]:
    yield from (
        "policy cp all fire_save when-hits >= 3",
        "policy cp all melee if-attacked",
        "policy cp all morale if-charged",
        "policy pull all when chits >= 2",
        "policy advance yes all",
    )
    if game.scene.senior(role):
        yield from ("initiative take", "flank west", "charge-flank left")
        chief = field.army_commander(side_of(role))
        if chief is not None:
            yield f"policy army-pull {chief.id} when chits >= 3"
