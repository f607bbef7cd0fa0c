"""One role's page, and outcomes as prose."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.ground.picture import SQUARE, Block, Grid, Picture
from pbem.kernel.names import Moment, Role
from pbem.kernel.owed import Pause
from pbem.rules.page import frame, page
from pbem.rules.telling import footnote
from pbem.rules.view import Fact as Figure
from pbem.rules.view import Table, Told, View
from tests.systems.toy.outcomes import (
    CartHeard,
    CartLoaded,
    CartMoved,
    CartRemoved,
    Fact,
    GameEnded,
    HaltOver,
    LossRecorded,
    MoveFailed,
    PatrolFired,
    WatchSet,
)
from tests.systems.toy.state import GUARD, SMUGGLER, Field, Piece, Scene, own
from tests.systems.toy.turn import verdict

HEADINGS = {"move": "The carts", "fire": "The patrols", "end": "The end"}


def view(scene: Scene, mind: Field, role: Role, told: Sequence[Told], pause: Pause) -> View:
    """The page of *role*."""
    other = GUARD if role == SMUGGLER else SMUGGLER
    of = frame(role, told, pause, verdict(mind))
    call = of.call
    return page(
        of,
        [one for one in told if not one.line],
        "the {}".format,
        quiet=f"Turn {of.moment.turn}",
        addressed=f"the {role}",
        dateline=f"{scene.title}.  Turn {of.moment.turn}.",
        strip=(Figure("Points", str(mind.vp[role])),),
        brief=(f"{pause.name}.", f"{call.why}.") if call and call.why else (f"{pause.name}.",),
        picture=picture(scene, mind, role),
        own=(_table(own(mind, role)),),
        enemy=(_table(own(mind, other)),),
        standing=tuple(f"watch {name} {at}" for name, at in sorted(mind.watches.items())),
        score=(Table(columns=("side", "points"), rows=tuple((side, str(mind.vp[side])) for side in sorted(mind.vp))),),
        owed=" and ".join(call.sorts) if call else "",
        template=_template(mind, role, pause),
        over="" if mind.winner is None else f"The {mind.winner} has won.",
    )


def picture(scene: Scene, mind: Field, role: Role) -> Picture:
    """The valley as far as it is known."""
    blocks = tuple(
        Block(
            "card" if piece.side == SMUGGLER else "infantry",
            "first" if piece.side == SMUGGLER else "second",
            (piece.square * SQUARE - SQUARE // 2, SQUARE // 2),
            label=name,
            words=f"{name}, {_words(piece)}",
            count=1,
            own=piece.side == role,
            parts=(name,),
        )
        for name, piece in sorted(mind.pieces.items())
    )
    places = tuple(str(place) for place in range(1, scene.places + 1))
    return Picture(
        title=scene.title,
        whose=f"as known to the {role}",
        box=(0, 0, scene.places * SQUARE, SQUARE),
        grid=Grid(SQUARE, places, ("ford",)),
        blocks=blocks,
        words=(("The valley", "  ".join(f"{block.words}." for block in blocks)),),
    )


def _words(piece: Piece) -> str:
    known = [f"place {piece.square}"]
    if piece.men is not None:
        known.append(f"{piece.men} men")
    if piece.laden:
        known.append("laden")
    return ", ".join(known)


def _table(pieces: dict[str, Piece]) -> Table:
    rows = tuple((name, _words(piece)) for name, piece in pieces.items())
    return Table(columns=("piece", "state"), rows=rows)


def _template(mind: Field, role: Role, pause: Pause) -> tuple[str, ...]:
    call = pause.call(role)
    sorts = call.sorts if call else ()
    if call and pause.moment.halt:
        return tuple(f"watch {name} {at}" for name, at in sorted(mind.watches.items()) if name in mind.pieces)
    if "movement" in sorts:
        return tuple(f"move {name} to {piece.square}" for name, piece in own(mind, role).items())
    if "fire" in sorts:
        return tuple(f"# fire {name} at ..." for name in own(mind, role))
    return ()


def tell(scene: Scene, fact: Fact, mind: Field, role: Role) -> Sequence[Told]:
    """An outcome in words; of an order of one's own, also what became of the line."""
    text = _sentence(fact)
    if not text:
        return ()
    exchange = 1 if mind.phase == "move" else 2
    happened = Told(
        moment=Moment(mind.turn, exchange),
        phase=HEADINGS.get(fact.phase, "Before all"),
        text=text,
        notes=footnote(fact),
        weight=WEIGHTS.get(type(fact), 1),
        headline=text.rstrip("."),
    )
    match fact:
        case CartMoved(line=line) | MoveFailed(line=line) if line and role == SMUGGLER:
            done = isinstance(fact, CartMoved)
        case PatrolFired(line=line) | WatchSet(line=line) if line and role == GUARD:
            done = True
        case _:
            return (happened,)
    became = Told(
        moment=happened.moment,
        phase=happened.phase,
        text=text,
        line=line,
        result="done" if done else "not carried out",
    )
    return (happened, became)


WEIGHTS = {CartRemoved: 5, GameEnded: 9}


def _sentence(fact: Fact) -> str:
    match fact:
        case CartLoaded():
            return f"{fact.piece} is laden."
        case CartMoved():
            return f"{fact.piece} went from {fact.start} to {fact.end}."
        case MoveFailed():
            return f"{fact.piece} stayed: {fact.reason.replace('_', ' ')}."
        case WatchSet():
            return f"{fact.piece} watches {fact.square}."
        case CartHeard():
            return f"{fact.patrol} heard {fact.piece} at {fact.square}."
        case HaltOver():
            return "" if fact.asked else "There was no time to ask you: the patrols watch where they watched."
        case PatrolFired():
            return f"{fact.piece} fired at {fact.square}: {'hit' if fact.hit else 'missed'}."
        case LossRecorded():
            return f"{fact.piece} lost {fact.men}."
        case CartRemoved():
            return f"{fact.piece} was taken{', laden' if fact.laden else ''}."
        case GameEnded():
            return f"The {fact.winner} has won."
        case _:
            return ""
