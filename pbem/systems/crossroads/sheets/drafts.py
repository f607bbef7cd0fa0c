"""An order as it is read from a line, before anybody judges it."""

from __future__ import annotations

import re

from pbem.ground.bearing import DEGREE, parse_bearing
from pbem.ground.plane import Point
from pbem.kernel.numbers import whole
from pbem.orders.grammar import Node, Word, bare, part, parts_in, words_in
from pbem.orders.names import name_key
from pbem.orders.refusal import BadWord, Wrong
from pbem.orders.sheet import Line
from pbem.orders.suggest import closest
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.world.orders import (
    NEAREST,
    Alternative,
    AnyAction,
    AnyOrder,
    AttachOfficer,
    Charge,
    Clear,
    Condition,
    Cross,
    Face,
    Fire,
    Formation,
    FormUp,
    GoProne,
    JokerOrder,
    Lead,
    Move,
    MoveOfficer,
    Nothing,
    Policy,
    Rally,
    Rise,
    Timing,
    UnitOrder,
    Wheel,
)
from pbem.systems.crossroads.world.state import INCHES

Tree = Node[Word]

_FORMATIONS: dict[str, Formation] = {
    "line": "line", "column": "column", "skirmish": "skirmish", "deployed": "deployed", "limbered": "limbered",
}  # fmt: skip


# ------------------------------------------------------------------ parts of a tree


def name_of(word: Word) -> str:
    """An id as it is kept: in capitals."""
    return str(word).upper()


