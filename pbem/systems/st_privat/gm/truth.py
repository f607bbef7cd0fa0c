"""The GM's page: the field as it is, what happened to both sides, and what lies under the cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.kernel.names import Moment, Role
from pbem.orders.prose import counted
from pbem.rules.contract import World
from pbem.rules.view import Table, Told, View
from pbem.systems.st_privat.field.field import Field, field_of
from pbem.systems.st_privat.mind.memory import traces_of
from pbem.systems.st_privat.page.drawing import picture
from pbem.systems.st_privat.page.forces import own_table
from pbem.systems.st_privat.page.sentences import told
from pbem.systems.st_privat.page.telling import tell
from pbem.systems.st_privat.page.view import courses, dateline, gathered, reaction_lines, score, strip, title_of
from pbem.systems.st_privat.play.victory import verdict
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import names, side_name
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world.fact import Fact
from pbem.systems.st_privat.world.pieces import ENEMY, FRENCH, SIDES, Piece
from pbem.systems.st_privat.world.state import Battle

GM = Role("umpire")

UNDONE = {"in part": "carried out in part", "not carried out": "not carried out"}


def recount(scene: Scene, fact: Fact, truth: Battle) -> Sequence[Told]:
    """A fact as one who sees all would tell it."""
    return tell(scene, fact, truth, GM)


def gm_page(
    scene: Scene, world: World[Battle, Battle], earlier: Sequence[Fact], facts: Sequence[Fact], moment: Moment
) -> View:
    """The GM's page of an exchange; *facts* are those of it, *earlier* all before."""
    of_turn = [fact for fact in (*earlier, *facts) if fact.turn == moment.turn]
    traces = tuple(trace for fact in of_turn for trace in traces_of(world.truth, fact))
    truth = replace(world.truth, traces=traces)
    field = field_of(scene, truth)
    # The page is that of the first side, to which all cards are open, and knows the other's secrets as well.
    drawn = picture(field, FRENCH, moment.turn)
    happened = gathered(tuple(_told(scene, truth, facts, moment)))
    over = verdict(truth)
    return View(
        role=GM,
        addressed="the umpire",
        moment=moment,
        title=title_of(happened, moment),
        dateline=dateline(scene, moment.turn),
        strip=strip(scene, truth, moment),
        brief=(),
        picture=replace(drawn, whose="as it is", caption=f"Row {scene.board.rows} is at the top."),
        happened=happened,
        own=tuple(
            replace(table, caption=f"Of {side_name(side)}.  {table.caption}")
            for side in SIDES
            for table in (own_table(field, side, moment.turn),)
        ),
        enemy=(_cards(field), _standing(truth)),
        score=score(scene, truth),
        courses=courses(scene, truth),
        over=over.how if over else "",
    )


def _told(scene: Scene, truth: Battle, facts: Sequence[Fact], moment: Moment) -> Iterator[Told]:
    """Each fact whole, in the words for one who is of neither side; and the lines of both that came to nothing."""
    for fact in facts:
        if isinstance(fact, o.OrderPlayed) and fact.result in ("in part", "not carried out"):
            text = f"Line {fact.line} of {side_name(fact.side)} was {UNDONE[fact.result]}.  {fact.text}"
            yield replace(told(fact, truth, text), moment=moment)
        for line in tell(scene, fact, _as_then(truth, fact), GM):
            if not line.line:
                yield replace(line, moment=moment)


def _as_then(truth: Battle, fact: Fact) -> Battle:
    """The truth with the side first that moved first when *fact* came to pass: the dice may have changed it since."""
    mover = next((truth.pieces[name].side for name in fact.changes), None)
    if mover is None or fact.phase not in ("move_first", "move_second"):
        return truth
    first = mover if fact.phase == "move_first" else ENEMY[mover]
    return replace(truth, first_mover=first, second_mover=ENEMY[first])


def _cards(field: Field) -> Table:
    """What the enemy sees of each square with cards, and what is so."""
    rows = []
    for at in field.by_square:
        for side in SIDES:
            for where in ("outside", "inside"):
                down = [p for p in field.at(at, side, where) if field.is_card(p)]
                if down:
                    place = f"{at} (inside)" if where == "inside" else at
                    rows.append((place, counted(len(down), "card"), ", ".join(map(_under, down))))
    hidden = [p for side in SIDES for p in field.own(side) if not p.on_table and p.square and p.kind == "siege_gun"]
    rows += [(gun.square or "", "nothing", f"{gun.id}, hidden from {side_name(ENEMY[gun.side])}") for gun in hidden]
    return Table(
        caption="What is hidden, and what it is.",
        columns=("Square", "The enemy sees", "It is"),
        rows=tuple(sorted(rows)),
    )


def _under(piece: Piece) -> str:
    if piece.kind == "dummy":
        return f"{piece.id} (dummy)"
    if piece.kind == "infantry" and piece.left < 3:
        return f"{names([piece.id])} ({piece.left} left)"
    return piece.id


def _standing(truth: Battle) -> Table:
    rows = [(side_name(side), line) for side in SIDES for line in reaction_lines(truth, side)]
    return Table(
        caption="Standing orders in force, which the other side does not know.",
        columns=("Of", "Order"),
        rows=tuple(rows),
    )
