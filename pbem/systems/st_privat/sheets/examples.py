"""The examples of orders as one side would write them: its own pieces, squares of this board, the way it faces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec.structs import replace

from pbem.ground.square import Square, beyond, sides
from pbem.kernel.names import Role
from pbem.orders.sheet import Complaint
from pbem.rules.lately import lately
from pbem.systems.st_privat.field.field import field_of
from pbem.systems.st_privat.fire.artillery import CARRIED
from pbem.systems.st_privat.scene.scene import Scene
from pbem.systems.st_privat.scene.words import selector
from pbem.systems.st_privat.turn.setup import lay_out
from pbem.systems.st_privat.world.language import EXAMPLES
from pbem.systems.st_privat.world.pieces import FRENCH, PRUSSIAN, Facing, Piece
from pbem.systems.st_privat.world.state import Battle

ASIDE: Mapping[Facing, Facing] = {"n": "e", "e": "s", "s": "w", "w": "n"}
BACK = {FRENCH: "s", PRUSSIAN: "n"}


def own_forms(scene: Scene, mind: Battle, role: Role) -> Mapping[str, str]:
    """The examples of all orders that a side can give, in its own names."""
    return _own(scene, mind, role).forms()


def in_own_names(complaints: Sequence[Complaint], scene: Scene, mind: Battle, role: Role) -> list[Complaint]:
    """Complaints on words, with what is their reader's in the examples that they give."""
    if not complaints:
        return []
    own = _own(scene, mind, role)
    written = own.written
    return [replace(one, why=own.likened(one.why), example=written.get(one.example, one.example)) for one in complaints]


class _Own:
    """What a side has: where it stands, or would stand by the default set-up before it is set up."""

    def __init__(self, scene: Scene, mind: Battle, role: Role) -> None:
        self.scene, self.role = scene, role
        if mind.phase == f"setup_{role}" or not any(p.stands for p in mind.pieces.values() if p.side == role):
            mind = replace(mind, pieces={**mind.pieces, **lay_out(scene, mind, role, ())[0].pieces})
        self.field = field_of(scene, mind)
        here = [piece for piece in self.field.own(role) if piece.square]
        infantry = [piece for piece in here if piece.kind == "infantry"]
        self.foot = sorted(
            (p for p in infantry if (p.square, p.place) == (infantry[0].square, infantry[0].place)),
            key=lambda p: p.slot,
        )[:3]
        self.guns = [piece for piece in here if piece.is_drawn]
        self.generals = [piece for piece in here if piece.kind == "general"]
        self.cards = [piece for piece in infantry if piece.hidden]
        self.siege = any(piece.kind == "siege_gun" for piece in mind.pieces.values() if piece.side == role)

    @cached_property
    def written(self) -> Mapping[str, str]:
        """For each example of the language that of this side; nothing where it has none."""
        forms = self.forms()
        return {example: forms.get(verb, "") for verb, example in EXAMPLES.items()}

    def forms(self) -> Mapping[str, str]:
        """Every order that the side can give, by an example."""
        found = dict([*self.anywhere(), *self.of_setup()])
        if self.foot:
            found |= self.of_foot()
        if self.guns:
            found |= self.of_guns()
        return {verb: found[verb] for verb in EXAMPLES if verb in found}

    def likened(self, why: str) -> str:
        """A sentence that says what was expected, with a piece and a square of this side's."""
        if not self.foot:
            return why
        first = self.foot[0]
        return why.replace("a piece, like p1", f"a piece, like {first.id}").replace(
            "a square, like J-9", f"a square, like {first.square}"
        )

    def of_setup(self) -> Iterator[tuple[str, str]]:
        """Orders of the set-up, out of the default one."""
        default = self.scene.setup.get(self.role, "").strip().splitlines()
        for verb in ("place", "section", "dummy", "command", "cinc"):
            yield from [(verb, line.strip()) for line in default if line.split()[:1] == [verb]][:1]
        if self.siege:
            yield "siege at", EXAMPLES["siege at"]
            yield "siege reveal", EXAMPLES["siege reveal"]

    def anywhere(self) -> Iterator[tuple[str, str]]:
        """Orders that name no piece."""
        for verb in ("show orders", "targets", "initiative", "reset"):
            yield verb, EXAMPLES[verb]
        yield "retreat", f"retreat all toward {BACK[self.role]}"

    def of_foot(self) -> Iterator[tuple[str, str]]:
        """Orders to infantry, and whatever goes with it."""
        first, units = self.foot[0], selector([piece.id for piece in self.foot])
        where = f"@{first.square}{' in' if first.place == 'inside' else ''}"
        assert first.facing is not None
        ahead = self._ahead(first.at, first.facing)
        path = " ".join(ahead) or first.at
        target = ahead[-1] if ahead else first.at
        general = f" with {self.generals[0].id}" if self.generals else ""
        yield "move", f"move {units} via {path}"
        yield "turn", f"turn {where} {ASIDE[first.facing]}"
        yield "form", f"form {where} {'line' if first.formation == 'column' else 'column'}"
        yield "enter", f"enter {units}"
        yield "leave", f"leave {units}"
        yield "hold", f"hold {where}"
        yield "hold fire", f"hold fire {units}"
        yield "fire", f"fire {units} at {target}" + (f" else {ahead[0]}" if len(ahead) > 1 else "")
        yield "charge", f"charge {where} at {ahead[0] if ahead else first.at}{general} if odds 2-1"
        yield "advance", f"advance {where} {max(len(ahead), 1)} via {path}"
        yield "losses", f"losses {selector([piece.id for piece in reversed(self.foot)])}"
        if self.scene.walls:
            yield "demolish", f"demolish {units} wall {'|'.join(sides(min(self.scene.walls)))}"
        if self.role == FRENCH:
            yield from self._of_cards(first, units)

    def _of_cards(self, first: Piece, units: str) -> Iterator[tuple[str, str]]:
        """Orders that only the French can give."""
        if self.scene.numbers.exit_from <= self.scene.numbers.last_turn:
            yield "exit", f"exit {units}"
        if self.cards:
            card = self.cards[0]
            yield "show", f"show {card.id}"
            yield "reveal", f"reveal {card.id}"
            town = self.field.ground(card.square).town if card.square else ""
            near = [one for one in self.scene.board.neighbours(card.square) if self.field.ground(one).town == town]
            if town and near:
                yield "card", f"card {card.id} to {min(near)}"

    def of_guns(self) -> Iterator[tuple[str, str]]:
        """Orders to guns."""
        gun = self.guns[0]
        facing: Facing = gun.facing or "n"
        ahead = self._ahead(gun.at, facing) or [gun.at]
        yield "limber", f"limber {gun.id}"
        yield "unlimber", f"unlimber {gun.id} face {facing}"
        yield "prolong", f"prolong {gun.id} to {ahead[0]} face {facing}"
        yield "detach", f"detach {gun.id}"
        yield "man", f"man {gun.id}"
        yield "shoot", f"shoot {gun.id} {CARRIED[gun.kind][-1]} at {ahead[-1]}"

    def _ahead(self, at: Square, facing: Facing) -> Sequence[Square]:
        """Up to two squares in front."""
        found: list[Square] = []
        while len(found) < 2:
            one = beyond(found[-1] if found else at, facing)
            if one is None or one not in self.scene.board:
                break
            found.append(one)
        return found


_own = lately(4)(_Own)
