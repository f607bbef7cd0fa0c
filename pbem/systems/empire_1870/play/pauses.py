"""Where play stands still for mail, and what each side may send there."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Call, Pause
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.scene.words import ADJECTIVE
from pbem.systems.empire_1870.world.parts import ENEMY, FRENCH, GERMAN, Phase
from pbem.systems.empire_1870.world.state import War

SETUP: Mapping[Phase, Role] = {"setup_french": FRENCH, "setup_german": GERMAN}

FINAL: Mapping[str, tuple[Role, ...]] = {"both": (), "german_only": (FRENCH,), "none": (FRENCH, GERMAN)}
"""Whose first sheet of an exchange stands, by the option `amend_orders` (WE-SEQ-05)."""
EMPTY = "your programme is empty: you pass, mobilize nothing, and your standing orders stay in force"
STANDS = "the rest of your programme stands, and so do your standing orders"
DEFAULT_SETUP = "what you do not place takes its place in the default set-up"


@rule("WE-SET-01", "WE-SET-03")
def setup_order(war: War) -> tuple[Phase, Phase]:
    """Who sets up first: the French, but in a free set-up the Germans."""
    return ("setup_german", "setup_french") if war.options.setup == "free" else ("setup_french", "setup_german")


def moment_of(war: War) -> Moment:
    """The exchange in which play stands."""
    if war.phase in SETUP:
        return Moment(0, setup_order(war).index(war.phase) + 1)
    return Moment(war.turn, max(1, war.pulse))


@rule("WE-SEQ-01")
def opens(war: War) -> bool:
    """Whether an exchange of mail opens where play has come to."""
    return war.phase in SETUP or war.phase == "administration" or (war.phase == "action" and war.pulse > 1)


@rule("WE-SEQ-01", "WE-SEQ-03", "WE-SEQ-05")
def awaits(war: War) -> Pause:
    """Where play stands, and who may send what."""
    moment = moment_of(war)
    if war.ended is not None or war.phase == "over":
        return Pause(moment=moment, name="the game is over", calls=())
    if war.phase in SETUP:
        side = SETUP[war.phase]
        standing = "your standing orders stay in force"
        return Pause(
            moment=moment,
            name=f"{moment}, {ADJECTIVE[side]} set-up",
            calls=(
                Call(role=side, sorts=("setup", "reactions"), otherwise=DEFAULT_SETUP),
                Call(role=ENEMY[side], sorts=("reactions",), must=False, otherwise=standing),
            ),
        )
    first = moment.exchange == 1 and war.phase == "administration"
    sorts = ("administration", "programme", "reactions") if first else ("programme", "reactions")
    letter = str(moment)[-1]
    last = moment.exchange == war.options.pulses
    name = f"{letter}, administration and first pulse" if first else f"{letter}, {'last' if last else 'next'} pulse"
    if war.options.pulses == 1:
        name = "the whole turn"
    otherwise = EMPTY if first else STANDS
    final = FINAL[war.options.amend_orders]
    return Pause(
        moment=moment,
        name=name,
        calls=tuple(
            Call(role=side, sorts=sorts, otherwise=otherwise, final=side in final) for side in (FRENCH, GERMAN)
        ),
    )


SORT_NAMES: Mapping[str, str] = {
    "administration": "mobilization",
    "programme": "a programme",
    "reactions": "standing orders",
    "setup": "set-up",
}
"""What each sort of order lines is called."""
