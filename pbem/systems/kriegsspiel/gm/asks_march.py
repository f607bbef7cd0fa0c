"""What cases may ask of marches, forms and fronts: of the tables, and of units as they stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from pbem.ground.plane import dot, gap
from pbem.rules.contract import Ask, ask
from pbem.systems.kriegsspiel.field.field import outline, terrain_of
from pbem.systems.kriegsspiel.gm.values import lookup, of_unit, point, reckoned
from pbem.systems.kriegsspiel.march.deploying import places
from pbem.systems.kriegsspiel.march.detachments import posts_on
from pbem.systems.kriegsspiel.march.forming import reforming_rate, slowed
from pbem.systems.kriegsspiel.march.tasks import guard_place
from pbem.systems.kriegsspiel.march.ticks import onward
from pbem.systems.kriegsspiel.melee.strongholds import tired
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.terrain import Met, Piece, cell
from pbem.systems.kriegsspiel.scene.ways import toll_of
from pbem.systems.kriegsspiel.tables import formation as of_forms
from pbem.systems.kriegsspiel.tables import march as of_march
from pbem.systems.kriegsspiel.world.forms import change_twelfths, closing_moves, depth_of, front_of, passes
from pbem.systems.kriegsspiel.world.orders import Order
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.troops import Side

# ------------------------------------------------------------------ rates


def reforming(_scene: Scene, _war: War, troops: str, area: str = "", degrees: int = 0) -> str:
    """Paces of a move in which troops change their form on such ground; degrees in tenths."""
    found = slowed(troops, Piece(0, 1, area, degrees * 10, "", ""))
    return str(found.numerator) if found.denominator == 1 else f"{found.numerator}/{found.denominator}"


def reforming_at(scene: Scene, war: War, unit: str) -> int:
    """The same for a unit where it stands, to the whole pace."""
    return round(reforming_rate(terrain_of(scene), war.units[unit]))


def reforming_row(_scene: Scene, _war: War, troops: str) -> str:
    """The row of the march table in whose proportion it shrinks."""
    return of_march.REFORMING[troops][1]


def reconnoitring(_scene: Scene, _war: War, arm: str, row: str, column: str) -> int:
    """Paces of a patrol that looks about, on that ground."""
    return min(of_march.RECONNOITRING[arm], of_march.MARCH[row][column] or 0)


def activity_row(_scene: Scene, _war: War, doing: str, troops: str) -> str:
    """The row for what a unit does without a rate in its order; `-`: none."""
    return of_march.ACTIVITY_ROWS[doing].get(troops, "-")


def ruler(_scene: Scene, _war: War, row: str) -> int:
    """What the printed ruler has on even ground, where it differs from the table."""
    return of_march.RULER[row]


def passage(_scene: Scene, _war: War, name: str) -> str:
    """How wide a passage is: `main` or `small`; empty: by the map."""
    return of_march.PASSAGES[name] or ""


def fits(_scene: Scene, _war: War, formation: str, arm: str, width: str, front: int = 0) -> bool:
    """Whether a formation fits a passage so wide; *front*: the one of its fronts that is meant."""
    return passes(formation, arm, width, front or None)


MARCH_NUMBERS: Mapping[str, int] = {
    "in_action_sight": of_march.IN_ACTION_SIGHT,
    "in_action_moves": of_march.IN_ACTION_MOVES,
    "closing_from": of_march.CLOSING_FROM,
    "open_country_paces": of_march.OPEN_COUNTRY[0],
    "open_country_degrees": of_march.OPEN_COUNTRY[1],
    "entry_held": of_march.ENTRY_HELD,
    "entry_wait": of_march.ENTRY_WAIT,
    "rest": of_march.REST_MOVES,
    "tired_fighting": of_march.TIRED["fighting"][0],
    "tired_fighting_of": of_march.TIRED["fighting"][1],
    "tired_beaten_of": of_march.TIRED["beaten"][1],
}


def uphill_only(_scene: Scene, _war: War) -> str:
    """The cell that holds uphill and not down."""
    return " ".join(of_march.UPHILL_ONLY)


def walked(_scene: Scene, _war: War, row: str, moves: int, *stretches: str) -> int:
    """Paces after so many moves over stretches such as `even 120` or `slope 12 500`."""
    pieces = made(stretches)
    done = 0
    for _ in range(12 * moves):
        left = [piece for piece in pieces if piece.end > done]
        done, _ = onward(left, done, Fraction(1), lambda piece: cell(row, piece))
    return done // 12


def toll(scene: Scene, _war: War, row: str, arm: str, kind: str, name: str) -> str:
    """Moves that a line or water costs, to the tick, at the row's rate on even ground; `-`: it cannot be passed."""
    found = toll_of(Met(0, kind, name), arm, of_march.MARCH[row]["even"] or 1, terrain_of(scene))
    if found is None:
        return "-"
    return str(Fraction(found, 12))


def changing(_scene: Scene, war: War, unit: str, to: str) -> int:
    """Ticks of a change of form on even ground, its ways left out."""
    return change_twelfths(war.units[unit], to)


