"""One fire: who fires on whom with what, how it is reckoned, and where its points fall (KS-LOS-08)."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple

from pbem.ground.bearing import rounded
from pbem.kernel.event import Throw
from pbem.rules.ledger import cited, rule
from pbem.systems.kriegsspiel.fire.lanes import Part
from pbem.systems.kriegsspiel.play.losses import lose, lose_chain, tw_of_point
from pbem.systems.kriegsspiel.play.play import Die, Play
from pbem.systems.kriegsspiel.world.outcomes_fire import Factor, FireResolved
from pbem.systems.kriegsspiel.world.patches import Changes

Kind = Literal["infantry", "canister", "ball", "grenade"]
ONE = Fraction(1)
CAUSES: dict[Kind, str] = {
    "infantry": "infantry_fire", "canister": "canister", "ball": "ball", "grenade": "grenade",
}  # fmt: skip


class Shot(NamedTuple):
    """A fire that is laid: everything but the face of the die."""

    firer: str
    part: Literal["line", "chain", "battery", "cannon", "howitzers"]
    """What of the firer fires."""
    target: str
    on: Part
    """What of the target is aimed at."""
    weapon: str
    kind: Kind
    distance: int
    band: int
    die: Die
    numbers: tuple[Fraction, ...]
    """The table's number for each face of the die."""
    units: Fraction
    rules: tuple[str, ...]
    share: Fraction = ONE
    factors: tuple[tuple[str, Fraction], ...] = ()
    increase: Fraction = Fraction(0)
    """The sum of the increases of artillery (KS-ART-05)."""
    on_chain: Fraction = Fraction(0)
    """The part of it that falls on the chain before the line aimed at (KS-LOS-04)."""
    cover: Fraction = ONE
    night: Fraction = ONE
    ammunition: Fraction = ONE
    quality: str = ""
    reasons: tuple[str, ...] = ()
    guns: int = 0

    @property
    def purpose(self) -> str:
        """The ledger's name of its throw."""
        return "fire" if self.kind == "infantry" else "gunfire"

    @property
    def place(self) -> str:
        """The place of its throw."""
        return f"{self.firer}/{self.part}"


class Fallen(NamedTuple):
    """A fire that has been thrown for."""

    shot: Shot
    throws: tuple[Throw, ...]
    exact: Fraction
    points: int
    chain: int
    """Of the points, those on the chain."""
    told: bool = True
    """Whether its fact shows the throw, which others may share."""


@rule("KS-LOS-08")
def exact_points(shot: Shot, face: int) -> Fraction:
    """One product: the number, units, share, parts, increases, cover, night and rounds."""
    exact = shot.numbers[face - 1] * shot.units * shot.share * (1 + shot.increase)
    for _, factor in shot.factors:
        exact *= factor
    return exact * shot.cover * shot.night * shot.ammunition


@rule("KS-LOS-08")
def rounded_points(exact: Fraction) -> int:
    """Rounded once, half up."""
    return rounded(exact.numerator, exact.denominator)


@rule("KS-LOS-04", "KS-LOS-08")
def reckoned(shot: Shot, face: int, throws: tuple[Throw, ...] = ()) -> Fallen:
    """The points of a fire, and how many of them fall on the chain."""
    exact = exact_points(shot, face)
    points = rounded_points(exact)
    part = points if shot.on == "chain" else rounded_points(Fraction(exact * shot.on_chain, 1 + shot.increase))
    return Fallen(shot, throws, exact, points, min(part, points))


@rule("KS-TUR-02", "KS-LOS-08", "KS-LOS-04")
def strike(play: Play, fallen: Fallen) -> None:
    """Tell of a fire and take off what it costs."""
    shot = fallen.shot
    target = play.unit(shot.target)
    chain = shot.on == "chain"
    play.add(
        FireResolved(
            firer=shot.firer, target=shot.target, weapon=shot.weapon,
            shot="musketry" if shot.kind == "infantry" else shot.kind, distance=shot.distance, band=shot.band,
            quality=shot.quality, reasons=shot.reasons, die=shot.die, face=face_of(fallen),
            table_number=rounded_points(shot.numbers[face_of(fallen) - 1]), units=str(shot.units),
            share=str(shot.share),
            factors=(
                *(Factor(name, str(value)) for name, value in shot.factors),
                *((Factor("KS-ART-05", str(1 + shot.increase)),) if shot.increase else ()),
            ),
            cover_factor=str(shot.cover), night_factor=str(shot.night), ammunition_part=str(shot.ammunition),
            points_exact=str(fallen.exact), points=fallen.points,
            men_tw=fallen.points * tw_of_point(target, play.war.options, chain=chain),
            parts=tuple(
                (name, points)
                for name, points in (("line", fallen.points - fallen.chain), ("chain", fallen.chain))
                if points
            ),
            rules=cited(*shot.rules, "KS-LOS-08", "KS-TUR-02", *(name for name, _ in shot.factors),
                        *(("KS-LOS-04",) if fallen.chain else ())),
            dice=fallen.throws if fallen.told else (),
            changes=Changes(),
        )
    )  # fmt: skip
    cause = CAUSES[shot.kind]
    if fallen.points - fallen.chain:
        lose(play, target, fallen.points - fallen.chain, cause)
    if fallen.chain:
        lose_chain(play, target, fallen.chain, cause)


def face_of(fallen: Fallen) -> int:
    """The face that lay in the end."""
    return fallen.throws[-1].faces[0]


@rule("KS-TUR-05", "KS-DIE-01")
def thrown(play: Play, shot: Shot) -> Fallen:
    """Throw for a fire: blanks of its die count, for they have fire numbers."""
    throw = play.throw(shot.purpose, shot.place, shot.die)
    return reckoned(shot, throw.faces[0], (throw,))
