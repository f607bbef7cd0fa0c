"""Melee: who may charge, what each side counts, the odds, and what the die brings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbem.ground.square import ORTHOGONAL, Square, beyond, direction, edge, is_diagonal
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.ranks import defence_by_stand, ranks, selects, side_attacked
from pbem.systems.st_privat.tables import charts
from pbem.systems.st_privat.world import orders as say
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import ChargeReason
from pbem.systems.st_privat.world.options import Options
from pbem.systems.st_privat.world.pieces import ENEMY, Piece

COVERED = ("hill", "woods", "town")
"""Ground that moves the odds a column to the left (SP-MEL-08)."""


@dataclass(frozen=True)
class Attack:
    """A charge that can be made: who attacks from where, and who could not go with them."""

    side: Role
    target: Square
    squares: tuple[Square, ...]
    """In the order in which the charge names them."""
    stands: tuple[Piece, ...]
    general: Piece | None
    left_out: Mapping[ChargeReason, tuple[str, ...]]

    @property
    def generals(self) -> tuple[Piece, ...]:
        """The general who goes with them, if one does."""
        return () if self.general is None else (self.general,)


@rule("SP-MEL-10", "SP-MEL-03")
def in_order(charges: Sequence[say.Charge]) -> list[say.Charge]:
    """Charges in the order in which they are fought: as written, each `after` right behind the one it names."""
    first = [charge for charge in charges if charge.after is None]
    waiting = [charge for charge in charges if charge.after is not None]
    ordered: list[say.Charge] = []

    def take(charge: say.Charge) -> None:
        ordered.append(charge)
        for later in waiting:
            if later.after == charge.square and later not in ordered:
                take(later)

    for charge in first:
        take(charge)
    return ordered


def selected(field: Field, side: Role, units: Iterable[str]) -> list[Piece]:
    """The stands that selectors mean at this moment, each once, in the order named, then by slot."""
    found: dict[str, Piece] = {}
    own = sorted(field.own(side), key=lambda p: p.slot)
    for selector in units:
        for piece in own:
            if selects(selector, piece):
                found.setdefault(piece.id, piece)
    return list(found.values())


@rule("SP-MEL-01", "SP-MEL-02", "SP-MEL-03", "SP-MEL-04")
def why_not(field: Field, piece: Piece, target: Square) -> ChargeReason | None:
    """Why a stand cannot charge a square; None if it can.

    It must be infantry or cavalry, look straight at the square from beside it, stand in one of the first two
    ranks, and have neither attacked nor fallen back this turn.  Infantry cannot charge cavalry in the open.
    """
    at = piece.square
    if at is None or not piece.is_ranked:
        return "eliminated"
    if piece.demolishes:
        return "demolishes"
    if piece.retreated_this_turn:
        return "retreated"
    if piece.attacked_this_turn:
        return "attacked_before"
    way = direction(at, target)
    if way is None:
        return "not_adjacent"
    if is_diagonal(at, target):
        return "diagonal"
    if piece.facing != way:
        return "not_facing"
    group = field.group(at, piece.side, piece.place, piece.kind)
    if not any(piece in rank for rank in ranks(group, field.options.line_frontage)[:2]):
        return "not_in_two_ranks"
    horse = any(p.kind == "cavalry" for p in field.visible(target, ENEMY[piece.side]))
    if piece.kind == "infantry" and horse and field.ground(target).terrain not in ("town", "woods"):
        return "infantry_at_cavalry"
    return None


def chargers(field: Field, side: Role, charge: say.Charge) -> list[Piece]:
    """The infantry and cavalry that a charge names, as they stand at this moment."""
    return [piece for piece in selected(field, side, charge.units) if piece.is_ranked]


def muster(field: Field, side: Role, charge: say.Charge) -> Attack:
    """Who of those named can charge, who cannot and why."""
    stands: list[Piece] = []
    out: dict[ChargeReason, tuple[str, ...]] = {}
    for piece in chargers(field, side, charge):
        reason = why_not(field, piece, charge.square)
        if reason is None:
            stands.append(piece)
        elif reason != "not_in_two_ranks":
            out[reason] = (*out.get(reason, ()), piece.id)
    squares = tuple(dict.fromkeys(p.square for p in stands if p.square is not None))
    general = field.battle.pieces.get(charge.general)
    with_them = general if general is not None and general.stands and general.square in squares else None
    return Attack(side, charge.square, squares, tuple(stands), with_them, out)


@rule("SP-MEL-05", "SP-MEL-06", "SP-GEN-04")
def attack_value(attack: Attack) -> c.Value:
    """3 for each stand whatever is left of it, 3 more for a command stand, 5 for the general."""
    stands = {piece.id: 3 for piece in attack.stands}
    command = 3 * sum(piece.command for piece in attack.stands)
    general = 5 if attack.general is not None else 0
    return c.Value(stands=stands, command=command, general=general, total=sum(stands.values()) + command + general)


@rule("SP-MEL-07", "SP-FOR-03", "SP-OPT-02")
def stands_defending(field: Field, target: Square, side: Role, squares: Sequence[Square]) -> dict[str, int]:
    """What each infantry or cavalry stand of the attacked square counts, attacked from *squares* at once.

    The values of its sides are added, up to 3.  With `garrison_all_round` infantry in a building counts 3.
    """
    values: dict[str, int] = {}
    ways = [way for at in squares if (way := direction(target, at)) is not None]
    for where in ("outside", "inside"):
        for kind in ("infantry", "cavalry"):
            group = field.group(target, side, where, kind)
            if not group:
                continue
            if where == "inside" and field.options.garrison_all_round and field.building(target):
                values |= {piece.id: 3 for piece in group}
                continue
            for way in ways:
                for name, value in _by_facing(field, group, way).items():
                    values[name] = min(3, values.get(name, 0) + value)
    return values


def _by_facing(field: Field, group: Sequence[Piece], way: str) -> dict[str, int]:
    """What an attack out of one direction meets; stands may face apart only with `split_facing`."""
    frontage = field.options.line_frontage
    facings = dict.fromkeys(p.facing for p in group if p.facing is not None)
    if not field.options.split_facing:
        facings = dict.fromkeys(list(facings)[:1])
    values: dict[str, int] = {}
    for facing in facings:
        met = defence_by_stand(group, side_attacked(facing, way), frontage)
        alike = {p.id for p in group if not field.options.split_facing or p.facing == facing}
        values |= {name: value for name, value in met.items() if name in alike}
    return values


@rule("SP-MEL-06", "SP-MEL-07")
def defence_value(field: Field, target: Square, side: Role, squares: Sequence[Square]) -> c.Value:
    """The defenders' total: stands by the sides attacked, 3 a crew and a team, command stands, generals."""
    stands = stands_defending(field, target, side, squares)
    here = field.visible(target, side)
    crews = {p.id: 3 for p in here if p.kind in ("crew", "team")}
    command = 3 * sum(p.command for p in here if stands.get(p.id, 0) > 0)
    general = 5 * sum(p.kind == "general" for p in here)
    total = sum(stands.values()) + sum(crews.values()) + command + general
    return c.Value(stands=stands, crews=crews, command=command, general=general, total=total)


