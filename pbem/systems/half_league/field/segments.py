"""Who acts when: by halves of the field, from the centre outwards or inwards (HL-TRN)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.half_league.field.field import Field
from pbem.systems.half_league.tables.printed import SEGMENTS
from pbem.systems.half_league.world.course import Half
from pbem.systems.half_league.world.pieces import ENEMY, Unit

OTHER: dict[Half, Half] = {"west": "east", "east": "west"}


@rule("HL-TRN-01", "HL-TRN-02")
def default_flank(field: Field, side: Role) -> Half:
    """The half in which a side has more units; the east if it has as many in both."""
    own = [field.half(unit.front) for unit in field.battle.of(side)]
    return "west" if own.count("west") > own.count("east") else "east"


@rule("HL-TRN-01", "HL-TRN-02")
def segment(field: Field, number: int, first: Role, flank: Half) -> list[Unit]:
    """The units that act in a segment, in their order; *first* has the initiative and begins on *flank*."""
    row = SEGMENTS[number]
    side = first if row.side == "initiative" else ENEMY[first]
    half = flank if row.half == "chosen" else OTHER[flank]
    units = [unit for unit in field.battle.of(side) if field.half(unit.front) == half]
    outward = 1 if row.way == "outward" else -1
    return sorted(units, key=lambda unit: (outward * order_key(field, unit), unit.id))


def order_key(field: Field, unit: Unit) -> int:
    """How far a front centre is from the midline."""
    return abs(unit.front.x - field.scene.midline)


@rule("HL-TRN-02")
def sequence(field: Field, first: Role, flank: Half) -> Iterator[tuple[int, str]]:
    """All units in the order in which they act, with the number of the segment; as all stand now."""
    segments = {number: [unit.id for unit in segment(field, number, first, flank)] for number in SEGMENTS}
    if not field.battle.options.activation_interleave:
        for number, names in segments.items():
            for name in names:
                yield number, name
        return
    for one, other in ((1, 2), (3, 4)):
        for mine, theirs in zip_longest(segments[one], segments[other]):
            if mine is not None:
                yield one, mine
            if theirs is not None:
                yield other, theirs