def made(stretches: Sequence[str]) -> tuple[Piece, ...]:
    """Stretches of a way: a ground, or `slope` and its degrees, and the paces."""
    pieces = []
    begun = 0
    for words in (text.split() for text in stretches):
        far = int(words[-1])
        degrees = int(words[1]) if words[0] == "slope" else 0
        area = words[0] if words[0] not in ("slope", "even") else ""
        pieces.append(Piece(begun * 12, (begun + far) * 12, area, degrees * 100, "", ""))
        begun += far
    return tuple(pieces)


def group_rate(scene: Scene, war: War, side: Side, group: str) -> int:
    """The march of a group on even ground: that of its slowest."""
    names = [name for name in scene.units_of(side, group) if f"{side}:{name}" in war.units]
    rates = [
        of_march.MARCH[of_march.ACTIVITY_ROWS["march"][of_march.RATE_CLASS[war.units[f"{side}:{name}"].kind]]]["even"]
        for name in names
    ]
    return min(rate for rate in rates if rate is not None)


# ------------------------------------------------------------------ forms


def regiment_length(_scene: Scene, _war: War, formation: str) -> dict[str, object]:
    """Four squadrons on the route: the whole length, and the gaps between them."""
    return {"length": of_forms.FORMATIONS[formation].depth[0], "gaps": list(of_forms.CAVALRY_GAPS[formation])}


def cavalry_front(_scene: Scene, _war: War, squadrons: int, regiments: int) -> int:
    """The front of so many squadrons in line."""
    return squadrons * of_forms.FRONTS["squadron"] + (regiments - 1) * of_forms.FRONTS["regiment_gap"]


def columns_front(_scene: Scene, _war: War, battalions: int) -> int:
    """The front of so many battalions in attack columns in one line."""
    return (
        battalions * of_forms.FORMATIONS["attack_column"].front[0]
        + (battalions - 1) * of_forms.GROUP_DISTANCES["between_columns"][0]
    )


def mass(_scene: Scene, _war: War, what: str) -> int:
    """A number of a brigade in mass, or of a regiment in divisions."""
    return {**of_forms.BRIGADE_MASS, **{f"divisions: {k}": v for k, v in of_forms.CAVALRY_DIVISIONS.items()}}[what]


def men(_scene: Scene, _war: War, body: str) -> int:
    """Men, riders or guns of a body."""
    return {**of_forms.MEN, **of_forms.GUNS_OF}[body]


def corps_totals(_scene: Scene, _war: War) -> dict[str, object]:
    """Battalions, squadrons and batteries of a corps, its divisions added up: from and to."""
    divisions, squadrons = of_forms.CORPS["infantry_divisions"][0], 4
    foot, horse = of_forms.INFANTRY_DIVISION["cavalry_regiments"], of_forms.CAVALRY_DIVISION["cavalry_regiments"]
    regiments = [divisions * foot[i] + horse[i] for i in (0, 1)]
    guns = ("foot_12", "foot_6", "horse_6", "howitzer_7")
    batteries = [
        divisions * of_forms.INFANTRY_DIVISION["foot_6"][i]
        + of_forms.CAVALRY_DIVISION["horse_6"][i]
        + sum(of_forms.ARTILLERY_BRIGADE[kind][i] for kind in guns)
        for i in (0, 1)
    ]
    return {
        "battalions": [divisions * many for many in of_forms.INFANTRY_DIVISION["battalions"]],
        "squadrons": [squadrons * many for many in regiments],
        "batteries": batteries,
    }


def regiment_men(_scene: Scene, _war: War) -> int:
    """Men of a regiment of infantry."""
    return of_forms.MEN["battalion"] * sum(of_forms.REGIMENT.values())


def zug_files(_scene: Scene, _war: War) -> dict[str, object]:
    """A zug of the parade: men, files, and the men of a company's third rank."""
    zug = Fraction(of_forms.MEN["battalion"], of_forms.BATTALION["zugs"])
    return {
        "men": str(zug),
        "files": str(Fraction(zug, of_forms.BATTALION["ranks"])),
        "third_rank": of_forms.MEN["company"] // of_forms.BATTALION["ranks"],
    }


def unlimbering(_scene: Scene, _war: War, kind: str) -> str:
    """Moves to limber or unlimber."""
    found = Fraction(*of_forms.UNLIMBERING[kind])
    return str(found.numerator) if found.denominator == 1 else f"{found.numerator}/{found.denominator}"


def chain(_scene: Scene, _war: War) -> dict[str, object]:
    """Where a chain of skirmishers may be, and how far behind it its supports are."""
    return {"ahead": list(of_forms.CHAIN_AHEAD), "supports": of_forms.SUPPORTS_BEHIND}


# ------------------------------------------------------------------ units as they stand


def apart(_scene: Scene, war: War, unit: str, other: str) -> int:
    """Paces from the middle of a unit's front edge to the nearest point of another's outline."""
    return gap(dot(war.units[unit].place.at), outline(war.units[other])).far


def between_outlines(_scene: Scene, war: War, unit: str, other: str) -> int:
    """Paces between the outlines of two units."""
    return gap(outline(war.units[unit]), outline(war.units[other])).far


