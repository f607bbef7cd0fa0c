"""What truly happened, move by move, in the umpire's words: each die, modifier and rule ID in the small print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, structs

from pbem.ground.bearing import compass
from pbem.ground.plane import Point
from pbem.kernel.event import Outcome, Throw, kind_of
from pbem.kernel.names import Moment, RuleId
from pbem.rules.view import Note, Told
from pbem.systems.kriegsspiel.gm.truth_fights import FIGHTS, LOSSES, Words, named
from pbem.systems.kriegsspiel.gm.truth_papers import KINDS, Papers, ordered_by, words
from pbem.systems.kriegsspiel.scene.scene import Scene
from pbem.systems.kriegsspiel.scene.wording import form_words, place_words
from pbem.systems.kriegsspiel.tables.dice import DICE
from pbem.systems.kriegsspiel.world import outcomes as o
from pbem.systems.kriegsspiel.world.fact import Fact

OWN_FIELDS = {*Fact.__struct_fields__}
BEARINGS = ("facing", "heading")
"""Fields in hundredths of a degree: they are told as points of the compass."""


# ------------------------------------------------------------------ what is told together, move by move

MARCHES: Mapping[type[Fact], Words] = {
    o.UnitMoved: lambda scene, one: (
        f"{named(one.unit)} {one.paces} paces to {place_words(scene, one.to)} ({one.to.x},{one.to.y}), {one.row}"
        + (f": {', '.join(one.cost_pieces)}" if one.cost_pieces else "")
    ),
    o.UnitHalted: lambda scene, one: f"{named(one.unit)} halts: {one.cause} {named(one.by)}".rstrip(),
    o.ColumnDelay: lambda scene, one: f"{named(one.unit)} waits {one.twelfths}/12 of a move ({one.rule})",
    o.FormationChanged: lambda scene, one: (
        f"{named(one.unit)} {'is in' if one.done else 'changes to'} {form_words(one.to)}"
        + ("" if one.done else f" from {form_words(one.start)}")
    ),
    o.SkirmishersOut: lambda scene, one: f"{named(one.unit)}: {one.zugs} zugs out, {one.ahead} paces ahead",
    o.SkirmishersIn: lambda scene, one: f"{named(one.unit)}: {one.zugs} zugs in",
    o.PersonMoved: lambda scene, one: f"{one.person} rides to {place_words(scene, one.path[-1])}",
}
ORDERS: Mapping[type[Fact], Words] = {
    o.OrderEffective: lambda scene, one: f"{named(one.unit)} takes as its own: {one.order}",
    o.OrderDone: lambda scene, one: f"{named(one.unit)} has done: {one.order}",
    o.OrderFailed: lambda scene, one: f"{named(one.unit)} cannot: {one.order} ({one.reason})",
    o.TriggerFired: lambda scene, one: f"{named(one.unit)}: {one.condition} has come true: {one.order}",
    o.ReactionUsed: lambda scene, one: (
        f"{named(one.unit)} reacts to {one.key}: {one.value}{' of itself' if one.default else ''}"
    ),
}
SIGHT: Mapping[type[Fact], Words] = {
    o.Sighted: lambda scene, one: (
        f"{named(one.observer)} sees {named(one.body)} at {one.distance} paces: {one.level}"
        + (f", {one.arm}" if one.arm else "")
        + (f", taken for {one.strength_est} blocks" if one.strength_est else "")
        + (f" at {one.pos_est.x},{one.pos_est.y}" if one.pos_est else "")
    ),
    o.LostFromSight: lambda scene, one: f"{named(one.observer)} loses {named(one.body)} from sight",
}
TOGETHER: Mapping[str, Mapping[type[Fact], Words]] = {
    "Losses.": LOSSES, "Orders.": ORDERS, "Marches.": MARCHES, "Sightings.": SIGHT,
}  # fmt: skip
"""Headings, and what is told below each of a move in one line with the small print."""

SILENT = (o.Kept, o.MoveBegan, o.PaperRode, o.WayFound)
"""What says nothing that the tables and the map do not."""

ALONE: Mapping[type[Fact], Words] = {
    **FIGHTS,
    o.TurnStarted: lambda scene, one: f"The run of turn {one.turn_no} begins.",
    o.TurnEnded: lambda scene, one: (
        f"The run stops: {one.cause.replace('_', ' ')} {', '.join(one.interrupts)}".rstrip() + "."
    ),
    o.ParleySent: lambda scene, one: (
        f"{one.person}, to the enemy under a flag of truce: “{one.text}” "
        + (f"It is carried to {one.to}." if one.carried else "You keep it.")
    ),
    o.IntentionFiled: lambda scene, one: f"{one.person} means: “{one.text}”",
    o.ArrivalDue: lambda scene, one: (
        f"{named(one.unit)} {'waits at' if one.waits else 'enters by'} {scene.chart.entries[one.entry].name}."
    ),
}


def happened(scene: Scene, facts: Iterable[Fact], moment: Moment, papers: Papers) -> Iterator[Told]:
    """The facts of the truth among *facts*, in order: what weighs by itself, all else of a move together.

    *papers* are all that were ever begun.
    """
    moves: dict[int, list[Fact]] = {}
    for fact in facts:
        if not fact.known and not isinstance(fact, SILENT):
            moves.setdefault(fact.move, []).append(fact)
    for move, come in moves.items():
        phase = f"{scene.clock(move)}, move {move}" if move else "Before the first move"
        for fact in come:
            if isinstance(fact, o.PaperCaptured):
                yield _of_papers(scene, "Paper captured.", [fact], moment, phase, papers)
            elif not isinstance(fact, KINDS) and not any(type(fact) in kinds for kinds in TOGETHER.values()):
                yield _alone(scene, fact, moment, phase)
        if written := [fact for fact in come if isinstance(fact, KINDS)]:
            yield _of_papers(scene, "Papers.", written, moment, phase, papers)
        for head, kinds in TOGETHER.items():
            lines = _newest([fact for fact in come if type(fact) in kinds])
            if lines:
                yield _together(scene, head, kinds, lines, moment, phase, papers)


def _newest(facts: Sequence[Fact]) -> list[Fact]:
    """Without moves of no paces, and of what an observer sees of a body in a move the last alone."""
    told: dict[object, Fact] = {}
    for number, fact in enumerate(facts):
        if isinstance(fact, o.UnitMoved) and not fact.paces:
            continue
        key = (fact.observer, fact.body) if isinstance(fact, (o.Sighted, o.LostFromSight)) else number
        told[key] = fact
    return list(told.values())


def _of_papers(scene: Scene, head: str, facts: Sequence[Fact], moment: Moment, phase: str, papers: Papers) -> Told:
    """What came to pass with papers, sentence by sentence, and their rules in the small print."""
    said = [words(scene, papers, fact) for fact in facts]
    rules = tuple(dict.fromkeys(rule for fact in facts for rule in fact.rules))
    return Told(
        moment=moment,
        phase=phase,
        lead=head,
        text=" ".join(f"{text[:1].upper()}{text[1:]}." for text in said),
        notes=(Note("By", tuple(throw for fact in facts for throw in fact.dice), rules),),
    )


def _together(
    scene: Scene,
    head: str,
    kinds: Mapping[type[Fact], Words],
    facts: Sequence[Fact],
    moment: Moment,
    phase: str,
    papers: Papers,
) -> Told:
    notes: list[Note] = []
    rules: tuple[RuleId, ...] = ()
    for fact in facts:
        if text := kinds[type(fact)](scene, fact):
            if isinstance(fact, o.OrderEffective):
                text += f" ({ordered_by(scene, papers, fact.by)})"
            # Of sightings a move has hundreds: what is seen by the same rules as the one above does not say them again.
            again = kinds is SIGHT and fact.rules == rules
            notes.append(Note(f"{text[:1].upper()}{text[1:]}.", fact.dice, () if again else fact.rules))
            rules = fact.rules
    bodies = list(dict.fromkeys(_whose(fact) for fact in facts))
    return Told(moment=moment, phase=phase, lead=head, text=f"{', '.join(bodies)}.", notes=tuple(notes))


def _whose(fact: Fact) -> str:
    for field in ("unit", "observer", "person", "battalion", "battery", "firer"):
        if field in fact.__struct_fields__:
            return named(getattr(fact, field))
    return ""


def _alone(scene: Scene, fact: Fact, moment: Moment, phase: str) -> Told:
    words = ALONE.get(type(fact))
    lead = kind_of(fact).partition(".")[2].replace("_", " ")
    return Told(
        moment=moment,
        phase=phase,
        lead=f"{lead[:1].upper()}{lead[1:]}.",
        text=words(scene, fact) if words else _plainly(scene, fact),
        notes=tuple(_small(scene, fact)),
    )


# ------------------------------------------------------------------ any fact, by its fields


def _fields(fact: Outcome) -> Iterator[tuple[str, object]]:
    for name, value in structs.asdict(fact).items():
        if name in BEARINGS and isinstance(value, int):
            yield name.replace("_", " "), compass(value)
        elif name not in OWN_FIELDS and value not in ("", (), None):
            yield name.replace("_", " "), value


def _plainly(scene: Scene, fact: Fact) -> str:
    """The fields of a fact that are words and numbers; lists of records are in the small print."""
    said = [f"{name} {text}" for name, value in _fields(fact) if (text := _said(scene, value))]
    return f"{'; '.join(said)}." if said else ""


def _said(scene: Scene, value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case Point():
            return f"{place_words(scene, value)} ({value.x},{value.y})"
        case str():
            return named(value)
        case tuple() if value and not isinstance(value[0], Struct):
            return ", ".join(_said(scene, one) for one in value)
        case int():
            return str(value)
        case _:  # a record, which is in the small print
            return ""


def _small(scene: Scene, fact: Fact) -> Iterator[Note]:
    for name, value in _fields(fact):
        if isinstance(value, tuple) and value and isinstance(value[0], Struct):
            for one in value:
                yield _record(scene, name, one)
    for throw in fact.dice:
        yield Note(_thrown(throw), (throw,))
    if fact.rules:
        yield Note("By", rules=fact.rules)


def _record(scene: Scene, name: str, record: Struct) -> Note:
    """A modifier, a strength, a loss: its own rule beside it."""
    fields = structs.asdict(record)
    ids = tuple(RuleId(str(fields.pop(key))) for key in ("rule_id", "rule") if fields.get(key))
    said = ", ".join(
        f"{key.replace('_', ' ')} {text}" for key, value in fields.items() if (text := _said(scene, value))
    )
    return Note(f"{name}: {said}", rules=ids)


def _thrown(throw: Throw) -> str:
    """A throw in the words of the apparatus: `melee, die III: black D, losses 25/10`."""
    die = next((part for part in throw.name.split("/") if part in DICE), "")
    if not die:
        return throw.purpose.replace("_", " ")
    face = DICE[die][throw.faces[0] - 1]
    numbers = "/".join(map(str, face.left)) if face.left else "none"
    flame = ", flame" if face.flame else ""
    said = f"{face.circle} {face.letter or ''}".strip()
    return (
        f"{throw.purpose.replace('_', ' ')}, die {die}: {said}, losses {face.losses[0]}/{face.losses[1]}, "
        f"fire {numbers}{flame}; it fell"
    )
