"""Rifle fire: who fires, at what, and what the dice bring.  All is judged from the field as the phase finds it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.ground.square import Square, place
from pbem.kernel.event import Throw
from pbem.kernel.names import Role, RuleId
from pbem.orders.sheet import Order
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.ranks import ranks
from pbem.systems.st_privat.field.sight import away, in_arc, line_of_sight
from pbem.systems.st_privat.fire.aims import Aim, FireOrder, Source, at_one_place, newest
from pbem.systems.st_privat.fire.cover import cover, total
from pbem.systems.st_privat.fire.losses import Hit
from pbem.systems.st_privat.fire.policy import NONE, is_target, place_of, preference, words_for
from pbem.systems.st_privat.tables import charts
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import Die, FireReason
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.pieces import ENEMY, FIGURES, Piece, Place


@rule("SP-RIF-02")
def hit_max(side: Role, squares: int) -> int:
    """The highest modified die that hits at a range; 0 out of range."""
    return charts.RIFLES[side][charts.RIFLE_RANGES.index(squares)] if squares in charts.RIFLE_RANGES else 0


@rule("SP-RIF-04")
def kills_of(natural: int, modified: int, options: Options) -> int:
    """Infantrymen that a hit kills: the natural number, or with `kills_by` the modified one."""
    return natural if options.kills_by == "natural" else max(modified, 0)


@rule("SP-RIF-01", "SP-DMG-03")
def may_fire(piece: Piece) -> bool:
    """Whether a stand of a front rank throws a die: whoever has men and pulls nothing down; a rout bars none."""
    return piece.men > 0 and not piece.demolishes


@rule("SP-RIF-01", "SP-FOR-02", "SP-GEN-04")
def firers(field: Field, side: Role) -> list[Piece]:
    """The stands that throw a die: the front rank of each group, by square (file, row), then place and slot."""
    found = []
    squares = {p.square for p in field.own(side) if p.kind == "infantry" and p.square is not None}
    for at in sorted(squares, key=place):
        for where in ("outside", "inside"):
            group = field.group(at, side, where)
            front = ranks(group, field.options.line_frontage)[:1]
            found += [p for rank in front for p in rank if may_fire(p)]
    return found


@rule("SP-RIF-02", "SP-LOS-01", "SP-LOS-05", "SP-RIF-06")
def why_not(field: Field, piece: Piece, target: Square, named: Place | None = None) -> FireReason | None:
    """Why a stand cannot fire at a square (and place of it); None if it can."""
    at, facing = piece.at, piece.facing
    if hit_max(piece.side, away(at, target)) == 0:
        return "range"
    if facing is None or not in_arc(field.options, at, facing, target):
        return "arc"
    if not line_of_sight(field, at, target):
        return "line_of_sight"
    return None if is_target(field, target, piece.side, named) else "no_enemy"


@rule("SP-RIF-07")
def by_policy(field: Field, piece: Piece, barred: frozenset[Square] = frozenset()) -> Square | None:
    """The target that a stand chooses by its policy; None if it holds its fire or has none."""
    words = words_for(field, piece)
    at = piece.square
    if words == NONE or at is None:
        return None
    within = [one for one in field.by_square if away(at, one) <= charts.RIFLE_RANGES[-1] and one not in barred]
    able = [one for one in within if is_target(field, one, piece.side) and why_not(field, piece, one) is None]
    return min(able, key=lambda one: preference(field, words, at, one, piece.side), default=None)


def _aim(field: Field, piece: Piece, order: FireOrder | None, barred: frozenset[Square]) -> Aim:
    aim = Aim(piece, piece.at, order)
    if isinstance(order, say.HoldFire):
        return replace(aim, reason="hold_fire", source="order")
    if isinstance(order, say.Fire):
        choices: list[tuple[Source, Square, Place | None]] = [("order", order.square, order.place)]
        if order.otherwise is not None:
            choices.append(("else", order.otherwise, None))
        for source, target, named in choices:
            reason = "square_fired_on" if target in barred else why_not(field, piece, target, named)
            if reason is None:
                found = place_of(field, target, piece.side)
                return replace(aim, target=target, place=named or found, named=named, source=source)
            aim = replace(aim, reason=aim.reason or reason)
    chosen = by_policy(field, piece, barred)
    if chosen is None:
        return aim
    return replace(aim, target=chosen, place=place_of(field, chosen, piece.side), source="policy")


@rule("SP-RIF-05")
def declare(field: Field, side: Role, orders: Sequence[Order]) -> list[Aim]:
    """What every stand that fires makes of its orders, in the order in which their dice fall.

    All rifles aimed at a square fire at one place of it: the one named by more stands, outside if even.  With
    `one_fire_per_square` single_square only those of one square fire at it, and the others look elsewhere.
    """
    stands = firers(field, side)
    barred: dict[str, frozenset[Square]] = {}
    while True:
        aims = [
            _aim(field, p, newest(orders, (say.Fire, say.HoldFire), p), barred.get(p.id, frozenset())) for p in stands
        ]
        crowd = _crowded(aims) if field.options.one_fire_per_square == "single_square" else {}
        if not crowd:
            break
        barred = {p.id: barred.get(p.id, frozenset()) | crowd.get(p.id, frozenset()) for p in stands}
    return at_one_place(aims)


def _crowded(aims: Sequence[Aim]) -> dict[str, frozenset[Square]]:
    """Who may not fire at a square because more stands do from another one (the lowest, if even)."""
    found: dict[str, frozenset[Square]] = {}
    for target in sorted({aim.target for aim in aims if aim.target is not None}, key=place):
        at_it = [aim for aim in aims if aim.target == target]
        count = Counter(aim.at for aim in at_it)
        best = min(count, key=lambda at: (-count[at], place(at)))
        found |= {aim.shooter.id: frozenset({target}) for aim in at_it if aim.at != best}
    return found


@rule("SP-RIF-02", "SP-RIF-03", "SP-RIF-04")
def die_of(field: Field, aim: Aim, natural: int) -> Die:
    """One stand's fallen die, read on the chart."""
    assert aim.target is not None
    squares = away(aim.at, aim.target)
    modifiers = cover(field, aim.at, aim.target, aim.place)
    modified = natural + total(modifiers)
    most = hit_max(aim.shooter.side, squares)
    hit = modified <= most
    return Die(
        shooter=aim.shooter.id,
        square=aim.at,
        range=squares,
        hit_max=most,
        natural=natural,
        modified=modified,
        hit=hit,
        kills=kills_of(natural, modified, field.options) if hit else 0,
        modifiers=modifiers,
    )


