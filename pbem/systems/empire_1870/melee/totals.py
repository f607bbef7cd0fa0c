"""What the two sides of a combat count for: halvings, ratio, ground, HQs (WE-CBT-02 to WE-CBT-06)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from pbem.ground.hexes import Hex, hexside
from pbem.kernel.names import Role, RuleId
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field, status_value
from pbem.systems.empire_1870.field.ratios import ratio_text
from pbem.systems.empire_1870.field.supply import has_loc
from pbem.systems.empire_1870.tables import charts
from pbem.systems.empire_1870.world.fact import Modifier
from pbem.systems.empire_1870.world.outcomes_combat import HexTotal, Kind
from pbem.systems.empire_1870.world.parts import ENEMY, GERMAN, Hq
from pbem.systems.empire_1870.world.stacks import Stack, best, count, every, without


class Battle(Struct, frozen=True, kw_only=True):
    """A combat that is to be fought.

    *shares* are the attackers by the hex in which they stand (of a march: the last hex before the defender's; of a
    sortie: the hex itself); *hqs* those with them, *acting* those of them whose action it is.
    """

    name: str
    how: Kind
    attacker: Role
    shares: dict[Hex, Stack]
    hqs: tuple[str, ...] = ()
    acting: tuple[str, ...] = ()
    hex: Hex
    leader: str = ""
    """The HQ whose activation it is."""
    lead: Hex | None = None
    """The hex from which he attacks, whatever becomes of him."""

    @property
    def defender(self) -> Role:
        """The other side."""
        return ENEMY[self.attacker]


def seat(battle: Battle, side: Role) -> Hex:
    """The hex for whose standing orders a side fights: the defender's, that of the HQ which attacks, or the first."""
    if side == battle.defender:
        return battle.hex
    return battle.lead if battle.lead in battle.shares else min(battle.shares)


class Side(Struct, frozen=True, kw_only=True):
    """What one side counts for."""

    hexes: tuple[HexTotal, ...]
    total: int
    """With the SR of a fortress."""
    fighting: int
    """Without it: what artillery is paid for."""
    raw: int


def halved(value: int, by: tuple[int, int]) -> int:
    """A share of a value, rounded down."""
    return value * by[0] // by[1]


@rule("WE-UNI-03")
def cavalry_of(stack: Stack, hqs: Iterable[Hq]) -> Stack:
    """The SP of a stack that are cavalry: up to four for each cavalry HQ with it, the best first."""
    return best(stack, charts.CAVALRY_SP * sum(hq.cavalry for hq in hqs))


@rule("WE-CBT-03", "WE-STA-02", "WE-LOC-04", "WE-RAI-03", "WE-MCB-01")
def hex_total(field: Field, side: Role, at: Hex, stack: Stack, hqs: Sequence[Hq], *, marching: bool) -> HexTotal:
    """The value of the SP of one fighting hex, halved in turn: by march, by train, for want of a LOC."""
    loc = has_loc(field, side, at)
    horse = () if loc else cavalry_of(stack, hqs)
    values = [status_value(without(stack, horse)), status_value(horse)]
    halvings: list[Modifier] = []

    def halve(name: str, by: str, after: list[int]) -> None:
        values[:] = after
        halvings.append(Modifier(name, sum(values), RuleId(by)))

    if marching:
        halve("march combat", "WE-MCB-01", [halved(value, charts.MARCH_ATTACK) for value in values])
    riding = status_value(one for one in stack if one.entrained)
    if riding:
        lost = riding - halved(riding, charts.ON_THE_TRAIN)
        halve("on the train", "WE-RAI-03", [max(0, values[0] - lost), values[1] - max(0, lost - values[0])])
    if not loc:
        halve("no LOC", "WE-LOC-04", [halved(values[0], charts.WITHOUT_LOC), values[1]])
    return HexTotal(
        hex=at,
        raw=count(stack),
        status_value=status_value(stack),
        halvings=tuple(halvings),
        has_loc=loc,
        cavalry=values[1],
        total=sum(values),
    )


