"""Where play stands still for mail: the exchanges of each `mail_mode`, and what each side may send in them."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Call, Pause
from pbem.rules.ledger import rule
from pbem.systems.st_privat.scene.words import side_name
from pbem.systems.st_privat.world.game import Phase
from pbem.systems.st_privat.world.pieces import ENEMY, FRENCH, PRUSSIAN
from pbem.systems.st_privat.world.state import Battle

EXCHANGES: Mapping[str, Mapping[Phase, int]] = {
    "one_step": {"move_first": 1},
    "two_step": {"move_first": 1, "move_second": 2},
    "three_step": {"move_first": 1, "move_second": 2, "rifle": 3},
}
"""The phases at whose beginning mail is asked for, and the number of that exchange (SP-OPT-03)."""

PLAYED: tuple[Phase, ...] = ("move_first", "move_second", "rifle", "artillery", "melee", "end")
"""The phases of a turn, in order (SP-TRN-01)."""

SETUP: Mapping[Phase, tuple[int, Role]] = {"setup_french": (1, FRENCH), "setup_prussian": (2, PRUSSIAN)}

DEFAULT_SETUP = "pieces that you do not place take their places in the default set-up of the scenario"


def holds(side: Role) -> str:
    """What is taken for silence in movement; only the French have cards."""
    return "your units hold where they are" + (", and face-down cards stay" if side == FRENCH else "")


def fires(side: Role) -> str:
    """What is taken for silence in fire."""
    cards = ", and face-down cards hold their fire" if side == FRENCH else ""
    return f"your guns and infantry fire by their policy{cards}"


@rule("SP-OPT-03", "SP-TRN-01")
def opens(battle: Battle) -> bool:
    """Whether an exchange of mail opens with the phase that the battle has come to."""
    return battle.phase in SETUP or battle.phase in EXCHANGES[battle.options.mail_mode]


def exchange_of(mode: str, phase: Phase) -> int:
    """The exchange of its turn to which a phase belongs, from 1.

    >>> exchange_of("two_step", "melee"), exchange_of("three_step", "melee"), exchange_of("one_step", "melee")
    (2, 3, 1)
    """
    if phase in SETUP:
        return SETUP[phase][0]
    asked = EXCHANGES[mode]
    last = len(PLAYED) if phase == "over" else PLAYED.index(phase) + 1
    return max(asked[one] for one in PLAYED[:last] if one in asked)


def exchange(battle: Battle) -> int:
    """The exchange of its turn in which the battle stands, from 1."""
    return exchange_of(battle.options.mail_mode, battle.phase)


def _move_of(battle: Battle, side: Role) -> Phase:
    return "move_first" if side == battle.first_mover else "move_second"


@rule("SP-OPT-03", "SP-RIF-06", "SP-SGE-02", "SP-ART-04")
def moves_now(battle: Battle, side: Role) -> bool:
    """Whether the movement of a side belongs to the exchange in which the battle stands, and is still to come."""
    if battle.phase not in PLAYED:
        return False
    own = _move_of(battle, side)
    later = PLAYED.index(own) >= PLAYED.index(battle.phase)
    return later and exchange_of(battle.options.mail_mode, own) == exchange(battle)


def _reactions(role: Role) -> Call:
    return Call(role=role, sorts=("reactions",), must=False, otherwise="your standing reactions stay in force")


def _call(battle: Battle, side: Role, number: int) -> Call:
    """What a side may send in an exchange of a turn: what is played in it, and its reactions at any time."""
    mode = battle.options.mail_mode
    moves = exchange_of(mode, _move_of(battle, side)) == number
    fights = exchange_of(mode, "rifle") == number
    charges = fights and side == battle.second_mover
    if not (moves or fights):
        return _reactions(side)
    siege = ("siege",) if side == PRUSSIAN else ()
    moving = ("movement", *siege) if moves else ()
    firing = ("fire", *(siege if not moves else ())) if fights else ()
    silence = [(moves, holds(side)), (fights, fires(side)), (charges, "nobody charges")]
    return Call(
        role=side,
        sorts=(*moving, *firing, *(("melee",) if charges else ()), "reactions"),
        otherwise="; ".join(said for asked, said in silence if asked),
    )


def _name(battle: Battle, number: int) -> str:
    """What an exchange of a turn is called."""
    mode = battle.options.mail_mode
    if mode == "one_step":
        return "both sides at once"
    if number == 1:
        return f"A, movement of {side_name(battle.first_mover)}"
    if mode == "two_step":
        return "B, second mover and fire"
    return f"B, movement of {side_name(battle.second_mover)}" if number == 2 else "C, fire and melee"


@rule("SP-OPT-03", "SP-TRN-02")
def awaits(battle: Battle) -> Pause:
    """Where play stands, and who may send what."""
    if battle.ended is not None or battle.phase == "over":
        return Pause(moment=Moment(battle.turn, exchange(battle)), name="the game is over", calls=())
    if battle.phase in SETUP:
        number, side = SETUP[battle.phase]
        call = Call(role=side, sorts=("setup", "reactions"), otherwise=DEFAULT_SETUP)
        return Pause(
            moment=Moment(0, number),
            name=f"S{number}, set-up of {side_name(side)}",
            calls=(call, _reactions(ENEMY[side])),
        )
    number, first, second = exchange(battle), battle.first_mover, battle.second_mover
    sides = (first, second) if number == 1 else (second, first)
    calls = tuple(_call(battle, side, number) for side in sides)
    return Pause(moment=Moment(battle.turn, number), name=_name(battle, number), calls=calls)


SORT_NAMES: Mapping[str, str] = {
    "setup": "set-up",
    "movement": "movement",
    "siege": "bringing on the siege gun",
    "fire": "fire",
    "melee": "charges",
    "reactions": "standing reactions",
}
"""What each sort of order lines is called."""
