"""The GM's page: the field as it is, what happened to both sides, and what each has of the other.

Nobody else is given it before the battle is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from pbem.ground.picture import Picture
from pbem.kernel.names import Moment, Role
from pbem.orders.prose import cap, counted
from pbem.rules.contract import World
from pbem.rules.telling import ended, plain
from pbem.rules.view import Fact as Figure
from pbem.rules.view import Table, Told, View
from pbem.systems.half_league.field.field import Field, field_of
from pbem.systems.half_league.mind.memory import trace_of
from pbem.systems.half_league.page.drawing import arcs, picture
from pbem.systems.half_league.page.forces import aims_table, course, own_tables
from pbem.systems.half_league.page.gathering import gathered
from pbem.systems.half_league.page.sentences import Line
from pbem.systems.half_league.page.telling import tell
from pbem.systems.half_league.page.view import dateline
from pbem.systems.half_league.play.victory import verdict
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.words import ADJECTIVE, at, natural, side_name
from pbem.systems.half_league.sheets.template import standing_lines
from pbem.systems.half_league.world import outcomes as o
from pbem.systems.half_league.world.course import Trace
from pbem.systems.half_league.world.fact import Fact
from pbem.systems.half_league.world.pieces import ENEMY, SIDES, side_of
from pbem.systems.half_league.world.state import Battle, evolve

GM = Role("umpire")


def recount(scene: Scene, fact: Fact, battle: Battle) -> Sequence[Told]:
    """A fact as one who sees all would tell it; what a side saw of the other is no fact of the field."""
    return () if isinstance(fact, o.Sighting) else tell(scene, fact, battle, GM)


def gm_page(
    scene: Scene, world: World[Battle, Battle], _earlier: Sequence[Fact], facts: Sequence[Fact], moment: Moment
) -> View:
    """The GM's page of an exchange, as the field stands after it; *facts* are those of it."""
    lines, traces = told_of(scene, world.truth, facts)
    battle = replace(world.truth, traces=traces)
    field = field_of(scene, battle)
    return View(
        role=GM,
        addressed="the umpire",
        moment=moment,
        title=f"The truth after {moment}",
        dateline=dateline(scene, battle, moment),
        strip=tuple(_strip(battle)),
        brief=(),
        picture=true_picture(field, lines),
        happened=tuple(plain(line) for line in gathered(lines)),
        own=tuple(_forces(field)),
        enemy=(_unseen(battle), _standing(scene, battle)),
        score=_score(field),
        courses=tuple(replace(one, words=one.words.replace(", as known:", ":")) for one in course(scene, battle)),
        over=ended(verdict(battle), ADJECTIVE.__getitem__),
    )


@dataclass
class _Telling:
    """What happened, as one who sees all would tell it, and its traces on the map, up to some fact."""

    scene: Scene
    was: Battle
    facts: list[Fact] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)

    def goes_on(self, scene: Scene, facts: Sequence[Fact]) -> bool:
        """Whether *facts* begin with those that are told."""
        return (
            scene is self.scene
            and 0 < len(self.facts) <= len(facts)
            and all(one is other for one, other in zip(self.facts, facts, strict=False))
        )

    def tell(self, facts: Sequence[Fact]) -> None:
        """Tell those that are new."""
        for fact in facts[len(self.facts) :]:
            # What a side saw of the other stands on its own page.
            if not isinstance(fact, o.Sighting):
                self.lines += [line for line in tell(self.scene, fact, self.was, GM) if isinstance(line, Line)]
                trace = trace_of(self.was, fact)
                self.traces += [trace] if trace is not None else []
            self.was = evolve(self.was, fact)
            self.facts.append(fact)


def told_of(scene: Scene, truth: Battle, facts: Sequence[Fact]) -> tuple[list[Line], tuple[Trace, ...]]:
    """What happened, as one who sees all would tell it, and its traces on the map."""
    telling = _Telling(scene, _before(truth, facts))
    telling.tell(facts)
    return telling.lines, tuple(telling.traces)


