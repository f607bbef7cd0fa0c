"""What the umpire does to a fight: a die or points ruled beforehand, a face forced, and the look before the throw."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from pbem.kernel.event import Throw
from pbem.rules.ledger import rule
from pbem.systems.kriegsspiel.play.play import Die, Play
from pbem.systems.kriegsspiel.play.review import AS_IT_STANDS, reviewed
from pbem.systems.kriegsspiel.tables.dice import DICE, Face
from pbem.systems.kriegsspiel.world.parts import Ruling
from pbem.systems.kriegsspiel.world.troops import Side

DIES: tuple[Die, ...] = ("I", "II", "III", "IV", "V")
ANY = "fight"
"""Of a ruling: the next fight, whoever is in it."""


class Decided(NamedTuple):
    """The die thrown in the end, whom black is for, the face, and the throws."""

    die: Die
    favoured: Literal["attackers", "defenders"]
    face: Face
    throws: tuple[Throw, ...]
    number: int
    """The number of the face."""
    ruled: bool


def _waiting(play: Play, effect: str, keys: Iterable[str]) -> Ruling | None:
    for at in (*keys, ANY):
        found = play.ruling(effect, at)
        if found is not None:
            return found
    return None


def _used(play: Play, ruling: Ruling) -> None:
    left = tuple(one for one in play.war.clock.rulings if one.id != ruling.id)
    play.keep("ruling used", play.clock(rulings=left))


@rule("KS-GM-02", "KS-ODD-10")
def ruled_points(play: Play, keys: Iterable[str], attackers: Side) -> int:
    """Points that a ruling adds to a fight; those of the attackers above 0."""
    ruling = _waiting(play, "add_points", keys)
    if ruling is None:
        return 0
    _used(play, ruling)
    return ruling.number if ruling.value == attackers else -ruling.number


@rule("KS-GM-02", "KS-DIE-01", "KS-TUR-05")
def decided(
    play: Play,
    purpose: str,
    keys: tuple[str, ...],
    die: Die,
    favoured: Literal["attackers", "defenders"],
    asks: str,
    attackers: Side,
) -> Decided:
    """The throw of a fight: with the ruled die, as the umpire has it if he is asked, with the face that he forces."""
    ruled = False
    ruling = _waiting(play, "set_die", keys)
    if ruling is not None:
        _used(play, ruling)
        word, _, side = ruling.value.partition("/")
        die = next((one for one in DIES if one == word), die)
        favoured = favoured if not side else "attackers" if side == attackers else "defenders"
        ruled = True
    choices = [f"{one} {who}" for one in DIES for who in ("attackers", "defenders")]
    said = reviewed(
        play, purpose, keys[0], f"{asks} Proposed: Die {die}, black for the {favoured}.", *choices, attack=True
    )
    if said != AS_IT_STANDS:
        word, _, side = said.partition(" ")
        die = next((one for one in DIES if one == word), die)
        favoured = "attackers" if side == "attackers" else "defenders" if side == "defenders" else favoured
        ruled = True
    face, throws = play.decide(purpose, keys[0], die)
    number = throws[-1].faces[0]
    forced = _waiting(play, "force_face", keys)
    if forced is not None:
        _used(play, forced)
        number = min(max(forced.number or int(forced.value or 1), 1), 6)
        face, ruled = DICE[die][number - 1], True
    return Decided(die, favoured, face, throws, number, ruled)


def faces_of(throws: Iterable[Throw]) -> tuple[int, ...]:
    """The numbers of throws, as facts carry them."""
    return tuple(throw.faces[0] for throw in throws)
