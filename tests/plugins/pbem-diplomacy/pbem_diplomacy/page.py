"""One power's page, facts in words, and how a game is looked back on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec.structs import replace

from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Pause
from pbem.orders.prose import cap, listed
from pbem.orders.sheet import offered
from pbem.rules import reel
from pbem.rules.page import Frame, frame, page
from pbem.rules.past import Past, Rests
from pbem.rules.reel import Figures
from pbem.rules.telling import footnote
from pbem.rules.view import Fact as Figure
from pbem.rules.view import Table, Told, View
from pbem_diplomacy.board import Kind, Place, province_of
from pbem_diplomacy.map import BOARD, at_length, spoken
from pbem_diplomacy.outcomes import (
    ArmyConvoyed,
    BuildWaived,
    CentreTaken,
    Fact,
    GameEnded,
    MoveFailed,
    OrderFailed,
    PhaseBegan,
    PowersLed,
    ProvinceContested,
    UnitBuilt,
    UnitDislodged,
    UnitHeld,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    UnitRetreated,
    UnitSupported,
)
from pbem_diplomacy.picture import called, picture, power_of
from pbem_diplomacy.rules import builds, retreats, room, sites, surplus
from pbem_diplomacy.state import Europe, Scene, Trace, driven_out, own
from pbem_diplomacy.turn import EXCHANGES, now, verdict

HEADINGS = {
    "fights": "What came of it",
    "retreats": "Retreats",
    "builds": "Winter",
    "centres": "Supply centres",
    "end": "The end",
}
"""Of each phase of a fact; orders stand under the name of their power."""


# ------------------------------------------------------------------ the page


def view(scene: Scene, mind: Europe, role: Role, told: Sequence[Told], pause: Pause) -> View:
    """The page of *role*: all powers see the same, and each is asked for its own."""
    of, power = frame(role, told, pause, verdict(mind)), power_of(scene, role)
    when = _when(of.moment)
    return page(
        of,
        _gathered(
            line for line in told if not line.line and SEASONS[line.moment.exchange] == SEASONS[of.moment.exchange]
        ),
        lambda winner: power_of(scene, Role(winner)).name,
        quiet=cap(when),
        addressed=power.commander,
        dateline=f"{scene.place}, {when}.",
        strip=(
            Figure("Centres", str(mind.vp[role])),
            Figure("Units", str(len(own(mind, role)))),
            Figure("To win", str(mind.options.victory)),
        ),
        brief=(_brief(scene, mind, role, of),),
        picture=picture(scene, mind, role, _drawn(mind, of.moment)),
        own=(_units(mind, role),),
        enemy=(_others(scene, mind, role),),
        score=(_centres(scene, mind),),
        owed="" if of.call is None else OWED[mind.phase],
        template=_template(mind, role) if of.call else (),
    )


SEASONS = {0: "spring", 1: "spring", 2: "spring", 3: "autumn", 4: "autumn", 5: "winter"}
"""Of each exchange the season: a page tells of one."""

OWED = {"moves": "orders for your units", "retreats": "retreats", "builds": "builds and removals"}


def _when(moment: Moment) -> str:
    """`spring 1901`, `the retreats of spring 1901`."""
    for (season, phase), (number, _) in EXCHANGES.items():
        if number == moment.exchange:
            time = f"{'winter' if phase == 'builds' else season} {moment.turn}"
            return f"the retreats of {time}" if phase == "retreats" else time
    return str(moment.turn)


def _gathered(lines: Iterable[Told]) -> list[Told]:
    """The orders of each power in one paragraph, and the centres that changed hands."""
    found: list[Told] = []
    for line in lines:
        last = found[-1] if found else None
        if last is None or (last.moment, last.phase) != (line.moment, line.phase) or line.phase == HEADINGS["fights"]:
            found.append(line)
            continue
        heavier = line if line.weight > last.weight else last
        found[-1] = replace(
            heavier, text=f"{last.text} {line.text}", notes=tuple(dict.fromkeys((*last.notes, *line.notes)))
        )
    return found


def _drawn(mind: Europe, moment: Moment) -> tuple[Trace, ...]:
    """What was ordered in an exchange."""
    return tuple(
        one
        for one in mind.traces
        if one.time[0] == moment.turn and EXCHANGES[one.time[1], one.time[2]][0] == moment.exchange
    )


def _brief(scene: Scene, mind: Europe, role: Role, of: Frame) -> str:
    held, most = mind.vp[role], max(mind.vp.values())
    leaders = [power_of(scene, side).name for side, centres in mind.vp.items() if centres == most]
    first = f"{'Nobody' if not most else listed(leaders)} {'has' if len(leaders) < 2 else 'have'} most: {most}."
    unled = [power_of(scene, side).name for side in mind.disorder]
    order = f"  In civil disorder: {listed(unled)}." if unled else ""
    return f"You hold {held} of {len(BOARD.centres)} supply centres.  {first}{order}{_asked(scene, mind)}"


def _asked(scene: Scene, mind: Europe) -> str:
    """Who else has something to order, in an exchange that is not for all."""
    if mind.phase == "retreats":
        who = sorted({mind.units[name].side for name in mind.dislodged} - {*mind.disorder})
        return f"  Retreats are due from {listed([power_of(scene, side).name for side in who])}." if who else ""
    if mind.phase == "builds":
        due = [
            f"{power_of(scene, side).name} {'builds' if room(mind, side) > 0 else 'removes'} {_count(mind, side)}"
            for side in mind.powers
            if _count(mind, side) and side not in mind.disorder
        ]
        return f"  {'; '.join(due)}." if due else ""
    return ""


def _count(mind: Europe, side: Role) -> int:
    return builds(BOARD, mind, side) if room(mind, side) > 0 else -room(mind, side)


def _units(mind: Europe, role: Role) -> Table:
    units = sorted(own(mind, role).items(), key=lambda one: at_length(one[1].at))
    rows = tuple(
        (
            "Army" if unit.kind == "A" else "Fleet",
            at_length(unit.at),
            unit.at.upper(),
            "must retreat" if name in mind.dislodged else "",
        )
        for name, unit in units
    )
    return Table(columns=("unit", "in", "as orders call it", ""), rows=rows)


def _others(scene: Scene, mind: Europe, role: Role) -> Table:
    """Where the units of the other powers stand."""
    rows = tuple(
        (power_of(scene, side).name, _places(mind, side, "A"), _places(mind, side, "F"))
        for side in scene.roles
        if side != role
    )
    return Table(columns=("power", "armies", "fleets"), rows=rows)


def _places(mind: Europe, side: Role, kind: Kind) -> str:
    names = [
        f"{at_length(unit.at)}{' (must retreat)' if name in mind.dislodged else ''}"
        for name, unit in own(mind, side).items()
        if unit.kind == kind
    ]
    return ", ".join(sorted(names))


def _centres(scene: Scene, mind: Europe) -> Table:
    """Who holds what."""
    rows = []
    for side, held in mind.vp.items():
        names = sorted(BOARD.provinces[key].name for key, holder in mind.owners.items() if holder == side)
        rows.append((power_of(scene, side).name, str(held), str(len(own(mind, side))), ", ".join(names)))
    nobodys = sorted(BOARD.provinces[key].name for key in BOARD.centres if key not in mind.owners)
    if nobodys:
        rows.append(("Nobody", str(len(nobodys)), "", ", ".join(nobodys)))
    return Table(
        columns=("power", "centres", "units", "which"), rows=tuple(rows), caption="Supply centres", numbers=(1, 2)
    )


def _template(mind: Europe, role: Role) -> tuple[str, ...]:
    """Lines to begin from: sent back as they are they order what silence does; what is offered stands behind `#`."""
    match mind.phase:
        case "moves":
            return tuple(f"{unit.kind} {unit.at.upper()} H" for unit in own(mind, role).values())
        case "retreats":
            return tuple(
                offered(f"{unit.kind} {unit.at.upper()} R ...", _either(retreats(BOARD, mind, name)), column=28)
                for name, unit in driven_out(mind, role).items()
            )
        case "builds" if room(mind, role) < 0:
            gone = [mind.units[name] for name in surplus(BOARD, mind, role)]
            return tuple(f"remove {unit.kind} {unit.at.upper()}" for unit in gone)
        case _:
            return tuple(offered(f"build A {key.upper()}", column=28) for key in sites(BOARD, mind, role))


def _either(places: Sequence[Place]) -> str:
    return " or ".join(place.upper() for place in places) or "nowhere"


# ------------------------------------------------------------------ facts in words


def tell(scene: Scene, fact: Fact, mind: Europe, role: Role) -> Sequence[Told]:
    """A fact in words; of one's own order besides what became of its line."""
    text = sentence(scene, fact, mind)
    if not text:
        return ()
    happened = Told(
        moment=now(mind),
        phase=_heading(scene, fact),
        text=text,
        notes=footnote(fact),
        weight=WEIGHTS.get(type(fact), 1) + (role in (getattr(fact, "side", None), getattr(fact, "was", None))),
        headline=_headline(text),
    )
    line = getattr(fact, "line", 0)
    if not line or role != _writer(fact):
        return (happened,)
    answer = Told(moment=happened.moment, phase=happened.phase, text=text, line=line, result=_became(fact))
    return (answer,) if isinstance(fact, OrderFailed) else (happened, answer)