def drawn_of(scene: Scene, truth: Battle, facts: Sequence[Fact]) -> tuple[list[Line], tuple[Trace, ...]]:
    """As `told_of`, but for no more than is drawn: where what was lost, who went whence and whither, who fired at whom.

    Whoever looks back on a turn asks it of ever more of the same facts: each is told once.
    """
    if not (_LATEST and _LATEST[0].goes_on(scene, facts)):
        _LATEST[:] = [_Telling(scene, _before(truth, facts))]
    telling = _LATEST[0]
    telling.tell(facts)
    return [line for line in telling.lines if line.lost is not None], tuple(telling.traces)


_LATEST: list[_Telling] = []
"""What was told last, for whoever goes on from there."""


def _before(truth: Battle, facts: Sequence[Fact]) -> Battle:
    """The field with each unit where it first stood in *facts*, under the name that it still has."""
    units = dict(truth.units)
    for fact in reversed(facts):
        start, name = getattr(fact, "start", None), getattr(fact, "unit", "")
        if start is not None and name in units:
            units[name] = replace(units[name], front=start)
    return replace(truth, units=units)


def true_picture(field: Field, lines: Sequence[Line]) -> Picture:
    """The field as it is; *lines* are those that tell of the losses."""
    drawn = picture(field, SIDES[0], "The field as it is", lines)
    words = tuple(
        (cap(side_name(side)), "; ".join(one.words for one in drawn.troops if one.own == (side == SIDES[0])) + ".")
        for side in SIDES
    )
    return replace(
        drawn,
        whose="as it is",
        arcs=tuple(arc for side in SIDES for arc in arcs(field, side)),
        caption=drawn.caption.replace("own guns", "guns").removesuffix("  c3 is contact 3."),
        words=words,
    )


def _strip(battle: Battle) -> Iterator[Figure]:
    for side in SIDES:
        units = [one for one in battle.units.values() if one.side == side]
        good = sum(one.in_order for one in units)
        whole, fallen = sum(sum(one.full) for one in units), sum(one.fallen for one in units)
        chits = sum(one.chits for one in units if one.there)
        note = f"{whole - fallen} of {whole} figures, {counted(chits, 'chit') if chits else 'no chits'}"
        yield Figure(cap(side_name(side)), f"{good} of {len(units)} good", note)


def _forces(field: Field) -> Iterator[Table]:
    """Both armies by brigade; guns that nobody serves stand but once."""
    for side in SIDES:
        senior = next(one.role for one in field.scene.commanders if side_of(one.role) == side)
        for table in own_tables(field, senior):
            if side == SIDES[0] or table.columns[0] != "Guns":
                yield replace(table, caption=table.caption.replace(", another’s command", ""))


def _unseen(battle: Battle) -> Table:
    """Each unit on the field by what the enemy has of it."""
    rows = []
    for unit in sorted(battle.units.values(), key=lambda one: (SIDES.index(one.side), natural(one.id))):
        if unit.there:
            label = battle.labels.get(ENEMY[unit.side], {}).get(unit.id)
            known = "not seen" if label is None else "known by name" if label == unit.id else label
            rows.append((unit.id, ADJECTIVE[unit.side], at(unit.front), known))
    columns = ("Unit", "Side", "Stands at", "The enemy has it as")
    return Table(caption="What each side has of the other.", columns=columns, rows=tuple(rows))


def _standing(scene: Scene, battle: Battle) -> Table:
    rows = [(one.role, line) for one in scene.commanders for line in standing_lines(scene, battle, one.role)]
    caption = "Standing orders, which the other side does not know; those behind # are the defaults."
    return Table(caption=caption, columns=("Of", "Order"), rows=tuple(rows))


def _score(field: Field) -> tuple[Table, ...]:
    aims = aims_table(field)
    return () if aims is None else (replace(aims, columns=(*aims.columns[:-1], "Held by now")),)
