"""Orders as they are written: entries of a programme, and the standing orders in force."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.kernel.names import Role
from pbem.systems.empire_1870.play.standing import DEFAULTS, default_words
from pbem.systems.empire_1870.world.orders import Act, BlockLine, Div, Pass, SubLine
from pbem.systems.empire_1870.world.parts import FRENCH, Standing
from pbem.systems.empire_1870.world.state import War


def entry_words(order: Act | Div | Pass) -> str:
    """An entry in one row, with the lines of its block.

    Each line stands as it was written.
    """
    return "; ".join(_written(order))


def _written(order: Act | Div | Pass | BlockLine) -> Iterator[str]:
    yield " ".join(order.text.split())
    if isinstance(order, Act | SubLine):
        for line in order.lines:
            yield from _written(line)
        yield "END"


def standing_lines(war: War, role: Role) -> tuple[str, ...]:
    """The standing orders in force, as order lines; the defaults behind `#`."""
    mine = war.standing.get(role, Standing())
    given = [one.text for one in (*mine.reactions, *mine.sieges, *mine.reenter)]
    given += [one.text for one in (mine.recover, mine.mobilize) if one is not None]
    general = {one.reaction for one in mine.reactions if one.scope_hex is None and not one.scope_hq}
    rest = [
        f"# {default_words(name)}" for name in DEFAULTS
        if name not in general and not (name == "chassepot" and role != FRENCH)
    ]  # fmt: skip
    return (*(" ".join(text.split()) for text in given), *rest, *(() if mine.recover else ("# RECOVER ALL",)))