def _headline(text: str) -> str:
    """As much of a sentence as a headline holds."""
    return " ".join(text.rstrip(".").split()[:7])


def _heading(scene: Scene, fact: Fact) -> str:
    """Orders stand under their power, what came of them below."""
    if fact.phase == "moves":
        side = _writer(fact)
        return power_of(scene, side).name if side else "Orders"
    return HEADINGS.get(fact.phase, "Before all")


def _writer(fact: Fact) -> Role | None:
    """The power of whose sheet a fact came."""
    return None if isinstance(fact, CentreTaken) else getattr(fact, "side", None)


def _became(fact: Fact) -> Literal["done", "not carried out"]:
    """What became of the line that a fact came of."""
    match fact:
        case MoveFailed() | OrderFailed():
            return "not carried out"
        case UnitSupported() | ArmyConvoyed() if fact.fate != "done":
            return "not carried out"
        case UnitRemoved() if fact.cause in ("met", "no way"):
            return "not carried out"
        case _:
            return "done"


WEIGHTS: Mapping[type[Fact], int] = {
    UnitMoved: 2,
    UnitDislodged: 6,
    UnitRemoved: 5,
    CentreTaken: 7,
    UnitBuilt: 4,
    PowersLed: 3,
    GameEnded: 9,
}
"""What makes the headline; what is one's own before what is another's."""


