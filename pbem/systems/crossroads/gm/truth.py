"""The GM's page: the field as it is, and what each side does not see of it.  Nobody else is ever given it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from pbem.ground.picture import Picture
from pbem.kernel.names import Moment, Role
from pbem.orders.prose import cap, listed
from pbem.rules.contract import World
from pbem.rules.telling import ended, plain
from pbem.rules.view import Fact as Figure
from pbem.rules.view import Table, Told, View
from pbem.systems.crossroads.field.field import Field, field_of
from pbem.systems.crossroads.page.drawing import picture
from pbem.systems.crossroads.page.forces import arrivals_table, figures_lost, own_table, places_table
from pbem.systems.crossroads.page.sentences import ReportLine, gathered
from pbem.systems.crossroads.page.telling import tell
from pbem.systems.crossroads.play.victory import items, verdict
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.scene.words import adjective, natural, side_name
from pbem.systems.crossroads.sheets.template import policy_lines
from pbem.systems.crossroads.world.fact import Fact
from pbem.systems.crossroads.world.outcomes import Sighted
from pbem.systems.crossroads.world.outcomes_combat import StatusChanged
from pbem.systems.crossroads.world.patches import Policies, Watch
from pbem.systems.crossroads.world.state import Battle, evolve

GM = Role("umpire")


def recount(scene: Scene, fact: Fact, battle: Battle) -> Sequence[Told]:
    """A fact as one who sees all would tell it; what a side saw of the other is no fact of the field."""
    return () if isinstance(fact, Sighted) else tell(scene, fact, battle, GM)


def gm_page(
    scene: Scene, world: World[Battle, Battle], _earlier: Sequence[Fact], facts: Sequence[Fact], moment: Moment
) -> View:
    """The GM's page of an exchange, as the field stands after it."""
    battle = traced(world.truth, world.minds)
    field = field_of(scene, battle)
    over = verdict(battle)
    return View(
        role=GM,
        addressed="the umpire",
        moment=moment,
        title=f"The truth after {moment}",
        dateline=f"{scene.place}, {scene.date}.  Turn {moment.turn} of {scene.turns}.",
        strip=_strip(scene, battle, moment.turn),
        brief=tuple(_brief(scene, battle)),
        picture=true_picture(field, moment.turn),
        happened=tuple(plain(line) for line in gathered(list(_lines(scene, battle, facts, moment)))),
        own=tuple(_forces(field, moment.turn)),
        enemy=(_unseen(scene, battle),),
        score=_score(field),
        over=ended(over, lambda side: adjective(scene, Role(side))),
    )


def traced(truth: Battle, minds: Mapping[Role, Battle]) -> Battle:
    """The truth, with what each side saw its own units do."""
    own = [one for role, mind in minds.items() for one in mind.traces if one.side == role]
    return replace(truth, traces=tuple(sorted(own, key=lambda one: (one.turn, one.seq))))


def _lines(scene: Scene, battle: Battle, facts: Sequence[Fact], moment: Moment) -> Iterator[ReportLine]:
    """What happened, as one who sees all would tell it; what a side saw of the other stands on its own page."""
    started = {fact.unit: fact.start for fact in reversed(facts) if isinstance(fact, StatusChanged)}
    units = {
        name: replace(unit, status=started[name]) if name in started else unit for name, unit in battle.units.items()
    }
    was = replace(battle, turn=moment.turn, exchange=moment.exchange, units=units)
    for fact in facts:
        if not isinstance(fact, Sighted):
            yield from (line for line in tell(scene, fact, was, GM) if isinstance(line, ReportLine))
        was = evolve(was, fact)


def true_picture(field: Field, turn: int) -> Picture:
    """The field as it is."""
    drawn = picture(field, field.battle.sides[0], turn)
    words = tuple(
        (f"The {side_name(field.scene, side).removeprefix('the ')}", " ".join(f"{one.words}." for one in there))
        for side, mine in zip(field.battle.sides, (True, False), strict=True)
        if (there := [one for one in drawn.troops if one.own == mine])
    )
    return replace(drawn, whose="as it is", words=words)


def _strip(scene: Scene, battle: Battle, turn: int) -> tuple[Figure, ...]:
    one, other = battle.sides
    both = f"{adjective(scene, one)}, then {adjective(scene, other)}"
    points = {side: sum(item.points for item in items(scene, battle) if item.side == side) for side in battle.sides}
    lost = {side: figures_lost(battle, side, turn)[0] for side in battle.sides}
    return (
        Figure("Points", f"{points[one]} – {points[other]}", f"if it ended now: {both}"),
        Figure("Figures lost", f"{lost[one]} – {lost[other]}", both),
        Figure("The deck", f"{len(battle.deck)} cards", f"{cap(side_name(scene, battle.controller))} control it"),
    )


def _brief(scene: Scene, battle: Battle) -> Iterator[str]:
    """What stands written and is nobody's to see: the deck, and the standing orders."""
    if battle.deck:
        cards = {unit.card: unit.id for unit in battle.units.values() if unit.card}
        yield f"Still in the deck, the top first: {', '.join(cards.get(card, card) for card in battle.deck)}."
    for side in battle.sides:
        lines = policy_lines(battle.policies.get(side, Policies()))
        yield f"{adjective(scene, side)} standing orders: {listed(lines) if lines else 'none'}."


def _forces(field: Field, turn: int) -> Iterator[Table]:
    for side in field.battle.sides:
        name = adjective(field.scene, side)
        yield replace(own_table(field, side, turn), caption=f"{name} forces: figures left of full strength, and level.")
        coming = arrivals_table(field, side)
        if coming is not None:
            yield replace(coming, caption=f"{name}, still to come.")


def _unseen(scene: Scene, battle: Battle) -> Table:
    """Each unit on the table by what the enemy has of it."""
    rows = []
    for unit in sorted(battle.units.values(), key=lambda one: (battle.sides.index(one.side), natural(one.id))):
        watch = battle.watch.get(battle.enemy(unit.side), Watch())
        if unit.stands:
            name = watch.labels.get(unit.id, "known by name" if unit.id in watch.identified else "not known")
            rows.append((unit.id, adjective(scene, unit.side), "yes" if unit.id in watch.seen else "no", name))
    columns = ("Unit", "Side", "In the enemy’s sight", "As")
    return Table(caption="What each side has of the other.", columns=columns, rows=tuple(rows))


def _score(field: Field) -> tuple[Table, ...]:
    scene, battle = field.scene, field.battle
    rows = tuple((adjective(scene, item.side), item.what, str(item.points)) for item in items(scene, battle))
    count = Table(caption="The count, if it ended now", columns=("For", "What", "Points"), rows=rows, numbers=(2,))
    places = places_table(field)
    return (count, *((places,) if places else ()))