@rule("WE-CBT-03")
def attack_total(field: Field, battle: Battle) -> Side:
    """What the attackers count for."""
    marching, side = battle.how != "planned", battle.attacker
    # A train halves those who defend themselves on it alone (WE-RAI-03).
    afoot = [(at, every(stack, entrained=False)) for at, stack in sorted(battle.shares.items())]
    hexes = tuple(
        hex_total(field, side, at, stack, hqs_in(field, side, battle.hqs, at), marching=marching) for at, stack in afoot
    )
    fighting = max(charts.SMALLEST_TOTAL, sum(one.total for one in hexes))
    return Side(hexes=hexes, total=fighting, fighting=fighting, raw=sum(one.raw for one in hexes))


@rule("WE-CBT-03", "WE-CBT-13")
def defence_total(field: Field, battle: Battle) -> Side:
    """What the defenders count for: all SP in the hex, and the SR of a fortress of theirs."""
    side = battle.defender
    stack = field.stack(side, battle.hex)
    one = hex_total(field, side, battle.hex, stack, field.hqs(side, battle.hex), marching=False)
    walls = field.sr(battle.hex) if defends_walls(field, battle) else 0
    fighting = max(charts.SMALLEST_TOTAL, one.total)
    return Side(hexes=(one,), total=max(charts.SMALLEST_TOTAL, one.total + walls), fighting=fighting, raw=one.raw)


@rule("WE-CBT-03", "WE-SIE-06")
def defends_walls(field: Field, battle: Battle) -> bool:
    """Whether the defenders stand behind the walls of a fortress of theirs (WE-SIE-06)."""
    return battle.how != "sortie" and field.fortress_of(battle.hex) == battle.defender


def fighting_hqs(field: Field, battle: Battle, side: Role) -> tuple[str, ...]:
    """The HQs of a side in a combat."""
    return battle.hqs if side == battle.attacker else tuple(hq.id for hq in field.hqs(side, battle.hex))


def hqs_in(field: Field, side: Role, names: Iterable[str], at: Hex) -> tuple[Hq, ...]:
    """Those of the named HQs that stand in a hex."""
    wanted = set(names)
    return tuple(hq for hq in field.hqs(side, at) if hq.id in wanted)


@rule("WE-CBT-05")
def terrain_column(field: Field, at: Hex, defender: Role, *, walls: bool = True) -> str:
    """The column of the combat ratio matrix for a hex."""
    cell = field.cell(at)
    features = {cell.terrain}
    if cell.town:
        features.add("town")  # type: ignore[arg-type] # a town is a feature over its terrain
    if walls and field.fortress_of(at) == defender:
        features.add("fortress")  # type: ignore[arg-type] # and so is a fortress
    return next(column for column in charts.CRM_ORDER if column in features)


@rule("WE-CBT-05")
def crm(odds: tuple[int, int], column: str) -> tuple[int, int]:
    """Modifiers of attacker and defender."""
    return charts.CRM[ratio_text(odds)][column]


@rule("WE-HQ-01", "WE-HQ-02")
def hq_modifiers(side: Role, hqs: Iterable[Hq], sp: int, *, attacks: bool, leader: str = "") -> tuple[Modifier, ...]:
    """What HQs add: one army HQ, one corps HQ and all divisions; the one whose activation it is before others."""
    there = list(hqs)
    if not there:
        rating = charts.INHERENT[side].ab if attacks else charts.INHERENT[side].db
        inherent = sp <= charts.INHERENT_LIMIT[side]
        return (Modifier(f"{side} inherent division", rating, RuleId("WE-HQ-02")),) if inherent else ()
    found = []
    for rank in charts.RANKS:
        of_rank = [(hq, hq.ab if attacks else hq.db) for hq in there if hq.rank == rank]
        of_rank.sort(key=lambda pair: (pair[0].id != leader, -pair[1], pair[0].id))
        for hq, bonus in of_rank[: charts.COUNTED[rank]]:
            found.append(Modifier(hq.id, bonus, RuleId("WE-HQ-01")))
    return tuple(found)


def river_modifier(field: Field, battle: Battle) -> tuple[Modifier, ...]:
    """The option `river_attack_drm`: for an attack of which all comes across a river (WE-MOV-02)."""
    drm = field.war.options.river_attack_drm
    across = battle.how != "sortie" and all(hexside(at, battle.hex) in field.scene.rivers for at in battle.shares)
    return (Modifier("across the river", drm, RuleId("WE-MOV-02")),) if drm and across else ()


@rule("WE-CBT-09")
def winner_of(french: int, german: int) -> Role:
    """Who wins: the higher score; a tie is German."""
    return GERMAN if german >= french else ENEMY[GERMAN]
