"""Whom a stand or gun fires at when nobody told it: the `targets` reactions.

A policy judges by what the enemy shows: face-down cards are counted and never looked under.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.ground.square import Square, parse_square, place
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.ranks import policy_for
from pbem.systems.st_privat.field.sight import away
from pbem.systems.st_privat.fire.cover import cover, total
from pbem.systems.st_privat.world.pieces import ENEMY, GUNS, Piece, Place

DEFAULT = ("nearest",)
NONE = ("none",)
KINDS = {
    "infantry": ("infantry",),
    "cavalry": ("cavalry",),
    "guns": GUNS,
    "generals": ("general",),
}
"""The words of a policy that ask for kinds of pieces."""


@rule("SP-RIF-07", "SP-ART-09", "SP-HID-04")
def words_for(field: Field, piece: Piece) -> tuple[str, ...]:
    """The policy of a stand or gun: its reaction in force, else the nearest; face down it never fires by itself."""
    if not piece.is_open:
        return NONE
    found = policy_for(field, piece, field.reactions(piece.side).targets)
    return DEFAULT if found is None else found.words


def shown(field: Field, at: Square, side: Role, where: Place | None = None) -> tuple[Piece, ...]:
    """The enemies of *side* that lie open in a square."""
    return tuple(p for p in field.visible(at, ENEMY[side], where) if not p.hidden)


@rule("SP-RIF-07", "SP-ART-09")
def is_target(field: Field, at: Square, side: Role, where: Place | None = None) -> bool:
    """Whether enemies with living figures, or cards, are in a square (or a place of it)."""
    return field.cards(at, ENEMY[side], where) > 0 or any(p.left > 0 for p in shown(field, at, side, where))


def targets(field: Field, side: Role) -> list[Square]:
    """The squares that show *side* an enemy, by lowest file, then lowest row."""
    return sorted((at for at in field.by_square if is_target(field, at, side)), key=place)


@rule("SP-RIF-06")
def place_of(field: Field, at: Square, side: Role) -> Place:
    """Where fire at a square goes if nobody says: outside if an enemy stand is outside, else inside.

    A general is no stand: he alone outside draws no fire away from a garrison.
    """
    stands = any(p.left > 0 and p.kind != "general" for p in shown(field, at, side, "outside"))
    if stands or field.cards(at, ENEMY[side], "outside") or not is_target(field, at, side, "inside"):
        return "outside"
    return "inside"


@rule("SP-RIF-07", "SP-ART-09")
def _fits(field: Field, word: str, at: Square, side: Role, *, sheltered: int) -> bool:
    if word in KINDS:
        return any(p.kind in KINDS[word] for p in shown(field, at, side))
    if word == "cards":
        return field.cards(at, ENEMY[side]) > 0
    if word == "open":
        return sheltered <= 0
    return parse_square(word) == at


@rule("SP-RIF-07")
def preference(
    field: Field, words: Sequence[str], start: Square, at: Square, side: Role, where: Place | None = None
) -> tuple[int, ...]:
    """How a policy ranks a target, the least first.

    By its words from left to right; then the shortest range, the least cover, the most enemy stands, the lowest
    file, the lowest row.
    """
    sheltered = total(cover(field, start, at, where or place_of(field, at, side)))
    squares = away(start, at)
    by_words = [
        squares if word == "nearest" else int(not _fits(field, word, at, side, sheltered=sheltered)) for word in words
    ]
    stands = sum(field.size_of(p) for p in shown(field, at, side)) + field.cards(at, ENEMY[side])
    return (*by_words, squares, sheltered, -stands, *place(at))