def sentence(scene: Scene, fact: Fact, mind: Europe) -> str:
    """A fact in a sentence, as it is told to everybody; empty: it needs no words."""
    match fact:
        case UnitMoved():
            over = " by convoy" if fact.sea else ""
            return f"{_kind(mind, fact.unit)} {at_length(fact.start)} to {at_length(fact.end)}{over}."
        case MoveFailed():
            why = WHY_NOT.get(fact.fate, "it cannot be carried out")
            return f"{_kind(mind, fact.unit)} {at_length(fact.start)} to {at_length(fact.end)}: {why}."
        case UnitHeld():
            return f"{_kind(mind, fact.unit)} {at_length(fact.at)} holds{'' if fact.line else ', without an order'}."
        case UnitSupported() | ArmyConvoyed():
            return _lent(scene, fact, mind)
        case UnitDislodged():
            by = f"by the attack from {spoken(fact.whence)}" if fact.whence else "from over the sea"
            return f"{cap(_named(scene, mind, fact.unit, fact.at))} is dislodged {by}."
        case ProvinceContested():
            return f"Nobody gets into {spoken(fact.province)}."
        case UnitRetreated():
            return f"{cap(_named(scene, mind, fact.unit, fact.start))} retreats to {spoken(fact.end)}."
        case UnitRemoved():
            goal = f" {spoken(fact.end)}" if fact.end else ""
            return f"{cap(_named(scene, mind, fact.unit, fact.at))} is disbanded: {CAUSES[fact.cause]}{goal}."
        case UnitBuilt():
            kind = "an army" if fact.arm == "A" else "a fleet"
            return f"{power_of(scene, fact.side).name} builds {kind} in {at_length(fact.at)}."
        case BuildWaived():
            return f"{power_of(scene, fact.side).name} does without a unit."
        case _:
            return _of_state(scene, fact)


def _of_state(scene: Scene, fact: Fact) -> str:
    match fact:
        case OrderFailed():
            return f'"{fact.text}" came to nothing: things have changed since it was written.'
        case CentreTaken(side=None):
            return f"{at_length(fact.province)} is nobody's."
        case CentreTaken(side=side) if fact.phase and side is not None:
            was = f" from {power_of(scene, fact.was).name}" if fact.was else ""
            return f"{power_of(scene, side).name} takes {at_length(fact.province)}{was}."
        case PowersLed():
            names = listed([power_of(scene, side).name for side in fact.sides])
            one = len(fact.sides) == 1
            if fact.disorder:
                return f"{names} {'is' if one else 'are'} in civil disorder: nobody leads {'it' if one else 'them'}."
            return f"{names} {'is' if one else 'are'} led again."
        case GameEnded():
            if fact.winner:
                return f"{power_of(scene, fact.winner).name} rules Europe."
            return "The last year is over, and nobody has won."
        case _:
            return ""


