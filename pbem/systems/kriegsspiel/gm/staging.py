"""Directives that bring on what the order of battle lacks: a unit of any kind, a paper on the road."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from msgspec.structs import replace

from pbem.ground.bearing import parse_bearing
from pbem.ground.plane import Point, distance
from pbem.rules.directives import BadDirective
from pbem.systems.kriegsspiel.command.papers import level_of, rider_way
from pbem.systems.kriegsspiel.field.field import terrain_of
from pbem.systems.kriegsspiel.gm.footing import ANYHOW, no_footing
from pbem.systems.kriegsspiel.knowing.sighting import blocks_of, rumoured, size_of, told_arm
from pbem.systems.kriegsspiel.play.play import Play
from pbem.systems.kriegsspiel.scene.forces import riders_of, rounds_of
from pbem.systems.kriegsspiel.sheets.reading import read_for
from pbem.systems.kriegsspiel.tables.fire import GUNS, MAN_TW
from pbem.systems.kriegsspiel.tables.formation import GUNS_OF, KINDS, MEN, WAGON_BLOCKS
from pbem.systems.kriegsspiel.tables.knowledge import INHABITANTS, RELIABILITY
from pbem.systems.kriegsspiel.world.dispatches import Paper, Person, Ride, Tiding
from pbem.systems.kriegsspiel.world.forms import DEPLOYED, IN_BATTERY, fits
from pbem.systems.kriegsspiel.world.orders import Line, lines_of
from pbem.systems.kriegsspiel.world.patches import Changes, ClockPatch
from pbem.systems.kriegsspiel.world.troops import Place, Side, Strength, Unit

Named = Callable[[Play, str], Point]
"""A place by its name or its point."""


# ------------------------------------------------------------------ units

ARMS: Mapping[str, str] = {kind: arm for arm, kinds in KINDS.items() for kind in kinds}

NEW = re.compile(
    r"(red|blue) (\S+) (\S+) (\S+) at (\S+)(?: facing (\S+))?(?: in (\S+))?(?: under (\S+))?(?: of (\S+))?( anyhow)?"
)


def new_unit(play: Play, text: str, place_of: Named) -> Changes:
    """`red 3/Ia line half_battalion at 3700,2900 facing N in line under asmus of 3/I`: at full strength.

    :raises BadDirective: if there is no such kind, size, formation or commander.
    """
    found = NEW.fullmatch(text)
    if not found:
        raise BadDirective(
            "it reads: new SIDE ID KIND SIZE at PLACE [facing DIR] [in FORMATION] [under PERSON] [of UNIT]"
        )
    side_word, name, kind, size, at, facing, formed, person, parent, anyhow = found.groups()
    arm = ARMS.get(kind)
    if arm is None or (size not in MEN and size not in GUNS_OF and size not in ("post", "vedette", "train")):
        raise BadDirective(f"there is no {kind} {size}; kinds: {', '.join(ARMS)}; sizes: {', '.join((*MEN, *GUNS_OF))}")
    side: Side = "red" if side_word == "red" else "blue"
    formation = formed or DEPLOYED[arm]
    if not fits(formation, arm):
        raise BadDirective(f"{formation} is no formation of {kind}")
    bearing = parse_bearing(facing) if facing else 0
    if bearing is None:
        raise BadDirective(f'"{facing}" is no direction')
    commander = person or _any_commander(play, side)
    if commander not in play.war.persons:
        raise BadDirective(f"there is no person {commander}")
    unit = Unit(
        side=side,
        id=name,
        name=name,
        arm=arm,  # type: ignore[arg-type]  # the keys of KINDS are the arms
        kind=kind,
        size=size,
        place=Place(
            at=place_of(play, at), facing=bearing, formation=formation, halted_since=play.move,
            limbered=arm == "artillery" and formation not in IN_BATTERY,
        ),
        strength=replace(_strength(kind, size), riders=riders_of(arm, size, play.war.options)),
        commander=commander,
    )  # fmt: skip
    if not anyhow and (why := no_footing(terrain_of(play.scene), unit)):
        raise BadDirective(f"{why}; to put it there all the same, end the line with {ANYHOW}")
    if parent:
        unit = replace(unit, duty=replace(unit.duty, parent=parent, purpose="post"))
    lost = {f"{side} men lost": -unit.strength.tw, f"{side} guns lost": -unit.strength.guns}
    return Changes(new_units=(unit,), losses={what: number for what, number in lost.items() if number})


def _any_commander(play: Play, side: Side) -> str:
    return next((one.id for one in play.war.persons.values() if one.side == side), "")


def _strength(kind: str, size: str) -> Strength:
    if size in GUNS_OF:
        cannon, howitzers = GUNS[kind]
        guns = GUNS_OF[size]
        canister, shot = rounds_of(kind, guns)
        if size == "battery":
            pairs = (cannon // 2, cannon - cannon // 2), (howitzers // 2, howitzers - howitzers // 2)
        else:
            pairs = (cannon * guns // 8, 0), (howitzers * guns // 8, 0)
        return Strength(
            cannon=pairs[0], howitzers=pairs[1], canister=canister, shot=shot, wagons=WAGON_BLOCKS.get(kind, 0),
            blocks=2 if size == "battery" else 1,
        )  # fmt: skip
    tw = MEN.get(size, 2) * MAN_TW
    return Strength(tw=tw, full_tw=tw, blocks=2 if size == "battalion" else 1)


# ------------------------------------------------------------------ tidings

SIGHT = re.compile(r"(\S+) (red|blue) (\S+) from (spy|inhabitants|patrol|umpire)")


def new_tiding(play: Play, text: str) -> tuple[Person, Tiding]:
    """`rehden blue 3/I from inhabitants`: what a source tells a commander of a body, as sure as the source is.

    Inhabitants are wrong in strengths: what is true by a factor from a half to two, drawn once (KS-GM-03).

    :raises BadDirective: if there is no such person or unit.
    """
    found = SIGHT.fullmatch(text)
    if not found:
        raise BadDirective("it reads: sight PERSON SIDE UNIT from spy|inhabitants|patrol|umpire")
    name, side, unit_id, source = found.groups()
    person, unit = play.war.persons.get(name), play.war.units.get(f"{side}:{unit_id}")
    if person is None or unit is None:
        raise BadDirective(f"there is no {name if person is None else unit_id}")
    blocks = blocks_of(unit)
    if source == "inhabitants":
        least, most = INHABITANTS
        tenths = (10 * least[0] // least[1], 10 * most[0] // most[1])
        drawn = tenths[0] + int(play.dice.salt(f"inhabitants/{play.move}/{unit.key}")[:8], 16) % (
            tenths[1] - tenths[0] + 1
        )
        blocks = rumoured(blocks, unit.arm, (drawn, 10))
    return person, Tiding(
        ref=f"{source}/{play.move}/{len(play.facts)}",
        side=unit.side,
        seen=play.move,
        at=unit.place.at,
        source=source,
        size=size_of(unit),
        arm=told_arm(unit),
        blocks=blocks,
        exact=source in ("patrol", "umpire"),
        reliability=sure(source),
    )


def sure(source: str) -> Literal["certain", "probable", "doubtful"]:
    """How sure a source is."""
    return RELIABILITY.get(source, "certain")


# ------------------------------------------------------------------ papers

PAPER = re.compile(r"(\S+) to ([^:]+?) written (\d{1,9})(?: at (\S+))?(?: arrives (\d{1,9}))?(?: no (\d{1,9}))?: (.+)")


def new_paper(play: Play, text: str, place_of: Named) -> Changes:
    """`rehden to 1/F written 31 at 3000,5200 arrives 36: halt`: orders, each behind a `;`, on the road.

    :raises BadDirective: if there is no such sender, or his orders cannot be read.
    """
    found = PAPER.fullmatch(text)
    if not found:
        raise BadDirective("it reads: paper PERSON to ADDRESSEE written MOVE [at PLACE] [arrives MOVE] [no N]: ORDERS")
    sender, to, written, at, arrives, number, body = found.groups()
    person = play.war.persons.get(sender)
    if person is None:
        raise BadDirective(f"there is no person {sender}")
    kept = _lines(play, person.side, to, body)
    start = place_of(play, at) if at else person.at
    unit = play.war.units.get(f"{person.side}:{to}")
    other = play.war.persons.get(to)
    end = unit.place.at if unit is not None else other.at if other is not None else start
    clock = play.war.clock
    ride = Ride(way=_way(play, start, end), set_out=play.move + 1, to=to)
    if arrives:
        # So long a way as he is under way yet: he stands at its end till then.
        ride = Ride(way=(end, end), set_out=int(arrives), to=to)
        start = end
    paper = Paper(
        id=clock.papers + 1, kind="order" if kept else "letter", side=person.side, sender=sender, to=to,
        no=int(number or person.papers + 1), written=int(written), place=person.at, lines=kept,
        text="" if kept else body, at=start, aim=end, state="riding", ride=ride, bearer=sender,
        rank=level_of(play, sender), wants_receipt=True,
    )  # fmt: skip
    taken = replace(person, papers=person.papers + 1, riders=person.riders - 1)
    return Changes(papers=(paper,), persons=(taken,), clock=ClockPatch(papers=clock.papers + 1))


def _way(play: Play, start: Point, end: Point) -> tuple[Point, ...]:
    return rider_way(terrain_of(play.scene), start, end, table=play.table) if distance(start, end) else (start, end)


def _lines(play: Play, side: Side, to: str, body: str) -> tuple[Line, ...]:
    mind = next((mind for mind in play.minds.values() if mind.side == side), None)
    if mind is None or body.startswith("text:"):
        return ()
    lines: list[Line] = []
    for part in body.split(";"):
        reading = read_for(play.scene, mind, f"to {to}: {part.strip()}")
        for complaint in reading.complaints:
            if complaint.judgement.refuses:
                raise BadDirective(complaint.why)
        lines += [line for act in reading.items for line in lines_of(act)]
    return tuple(lines)
