"""A stretch of play: the facts that many rules share, and how they reach the field and those who may know them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from pbem.ground.square import Square
from pbem.kernel.event import Throw
from pbem.kernel.names import FULL, Aspect, Role
from pbem.orders.sheet import Order
from pbem.rules.contract import Fold
from pbem.rules.ledger import cited, rule
from pbem.rules.stretch import Stretch
from pbem.rules.view import Result
from pbem.systems.st_privat.field.field import Field
from pbem.systems.st_privat.field.sight import as_seen
from pbem.systems.st_privat.mind.fog import clouded
from pbem.systems.st_privat.mind.memory import learn
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.world import outcomes as o
from pbem.systems.st_privat.world import outcomes_combat as c
from pbem.systems.st_privat.world.fact import BOTH, DummyCause, Fact, RevealCause, in_part, owner_only
from pbem.systems.st_privat.world.patches import GamePatch, Patch
from pbem.systems.st_privat.world.pieces import ENEMY, FRENCH, PRUSSIAN, Cause, Piece
from pbem.systems.st_privat.world.state import Battle, evolve

Went = c.FellBack | c.AdvanceMade
"""Facts that tell of a path gone because of a melee."""


def _alike(one: Went, other: Went) -> bool:
    """Whether two facts tell the same sides of the same path, gone in the same way."""
    return _way(one) == _way(other)


def _way(fact: Went) -> tuple[object, ...]:
    how = () if isinstance(fact, c.AdvanceMade) else (fact.facing, fact.source)
    return (type(fact), fact.side, fact.path, fact.turn, fact.phase, set(fact.known), how)


def _together(first: Went, then: Went) -> Went:
    """One fact of two that tell of the same path; what was secret of either stays so."""
    return replace(
        first,
        units=(*first.units, *then.units),
        rules=cited(*first.rules, *then.rules),
        known={role: then.known[role] if aspect == FULL else aspect for role, aspect in first.known.items()},
        changes={**first.changes, **then.changes},
        secret=(*first.secret, *then.secret),
        veiled=(*first.veiled, *then.veiled),
        cards={**first.cards, **then.cards},
        card_count=first.card_count + then.card_count,
    )


@rule("SP-HID-01")
def _ranks(field: Field, at: Square, side: Role, without: Collection[str]) -> dict[str, Patch]:
    """Who stands in which rank of a square, for the enemy to learn once no card lies among them any more."""
    found: dict[str, Patch] = {}
    for where in ("outside", "inside"):
        there = [piece for piece in field.at(at, side, where) if piece.kind == "infantry" and piece.id not in without]
        if not any(piece.hidden for piece in field.at(at, side, where)):
            found |= {piece.id: Patch(slot=piece.slot, formation=piece.formation) for piece in there}
    return found


class Play(Stretch[Scene, Battle, Battle, Order, Fact]):
    """One call of `resolve`, or of `direct`: the truth and what each side knows, as they become."""

    fold = Fold(evolve, learn, o.seen)
    known: Mapping[Role, Aspect] = {}
    """Whom a ruling lets know of what it does, in place of all whom it concerns."""
    watching: Mapping[Role, Battle] | None = None
    """What the sides knew before a ruling, by which it is judged who sees what it does; None: what they know now."""
    _looked: Field | None = None
    """The field as it was when somebody last looked."""

    @property
    def battle(self) -> Battle:
        """The battle as it now is."""
        return self.truth

    @property
    def field(self) -> Field:
        """The field as it now is."""
        if self._looked is None:
            self._looked = Field(self.scene, self.truth)
        elif self._looked.battle is not self.truth:
            self._looked = self._looked.after(self.truth)
        return self._looked

    @property
    def movers(self) -> tuple[Role, Role]:
        """The side that moves first, and the other."""
        return self.battle.first_mover, self.battle.second_mover

    def sheet(self, side: Role) -> tuple[Order, ...]:
        """What a side has ordered."""
        return self.orders.get(side, ())

    def piece(self, name: str) -> Piece:
        """A piece as it now is."""
        return self.battle.pieces[name]

    def throw(self, purpose: str, place: str, *, count: int = 1, secret: bool = False) -> Throw:
        """Dice of the open seed, if both sides are shown them whatever comes of them.

        The closed one throws what is *secret*, and under `fog_of_war` los all but the initiative: who sees a stand is
        known only afterwards, and the open seed, which is printed, would tell of a throw that somebody was not shown.
        """
        unseen = secret or (self.battle.options.by_sight and not purpose.startswith("initiative"))
        return self.dice.throw(purpose, place, count=count, seed="closed" if unseen else "open")

    # ------------------------------------------------------------ facts

    def add(self, fact: Fact, after: Battle | None = None) -> None:
        """Take a fact into the record, onto the field, and to those who may know it; *after* as `commit` has it."""
        if self.known:
            self.commit(replace(fact, known=dict(self.known)), after=after)
        else:
            minds = self.minds if self.watching is None else self.watching
            self.commit(clouded(self.scene, self.battle, minds, fact), after=after)

    def tell(self, *facts: Fact) -> None:
        """Take facts in, with turn and phase filled in; known to both if they do not say."""
        for fact in facts:
            known = fact.known or BOTH
            self.add(replace(fact, turn=self.battle.turn, phase=self.battle.phase, known=known))

    def report(self, side: Role, order: Order, result: Result, text: str, *rules: str, reason: str = "") -> None:
        """Say what became of a line of a side's sheet, and by which rules; its owner alone learns it."""
        played = o.OrderPlayed(side=side, line=order.line, result=result, text=text, reason=reason, rules=cited(*rules))
        self.tell(replace(played, known=owner_only(side)))

    def change(self, fact: Fact, changes: Mapping[str, Patch]) -> None:
        """Tell a fact that makes *changes* of one side's pieces, so that the enemy learns of cards only their number.

        Of open stands that end among face-down cards he does not learn which rank they are in.
        """
        battle = self.battle
        after = evolve(battle, replace(fact, changes=dict(changes)))
        side = next((self.piece(name).side for name in changes), FRENCH)
        secret = tuple(name for name in changes if self.piece(name).hidden)
        down = {(p.square, p.place) for p in after.pieces.values() if p.hidden and p.side == side}
        veiled = tuple(
            name for name in changes
            if name not in secret and (after.pieces[name].square, after.pieces[name].place) in down
        )  # fmt: skip
        looked, cards = self.field.after(after), dict(fact.cards)
        for name in secret:
            for at in (self.piece(name).square, after.pieces[name].square):
                cards |= looked.shown_cards(at, side) if at is not None else {}
        known = fact.known or (in_part(side) if secret or veiled else BOTH)
        names = (*fact.secret, *secret)
        told = replace(fact, changes=dict(changes), secret=names, veiled=veiled, cards=cards, known=known)
        self.add(replace(told, turn=battle.turn, phase=battle.phase), after)
        self._looked = looked

    def gather(self, since: int) -> None:
        """Make one fact of neighbouring facts since number *since* that tell of the same path, in the record."""
        gathered: list[Fact] = []
        for fact in self.facts[since:]:
            last = gathered[-1] if gathered else None
            if isinstance(fact, Went) and isinstance(last, Went) and _alike(last, fact):
                gathered[-1] = _together(last, fact)
            else:
                gathered.append(fact)
        self.facts[since:] = gathered

    @rule("SP-HID-02", "SP-HID-06", "SP-HID-07", "SP-VIC-03")
    def drop_dummies(self, at: Square, dummies: Sequence[Piece], cause: DummyCause, *rules: str) -> None:
        """Take dummies of one square off the board: what they were is known."""
        if not dummies:
            return
        names = tuple(piece.id for piece in dummies)
        owner = dummies[0].side
        fact = o.DummiesRemoved(
            rules=cited(*rules),
            known=in_part(owner),
            square=at,
            count=len(names),
            cause=cause,
            changes={name: Patch(square=None, removed="removed", hidden=False) for name in names},
            secret=names,
        )
        left = self.field.after(evolve(self.battle, fact))
        changes = {**fact.changes, **_ranks(left, at, owner, ())}
        self.tell(replace(fact, changes=changes, cards=left.shown_cards(at, owner)))

    def remove(self, piece: Piece, cause: Cause, *rules: str) -> None:
        """Take a piece off the board for good, and score it (SP-VIC-06, SP-PCE-01)."""
        points = self.field.points_lost_with(piece) if cause not in ("exited", "removed") else 0
        patch = Patch(square=None, removed=cause, hidden=False)
        gone = evolve(self.battle, Fact(changes={piece.id: patch}))
        self.tell(
            c.UnitRemoved(
                rules=cited(*rules, *(("SP-VIC-06", "SP-PCE-02") if points else ())),
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
        now = replace(vp, **{side: getattr(vp, side) + points})
        self.tell(
            o.ScoreUpdated(
                rules=cited(*rules),
                french=now.french,
                prussian=now.prussian,
                items=(f"{item}: {points:+d} {side}",),
                game=GamePatch(vp=now),
            )
        )

    @rule("SP-HID-04")
    def turn_up(self, pieces: Iterable[Piece], cause: RevealCause, *rules: str) -> None:
        """Turn face-down pieces of one square up, for good; a gun and its crew turn up together."""
        wanted = {p.id for p in pieces if p.is_troops_face_down}
        for name in sorted(wanted):
            piece = self.piece(name)
            partner = piece.crew_id if piece.is_gun else piece.gun_id
            other = self.battle.pieces.get(partner)
            if other is not None and other.hidden and other.square == piece.square:
                wanted.add(partner)
        if not wanted:
            return
        shown = [self.piece(name) for name in sorted(wanted)]
        at, side = shown[0].at, shown[0].side
        left = self.field.after(evolve(self.battle, Fact(changes={p.id: Patch(hidden=False) for p in shown})))
        up = tuple(as_seen(left, left.battle.pieces[p.id]) for p in shown)
        self.tell(
            o.CardsRevealed(
                rules=cited("SP-HID-04", *rules),
                square=at,
                units=tuple(p.id for p in shown),
                cause=cause,
                changes={**{p.id: Patch(hidden=False) for p in shown}, **_ranks(left, at, side, wanted)},
                shows=up,
                cards=left.shown_cards(at, side),
            )
        )

    @rule("SP-CAP-06", "SP-CAP-01", "SP-CAP-04", "SP-MOR-08")
    def capture_in(self, at: Square, by: Role, *rules: str) -> None:
        """Take the unmanned enemy guns, limbers and teams of a square into which *by* has come.

        For use nobody keeps a gun for which the square has no room, or which he may not stand beside, as cavalry.
        """
        things = self.field.visible(at, ENEMY[by])
        if any(self.field.holds(p) for p in things):
            return
        for thing in things:
            of_use = self.battle.options.captured_guns_usable and thing.is_gun
            full = self.field.overfull(at, [*self.field.at(at, by), thing]) if of_use else None
            usable = of_use and full is None
            points = self.field.points_lost_with(thing) if usable else 0
            taken = Patch(side=by, crew_id="", limber_id="", team_id="", raised_by=thing.raised_by or thing.side)
            self.tell(
                c.GunCaptured(
                    rules=cited(
                        "SP-CAP-06", *((full.rule,) if full else ()), *rules, *(("SP-VIC-06",) if points else ())
                    ),
                    gun=thing.id,
                    square=at,
                    by=by,
                    points=points,
                    changes={thing.id: taken} if usable else {},
                    shows=(replace(thing, **taken.sets()),) if usable else (),
                )
            )
            if not usable:
                self.remove(thing, "captured", "SP-CAP-06")
            elif points:
                self.score(PRUSSIAN, points, f"{thing.id} captured", "SP-VIC-06")
