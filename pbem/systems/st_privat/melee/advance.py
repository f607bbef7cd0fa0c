"""The winner goes forward: into the square that was left, then on."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.ground.square import Square, beyond, direction, is_diagonal
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.ranks import policy_for
from pbem.systems.st_privat.field.streams import bank_at_end, ford_at_end
from pbem.systems.st_privat.march.formation import arriving
from pbem.systems.st_privat.march.gate import lurking, shut_corner, walled
from pbem.systems.st_privat.march.retreat import straight
from pbem.systems.st_privat.march.siege import find
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.patches import Patch, merged
from pbem.systems.st_privat.world.pieces import ENEMY, Piece


@rule("SP-MOR-07")
def advance(
    play: Play,
    stands: Sequence[Piece],
    generals: Sequence[Piece],
    vacated: Sequence[Square],
    squares: int,
    *,
    attacker: bool,
    charged_from: Sequence[Square],
) -> None:
    """Engaged stands of the winner go up to *squares* forward, first into a square that was left.

    Nobody goes if it was not left.  Generals who were engaged go with the first stand of their square that does.
    """
    alive = [play.piece(p.id) for p in stands if play.piece(p.id).stands]
    if not alive:
        return
    side = alive[0].side
    empty = [at for at in vacated if not play.field.enemy_held(at, side)]
    if not empty:
        return
    stayed: list[str] = []
    led: set[str] = set()
    since = len(play.facts)
    for piece in alive:
        path = _path(play.field, piece, empty, squares, attacker=attacker, charged_from=charged_from)
        if len(path) < 2:
            stayed.append(piece.id)
            continue
        _go(play, piece, path)
        for general in generals:
            if general.id in led or general.square != piece.square or not play.piece(general.id).stands:
                continue
            led.add(general.id)
            if not play.field.no_room(path[-1], [_outside(general)]):
                _go(play, play.piece(general.id), path)
    play.gather(since)
    if stayed:
        play.tell(c.AdvanceDeclined(rules=cited("SP-MOR-07"), side=side, units=tuple(stayed), squares=squares))


def _outside(piece: Piece) -> Piece:
    return replace(piece, place="outside")


def _wanted(field: Field, piece: Piece, most: int, *, attacker: bool) -> tuple[int, tuple[Square, ...]]:
    """How far a stand's owner lets it go, and along which squares."""
    policy = policy_for(field, piece, field.reactions(piece.side).advance)
    default = field.options.default_advance
    if policy is None:
        return min(most, default.attacker if attacker else default.defender), ()
    word = policy.words[0] if policy.words else "1"
    return min(most, 0 if word == "none" else int(word)), policy.via


@rule("SP-MOR-07", "SP-ZOC-04", "SP-TER-01")
def _path(
    field: Field, piece: Piece, empty: Sequence[Square], most: int, *, attacker: bool, charged_from: Sequence[Square]
) -> list[Square]:
    """The squares that a stand goes through, its own first; cut where it must stop or finds no room."""
    far, via = _wanted(field, piece, most, attacker=attacker)
    beside = [at for at in empty if direction(piece.at, at) and not is_diagonal(piece.at, at)]
    if not far or not beside:
        return [piece.at]
    first = via[0] if via and via[0] in beside else beside[0]
    path = [piece.at, first]
    on = list(via[1:]) if via and via[0] == first else []
    while len(path) <= far and not _stops(field, piece, path):
        way = direction(path[-2], path[-1])
        to = on.pop(0) if on else (beyond(path[-1], way) if way and not via else None)
        if to is None or not _may_step(field, piece, path[-1], to):
            break
        path.append(to)
    while len(path) > 1 and field.no_room(path[-1], [_outside(piece)]):
        path.pop()
    return path


@rule("SP-TER-01", "SP-ZOC-04", "SP-SGE-03")
def _stops(field: Field, piece: Piece, path: Sequence[Square]) -> bool:
    """Whether an advance ends here: in hills, woods, beside the hidden siege gun, in a zone after the first square."""
    at, side = path[-1], piece.side
    rough = field.ground(at).is_rough
    return rough or lurking(field, side, at) is not None or (len(path) > 2 and field.in_zone(at, ENEMY[side]))


@rule("SP-MOR-07", "SP-ZOC-03", "SP-TER-04")
def _may_step(field: Field, piece: Piece, start: Square, end: Square) -> bool:
    """Whether an advance may go on so: to no enemy, over no wall, through no gap between two of them."""
    if end not in field.scene.board or direction(start, end) is None or field.enemy_held(end, piece.side):
        return False
    return not walled(field, start, end) and not shut_corner(field, piece.side, start, end)


def _go(play: Play, piece: Piece, path: Sequence[Square]) -> None:
    facing = straight(path[-2], path[-1])
    patch = merged(
        Patch(square=path[-1], place="outside", bank=bank_at_end(play.field, path, piece.bank)),
        ford_at_end(play.field, path, on_foot=piece.kind == "infantry"),
        arriving(play.field, piece, path[-1], facing, piece.formation),
    )
    fact = c.AdvanceMade(rules=cited("SP-MOR-07", "SP-FOR-05"), side=piece.side, units=(piece.id,), path=tuple(path))
    play.change(fact, {piece.id: patch})
    if piece.kind != "general":
        for at in path[1:]:
            play.capture_in(at, piece.side, "SP-MOR-08")
    if any(lurking(play.field, piece.side, at) for at in path[1:]):
        find(play, piece.side)
