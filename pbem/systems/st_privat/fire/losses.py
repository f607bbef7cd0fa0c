"""Who falls to fire: hits are dealt by kind, then man or horse, then stand by stand, and taken off together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.kernel.event import Throw
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.ranks import falling
from pbem.systems.st_privat.march.formation import close_up
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import BOTH, owner_only
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.patches import Patch
from pbem.systems.st_privat.world.pieces import FIGURES, Kind, Piece, Place

Weapon = Literal["rifle", "artillery"]
Arm = Literal["infantry", "section", "cavalry", "general"]
ARMS: dict[Arm, tuple[Kind, ...]] = {
    "infantry": ("infantry",),
    "section": ("crew", "team"),
    "cavalry": ("cavalry",),
    "general": ("general",),
}
"""Who suffers fire, the first in the place that still has figures (SP-CAS-01, SP-CAS-02)."""


@dataclass(frozen=True)
class Hit:
    """What one die kills in one place, as if all there were infantry."""

    by: str
    """The stand or gun that threw it."""
    square: Square
    place: Place
    side: Role
    """Who suffers."""
    kills: int


@dataclass(frozen=True)
class Share:
    """Figures of one arm that one die kills."""

    hit: Hit
    arm: Arm
    figures: int
    rolls: int = 0
    """Dice, man or horse, that settle whom it takes."""
    hidden: bool = False


@rule("SP-ART-08", "SP-RIF-04")
def of_arm(kills: int, arm: Arm) -> int:
    """What a hit kills of an arm: all of infantry, half, rounded up, of everyone else."""
    return kills if arm == "infantry" else (kills + 1) // 2


def _there(field: Field, hit: Hit, arm: Arm) -> list[Piece]:
    here = field.visible(hit.square, hit.side, hit.place)
    return [p for p in here if p.kind in ARMS[arm] and p.left > 0]


@rule("SP-CAS-01", "SP-CAS-02", "SP-HID-05", "SP-SGE-01")
def deal(field: Field, hits: Sequence[Hit]) -> list[Share]:
    """Deal hits one by one, in the order thrown: each to the first arm in its place that still has figures.

    What is left of a die when that arm is gone is lost; dummies take nothing.
    """
    left: dict[tuple[Square, Place, Role, Arm], int] = {}
    shares = []
    for hit in hits:
        for arm in ARMS:
            there = _there(field, hit, arm)
            key = (hit.square, hit.place, hit.side, arm)
            remaining = left.setdefault(key, sum(p.left for p in there))
            if remaining == 0:
                continue
            taken = min(of_arm(hit.kills, arm), remaining)
            left[key] -= taken
            both = {p.kind for p in there} == {"crew", "team"}
            if taken:
                hidden = any(p.hidden for p in there)
                shares.append(Share(hit, arm, taken, taken if both else 0, hidden))
            break
    return shares


@rule("SP-ART-07")
def man_or_horse(face: int) -> Kind:
    """Whom a hit on gunners and horses together takes: odd a gunner, even a horse."""
    return "crew" if face % 2 else "team"


def next_to_fall(alive: Sequence[Piece], lost: Mapping[str, int], options: Options) -> Piece:
    """Who of stands with figures left loses the next one: the first, or with `loss_allocation` spread the fullest."""
    if options.loss_allocation == "spread":
        return max(alive, key=lambda p: p.left - lost.get(p.id, 0))
    return alive[0]


@rule("SP-CAS-03", "SP-ART-07")
def fallen(field: Field, shares: Sequence[Share], faces: Sequence[int]) -> dict[str, int]:
    """Figures that each stand loses; *faces* are the dice, man or horse, in the order of the shares.

    One stand is finished before the next (`next_to_fall`).
    """
    lost: dict[str, int] = {}
    dice = iter(faces)
    for share in shares:
        order = falling(field, _there(field, share.hit, share.arm))
        for number in range(share.figures):
            kind = man_or_horse(next(dice)) if number < share.rolls else None
            alive = [p for p in order if p.left > lost.get(p.id, 0)]
            able = [p for p in alive if p.kind == kind] or alive
            one = next_to_fall(able, lost, field.options)
            lost[one.id] = lost.get(one.id, 0) + 1
    return lost


def rolls(shares: Sequence[Share]) -> list[tuple[str, bool]]:
    """The dice, man or horse, that shares ask for: the place in their names, and whether they are secret."""
    return [(f"{share.hit.by}.{number}", share.hidden) for share in shares for number in range(1, share.rolls + 1)]


def rolled(field: Field, shares: Sequence[Share], throws: Sequence[Throw]) -> list[c.ManOrHorseRolled]:
    """The facts of those dice, each known to both sides unless it fell for face-down gunners."""
    facts = []
    asked = [share for share in shares for _ in range(share.rolls)]
    for share, throw in zip(asked, throws, strict=True):
        team = next(p for p in _there(field, share.hit, "section") if p.kind == "team")
        face = throw.faces[0]
        facts.append(
            c.ManOrHorseRolled(
                rules=cited("SP-ART-07", "SP-GEN-01"),
                dice=(throw,),
                known=owner_only(share.hit.side) if share.hidden else BOTH,
                section=team.gun_id or team.id,
                die=face,
                result="man" if man_or_horse(face) == "crew" else "horse",
            )
        )
    return facts


@rule("SP-CAS-01", "SP-HID-05", "SP-TRN-04", "SP-FOR-05")
def apply_losses(play: Play, lost: dict[str, int], cause: Weapon) -> None:
    """Take fallen figures off, remove stands that have none left, and let groups close up.

    Losses of face-down stands are known to their owner alone; a stand removed is shown.
    """
    for name, figures in lost.items():
        record(play, play.piece(name), figures, cause, *_rules(play.piece(name), cause))
    for name in lost:
        bury(play, name, *_rules(play.piece(name), cause))
    close_up(play)


@rule("SP-HID-05", "SP-HID-01")
def record(play: Play, piece: Piece, figures: int, cause: Weapon | Literal["melee"], *rules: str) -> None:
    """Write down what a stand lost; of a face-down one its owner alone learns it."""
    left = piece.left - figures
    assert left >= 0
    play.tell(
        c.LossesApplied(
            rules=cited(*rules),
            known=owner_only(piece.side) if piece.hidden else BOTH,
            unit=piece.id,
            side=piece.side,
            unit_kind=piece.kind,
            square=piece.at,
            figures_lost=figures,
            figures_left=left,
            cause=cause,
            changes={piece.id: with_left(piece, left)},
        )
    )


@rule("SP-HID-05")
def bury(play: Play, name: str, *rules: str) -> None:
    """Take a stand off that has no figures left; a card is shown, and its gun stays, face up."""
    piece = play.piece(name)
    if piece.left > 0:
        return
    if piece.hidden:
        play.turn_up([piece], "crew_lost" if piece.kind == "crew" else "removed", "SP-HID-05")
    play.remove(play.piece(name), "killed", *rules)


def with_left(piece: Piece, figures: int) -> Patch:
    """The patch that leaves a stand *figures* living figures."""
    return replace(Patch(), **{FIGURES[piece.kind][0]: figures})


def _rules(piece: Piece, cause: Weapon) -> tuple[str, ...]:
    kills = "SP-RIF-04" if cause == "rifle" else "SP-ART-08"
    general = ("SP-CAS-02",) if piece.kind == "general" else ()
    section = ("SP-ART-07",) if piece.kind in ("crew", "team") else ()
    hidden = ("SP-HID-05",) if piece.hidden else ()
    return ("SP-CAS-01", *general, *section, "SP-CAS-03", kills, *hidden, "SP-TRN-04")
