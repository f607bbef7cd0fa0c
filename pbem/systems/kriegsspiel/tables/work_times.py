"""How long works on bridges take, in moves of the usual party (KS-BRG-01 to KS-BRG-07)."""

from __future__ import annotations

from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.tables import works as of_works


@rule("KS-BRG-01")
def feet_of(paces: int) -> int:
    """Prussian feet of so many paces, begun ones whole."""
    number, by = of_works.FEET_A_PACE
    return -(-paces * number // by)


@rule("KS-BRG-01")
def pontoon_sections(width: int) -> int:
    """Stretches of 50 feet of a bridge over a water so wide; one begun counts whole."""
    return -(-feet_of(width) // of_works.PONTOON_SECTION)


@rule("KS-BRG-01")
def pontoons_for(width: int) -> int:
    """Pontoons of a bridge over a water so wide."""
    return -(-feet_of(width) // of_works.PONTOON_FEET)


@rule("KS-BRG-01", "KS-BRG-03")
def pontoon_moves(width: int, how: str = "usual") -> int:
    """Moves to build a pontoon bridge, or a trestle bridge with its material on the spot."""
    return pontoon_sections(width) * (of_works.PONTOON_MOVES[how] or 0)


@rule("KS-BRG-02")
def floating_moves(width: int, load: str, *, rapid: bool = False, far: bool = False) -> int:
    """Moves to build a floating bridge; *load*: `infantry` or `all`; *far*: material from a distance."""
    wide = width > of_works.FLOATING_WIDE["width"]
    times = (of_works.FLOATING_WIDE["rapid_or_far"] if rapid or far else of_works.FLOATING_WIDE["wide"]) if wide else 1
    return -(-width // of_works.FLOATING_SECTION) * of_works.FLOATING_MOVES[load] * times


@rule("KS-BRG-06")
def tearing_moves(length: int, what: str) -> int:
    """Moves to take the planks off, or the whole bridge to one bank."""
    times = (
        next((times for above, times in reversed(of_works.TEARING_LONG) if length > above), 1) if what == "whole" else 1
    )
    return of_works.TEARING_UP[what] * times


@rule("KS-BRG-07")
def repair_moves(length: int, material: str) -> int:
    """Moves to repair a support of a stone bridge, or the planks of a wooden one."""
    moves, paces = of_works.REPAIR[material]
    return moves * (-(-length // paces) if paces else 1)


@rule("KS-BRG-01")
def dismantling_moves(pontoons: int) -> int:
    """Moves to take up and load so many pontoons."""
    moves, pieces = of_works.DISMANTLE
    return -(-pontoons // pieces) * moves
