"""A side's movement as it is carried out."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.orders.sheet import Order
from pbem.rules.ledger import cited
from pbem.rules.view import Result
from pbem.systems.st_privat.bodies import Body
from pbem.systems.st_privat.fact import BOTH, Fact, in_part, owner_only
from pbem.systems.st_privat.outcomes import OrderPlayed, UnitLost
from pbem.systems.st_privat.play import Play
from pbem.systems.st_privat.scene import Scene
from pbem.systems.st_privat.state import Battle, Patch, evolve


class Moves(Play):
    """The movement of one side."""

    def __init__(self, scene: Scene, battle: Battle, side: Role) -> None:
        super().__init__(scene, battle)
        self.side = side

    def tell(self, fact: Fact) -> None:
        """Take a fact into the record with turn and phase filled in, known to both if it does not say."""
        self.add(replace(fact, turn=self.battle.turn, phase=self.battle.phase, known=fact.known or BOTH))

    def change(self, fact: Fact, changes: dict[str, Patch]) -> None:
        """Tell a fact that makes *changes*, so that the enemy learns of cards nothing but their number.

        Of open stands that end among face-down cards he does not learn which rank they are in.
        """
        after = evolve(self.battle, replace(fact, changes=changes)).pieces
        secret = tuple(name for name in changes if self.piece(name).hidden)
        down = {(piece.square, piece.place) for piece in after.values() if piece.hidden and piece.side == self.side}
        veiled = tuple(n for n in changes if n not in secret and (after[n].square, after[n].place) in down)
        known = in_part(self.side) if secret or veiled else BOTH
        self.tell(replace(fact, changes=changes, secret=secret, veiled=veiled, known=known))

    def report(self, order: Order, result: Result, text: str, *rules: str) -> None:
        """Say what became of a line, and by which rules; its owner alone learns it."""
        played = OrderPlayed(side=self.side, line=order.line, result=result, text=text, rules=cited(*rules))
        self.tell(replace(played, known=owner_only(self.side)))

    def standing(self, units: Iterable[str]) -> tuple[str, ...]:
        """Those of some pieces that are still there."""
        pieces = (self.battle.pieces.get(name) for name in units)
        return tuple(p.id for p in pieces if p is not None and p.stands and p.side == self.side)

    def mourn(self, order: Order, units: Iterable[str]) -> None:
        """Report the pieces of an order that are no more."""
        for name in units:
            if not self.standing((name,)):
                lost = UnitLost(unit=name, line=order.line, rules=cited("SP-GEN-02"))
                self.tell(replace(lost, known=owner_only(self.side)))

    def renewed(self, body: Body) -> Body:
        """A body as its pieces now are."""
        return Body(body.arm, tuple(self.piece(name) for name in body.names))


def merged(*patches: Patch) -> Patch:
    """One patch of several, the later ones winning."""
    whole = Patch()
    for patch in patches:
        whole = replace(whole, **patch.sets())
    return whole