WHY_NOT = {
    "bounced": "it is thrown back",
    "broken": "a fleet on its way was dislodged",
    "paradox": "its convoy would hold only if it did not",
    "no_convoy": "no fleets carried it all the way",
    "illegal": "it could not get there",
}
CAUSES = {
    "ordered": "as its power wished",
    "no way out": "it had nowhere to go",
    "not ordered": "no order came",
    "met": "another would go to the same place,",
    "no way": "it could not go to",
    "disorder": "its power is in civil disorder",
    "ruling": "the GM took it off the board",
}


def _lent(scene: Scene, fact: UnitSupported | ArmyConvoyed, mind: Europe) -> str:
    """A support or a convoy."""
    verb = "supports" if isinstance(fact, UnitSupported) else "carries"
    other = mind.units.get(fact.other)
    foreign = other is not None and fact.unit in mind.units and other.side != mind.units[fact.unit].side
    whose = f"{power_of(scene, other.side).adjective} " if other is not None and foreign else ""
    what = f"{whose}{_kind(mind, fact.other).lower()} {at_length(fact.of)}"
    goal = f" to {at_length(fact.end)}" if fact.end else ""
    fates = {"cut": ": cut off", "void": ": it was ordered otherwise", "dislodged": ": the fleet was dislodged"}
    return f"{_kind(mind, fact.unit)} {at_length(fact.at)} {verb} {what}{goal}{fates.get(fact.fate, '')}."


def _kind(mind: Europe, name: str) -> str:
    unit = mind.units.get(name)
    return "Unit" if unit is None else "Army" if unit.kind == "A" else "Fleet"


def _named(scene: Scene, mind: Europe, name: str, at: Place) -> str:
    unit = mind.units.get(name)
    return f"the unit in {spoken(at)}" if unit is None else called(scene, unit)


def recount(scene: Scene, fact: Fact, europe: Europe) -> Sequence[Told]:
    """A fact whole, for the GM's log."""
    text = sentence(scene, fact, europe)
    match fact:
        case UnitPlaced():
            kind = "an army" if fact.arm == "A" else "a fleet"
            text = f"{power_of(scene, fact.side).name} has {kind} in {at_length(fact.at)}."
        case CentreTaken() if not text and fact.side:
            text = f"{power_of(scene, fact.side).name} has {at_length(fact.province)}."
        case PhaseBegan():
            text = f"{EXCHANGES[fact.season, fact.begins][1]} {fact.year}, begins."
        case _:
            pass
    return (Told(moment=now(europe), phase=_heading(scene, fact), text=text),) if text else ()


# ------------------------------------------------------------------ looking back


def _sides(scene: Scene) -> Sequence[reel.Side]:
    return [reel.Side(power.role, power.name, power.style, (power.role,)) for power in scene.powers]


def _figures(scene: Scene, europe: Europe) -> Sequence[Figures]:
    return [Figures(side, lost=None, left=len(own(europe, side)), score=held) for side, held in europe.vp.items()]


def _rests(fact: Fact) -> Rests:
    """Which units and provinces a fact is about, and by whose line."""
    units = tuple(name for field in ("unit", "other") if (name := getattr(fact, field, "")))
    places = (getattr(fact, field, "") for field in ("start", "at", "of", "end", "province"))
    where = tuple(dict.fromkeys(province_of(place) for place in places if place))
    line = getattr(fact, "line", 0)
    writer = _writer(fact) if line else None
    return Rests(units, where, role=writer or Role(""), line=line)


PAST: Past[Scene, Europe, Europe, Fact] = Past(
    sides=_sides,
    called=lambda scene, role: power_of(scene, role).commander,
    picture=lambda scene, mind, role, told, moment: picture(scene, mind, role, _drawn(mind, moment)),
    truth=lambda scene, europe, minds, facts, moment: picture(scene, europe, None, _drawn(europe, moment)),
    figures=_figures,
    clock=lambda scene, europe: _when(now(europe)).removeprefix("the retreats of ").capitalize(),
    rests=_rests,
    favour=lambda scene, fact, throw: None,
)
