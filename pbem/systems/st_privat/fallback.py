"""Retreat and rout on the field: parties go, guns stay behind, the lost are scored."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.combat_outcomes import GunAbandoned, RetreatMade, RoutMade, UnitExited
from pbem.systems.st_privat.fact import BOTH, in_part
from pbem.systems.st_privat.play import Play
from pbem.systems.st_privat.ranks import policy_for
from pbem.systems.st_privat.retreat import Party, Way, facing_after, parties, way_back
from pbem.systems.st_privat.siege import come_near
from pbem.systems.st_privat.state import FRENCH, Facing, Formation, Patch, Piece
from pbem.systems.st_privat.streams import bank_at_end


@rule("SP-MOR-02", "SP-MOR-03", "SP-MOR-04", "SP-MOR-05")
def fall_back(play: Play, side: Role, squares: Sequence[Square], winners: Sequence[Square], far: int) -> None:
    """Everybody of a side in *squares* retreats (*far* 1) or routs (2 to 4) from the winners."""
    exits = side == FRENCH and play.battle.turn >= play.scene.numbers.exit_from
    for at in squares:
        going, left = parties(play.field, at, side, far)
        for gun in left:
            abandon(play, gun)
        since = len(play.facts)
        for party in going:
            _go(play, side, party, at, winners, far, exits=exits)
        play.gather(since)


def abandon(play: Play, gun: Piece) -> None:
    """A gun or limber is left behind (SP-MOR-03)."""
    assert gun.square is not None
    play.add(
        GunAbandoned(
            turn=play.battle.turn,
            phase=play.battle.phase,
            rules=cited("SP-MOR-03" if gun.kind != "siege_gun" else "SP-SGE-05"),
            known=BOTH,
            gun=gun.id,
            square=gun.square,
            by=gun.side,
        )
    )


def _go(play: Play, side: Role, party: Party, at: Square, winners: Sequence[Square], far: int, *, exits: bool) -> None:
    way = way_back(play.field, side, party, at, winners, far, exits=exits)
    if party.pushed and way.lost:
        # What bars a gun that is pushed does not bar its crew.
        gun, crew = party.pieces
        abandon(play, gun)
        return _go(play, side, Party((crew,), heavy=False), at, winners, far, exits=exits)
    if way.lost:
        for piece in party.pieces:
            play.remove(play.piece(piece.id), "forced_off", "SP-MOR-05", "SP-MOR-06")
        return None
    if way.off:
        return _leave_the_board(play, party, way)
    play.add(_fact(play, side, party, way, far))
    if side == FRENCH:
        for one in way.path[1:]:
            come_near(play, side, one)
    return None


@rule("SP-VIC-05", "SP-MOR-05")
def _leave_the_board(play: Play, party: Party, way: Way) -> None:
    """French who retreat off the board by the road, once they are to march, count as having marched."""
    points = sum(play.field.points_of(piece) for piece in party.pieces)
    play.add(
        UnitExited(
            turn=play.battle.turn,
            phase=play.battle.phase,
            rules=cited("SP-VIC-05", "SP-MOR-05"),
            known=BOTH,
            units=tuple(p.id for p in party.pieces),
            square=way.end,
            points=points,
        )
    )
    for piece in party.pieces:
        play.remove(play.piece(piece.id), "exited", "SP-VIC-05")
    if points:
        play.score(FRENCH, points, f"{', '.join(p.id for p in party.pieces)} off by the road", "SP-VIC-05")


def _fact(play: Play, side: Role, party: Party, way: Way, far: int) -> RetreatMade | RoutMade:
    policy = policy_for(play.field, party.pieces[0], play.field.reactions(side).retreat)
    facing = facing_after(way, far, policy.face if policy else None)
    form: Formation = policy.form if policy is not None and policy.form and far == 1 else "line"
    changes = {p.id: _arrival(play, p, way, facing, form) for p in party.pieces}
    known = in_part(side)
    source = "reaction" if way.by_reaction else "default"
    rules = cited("SP-MOR-02" if far == 1 else "SP-MOR-03", "SP-MOR-04", "SP-MOR-06", "SP-ZOC-04", "SP-FOR-05")
    kind = RetreatMade if far == 1 else RoutMade
    return kind(
        turn=play.battle.turn,
        phase=play.battle.phase,
        rules=rules,
        known=known,
        side=side,
        units=tuple(p.id for p in party.pieces),
        path=way.path,
        squares=far,
        facing=facing,
        source="reaction" if source == "reaction" else "default",
        changes=changes,
    )


def _arrival(play: Play, piece: Piece, way: Way, facing: Facing, form: Formation) -> Patch:
    patch = Patch(
        square=way.end,
        place="outside",
        retreated_this_turn=True,
        bank=bank_at_end(play.field, way.path, piece.bank),
        ford_wait=None,
        ford_owed=False,
    )
    if piece.kind == "general":
        return patch
    if piece.kind not in ("infantry", "cavalry"):
        return replace(patch, facing=facing)
    return replace(patch, **joining(play, piece, way.end, facing, form))


@rule("SP-FOR-05")
def joining(play: Play, piece: Piece, at: Square, facing: Facing, form: Formation) -> dict[str, int | str]:
    """How a stand stands that comes to a square: at the back of its own there, as they stand; else as it comes."""
    there = [p for p in play.field.group(at, piece.side, "outside", piece.kind) if p.id != piece.id]
    if not there:
        return {"slot": 1, "facing": facing, "formation": form}
    same = there[0].facing or facing
    # Stands that fall back together one by one make up the formation that was asked for.
    grown = form if all(p.retreated_this_turn for p in there) else there[0].formation
    return {"slot": len(there) + 1, "facing": same, "formation": grown}
