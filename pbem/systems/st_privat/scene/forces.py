"""The pieces of both sides: their ids, their figures, and who serves what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.pieces import FIGURES, FRENCH, GUNS, PRUSSIAN, Facing, Kind, Piece

HEADS: Mapping[Kind, str] = {
    "infantry": "",
    "cavalry": "c",
    "field_gun": "g",
    "mitrailleuse": "m",
    "siege_gun": "s",
    "crew": "k",
    "limber": "l",
    "team": "t",
    "general": "h",
    "dummy": "d",
}
"""What stands in an id between the letter of the side and the number (SP-PCE-01)."""
FRONT: Mapping[Role, Facing] = {FRENCH: "n", PRUSSIAN: "s"}
"""Where a side looks unless it says otherwise (SP-SET-04)."""


def names(side: Role, kind: Kind, number: int) -> list[str]:
    """The ids of the first *number* pieces of a kind.

    >>> names(Role("prussian"), "cavalry", 2)
    ['pc1', 'pc2']
    """
    return [f"{side[0]}{HEADS[kind]}{n}" for n in range(1, number + 1)]


def full(kind: Kind) -> int:
    """The figures that a stand of a kind starts with; 0 for things."""
    return FIGURES[kind][1] if kind in FIGURES else 0


@rule("SP-PCE-01")
def _limbers(scene: Scene, options: Options, side: Role, guns: list[str]) -> dict[str, int]:
    """Which gun has which limber: as the scenario says, then guns without one, up to `limber_distribution`."""
    number = getattr(options.limber_distribution, side) if scene.pieces[side].get("limber") else 0
    given = {gun: limber for gun, limber in scene.limbers.items() if gun in guns and limber <= number}
    spare = [n for n in range(1, number + 1) if n not in given.values()]
    without = [gun for gun in guns if gun not in given and not gun.startswith("ps")]
    return {**given, **dict(zip(without, spare, strict=False))}


@rule("SP-PCE-01")
def ids(scene: Scene, options: Options, side: Role) -> dict[Kind, list[str]]:
    """The ids of all pieces of a side, by kind: its order of battle, which is no secret."""
    counts = {kind: scene.pieces[side].get(kind, 0) for kind in HEADS}
    drawn: tuple[Kind, ...] = ("limber", "team")
    counts |= {kind: getattr(options.limber_distribution, side) for kind in drawn if counts[kind]}
    return {kind: names(side, kind, number) for kind, number in counts.items()}


@rule("SP-PCE-01", "SP-PCE-03", "SP-SCN-01")
def pieces(scene: Scene, options: Options, side: Role) -> Iterator[Piece]:
    """The pieces of a side, off the board: crews paired with guns in the order of their numbers."""
    counts = scene.pieces[side]
    guns = [gun for kind in GUNS for gun in names(side, kind, counts.get(kind, 0))]
    crews = dict(zip(guns, names(side, "crew", counts.get("crew", 0)), strict=False))
    limbers = _limbers(scene, options, side, guns)
    served = {crew: gun for gun, crew in crews.items()}
    drawn = {number: gun for gun, number in limbers.items()}
    for kind, known in ids(scene, options, side).items():
        for n, name in enumerate(known, start=1):
            piece = Piece(id=name, kind=kind, side=side, facing=None if kind == "general" else FRONT[side])
            yield _fitted(scene, piece, n, crews=crews, limbers=limbers, served=served, drawn=drawn)


def _fitted(
    scene: Scene,
    piece: Piece,
    number: int,
    *,
    crews: Mapping[str, str],
    limbers: Mapping[str, int],
    served: Mapping[str, str],
    drawn: Mapping[int, str],
) -> Piece:
    """A piece with its figures and the names of those that belong to it."""
    head = piece.side[0]
    table: dict[str, object] = {}
    if piece.kind in FIGURES:
        table[FIGURES[piece.kind][0]] = full(piece.kind)
    if piece.is_gun:
        limber = limbers.get(piece.id)
        table |= {
            "crew_id": crews.get(piece.id, ""),
            "limber_id": f"{head}l{limber}" if limber else "",
            "team_id": f"{head}t{limber}" if limber else "",
            "deployed": limber is None,
        }
    gun = {"crew": served.get(piece.id, ""), "limber": drawn.get(number, ""), "team": drawn.get(number, "")}
    if piece.kind in gun:
        table["gun_id"] = gun[piece.kind]
    if piece.kind == "limber":
        table["team_id"] = f"{head}t{number}"
    if piece.kind == "siege_gun" or (piece.kind == "crew" and gun["crew"] == "ps1"):
        table["on_table"] = False
    if piece.kind == "general" and piece.id in scene.generals:
        table["c_in_c"] = scene.generals[piece.id].c_in_c
    return replace(piece, **table)
