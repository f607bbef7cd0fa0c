"""A stretch of play: facts are applied as they come to pass, so that the next step sees them."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.kernel.names import Role
from pbem.rules.ledger import cited, rule
from pbem.systems.st_privat.combat_outcomes import AdvanceMade, GunCaptured, RetreatMade, RoutMade, UnitRemoved
from pbem.systems.st_privat.fact import BOTH, Fact, RevealCause
from pbem.systems.st_privat.field import Field
from pbem.systems.st_privat.outcomes import CardsRevealed, ScoreUpdated
from pbem.systems.st_privat.scene import Scene
from pbem.systems.st_privat.state import (
    ENEMY,
    FRENCH,
    GUNS,
    PRUSSIAN,
    Battle,
    Cause,
    GamePatch,
    Patch,
    Piece,
    Score,
    evolve,
)


class Play:
    """The battle as it stands after the facts so far."""

    def __init__(self, scene: Scene, battle: Battle) -> None:
        self.scene, self.battle = scene, battle
        self.facts: list[Fact] = []
        self._looked = Field(scene, battle)
        """The field as it was when somebody last looked."""

    def add(self, *facts: Fact) -> None:
        """Take facts into the record and onto the field; the clock is filled in."""
        for fact in facts:
            self.facts.append(fact)
            self.battle = evolve(self.battle, fact)

    @property
    def field(self) -> Field:
        """The field as it now is."""
        if self._looked.battle is not self.battle:
            self._looked = self._looked.after(self.battle)
        return self._looked

    @property
    def clock(self) -> dict[str, int | str]:
        """Turn and phase, as every fact carries them."""
        return {"turn": self.battle.turn, "phase": self.battle.phase}

    def piece(self, name: str) -> Piece:
        """A piece as it now is."""
        return self.battle.pieces[name]

    def gather(self, since: int) -> None:
        """Make one fact of neighbouring facts since number *since* that tell of the same path, in the record."""
        gathered: list[Fact] = []
        for fact in self.facts[since:]:
            last = gathered[-1] if gathered else None
            alike = (
                isinstance(fact, RetreatMade | RoutMade | AdvanceMade)
                and isinstance(last, RetreatMade | RoutMade | AdvanceMade)
                and replace(fact, units=(), changes={}, rules=()) == replace(last, units=(), changes={}, rules=())
            )
            if alike and isinstance(fact, RetreatMade | RoutMade | AdvanceMade):
                assert isinstance(last, RetreatMade | RoutMade | AdvanceMade)
                changes = {**last.changes, **fact.changes}
                rules = cited(*last.rules, *fact.rules)
                gathered[-1] = replace(last, units=(*last.units, *fact.units), changes=changes, rules=rules)
            else:
                gathered.append(fact)
        self.facts[since:] = gathered

    def with_cards(self, fact: Fact, at: Square, side: Role) -> Fact:
        """A fact with the cards of *side* in a square as the enemy counts them after it."""
        return replace(fact, cards=self.field.after(evolve(self.battle, fact)).shown_cards(at, side))

    def remove(self, piece: Piece, cause: Cause, *rules: str) -> None:
        """Take a piece off the board for good, and score it (SP-VIC-06, SP-PCE-01)."""
        points = self.field.points_of(piece) if cause not in ("exited", "removed") else 0
        patch = Patch(square=None, removed=cause, hidden=False)
        gone = evolve(self.battle, Fact(changes={piece.id: patch}))
        self.add(
            UnitRemoved(
                turn=self.battle.turn,
                phase=self.battle.phase,
                rules=cited(*rules, *(("SP-VIC-06", "SP-PCE-02") if points else ())),
                known=BOTH,
                unit=piece.id,
                side=piece.side,
                unit_kind=piece.kind,
                square=piece.square,
                cause=cause,
                points=points,
                to_side=PRUSSIAN if points else None,
                changes={piece.id: patch},
                shows=(gone.pieces[piece.id],) if piece.hidden else (),
                cards=self.field.after(gone).shown_cards(piece.square, piece.side)
                if piece.hidden and piece.square is not None
                else {},
            )
        )
        if points:
            self.score(PRUSSIAN, points, f"{piece.id} {cause.replace('_', ' ')}", "SP-VIC-06")

    def score(self, side: Role, points: int, item: str, *rules: str) -> None:
        """Give a side victory points."""
        vp = self.battle.vp
        now = Score(
            french=vp.french + (points if side == FRENCH else 0),
            prussian=vp.prussian + (points if side == PRUSSIAN else 0),
        )
        self.add(
            ScoreUpdated(
                turn=self.battle.turn,
                phase=self.battle.phase,
                rules=cited(*rules),
                known=BOTH,
                french=now.french,
                prussian=now.prussian,
                items=(f"{item}: {points:+d} {side}",),
                game=GamePatch(vp=now),
            )
        )

    @rule("SP-HID-04")
    def turn_up(self, pieces: Iterable[Piece], cause: RevealCause, *rules: str) -> None:
        """Turn face-down pieces of one square up, for good; a gun and its crew turn up together."""
        wanted = {p.id for p in pieces if p.hidden and p.kind != "dummy"}
        for name in sorted(wanted):
            piece = self.piece(name)
            partner = piece.crew_id if piece.kind in GUNS else piece.gun_id
            other = self.battle.pieces.get(partner)
            if other is not None and other.hidden and other.square == piece.square:
                wanted.add(partner)
        if not wanted:
            return
        shown = [self.piece(name) for name in sorted(wanted)]
        at, side = shown[0].square, shown[0].side
        assert at is not None
        left = evolve(self.battle, Fact(changes={p.id: Patch(hidden=False) for p in shown}))
        up = tuple(left.pieces[p.id] for p in shown)
        self.add(
            CardsRevealed(
                turn=self.battle.turn,
                phase=self.battle.phase,
                rules=cited("SP-HID-04", *rules),
                known=BOTH,
                square=at,
                units=tuple(p.id for p in shown),
                cause=cause,
                changes={p.id: Patch(hidden=False) for p in shown},
                shows=up,
                cards=self.field.after(left).shown_cards(at, side),
            )
        )

    @rule("SP-CAP-06", "SP-MOR-08")
    def capture_in(self, at: Square, by: Role, *rules: str) -> None:
        """Take the unmanned enemy guns, limbers and teams of a square into which *by* has come."""
        things = self.field.visible(at, ENEMY[by])
        if any(self.field.holds(p) for p in things):
            return
        for thing in things:
            usable = self.battle.options.captured_guns_usable and thing.kind in GUNS
            self.add(
                GunCaptured(
                    turn=self.battle.turn,
                    phase=self.battle.phase,
                    rules=cited("SP-CAP-06", *rules),
                    known=BOTH,
                    gun=thing.id,
                    square=at,
                    by=by,
                    changes={thing.id: Patch(side=by, crew_id="", limber_id="", team_id="")} if usable else {},
                )
            )
            if not usable:
                self.remove(thing, "captured", "SP-CAP-06")
            elif points := self.field.points_of(thing):
                self.score(PRUSSIAN, points, f"{thing.id} captured", "SP-VIC-06")