class Drawn(NamedTuple):
    """How a group deploys, facing north."""

    lines: str
    distance: int
    interval: int
    at: str


def deployed(_scene: Scene, war: War, side: Side, units: str, *how: str | int) -> dict[str, str]:
    """Where the units of a group stand that deploys; *how*: what `Drawn` has, in its order."""
    drawn = msgspec.convert(how, Drawn)
    order = Order(verb="deploy", text="deploy", manner=(drawn.lines,), number=drawn.interval, second=drawn.distance)
    found = places([war.units[f"{side}:{name}"] for name in units.split()], order, point(drawn.at), 0)
    return {key: f"{place.x},{place.y}" for key, place in found.items()}


def guards(_scene: Scene, war: War, unit: str, other: str, side: str, paces: int) -> str:
    """Where the middle of a flank guard stands."""
    order = Order(verb="guard", text="guard", manner=(side,), number=paces)
    at = guard_place(war.units[other], war.units[unit], order)
    return f"{at.x},{at.y}"


def is_tired(_scene: Scene, war: War, unit: str) -> bool:
    """Whether a unit is tired."""
    return tired(war.units[unit], war.clock.move)


def post_count(_scene: Scene, _war: War, far: int, ordered: int = 0) -> int:
    """How many posts a chain over so many paces has."""
    return posts_on(far, ordered or None)


MARCH_ASKS: Mapping[str, Ask] = {
    "reforming": ask(reforming, "KS-MOV-10"),
    "reforming_at": ask(reforming_at, "KS-MOV-10"),
    "reforming_gallop": lookup(of_march.REFORMING_GALLOP, "KS-MOV-10"),
    "reforming_row": ask(reforming_row, "KS-MOV-10"),
    "outriders": lookup(of_march.OUTRIDERS, "KS-MOV-11"),
    "reconnoitring": ask(reconnoitring, "KS-MOV-12"),
    "temporary_bridge": lookup(of_march.TEMPORARY_BRIDGE, "KS-MOV-09"),
    "activity_row": ask(activity_row, "KS-MOV-22"),
    "used_up": lookup(of_march.RUN_USED_UP, "KS-MOV-05"),
    "ruler": ask(ruler, "KS-MOV-07"),
    "counted_as": lookup(of_march.RATE_CLASS, "KS-ORG-05", "KS-MOV-07"),
    "passage": ask(passage, "KS-MOV-08"),
    "fits": ask(fits, "KS-MOV-08", "KS-MAP-07"),
    "march_number": lookup(MARCH_NUMBERS, "KS-MOV-22", "KS-MOV-12", "KS-MOV-20", "KS-MOV-21"),
    "walked": ask(walked, "KS-MOV-04"),
    "toll": ask(toll, "KS-MAP-06"),
    "changing": ask(changing, "KS-FRM-05", "KS-FRM-06"),
    "closing_up": reckoned(closing_moves, "KS-FRM-04"),
    "skirmishers_retreat": lookup(of_march.SKIRMISHERS_RETREAT, "KS-MOV-06"),
    "group_rate": ask(group_rate, "KS-MOV-14"),
    "uphill_only": ask(uphill_only, "KS-MOV-01"),
    "regiment_length": ask(regiment_length, "KS-FRM-02"),
    "two_together": lookup(of_forms.TWO_TOGETHER, "KS-FRM-02"),
    "measure": lookup(of_forms.FRONTS, "KS-FRM-01"),
    "cavalry_front": ask(cavalry_front, "KS-FRM-01"),
    "columns_front": ask(columns_front, "KS-FRM-10"),
    "group_distance": lookup(of_forms.GROUP_DISTANCES, "KS-FRM-10"),
    "mass_measure": ask(mass, "KS-FRM-02"),
    "men": ask(men, "KS-ORG-03", "KS-ORG-05"),
    "corps_totals": ask(corps_totals, "KS-ORG-01"),
    "regiment_men": ask(regiment_men, "KS-ORG-02"),
    "zug_files": ask(zug_files, "KS-ORG-03"),
    "wagon_blocks": lookup(of_forms.WAGON_BLOCKS, "KS-ORG-05"),
    "usual": lookup(of_forms.USUAL, "KS-FRM-03"),
    "unlimbering": ask(unlimbering, "KS-FRM-07"),
    "chain": ask(chain, "KS-FRM-09"),
    "front": of_unit(front_of, "KS-FRM-01", "KS-FRM-02", "KS-FRM-08"),
    "depth": of_unit(depth_of, "KS-FRM-02"),
    "apart": ask(apart, "KS-MAP-03", "KS-MOV-19"),
    "between_outlines": ask(between_outlines, "KS-TUR-04", "KS-TUR-06", "KS-MOV-17"),
    "deployed": ask(deployed, "KS-CMD-12", "KS-FRM-10"),
    "guards": ask(guards, "KS-CMD-14"),
    "is_tired": ask(is_tired, "KS-MOV-21"),
    "post_count": ask(post_count, "KS-CMD-14"),
}
"""Asked of marches and forms, by name."""
