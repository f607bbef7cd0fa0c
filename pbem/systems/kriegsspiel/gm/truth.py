"""The umpire's page: what is so, and beside it what each commander believes.  Nobody else is ever given it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import assert_never

from msgspec.structs import replace

from pbem.ground.plane import Point, distance
from pbem.kernel.names import Moment, Role
from pbem.orders.prose import cap, listed
from pbem.rules.contract import World
from pbem.rules.view import Fact as Figure
from pbem.rules.view import Table, Told, View
from pbem.systems.kriegsspiel.gm.truth_fights import named
from pbem.systems.kriegsspiel.gm.truth_map import papers_on_the_road, true_picture
from pbem.systems.kriegsspiel.gm.truth_papers import STATES, papers_of, who_is
from pbem.systems.kriegsspiel.gm.truth_told import TOGETHER, happened
from pbem.systems.kriegsspiel.mind.beliefs import believed
from pbem.systems.kriegsspiel.page.telling import paper_words
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.wording import form_words, place_words, strength_words, tiding_words
from pbem.systems.kriegsspiel.tables.fire import MAN_TW
from pbem.systems.kriegsspiel.tables.knowledge import INTERRUPTS, MOVE_MINUTES
from pbem.systems.kriegsspiel.turn.setup import counts
from pbem.systems.kriegsspiel.world.bodies import is_fresh, is_in_play
from pbem.systems.kriegsspiel.world.dispatches import Paper, Person
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.mind import Entry, Mind
from pbem.systems.kriegsspiel.world.state import War
from pbem.systems.kriegsspiel.world.strengths import told_losses
from pbem.systems.kriegsspiel.world.troops import SIDES, Side, Unit

UMPIRE = Role("umpire")


def recount(scene: Scene, fact: Fact, war: War) -> Sequence[Told]:
    """A fact as one who sees all would tell it; what a commander learns is told by what he knows."""
    papers = {**papers_of([fact]), **{paper.id: paper for paper in war.papers.values()}}
    told = happened(scene, [fact], Moment(war.clock.turn), papers)
    # What the page says of all of a move together stands there in the small print.
    return [
        replace(one, lead="", text=" ".join(note.text for note in one.notes)) if one.lead in TOGETHER else one
        for one in told
    ]


def umpire(
    scene: Scene, world: World[War, Mind], earlier: Sequence[Fact], facts: Sequence[Fact], moment: Moment
) -> View:
    """The umpire's page of an exchange, or of a halt in it; *facts* are those of it up to there."""
    war, clock = world.truth, world.truth.clock
    bodies = _bodies(chain(earlier, facts))
    minds = [(role, world.minds[role]) for role in sorted(world.minds)]
    tables = [_forces(scene, war, side) for side in SIDES]
    return View(
        role=UMPIRE,
        addressed="the umpire",
        moment=moment,
        title=f"The truth at {scene.clock(clock.move)}",
        dateline=f"{scene.place}, {scene.date}, {scene.clock(clock.move)}.  Move {clock.move}, turn {clock.turn}.",
        strip=_strip(scene, war),
        brief=tuple(_brief(scene, war)),
        picture=true_picture(scene, war),
        happened=tuple(happened(scene, facts, moment, papers_of(chain(earlier, facts)))),
        own=(*tables, _papers(scene, war), _losses(war), _tally(war)),
        enemy=tuple(
            table
            for role, mind in minds
            for table in (_enemy(scene, war, bodies, role, mind), _own(scene, war, role, mind))
        ),
        score=_score(war),
        over=clock.verdict,
    )


# ------------------------------------------------------------------ the head


def _strip(scene: Scene, war: War) -> tuple[Figure, ...]:
    clock = war.clock
    asked = ", ".join(f"{name} ({clock.why.get(name, '')})" for name in clock.called)
    road = papers_on_the_road(war)
    return (
        Figure("Asked now", f"{len(clock.called)}", asked or "nobody by himself"),
        Figure("On the road", f"{len(road)} papers", f"{sum(one.side == 'red' for one in road)} of them red"),
        Figure("Sky", clock.light.replace("_", " "), f"{clock.weather}, ground {clock.ground}"),
    )


def _brief(scene: Scene, war: War) -> Iterator[str]:
    for name, text in sorted(war.intentions.items()):
        yield f"{who_is(scene, name)} means: “{text}”"
    near = _nearest(war)
    if near:
        far, one, other = near
        yield f"{named(one.key)} and {named(other.key)} are nearest to each other: {far} paces."