class Drafter:
    """Makes orders of trees, over one scenario."""

    def __init__(self, scene: Scene, line: Line) -> None:
        self.scene, self.line = scene, line

    def order(self, tree: Tree) -> AnyOrder:
        """The order that a tree says.

        :raises BadWord: at a place that is none, a number out of all bounds.
        """
        kind, text, number = str(tree.data), bare(self.line.text).strip(), self.line.number
        ids = [name_of(word) for word in words_in(tree, "ID")]
        if kind in ("unit", "joker", "star"):
            found = self._alternatives(tree)
            if kind == "unit":
                return UnitOrder(line=number, text=text, unit=ids[0], alternatives=found)
            return JokerOrder(line=number, text=text, unit=ids[0], alternatives=found, star=kind == "star")
        if kind == "attach":
            timing, of = self._timing(tree)
            return AttachOfficer(line=number, text=text, officer=ids[0], unit=ids[1], timing=timing, of=of)
        if kind == "ride":
            timing, of = self._timing(tree)
            to, place = self._spot(parts_in(tree)[0])
            return MoveOfficer(line=number, text=text, officer=ids[0], to=to, place=place, timing=timing, of=of)
        if kind == "lead":
            action = self._action(parts_in(tree)[-1])
            return Lead(line=number, text=text, officer=ids[0], units=tuple(dict.fromkeys(ids[1:])), action=action)
        return self._policy(tree, kind)

    def _policy(self, tree: Tree, kind: str) -> Policy:
        number, text = self.line.number, bare(self.line.text).strip()
        if kind == "policy_joker":
            units = tuple(dict.fromkeys(name_of(word) for word in words_in(tree, "ID")))
            return Policy(line=number, text=text, what="joker_order", units=units)
        word = str(words_in(tree)[-1])
        match kind:
            case "policy_shaken":
                return Policy(line=number, text=text, what="shaken", word=word)
            case "policy_defensive":
                return Policy(line=number, text=text, what="defensive_fire", word=word)
            case "policy_advance":
                return Policy(line=number, text=text, what="advance", word=word)
            case "policy_after":
                return Policy(line=number, text=text, what="after_melee", word=word)
            case other:
                raise AssertionError(f"the grammar has no {other}")

    # -------------------------------------------------------------- alternatives

    def _alternatives(self, tree: Tree) -> tuple[Alternative, ...]:
        found = part(tree, "alternatives")
        assert found is not None, "the grammar has it"
        said = re.split(r"\b(?:or\s+else|else?|otherwise|if\s+not)\b", bare(self.line.text), flags=re.IGNORECASE)
        texts = [part.strip(" ,.") for part in said]
        texts[0] = re.sub(r"^(?:\w+:?\s+)??[\w-]*-\w+:?\s+", "", texts[0])
        return tuple(
            self._alternative(node, texts[at] if at < len(texts) else "") for at, node in enumerate(parts_in(found))
        )

    def _alternative(self, node: Tree, text: str) -> Alternative:
        then, provided = part(node, "then"), part(node, "provided")
        return Alternative(
            self._action(parts_in(node)[0]),
            self._action(parts_in(then)[0]) if then is not None else None,
            self._condition(parts_in(provided)[0]) if provided is not None else None,
            text,
        )

    def _condition(self, node: Tree) -> Condition:
        of = part(node, "of")
        enemy = self._foe(parts_in(of)[0]) if of is not None else ""
        match str(node.data):
            case "within":
                return Condition("within", self._tenths(words_in(node, "NUMBER")[0]), of=enemy)
            case "in_range":
                return Condition("in range", of=enemy)
            case "target":
                word = str(words_in(node)[0])
                return Condition(
                    "target", status="shaken" if word == "shaken" else "routed" if word == "routed" else "withdrawn"
                )
            case "not_seen":
                return Condition("not seen")
            case "loss":
                return Condition("loss", self._whole(words_in(node, "NUMBER")[0]))
            case other:
                raise AssertionError(f"the grammar has no {other}")

    # -------------------------------------------------------------- actions

    def _action(self, node: Tree) -> AnyAction:
        match str(node.data):
            case "fire":
                foes = [self._foe(one) for one in parts_in(node)]
                if len(foes) > 1:
                    why = "a unit fires at one target; give each of them a line of its own"
                    raise BadWord(Wrong(why, "GC-FIR-08", bare(self.line.text).partition(" and ")[0].strip()))
                return Fire(enemy=foes[0])
            case "charge":
                return Charge(enemy=self._foe(parts_in(node)[0]))
            case "move":
                return self._move(node)
            case "wheel":
                hand, degrees = words_in(node)
                return Wheel(hand="left" if str(hand) == "left" else "right", degrees=self._whole(degrees))
            case "face":
                return Face(facing=self._way(parts_in(node)[0]))
            case "form":
                return FormUp(formation=_FORMATIONS[str(words_in(node)[0])])
            case "prone":
                return GoProne()
            case "rise":
                return Rise()
            case "rally":
                return Rally()
            case "clear":
                return Clear()
            case "cross":
                return Cross()
            case "none":
                return Nothing()
            case other:
                raise AssertionError(f"the grammar has no {other}")

    def _move(self, node: Tree) -> Move:
        half = bool(words_in(node, "HALF"))
        facing = part(node, "facing")
        faces = self._way(parts_in(facing)[0]) if facing is not None else None
        course = parts_in(node)[0]
        if course.data == "by":
            inches = self._tenths(words_in(course, "NUMBER")[0])
            return Move(half=half, direction=self._way(parts_in(course)[0]), inches=inches, facing=faces)
        to, place = self._spot(parts_in(course)[0])
        via = part(course, "via")
        return Move(
            half=half,
            to=to,
            place=place,
            via=self._spot(parts_in(via)[0])[0] if via is not None else None,
            facing=faces,
        )

    def _foe(self, node: Tree) -> str:
        match str(node.data):
            case "foe":
                return name_of(words_in(node, "ID")[0])
            case "contact":
                return f"contact {self._whole(words_in(node, 'NUMBER')[0])}"
            case "nearest":
                return NEAREST
            case other:
                raise AssertionError(f"the grammar has no {other}")

    def _way(self, node: Tree) -> int:
        """A direction in whole degrees."""
        word = words_in(node)[0]
        found = parse_bearing(str(word))
        if found is None:
            raise BadWord(
                Wrong(f'"{word}" is no direction; write one of the 16 points, as NE, or degrees', "GC-ACT-04"), word
            )
        return (2 * found + DEGREE) // (2 * DEGREE) % 360

    def _spot(self, node: Tree) -> tuple[Point, str]:
        """A point, or a place of the map by its whole name."""
        words = words_in(node)
        if words[0].type == "POINT":
            at = INCHES.point(str(words[0]))
            if at is None:
                raise BadWord(Wrong(f'"{words[0]}" is finer than a tenth of an inch', "GC-GEO-01"), words[0])
            if not (0 <= at.x <= self.scene.width and 0 <= at.y <= self.scene.height):
                far = f"{INCHES.show(self.scene.width)} by {INCHES.show(self.scene.height)}"
                raise BadWord(Wrong(f"{words[0]} is off the table, which is {far} inches", "GC-MOV-05"), words[0])
            return at, ""
        said = bare(self.line.text)[words[0].start_pos : words[-1].end_pos]
        place = self.scene.by_name.get(name_key(said)) or self.scene.by_name.get(name_key(" ".join(words)))
        if place is None:
            names = [one.name for one in self.scene.places]
            parts = [name for name in names if name_key(said) in name_key(name)]
            near = closest(said, names) or (parts[0] if len(parts) == 1 else None)
            hint = f"; did you mean {near}?" if near else f"; there are {', '.join(names)}"
            whole = Word.new_borrow_pos(words[0].type, said, words[0])
            whole.end_column = words[-1].end_column
            mended = self._with(whole, near) if near else ""
            raise BadWord(Wrong(f'there is no place "{said[:40]}"{hint}', "GC-ACT-04", mended), whole)
        return place.pos, place.name

    def _with(self, word: Word, better: str) -> str:
        """The line with something better in the place of a word."""
        text = bare(self.line.text)
        start, end = word.column, word.end_column
        return f"{text[: start - 1]}{better}{text[end - 1 :]}".strip() if start and end else better

    def _tenths(self, word: Word) -> int:
        found = INCHES.parse(str(word))
        if found is None:
            raise BadWord(Wrong(f'"{word}" is finer than a tenth of an inch', "GC-GEO-01"), word)
        return found

    def _whole(self, word: Word) -> int:
        found = whole(str(word))
        if found is None:
            raise BadWord(Wrong(f'"{word}" is no whole number', "GC-ACT-04"), word)
        return found

    def _timing(self, tree: Tree) -> tuple[Timing, str]:
        for name, timing in (("first", "first"), ("with_", "with"), ("after", "after")):
            node = part(tree, name)
            if node is not None:
                ids = words_in(node, "ID")
                said: Timing = "first" if timing == "first" else "with" if timing == "with" else "after"
                return said, name_of(ids[0]) if ids else ""
        return "", ""
