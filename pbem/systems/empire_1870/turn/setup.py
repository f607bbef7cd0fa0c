"""The empty theatre of war, and how the sides take their places in it (WE-SET)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.kernel.dice import Dice
from pbem.kernel.names import Role
from pbem.kernel.office import Option
from pbem.orders.prose import listed
from pbem.orders.sheet import lines_of
from pbem.rules.contract import World
from pbem.rules.ledger import rule
from pbem.rules.view import Result
from pbem.systems.empire_1870.play.pauses import SETUP
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.scene.scene import Group as Troops
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.world.fact import Fact, both, in_part
from pbem.systems.empire_1870.world.options import Options, parse_options
from pbem.systems.empire_1870.world.orders import AnyOrder, SetupHq, SetupSp
from pbem.systems.empire_1870.world.outcomes import SetupPlaced, SetupRevealed
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, GERMAN, SIDES, Hq, Seal
from pbem.systems.empire_1870.world.patches import GamePatch, HqPatch
from pbem.systems.empire_1870.world.stacks import Group, Stack
from pbem.systems.empire_1870.world.state import War


class Placement(Struct, frozen=True):
    """Where the HQs and SP of a group are to stand."""

    hqs: dict[str, Hex]
    sp: dict[Hex, int]


def troops(scene: Scene, options: Options, side: Role) -> tuple[Troops, ...]:
    """The groups of a side that take part under these options, in the order of the scenario."""
    return tuple(
        group
        for group in scene.sides[side].groups
        if all(str(getattr(options, name)) == value for name, value in group.when.items())
    )


@rule("WE-HQ-01", "WE-ADM-03", "WE-UNI-03")
def _hqs(scene: Scene, options: Options, side: Role) -> dict[str, Hq]:
    """The HQs of a side, all in the pool: those of its groups, those of its pool, and what options add."""
    named = [*(hq for group in scene.sides[side].groups for hq in group.hqs), *scene.sides[side].pool]
    if side == "french" and options.french_cavalry_hqs:
        named.append("FCR")
    found = {}
    for name, piece in scene.headquarters.items():
        if name in named and piece.side == side:
            ratings = piece.front.ratings
            found[name] = Hq(
                id=name,
                side=side,
                rank=piece.rank,
                name=piece.name,
                ab=ratings.ab,
                db=ratings.db,
                ma=ratings.ma,
                cautious=piece.front.cautious,
                cavalry=piece.cavalry,
            )
    return found


@rule("WE-SET-01", "WE-SET-03", "WE-CTL-01", "WE-UNI-01", "WE-STK-01")
def blank(scene: Scene, chosen: Mapping[str, Option]) -> World[War, War]:
    """The theatre of war before set-up under these options; each side knows its own HQs.

    :raises Refused: on an option that the game does not have, or a value that it cannot take.
    """
    options = parse_options(scene.options, chosen)
    control = {at: cell.owner for at, cell in scene.cells.items() if cell.owner is not None}
    if options.setup == "historic":
        control |= scene.aims.initial_control_exceptions
    own = {side: _hqs(scene, options, side) for side in SIDES}
    points = {side: scene.sides[side].resource_points for side in SIDES}
    empty = War(
        vp=options.free_vp if options.setup == "free" else scene.game.vp,
        control=control,
        options=options,
        phase="setup_german" if options.setup == "free" else "setup_french",
    )
    truth = replace(empty, hqs={**own[FRENCH], **own[GERMAN]}, resource_points=points)
    known = points if options.fog == "open" else {}
    minds = {
        side: replace(empty, viewer=side, hqs=own[side], resource_points={**known, side: points[side]})
        for side in SIDES
    }
    return World(truth, minds)


def default_placement(group: Troops) -> Placement:
    """A group as its orders in the scenario set it up: `SETUP G7 AT 2305`, `SETUP 8SP OF A1 AT 2305`."""
    hqs: dict[str, Hex] = {}
    sp: dict[Hex, int] = {}
    for line in lines_of(group.orders):
        words = line.text.split()
        if not words:
            continue
        what, at = words[1], Hex(words[-1])
        if what.upper().endswith("SP"):
            sp[at] = sp.get(at, 0) + int(what[:-2])
        else:
            hqs[what] = at
    return Placement(hqs, sp)


@rule("WE-SET-04")
def group_of(groups: Sequence[Troops], order: SetupHq | SetupSp) -> Troops | None:
    """The group that a set-up line is about; None: of no group that may stand there.

    Where areas overlap SP are of the first group, if the line does not name another.
    """
    if isinstance(order, SetupHq):
        return next((group for group in groups if order.hq in group.hqs and order.hex in group.area), None)
    return next((group for group in groups if order.hex in group.area and order.group in ("", group.name)), None)


@rule("WE-SET-04")
def refused(scene: Scene, war: War, side: Role, orders: Iterable[SetupHq | SetupSp]) -> dict[int, str]:
    """The set-up lines that cannot be, by line number, and why."""
    groups = troops(scene, war.options, side)
    enemy = war.stacks.get(ENEMY[side], {})
    left = [group.sp for group in groups]
    found: dict[int, str] = {}
    for order in orders:
        group = group_of(groups, order)
        what = order.hq if isinstance(order, SetupHq) else f"{order.count}SP"
        if group is None:
            room = _room(scene, groups, order)
            found[order.line] = f"{what} may not be set up at {scene.place_name(order.hex)}: {room}"
        elif order.hex in enemy or order.hex in war.occupied:
            found[order.line] = f"the enemy stands at {scene.place_name(order.hex)}"
        elif isinstance(order, SetupSp):
            which = groups.index(group)
            if order.count > left[which]:
                whose = f" of {group.name}" if group.name else ""
                found[order.line] = f"only {left[which]} SP{whose} are left to set up"
            else:
                left[which] -= order.count
    return found


def _room(scene: Scene, groups: Sequence[Troops], order: SetupHq | SetupSp) -> str:
    """Where what a line names may be set up."""
    if isinstance(order, SetupHq):
        mine = [group for group in groups if order.hq in group.hqs]
        if not mine:
            return "it begins in the pool"
        fixed = default_placement(mine[0]).hqs.get(order.hq)
        if not mine[0].area and fixed is not None:
            return f"it stands at {scene.place_name(fixed)} in any case"
        area: Iterable[Hex] = mine[0].area
    else:
        area = {at for group in groups if order.group in ("", group.name) for at in group.area}
        fixed_sp = [at for group in groups if not group.area for at in default_placement(group).sp]
        if order.hex in fixed_sp:
            return f"what stands there is fixed, and the others have {_hexes(scene, area)}"
    return f"there is room at {_hexes(scene, area)}"


MOST_HEXES = 20
"""An area of more hexes than these is not listed."""


def _hexes(scene: Scene, area: Iterable[Hex]) -> str:
    hexes = sorted(area)
    if not hexes or len(hexes) > MOST_HEXES:
        return "other places only"
    return listed([scene.place_name(at) for at in hexes])


def placements(
    scene: Scene, war: War, side: Role, orders: Sequence[SetupHq | SetupSp]
) -> tuple[tuple[Troops, Placement], ...]:
    """Where each group of a side stands by these lines, those left out that cannot be."""
    groups = troops(scene, war.options, side)
    wrong = refused(scene, war, side, orders)
    good = [order for order in orders if order.line not in wrong]
    return tuple((group, placed(group, [one for one in good if group_of(groups, one) is group])) for group in groups)


def placed(group: Troops, orders: Iterable[SetupHq | SetupSp]) -> Placement:
    """Where a group stands: as ordered, and the rest by default."""
    standing = default_placement(group)
    hqs, rest = dict(standing.hqs), dict(standing.sp)
    named: dict[Hex, int] = {}
    biggest_first = sorted(rest, key=lambda at: (-standing.sp[at], at))
    for order in orders:
        if isinstance(order, SetupHq):
            hqs[order.hq] = order.hex
            continue
        named[order.hex] = named.get(order.hex, 0) + order.count
        wanted = order.count
        for at in biggest_first:
            taken = min(wanted, rest[at])
            rest[at] -= taken
            wanted -= taken
    for at, number in named.items():
        rest[at] = rest.get(at, 0) + number
    return Placement(hqs, {at: number for at, number in sorted(rest.items()) if number})


def as_orders(places: Sequence[tuple[Troops, Placement]]) -> tuple[str, ...]:
    """Set-up orders that would make this set-up."""
    lines = []
    for group, where in places:
        whose = f" OF {group.name}" if group.name else ""
        lines += [f"SETUP {name} AT {at}" for name, at in where.hqs.items()]
        lines += [f"SETUP {number}SP{whose} AT {at}" for at, number in where.sp.items()]
    return tuple(lines)


@rule("WE-SET-01", "WE-SET-03", "WE-SET-04")
def set_up(play: Play) -> None:
    """Put the side whose turn it is on the map: as it ordered, and the rest by default."""
    scene, war, side = play.scene, play.war, SETUP[play.war.phase]
    lines = [order for order in play.orders[side] if isinstance(order, SetupHq | SetupSp)]
    wrong = refused(scene, war, side, lines)
    mine = placements(scene, war, side, lines)
    stacks: dict[Hex, int] = {}
    hqs: dict[str, HqPatch] = {}
    for _, where in mine:
        for at, number in where.sp.items():
            stacks[at] = stacks.get(at, 0) + number
        hqs |= {name: HqPatch(hex=at, state="map") for name, at in where.hqs.items()}
    orders = as_orders(mine)
    salt = play.dice.salt(side)
    seal = hashlib.sha256("\n".join((salt, *orders)).encode()).hexdigest()
    public = side == "french" and war.options.setup == "historic" and war.options.german_sees_setup
    at_stacks: dict[Hex, Stack] = {at: (Group(count=number),) for at, number in sorted(stacks.items())}
    play.happens(
        SetupPlaced,
        **in_part(side, "WE-SET-01", "WE-SET-04", "WE-SET-03" if war.options.setup == "free" else ""),
        placements=orders,
        defaulted=len(wrong) == len(lines),
        seal=seal,
        salt=salt,
        private=("salt", "defaulted", *(() if public else ("placements",))),
        stacks={side: at_stacks},
        toll={side: -sum(stacks.values())},
        hqs=hqs,
        game=GamePatch(placed={side: Seal(seal, salt, orders)}),
    )
    _report(play, side, lines, wrong)


def _report(play: Play, side: Role, lines: Sequence[AnyOrder], wrong: Mapping[int, str]) -> None:
    for order in lines:
        why = wrong.get(order.line, "")
        result: Result = "not carried out" if why else "done"
        play.answer(side, order, result, why or "set up as ordered", "WE-SET-04")


@rule("WE-SET-01")
def break_seals(play: Play) -> None:
    """At the end both set-ups are shown, so that anyone can check what was sealed."""
    for side in SIDES:
        seal = play.war.placed.get(side)
        if seal is not None:
            play.happens(
                SetupRevealed, **both(side, "WE-SET-01"), seal=seal.seal, salt=seal.salt, placements=seal.placements
            )


def muster(scene: Scene, world: World[War, War], dice: Dice) -> tuple[Fact, ...]:
    """Nothing stands on the map before the sides have set up."""
    return ()


def counts(war: War) -> Mapping[str, int]:
    """Of each side the HQs on the map, in the pool, wounded and out, and the SP on the map and off it.

    Their sums never change.
    """
    words = {"map": "HQs on the map", "pool": "HQs in the pool", "wounded": "HQs wounded", "out": "HQs out"}
    found = {f"{side} {what}": 0 for side in SIDES for what in words.values()}
    for hq in war.hqs.values():
        found[f"{hq.side} {words[hq.state]}"] += 1
    for side in SIDES:
        stacks = war.stacks.get(side, {}).values()
        found[f"{side} SP on the map"] = sum(one.count for stack in stacks for one in stack)
        found[f"{side} SP off the map"] = war.off_map.get(side, 0)
    return found
