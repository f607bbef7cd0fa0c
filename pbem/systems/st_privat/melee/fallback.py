"""Retreat and rout on the field: parties go, guns stay behind, the lost are scored."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UnsetType

from pbem.ground.square import Square
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.ranks import policy_for
from pbem.systems.st_privat.field.streams import bank_at_end, ford_at_end
from pbem.systems.st_privat.march.formation import arriving
from pbem.systems.st_privat.march.retreat import Party, Way, facing_after, parties, way_back
from pbem.systems.st_privat.march.siege import find
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import RevealCause, in_part
from pbem.systems.st_privat.world.patches import Patch, merged
from pbem.systems.st_privat.world.pieces import FRENCH, Facing, Formation, Piece


@rule("SP-MOR-02", "SP-MOR-03", "SP-MOR-04", "SP-MOR-05")
def fall_back(play: Play, side: Role, squares: Sequence[Square], winners: Sequence[Square], far: int) -> None:
    """Everybody of a side in *squares* retreats (*far* 1) or routs (2 to 4) from the winners, each once."""
    exits = side == FRENCH and play.field.road_is_open
    stood = {piece.id: at for at in squares for piece in play.field.at(at, side)}
    for at in squares:
        if far > 1:
            dummies = [piece for piece in play.field.at(at, side) if piece.kind == "dummy"]
            play.drop_dummies(at, dummies, "driven", "SP-MOR-04", "SP-HID-03", "SP-HID-02")
        came = {piece.id for piece in play.field.at(at, side) if stood.get(piece.id) != at}
        going, left = parties(play.field, at, side, far, came)
        for gun in left:
            abandon(play, gun, far)
        since = len(play.facts)
        for party in going:
            _go(play, side, party.renewed(play.battle), at, winners, far, exits=exits)
        play.gather(since)


@rule("SP-MOR-02", "SP-MOR-03", "SP-SGE-05", "SP-HID-04")
def abandon(play: Play, gun: Piece, far: int) -> None:
    """A gun or limber is left behind, off its limber; a face-down one is turned up, for its name is told."""
    play.turn_up([gun], "abandoned", "SP-HID-05")
    play.tell(
        c.GunAbandoned(
            rules=cited("SP-SGE-05" if gun.kind == "siege_gun" else "SP-MOR-02" if far == 1 else "SP-MOR-03"),
            gun=gun.id,
            square=gun.at,
            by=gun.side,
            changes={gun.id: Patch(deployed=True)} if play.field.is_limbered(gun) else {},
        )
    )


def _go(play: Play, side: Role, party: Party, at: Square, winners: Sequence[Square], far: int, *, exits: bool) -> None:
    way = way_back(play.field, side, party, at, winners, far, exits=exits)
    if party.pushed and way.lost:
        # What bars a gun that is pushed does not bar its crew.
        gun, crew = party.pieces
        abandon(play, gun, far)
        return _go(play, side, Party((play.piece(crew.id),), heavy=False), at, winners, far, exits=exits)
    if way.lost:
        _lose(play, party, at)
    elif way.off:
        _leave_the_board(play, party, way)
    else:
        _tell(play, side, party, way, far, winners)
    if way.found:
        find(play, side)
    return None


@rule("SP-MOR-05", "SP-MOR-06")
def _lose(play: Play, party: Party, at: Square) -> None:
    """A party that finds nowhere to go is lost; a dummy is found out."""
    for piece in party.pieces:
        if piece.kind == "dummy":
            play.drop_dummies(at, [piece], "driven", "SP-MOR-05", "SP-HID-02")
        else:
            play.remove(play.piece(piece.id), "forced_off", "SP-MOR-05", "SP-MOR-06")


@rule("SP-VIC-05", "SP-MOR-05")
def _leave_the_board(play: Play, party: Party, way: Way) -> None:
    """French who retreat off the board by the road, once they are to march, count as having marched."""
    points = sum(play.field.points_of(piece) for piece in party.pieces)
    play.tell(
        c.UnitExited(
            rules=cited("SP-VIC-05", "SP-MOR-05"),
            units=tuple(p.id for p in party.pieces),
            square=way.end,
            points=points,
        )
    )
    for piece in party.pieces:
        play.remove(play.piece(piece.id), "exited", "SP-VIC-05")
    if points:
        play.score(FRENCH, points, f"{', '.join(p.id for p in party.pieces)} off by the road", "SP-VIC-05")


@rule("SP-HID-03", "SP-HID-02", "SP-HID-04")
def _uncovers(play: Play, party: Party, way: Way, far: int) -> RevealCause | None:
    """Why cards that are swept along are turned up, or found out; None: they go one square in their own town."""
    if not any(piece.hidden for piece in party.pieces):
        return None
    if play.scene.ground[way.path[0]].town != play.scene.ground[way.end].town:
        return "left_town"
    return "driven" if far > 1 or len(way.path) > 2 else None


@rule("SP-MOR-02", "SP-MOR-03", "SP-MOR-04", "SP-HID-03", "SP-HID-04")
def _tell(play: Play, side: Role, party: Party, way: Way, far: int, winners: Sequence[Square]) -> None:
    """Make a fact of a way: cards that leave their town, or go farther than a card does, are turned up first."""
    start = way.path[0]
    if cause := _uncovers(play, party, way, far):
        if party.pieces[0].kind == "dummy":
            play.drop_dummies(start, party.pieces, "driven", "SP-MOR-04", "SP-HID-02")
            return
        play.turn_up(party.pieces, cause, "SP-HID-03")
        party = party.renewed(play.battle)
    policy = policy_for(play.field, party.pieces[0], play.field.reactions(side).retreat)
    facing = facing_after(way, far, policy.face if policy else None, winners)
    form: Formation = policy.form if policy is not None and policy.form and far == 1 else "line"
    changes = {p.id: _arrival(play, party, p, way, facing, form) for p in party.pieces}
    looks = changes[party.pieces[0].id].facing
    kind = c.RetreatMade if far == 1 else c.RoutMade
    fact = kind(
        rules=cited("SP-MOR-02" if far == 1 else "SP-MOR-03", "SP-MOR-04", "SP-MOR-06", "SP-ZOC-04", "SP-FOR-05"),
        known=in_part(side),
        side=side,
        units=tuple(p.id for p in party.pieces),
        path=way.path,
        squares=far,
        facing=facing if isinstance(looks, UnsetType) else looks,
        source="reaction" if way.by_reaction else "default",
        card_count=sum(map(play.field.is_card, party.pieces)),
    )
    play.change(fact, changes)


def _arrival(play: Play, party: Party, piece: Piece, way: Way, facing: Facing, form: Formation) -> Patch:
    bank = bank_at_end(play.field, way.path, piece.bank)
    return merged(
        Patch(square=way.end, place="outside", retreated_this_turn=True, bank=bank),
        ford_at_end(play.field, way.path, on_foot=party.on_foot),
        arriving(play.field, piece, way.end, facing, form),
    )