@rule("SP-MEL-08")
def odds(attack: int, defence: int) -> str:
    """The odds, rounded for the defender, clamped to the columns of the table.

    >>> [odds(11, 6), odds(12, 5), odds(5, 6), odds(3, 7), odds(3, 15)]
    ['1-1', '2-1', '1-2', '1-3', '1-4']
    """
    if attack >= defence:
        return f"{min(attack // defence, 4)}-1"
    return f"1-{min(-(-defence // attack), 4)}"


def shifts(field: Field, attack: Attack, defenders: Iterable[Piece]) -> list[str]:
    """Every reason to move the odds a column to the left, in words (SP-MEL-08)."""
    found: list[str] = []
    ground = field.ground(attack.target)
    if ground.terrain in COVERED:
        found.append(ground.terrain)
    here = list(defenders)
    if field.building(attack.target) and any(p.place == "inside" for p in here):
        found.append("building")
    if any(p.kind == "siege_gun" and p.on_table for p in field.visible(attack.target, ENEMY[attack.side])):
        found.append("siege gun emplacement")
    if attack.squares and all(_in_stream(field, at, attack.target) for at in attack.squares):
        found.append("stream")
    if attack.squares and all(field.solid_wall(edge(at, attack.target)) for at in attack.squares):
        found.append("wall")
    return found