def _nearest(war: War) -> tuple[int, Unit, Unit] | None:
    stand = [
        [war.units[key] for key in sorted(war.units) if _stands(war.units[key], side) and _formed(war.units[key])]
        for side in SIDES
    ]
    pairs = [(distance(a.place.at, b.place.at), a.key, b.key) for a in stand[0] for b in stand[1]]
    if not pairs:
        return None
    far, one, other = min(pairs)
    return far, war.units[one], war.units[other]


def _stands(unit: Unit, side: Side) -> bool:
    return unit.side == side and is_in_play(unit)


def _formed(unit: Unit) -> bool:
    return not unit.duty.parent or unit.size in ("battalion", "half_battalion", "squadron", "battery")


# ------------------------------------------------------------------ forces, papers, losses


def _men(tw: int) -> str:
    return str((tw + 6) // MAN_TW)


def _strength(unit: Unit) -> str:
    strength = unit.strength
    if unit.arm == "artillery":
        guns = strength.guns
        return f"{guns} guns; canister {strength.canister}, shot {strength.shot}"
    out = f", {len(strength.chain.zugs)} zugs out" if strength.chain.zugs else ""
    return f"{_men(strength.men_tw)} of {_men(strength.full_tw)} men{out}"


def _state(unit: Unit) -> str:
    said = [] if is_fresh(unit) else [unit.trial.state.replace("_", " ")]
    said.append(form_words(unit.place.formation))
    if unit.arm == "artillery":
        said.append("limbered" if unit.place.limbered else "unlimbered")
    if unit.change is not None:
        said.append(f"changing to {form_words(unit.change.to)}")
    if unit.trial.attacks:
        said.append(f"attacks {named(unit.trial.attacks)}")
    return ", ".join(said)


def _orders(unit: Unit) -> str:
    queue = "; then ".join(order.text for order in unit.duty.queue) or "none"
    if unit.duty.triggers:
        queue += f"; waits: {'; '.join(trigger.line.text for trigger in unit.duty.triggers)}"
    return queue


def _where(scene: Scene, unit: Unit) -> str:
    at = unit.place.at
    match unit.place.stand:
        case "map" | "afloat":
            return _spot(scene, at)
        case "off":
            return f"off the map, due {scene.clock(unit.enters)}"
        case "gone":
            return "gone"
        case other:
            assert_never(other)


def _spot(scene: Scene, at: Point) -> str:
    """Coordinates, and the words for them where there are any."""
    dots, said = f"{at.x},{at.y}", place_words(scene, at)
    return dots if said == dots else f"{dots}: {said}"


def _forces(scene: Scene, war: War, side: Side) -> Table:
    rows = [
        (unit.id, _strength(unit), str(unit.strength.points), _state(unit), _where(scene, unit), _orders(unit))
        for key in sorted(war.units)
        if (unit := war.units[key]).side == side
    ]
    persons = [
        (who_is(scene, name), "", "", person.state, _spot(scene, person.at),
         _riding(person))
        for name in sorted(war.persons)
        if (person := war.persons[name]).side == side and person.stand == "map"
    ]  # fmt: skip
    return Table(
        caption=f"{side.capitalize()} as it is",
        columns=("Unit", "Strength", "Points lost", "State", "Place", "Orders in hand"),
        rows=(*rows, *persons),
        numbers=(2,),
    )


def _riding(person: Person) -> str:
    ride = f"rides to {person.ride.to}" if person.ride is not None else "stays"
    return f"{ride}; {person.riders} riders, {person.staff} staff officers"


def _papers(scene: Scene, war: War) -> Table:
    rows = [_paper_row(scene, war.papers[key]) for key in sorted(war.papers)]
    return Table(
        caption="Papers that are not done with",
        columns=("Paper", "From", "To", "Written", "State", "Where it is", "Words"),
        rows=tuple(rows),
        note="" if rows else "There is none.",
    )


def _paper_row(scene: Scene, paper: Paper) -> tuple[str, ...]:
    at = paper.at if paper.state not in ("writing", "waiting") else paper.place
    urgent = ", urgent" if paper.priority == "urgent" else ""
    return (
        f"{paper.kind}{f' {paper.no}' if paper.no else ''}"
        + (f", copy {paper.copy}" if paper.copy > 1 else "")
        + urgent,
        who_is(scene, paper.sender),
        who_is(scene, paper.to),
        scene.clock(paper.written),
        STATES[paper.state],
        _spot(scene, at),
        paper_words(scene, paper.lines, paper.text),
    )


def _losses(war: War) -> Table:
    """As the apparatus has it: blocks, pieces and points, and what the units report of it."""
    rows = []
    for key in sorted(war.units):
        unit = war.units[key]
        strength, left = unit.strength, unit.strength.men_tw
        if unit.arm != "artillery" and left >= strength.full_tw and not strength.points and not strength.chain.points:
            continue
        if unit.arm == "artillery" and told_losses(unit) == "none" and not strength.points:
            continue
        rows.append(
            (named(key), str(strength.blocks), str(strength.points), str(strength.chain.points),
             _men(max(strength.full_tw - left, 0)), told_losses(unit))
        )  # fmt: skip
    return Table(
        caption="The table of losses",
        columns=(
            "Unit",
            "Blocks left",
            "Points since the last block",
            "Points of its chain",
            "Men lost",
            "As reported",
        ),
        rows=tuple(rows),
        numbers=(1, 2, 3, 4),
        note="" if rows else "Nobody has lost anything.",
    )


def _tally(war: War) -> Table:
    found = counts(war)
    rows = tuple((name, str(round(number))) for name, number in found.items() if number)
    return Table(caption="On the field, lost and taken", columns=("What", "Number"), rows=rows, numbers=(1,))


def _score(war: War) -> tuple[Table, ...]:
    if not war.scores:
        return ()
    rows = tuple((one.item, str(one.red * one.times), str(one.blue * one.times)) for one in war.scores)
    return (Table(caption="Items", columns=("Item", "Red", "Blue"), rows=rows, numbers=(1, 2)),)


# ------------------------------------------------------------------ believed and so


def _bodies(facts: Iterator[Fact]) -> Mapping[str, str]:
    """Whom each observer's own name for a body means: from all that was ever seen."""
    return {
        glimpse.ref: glimpse.body
        for fact in facts
        if fact.changes is not None and fact.changes.look is not None
        for glimpses in fact.changes.look.new.values()
        for glimpse in glimpses
    }


def _age(scene: Scene, mind: Mind, seen: int) -> str:
    return "now" if seen >= mind.move else f"{(mind.move - seen) * MOVE_MINUTES} min"


def _off(one: Point, other: Point) -> str:
    return f"{distance(one, other)} paces"


def _truly(scene: Scene, war: War, body: str, entry: Entry) -> tuple[str, str]:
    """Whom an entry is of and how he now stands; by how much its place is wrong."""
    unit = war.units.get(body.removesuffix("+"))
    if unit is not None and is_in_play(unit):
        return f"{named(unit.key)}: {_strength(unit)}, {_state(unit)}", _off(entry.tiding.at, unit.place.at)
    person = war.persons.get(body)
    if person is not None:
        return who_is(scene, body), _off(entry.tiding.at, person.at)
    return (f"{named(body)}, no longer on the map" if body else "no sighting: hearsay"), ""


def _enemy(scene: Scene, war: War, bodies: Mapping[str, str], role: Role, mind: Mind) -> Table:
    rows, known = [], set()
    for entry in mind.entries.values():
        tiding = entry.tiding
        body = bodies.get(tiding.ref, "")
        known.add(body.removesuffix("+"))
        truly, off = _truly(scene, war, body, entry)
        held = cap(tiding_words(scene, tiding)) if tiding.arm else cap(strength_words(tiding))
        rows.append((entry.id, held, truly, off, _age(scene, mind, tiding.seen), named(tiding.source)))
    unknown = [
        unit.id
        for key in sorted(war.units)
        if (unit := war.units[key]).side != mind.side and _stands(unit, unit.side) and key not in known
    ]
    return Table(
        caption=f"{role}: the enemy as he has him, and as he is",
        columns=("Entry", "As he has it", "Truly", "Place wrong by", "Age", "Source"),
        rows=tuple(rows),
        note=f"He has no entry of {listed(unknown)}." if unknown else "He has an entry of every body on the map.",
    )


def _own(scene: Scene, war: War, role: Role, mind: Mind) -> Table:
    rows = []
    for name, known in mind.own.items():
        unit = war.units.get(f"{mind.side}:{name}")
        if unit is None or known.state.stand != "map":
            continue
        where = believed(scene, mind, name, mind.move)
        at = where[0] if where is not None else known.state.at
        rows.append(
            (name, f"{at.x},{at.y}", f"{unit.place.at.x},{unit.place.at.y}", _off(at, unit.place.at),
             known.state.losses, told_losses(unit), known.state.doing or "–", _orders(unit),
             _age(scene, mind, known.state.seen))
        )  # fmt: skip
    why = ", ".join(INTERRUPTS[code].name.replace("_", " ") for code in mind.called if code in INTERRUPTS)
    return Table(
        caption=f"{role}: his own side as he has it, and as it is",
        columns=("Unit", "Believed at", "Truly at", "Wrong by", "Losses believed", "Losses", "Doing, he thinks",
                 "Orders in hand", "Age"),
        rows=tuple(rows),
        note=f"Called by: {why}." if why else "",
    )  # fmt: skip
