"""One role's page, facts as prose, and how a game is looked back on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec.structs import replace
from pbem.ground.picture import SQUARE, Block, Grid, Label, Picture, Way
from pbem.kernel.event import Throw
from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Pause
from pbem.orders.prose import cap, listed
from pbem.rules import reel
from pbem.rules.page import frame, page
from pbem.rules.past import Favour, Past, Rests, named
from pbem.rules.reel import Figures
from pbem.rules.telling import footnote
from pbem.rules.view import Fact as Figure
from pbem.rules.view import Table, Told, View

from bare_bones.outcomes import (
    CompanyBeaten,
    CompanyHeld,
    CompanyMarched,
    CompanyPlaced,
    CompanyRemoved,
    Fact,
    FightFought,
    GameEnded,
    MarchFailed,
    MenLost,
    TurnBegan,
    VillageTaken,
)
from bare_bones.state import Company, Scene, Side, Valley, own
from bare_bones.turn import verdict

HEADINGS = {"march": "The march", "fight": "The fights", "end": "The end of the turn"}


def side_of(scene: Scene, role: Role) -> Side:
    """A side of the scenario."""
    return next(side for side in scene.sides if side.role == role)


def called(scene: Scene, side: str) -> str:
    """What a side is called in a sentence."""
    return side_of(scene, Role(side)).name


def view(scene: Scene, mind: Valley, role: Role, told: Sequence[Told], pause: Pause) -> View:
    """The page of *role*: it is made from what that role knows, and from nothing else."""
    of, side = frame(role, told, pause, verdict(mind)), side_of(scene, role)
    enemies = [one for one in scene.roles if one != role]
    return page(
        of,
        [line for line in told if not line.line],
        lambda winner: called(scene, winner),
        quiet="Quiet in the valley",
        addressed=side.commander,
        dateline=f"{scene.place}, {scene.date}.  The last turn is {mind.options.last_turn}.",
        strip=(Figure("Villages", str(mind.vp[role])), Figure("Men fallen", str(mind.fallen[role]))),
        brief=(_brief(mind, role),),
        picture=picture(scene, mind, role),
        own=(_table(own(mind, role)),),
        enemy=tuple(replace(_table(own(mind, one)), caption=called(scene, one)) for one in enemies),
        score=(_score(scene, mind),),
        owed="" if of.call is None else f"marches for turn {pause.moment.turn}",
        template=_template(mind, role) if of.call else (),
    )


def _brief(mind: Valley, role: Role) -> str:
    held = [village for village, side in sorted(mind.holders.items()) if side == role]
    return f"You hold {listed(held)}." if held else "You hold no village."


def _table(companies: Mapping[str, Company]) -> Table:
    rows = tuple((name, one.at, "?" if one.men is None else str(one.men)) for name, one in companies.items())
    return Table(columns=("company", "stands in", "men"), rows=rows, numbers=(2,))


def _score(scene: Scene, mind: Valley) -> Table:
    rows = tuple((called(scene, side), str(held)) for side, held in mind.vp.items())
    return Table(columns=("side", "villages"), rows=rows, numbers=(1,))


def _template(mind: Valley, role: Role) -> tuple[str, ...]:
    """Lines to begin from: sent back as they are they order what silence does."""
    return tuple(f"hold {name}" for name in own(mind, role))


# ------------------------------------------------------------------ the map


def picture(scene: Scene, mind: Valley, role: Role) -> Picture:
    """The valley as far as it is known to *role*; to nobody (an empty role) if it is the truth."""
    columns = max(one.at[0] for one in scene.villages.values())
    rows = max(one.at[1] for one in scene.villages.values())
    letters = tuple(chr(ord("a") + number) for number in range(columns))
    return Picture(
        title=f"The valley before turn {mind.turn}",
        whose=f"as known to {side_of(scene, role).commander}" if role else "as it is",
        sides=tuple(side.name for side in scene.sides),
        box=(0, 0, columns * SQUARE, rows * SQUARE),
        grid=Grid(SQUARE, letters, tuple(str(number) for number in range(1, rows + 1))),
        ways=tuple(_roads(scene)),
        labels=tuple(Label(name, _corner(scene, name), "town") for name in scene.villages),
        blocks=tuple(_block(scene, mind, name, role) for name in sorted(mind.companies)),
        words=tuple((cap(name), _who_is(scene, mind, name)) for name in scene.villages),
    )


def _middle(scene: Scene, village: str) -> tuple[int, int]:
    column, row = scene.villages[village].at
    return (column * SQUARE - SQUARE // 2, row * SQUARE - SQUARE // 2)


def _corner(scene: Scene, village: str) -> tuple[int, int]:
    across, down = _middle(scene, village)
    return (across, down + SQUARE * 2 // 5)


def _roads(scene: Scene) -> list[Way]:
    pairs = {tuple(sorted((name, other))) for name, one in scene.villages.items() for other in one.next}
    return [Way("road", (_middle(scene, one), _middle(scene, other))) for one, other in sorted(pairs)]


def _block(scene: Scene, mind: Valley, name: str, role: Role) -> Block:
    company = mind.companies[name]
    men = "men unknown" if company.men is None else f"{company.men} men"
    return Block(
        "card" if company.men is None else "infantry",
        side_of(scene, company.side).style,
        _middle(scene, company.at),
        label=name,
        words=f"{name}, {called(scene, company.side)}, {men}",
        count=company.men or 1,
        own=company.side == role,
        parts=(name,),
    )


def _who_is(scene: Scene, mind: Valley, village: str) -> str:
    holder = mind.holders.get(village)
    held = f"Held by {called(scene, holder)}." if holder else "In nobody's hands."
    stand = [
        _block(scene, mind, name, Role("")).words for name, one in sorted(mind.companies.items()) if one.at == village
    ]
    return " ".join((held, *(f"{words}." for words in stand)))


# ------------------------------------------------------------------ facts in words


def tell(scene: Scene, fact: Fact, mind: Valley, role: Role) -> Sequence[Told]:
    """A fact in words, for who knows it; of one's own order besides what became of its line."""
    text = _sentence(scene, fact)
    if not text:
        return ()
    happened = Told(
        moment=Moment(mind.turn, 1),
        phase=HEADINGS.get(fact.phase, "Before all"),
        text=text,
        notes=footnote(fact),
        weight=WEIGHTS.get(type(fact), 1),
        headline=text.rstrip("."),
    )
    # A company that is no more is nobody's: who is told that it did not march had ordered it.
    if isinstance(fact, MarchFailed) or (
        isinstance(fact, CompanyMarched | CompanyHeld) and fact.company in own(mind, role)
    ):
        became: Literal["done", "not carried out"] = "not carried out" if isinstance(fact, MarchFailed) else "done"
        line = Told(moment=happened.moment, phase=happened.phase, text=text, line=fact.line, result=became)
        return (line,) if isinstance(fact, CompanyHeld) else (happened, line)
    return (happened,)


