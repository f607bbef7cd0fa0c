"""A side's movement as it is carried out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.orders.sheet import Order
from pbem.rules.ledger import cited
from pbem.rules.view import Result
from pbem.systems.st_privat.field.bodies import Body
from pbem.systems.st_privat.play.play import Play
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.world.fact import Fact, owner_only
from pbem.systems.st_privat.world.outcomes import OrderPlayed, UnitLost
from pbem.systems.st_privat.world.patches import Patch
from pbem.systems.st_privat.world.state import Battle


class Moves(Play):
    """The movement of one side."""

    def __init__(self, scene: Scene, battle: Battle, side: Role) -> None:
        super().__init__(scene, battle)
        self.side = side

    def made(self, fact: Fact, changes: Mapping[str, Patch]) -> None:
        """Tell a fact that makes *changes* of the side's own pieces."""
        self.change(fact, changes, self.side)

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