@rule("SP-MEL-08")
def _in_stream(field: Field, at: Square, target: Square) -> bool:
    """Whether attackers stand in the water; on a bridge they do unless they attack along its road."""
    if not field.ground(at).stream:
        return False
    return not (field.has_bridge(at) and edge(at, target) in field.scene.roads)


@rule("SP-MEL-08")
def column(attack: int, defence: int, reasons: Sequence[str], options: Options) -> tuple[str, int]:
    """The column of the table and how far it was shifted.

    The odds are clamped to 4-1 first and then shifted, once however many reasons there are
    (`column_shift_max`); with `shift_after_clamp` off a great superiority swallows the shift.
    """
    shift = min(len(reasons), options.column_shift_max)
    at = charts.COLUMNS.index(odds(attack, defence))
    if not options.shift_after_clamp and attack >= defence:
        at = charts.COLUMNS.index("1-1") + attack // defence - 1
    shifted = min(max(at - shift, 0), len(charts.COLUMNS) - 1)
    return charts.COLUMNS[shifted], shift


@rule("SP-MEL-08")
def is_forbidden(attack: int, defence: int, options: Options) -> bool:
    """Whether odds worse than 1-4 may not be tried (`odds_below_1_4`)."""
    return options.odds_below_1_4 == "forbidden" and attack * 4 < defence


@rule("SP-MEL-09")
def result(name: str, die: int, options: Options) -> tuple[str, str, str]:
    """What attacker and defender suffer, and which doubtful cell was read how.

    >>> result("1-1", 1, Options())
    ('+2L', '-2H', 'melee_errata_11_1')
    """
    attacker, defender = charts.MELEE[die][name]
    if (name, die) == ("1-1", 1) and options.melee_errata_11_1 != defender:
        return attacker, options.melee_errata_11_1, "melee_errata_11_1"
    if (name, die) == ("1-2", 6) and options.melee_errata_12_6 != "printed":
        return attacker, options.melee_errata_12_6, "melee_errata_12_6"
    return attacker, defender, ""


@rule("SP-CAS-04")
def factors(value: int, text: str) -> int:
    """Casualty factors for a total value and a result: `+3L` on 12 costs 2.

    >>> [factors(17, "S M"), factors(18, "S M"), factors(21, "-1H"), factors(5, "+2 *")]
    [5, 6, 12, 0]
    """
    letter = text[-1]
    if letter not in "LMH" or value <= 0:
        return 0
    return next(row[letter] for most, row in charts.CASUALTY_FACTORS if value <= most)


def moved(text: str) -> int:
    """Squares that a result moves: +n forward, -n back, 0 stands.

    >>> [moved("+2 *"), moved("-3M"), moved("S H")]
    [2, -3, 0]
    """
    return int(text[:2]) if text[0] in "+-" else 0


@rule("SP-MEL-10")
def attackable(field: Field, at: Square, side: Role) -> bool:
    """Whether anything of the enemy's stands or lies in a square that a charge could meet."""
    return bool(field.visible(at, ENEMY[side])) or field.cards(at, ENEMY[side]) > 0


def fronts(field: Field, piece: Piece) -> Square | None:
    """The square that a stand looks at."""
    ahead = beyond(piece.square, piece.facing) if piece.square and piece.facing in ORTHOGONAL else None
    return ahead if ahead in field.scene.board else None