@rule("SP-RIF-05", "SP-TRN-04", "SP-GEN-01")
def resolve(
    field: Field, side: Role, aims: Sequence[Aim], throws: Mapping[str, Throw]
) -> tuple[list[c.RifleFireResolved], list[Hit]]:
    """The fires of one side, by target square, and the hits in the order in which the dice fell.

    *throws* are the fallen dice by stand.
    """
    read = [(aim, die_of(field, aim, throws[aim.shooter.id].faces[0])) for aim in aims if aim.target is not None]
    hits = [
        Hit(aim.shooter.id, aim.target, aim.place, ENEMY[side], die.kills)
        for aim, die in read
        if die.hit and aim.target is not None
    ]
    fires: list[c.RifleFireResolved] = []
    for target in sorted({aim.target for aim, _ in read if aim.target is not None}, key=place):
        here = [(aim, die) for aim, die in read if aim.target == target]
        where = here[0][0].place
        dice = tuple(die for _, die in here)
        fires.append(
            c.RifleFireResolved(
                rules=_rules(field, side, [aim for aim, _ in here], dice),
                dice=tuple(throws[aim.shooter.id] for aim, _ in here),
                side=side,
                target_square=target,
                place=where,
                fire=dice,
                hits=sum(die.hit for die in dice),
                kills=sum(die.kills for die in dice),
            )
        )
    return fires, hits


def _rules(field: Field, side: Role, aims: Sequence[Aim], dice: Sequence[Die]) -> tuple[RuleId, ...]:
    """The rules of one fire; nothing in them tells an order from a policy."""
    target, where = aims[0].target, aims[0].place
    assert target is not None
    shelter = [one.rule_id for die in dice for one in die.modifiers]
    weak = any(aim.shooter.men < FIGURES["infantry"][1] for aim in aims)
    cards = field.cards(target, ENEMY[side], where) > 0
    return cited(
        "SP-RIF-01", "SP-RIF-02", *shelter, "SP-RIF-04", "SP-RIF-05", "SP-RIF-06", "SP-FOR-02", "SP-TRN-04",
        *(("SP-GEN-04",) if weak else ()), *(("SP-HID-05",) if cards else ()), "SP-GEN-01",
    )  # fmt: skip
