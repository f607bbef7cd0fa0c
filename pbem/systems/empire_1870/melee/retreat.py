"""Where the beaten go, and what it costs them (WE-RET)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from pbem.ground.hexes import Hex, hexside
from pbem.ground.path import flood
from pbem.kernel.event import Throw
from pbem.kernel.names import Role
from pbem.rules.ledger import rule
from pbem.systems.empire_1870.field.field import Field
from pbem.systems.empire_1870.field.fitness import good, holds_zone
from pbem.systems.empire_1870.field.supply import sources
from pbem.systems.empire_1870.fire.losses import Shares, Toll, account, take_losses
from pbem.systems.empire_1870.march.displacement import leave_no_hq_behind
from pbem.systems.empire_1870.march.steps import shut
from pbem.systems.empire_1870.melee.advance import take_hex
from pbem.systems.empire_1870.melee.totals import Battle
from pbem.systems.empire_1870.play.play import Play
from pbem.systems.empire_1870.play.standing import policy
from pbem.systems.empire_1870.tables.charts import RETREAT_HEXES, TERRAIN
from pbem.systems.empire_1870.world.fact import both
from pbem.systems.empire_1870.world.orders import React
from pbem.systems.empire_1870.world.outcomes_combat import Losses, Retreated
from pbem.systems.empire_1870.world.parts import ENEMY
from pbem.systems.empire_1870.world.patches import HqPatch
from pbem.systems.empire_1870.world.stacks import Stack, Strength, count, freed, together, without


class Beaten(Struct, frozen=True, kw_only=True):
    """SP and HQs of one hex that must go back.

    *first*: the hex that they must go to first (a march attacker's own); *ignoring*: hexes whose ZOC does not count,
    *fought*: those that hold whom they have just fought.
    """

    side: Role
    hex: Hex
    stack: Stack
    hqs: tuple[str, ...] = ()
    first: Hex | None = None
    ignoring: tuple[Hex, ...] = ()
    fought: tuple[Hex, ...] = ()
    combat: str = ""
    stayed: int = 0
    """How many of their own stay behind the walls that they leave."""
    at_first: bool = False
    """They stand in *first* already, for they never left it."""

    @property
    def stands(self) -> Hex:
        """Where they stand until they go: of a thrown-back attacker the hex that he came from."""
        return self.first if self.at_first and self.first is not None else self.hex


class Gone(Struct, frozen=True):
    """What became of them: where they are, what is left, and how many SP were lost on the way."""

    hex: Hex | None
    stack: Stack
    lost: int = 0


@rule("WE-RET-02")
def way_home(field: Field, side: Role) -> Callable[[Hex], int]:
    """How many hexes it is from a hex to the nearest friendly source, round the enemy; very many: there is no way."""
    key = ("way home", side)
    if key not in field.memo:
        enemy = field.war.stacks.get(ENEMY[side], {})

        def cost(_: Hex, to: Hex) -> int | None:
            closed = to in enemy or field.fortress_of(to) == ENEMY[side] or field.cell(to).terrain == "neutral"
            return None if closed else 1

        field.memo[key] = flood(sources(field, side), field.scene.board.neighbours, cost).costs
    costs: dict[Hex, int] = field.memo[key]
    far = len(field.scene.cells) + 1

    def home(at: Hex) -> int:
        around = (costs.get(to, far) + 1 for to in field.scene.board.neighbours(at))
        return costs.get(at, min(around, default=far))

    return home


@rule("WE-RET-02", "WE-RET-04")
def disregarded(field: Field, battle: Battle, fighters: Shares) -> tuple[Hex, ...]:
    """The hexes whose ZOC does not count for beaten defenders: those of the two forces of a march combat alone.

    SP that stand beside the attackers, and did not attack, keep their own.
    """
    if battle.how == "planned":
        return ()
    return (battle.hex, *(at for at in sorted(battle.shares) if not holds_zone(_idle(field, battle, fighters, at))))


def _idle(field: Field, battle: Battle, fighters: Shares, at: Hex) -> Stack:
    """The SP that stand in a hex of the attackers and did not attack."""
    return without(field.stack(battle.attacker, at), fighters.get(at, ()))


@rule("WE-RET-02")
def just_fought(field: Field, battle: Battle, fighters: Shares) -> tuple[Hex, ...]:
    """The hexes in which nobody stands whom beaten defenders have not just fought."""
    return tuple(at for at in sorted(battle.shares) if not _idle(field, battle, fighters, at))


@rule("WE-RET-03", "WE-RET-04")
def may_enter(field: Field, force: Beaten, to: Hex) -> bool:
    """Whether a retreat may go into a hex."""
    return not shut(field, force.side, to, "retreat", force.ignoring)


def _choices(field: Field, force: Beaten, at: Hex) -> tuple[list[Hex], list[Hex]]:
    """Where a force may retreat to from a hex: what lies nearer to a source, and all that is open to it."""
    home = way_home(field, force.side)
    legal = [to for to in field.scene.board.neighbours(at) if may_enter(field, force, to) and to != force.hex]
    return [to for to in legal if home(to) < home(at)], legal


@rule("WE-RET-02")
def _best(field: Field, force: Beaten, at: Hex, choice: list[Hex], wanted: Hex | None, order: React) -> Hex | None:
    """The hex of those that are open into which a force retreats; None: there is none."""
    if wanted in choice:
        return wanted
    if order.word == "fortress":
        forts = [to for to in choice if field.fortress_of(to) == force.side]
        choice = forts or choice

    def rank(to: Hex) -> tuple[object, ...]:
        return (
            field.in_ezoc(force.side, to, force.ignoring),
            hexside(at, to) in field.scene.rivers,
            not good(field.stack(force.side, to)),
            TERRAIN[field.cell(to).terrain].mp or 0,
            to,
        )

    return min(choice, key=rank, default=None)


@rule("WE-RET-02")
def _pressed(field: Field, force: Beaten, at: Hex) -> bool:
    """Whether other enemies than those just fought stand next to a hex."""
    return any(near not in force.fought for near in field.adjacent(ENEMY[force.side], at))


@rule("WE-RET-01", "WE-RET-02", "WE-RET-04")
def retreat_path(field: Field, force: Beaten, order: React) -> tuple[Hex, ...]:
    """The one or two hexes of a retreat; empty: there is no way."""
    shortest, longest = RETREAT_HEXES
    named = order.hexes if order.word == "to" else ()
    wanted: Sequence[Hex | None] = (*named, *(None for _ in range(longest)))
    if force.first is not None:
        first = force.first if force.at_first or may_enter(field, force, force.first) else None
        if force.at_first and not _holds_out(field, force, force.first):
            first = None
        wanted = (None, *wanted)
    else:
        nearer, legal = _choices(field, force, force.hex)
        first = _best(field, force, force.hex, nearer or legal, wanted[0], order)
    if first is None:
        return ()
    path = [first]
    while len(path) < longest:
        at, target = path[-1], wanted[len(path)]
        nearer, _ = _choices(field, force, at)
        if order.word != "long" and target is None and len(path) >= shortest:
            # A short retreat goes on for one reason alone: to be where nobody presses it.
            nearer = [to for to in nearer if not _pressed(field, force, to)] if _pressed(field, force, at) else []
        to = _best(field, force, at, nearer, target, order)
        if to is None:
            break
        path.append(to)
    return tuple(path)


@rule("WE-RET-04")
def _holds_out(field: Field, force: Beaten, at: Hex) -> bool:
    """Whether a thrown-back attacker may stand in the hex that he came from: not in a strange ZOC alone (WE-RET-04)."""
    others = count(without(field.stack(force.side, at), force.stack)) > 0
    friends = others and not field.war.options.retreat_ezoc_strict
    return friends or not field.in_ezoc(force.side, at, force.ignoring)


@rule("WE-RET-05", "WE-CBT-12")
def _rivers(play: Play, force: Beaten, path: Sequence[Hex]) -> tuple[Stack, Losses | None, tuple[Throw, ...]]:
    """What the rivers on the way cost, 1d6 LP each; where there is no way, all are lost."""
    if not path:
        return (), None, ()
    throws: list[Throw] = []
    stack, gone, points = force.stack, 0, 0
    order = policy(play.war, force.side, "losses", force.stands, *force.hqs)
    before = {force.hex: force.stack}
    at = force.hex
    for to in path:
        if hexside(at, to) in play.scene.rivers and count(stack):
            throw = play.throw("retreat_river", f"{force.combat}/{at}-{to}")
            throws.append(throw)
            points += throw.faces[0]
            toll = take_losses({at: stack}, 0, throw.faces[0], order)
            stack, gone = toll.shares.get(at, ()), gone + toll.eliminated
        at = to
    after = Toll({path[-1]: stack} if stack else {}, gone)
    return stack, account(force.side, points, before, after) if throws else None, tuple(throws)


@rule("WE-RET-01", "WE-RET-03")
def retreat(play: Play, force: Beaten, order: React | None = None) -> Gone:
    """Make a beaten force go back, by *order* or its standing one; it is eliminated where there is no way."""
    field = play.field
    start = force.stands
    order = order or policy(play.war, force.side, "retreat", start, *force.hqs)
    path = retreat_path(field, force, order)
    stack, losses, throws = _rivers(play, force, path)
    stacks = {start: without(play.stack(force.side, start), force.stack)}
    end, free = path[-1] if path else None, freed(stack)
    if end is not None:
        stacks[end] = together(stacks.get(end, play.stack(force.side, end)), free)
    on_the_way = ("WE-RET-02", "WE-RET-04" if force.first else "", "WE-RET-05" if throws else "")
    lost = count(force.stack) - count(stack)
    play.happens(
        Retreated,
        **both(force.side, "WE-RET-01", *(on_the_way if path else ("WE-RET-03",))),
        dice=throws,
        start=force.hex,
        path=path,
        units=force.hqs,
        sp=Strength.of(force.stack),
        river_dice=tuple(throw.faces[0] for throw in throws),
        losses=losses,
        eliminated=not path,
        stayed=force.stayed,
        reason="" if path else "no_way",
        stacks={force.side: stacks},
        toll={force.side: lost},
        hqs={name: HqPatch(hex=end) for name in force.hqs if path},
    )
    for at in path if count(free) else ():
        take_hex(play, force.side, at, force.combat)
    leave_no_hq_behind(play, [play.hq(name) for name in force.hqs], force.combat)
    return Gone(end, free, lost)