WEIGHTS = {VillageTaken: 3, FightFought: 4, CompanyRemoved: 5, GameEnded: 9}
"""What makes the headline."""


def _sentence(scene: Scene, fact: Fact) -> str:
    match fact:
        case CompanyMarched():
            return f"{fact.company} marched from {fact.start} to {fact.end}."
        case CompanyHeld():
            return f"{fact.company} stayed."
        case MarchFailed():
            return f"{fact.company} did not march: it was {fact.reason}."
        case FightFought():
            won = f"{called(scene, fact.winner)} won" if fact.winner else "nobody was the stronger"
            return f"They fought for {fact.village}: {won}."
        case MenLost():
            return f"{fact.company} lost {fact.men}."
        case CompanyBeaten():
            return f"{fact.company} went home to {fact.end}."
        case CompanyRemoved():
            return f"{fact.company} is no more: {fact.cause}."
        case VillageTaken():
            return f"{cap(fact.village)} is in the hands of {called(scene, fact.side)}."
        case GameEnded():
            return f"{called(scene, fact.winner)} has won." if fact.winner else "The game ends, and nobody has won."
        case _:  # what needs no words: it is on the map, or in the next fact
            return ""


def recount(scene: Scene, fact: Fact, valley: Valley) -> Sequence[Told]:
    """A fact whole, for the GM's log."""
    text = _sentence(scene, fact)
    if isinstance(fact, CompanyPlaced):
        text = f"{fact.company} begins in {fact.at} with {fact.men} men."
    if isinstance(fact, TurnBegan):
        text = f"Turn {fact.turn} begins."
    return (Told(moment=Moment(valley.turn, 1), phase=HEADINGS.get(fact.phase, ""), text=text),) if text else ()


# ------------------------------------------------------------------ looking back


def _sides(scene: Scene) -> Sequence[reel.Side]:
    return [reel.Side(side.role, side.name, side.style, (side.role,)) for side in scene.sides]


def _figures(scene: Scene, valley: Valley) -> Sequence[Figures]:
    return [
        Figures(
            side, lost=valley.fallen[side], left=sum(one.men or 0 for one in own(valley, side).values()), score=held
        )
        for side, held in valley.vp.items()
    ]


def _favour(scene: Scene, fact: Fact, throw: Throw) -> Favour | None:
    """To whom a throw was good: the last word of its name says whose it is."""
    side = str(throw.name).rpartition("-")[2]
    return Favour(side, "high") if isinstance(fact, FightFought) else None


PAST: Past[Scene, Valley, Valley, Fact] = Past(
    sides=_sides,
    called=lambda scene, role: side_of(scene, role).commander,
    picture=lambda scene, mind, role, told, moment: picture(scene, mind, role),
    truth=lambda scene, valley, minds, facts, moment: picture(scene, valley, Role("")),
    figures=_figures,
    clock=lambda scene, valley: f"Turn {valley.turn}",
    rests=lambda fact: Rests(named(fact, ("company",)), named(fact, ("village", "at", "start", "end"))),
    favour=_favour,
)
