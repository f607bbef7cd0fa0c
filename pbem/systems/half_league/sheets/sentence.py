"""The words of an order line: what a game on the Alma reads them as, and what they cannot be."""

from __future__ import annotations

from typing import Literal, cast

from pbem.ground.bearing import DEGREE, parse_bearing
from pbem.kernel.names import Role
from pbem.orders.grammar import Node, Word, bare, child, words_in
from pbem.orders.names import name_key
from pbem.orders.refusal import BadWord, Wrong
from pbem.orders.sentence import Sentence
from pbem.orders.sheet import Line
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.scene.terrain import Place
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world.course import Half
from pbem.systems.half_league.world.pieces import SCALE, side_of


def _joined(word: Word) -> str:
    return word.lower().replace(" ", "_").replace("-", "_")


class Spoken(Sentence):
    """A line being read; *name* is the piece that the order in hand is for.

    Its *spots*: `unit`, `unit UK-7`, `leader`, `who`, `target`, `place`, `way`, `number`, `max`, `formation` and
    `benefit`.
    """

    def __init__(self, scene: Scene, role: Role, line: Line, tree: Node[Word]) -> None:
        super().__init__(line, tree)
        self.scene, self.role, self.name = scene, role, ""

    def spotted(self, spot: str, word: Word) -> Word:
        """A word, its place kept; of several for one spot that of the first."""
        self.spots.setdefault(spot, word)
        return word

    def own(self) -> str:
        """The piece that the order is for."""
        return self.name

    def leader(self) -> str:
        """The leader whom the order names."""
        return self.spotted("leader", self.the("ID")).upper()

    def joins(self) -> str:
        """The unit to which a leader is to ride."""
        return self.spotted("target", self.the("ID")).upper()

    def enemy(self) -> str:
        """An enemy as the writer knows him: an id, or `contact 3`."""
        node = child(self.tree, "enemy", "contact")
        word = self.spotted("target", words_in(node)[0])
        if node.data != "contact":
            return word.upper()
        return f"contact {self.number(word, 0, 999, 'contacts are counted in whole numbers', 'HL-FIR-05')}"

    def place(self) -> Place:
        """A place of the map; nameless, if it was not named."""
        words = words_in(child(self.tree, "place"))
        self.spotted("place", words[0])
        if (at := SCALE.point(str(words[0]))) is not None:
            return Place("", at)
        named = bare(self.line.text)[words[0].start_pos : words[-1].end_pos]
        places = self.scene.places
        found = places.get(name_key(named)) or places.get(name_key(" ".join(words)))
        if found is None:
            why, names = f'the map has no place "{named}"', [one.name for one in places.values()]
            raise self.unknown(words, why, names, "HL-MOV-01")
        return found

    def way(self) -> int:
        """A bearing."""
        word = self.spotted("way", words_in(child(self.tree, "way"))[0])
        found = parse_bearing(str(word))
        if found is None:
            raise BadWord(Wrong(f"{word} is no bearing: a point of the compass, or degrees", "HL-MOV-06"), word)
        return found

    def facing(self) -> int | None:
        """A bearing, if there is one."""
        return self.way() if self.part("way") else None

    def far(self, spot: str = "number") -> int:
        """Inches, more than none."""
        word = self.spotted(spot, self.the("NUMBER"))
        found = SCALE.parse(str(word))
        if not found:
            raise BadWord(Wrong("a distance is more than 0 inches", "HL-MOV-01"), word)
        return found

    def most(self) -> int | None:
        """What stands after `max`."""
        found = self.part("most")
        return self.of(found).far("max") if found else None

    def then(self) -> int:
        """What stands after `then`."""
        found = self.part("then")
        return self.of(found).far() if found else 0

    def turn(self) -> int:
        """By how much a wheel turns, to the right if above 0."""
        word = self.spotted("number", self.the("NUMBER"))
        found = parse_bearing(str(word))
        if not found or found > 90 * DEGREE:
            raise BadWord(Wrong("a wheel is of 90 degrees at most", "HL-MOV-06"), word)
        return found if self.hand() == "right" else -found

    def count(self, what: str) -> int:
        """A whole number from 1."""
        word = self.spotted("number", self.the("NUMBER"))
        return self.number(word, 1, 999, f"{what} are counted in whole numbers from 1", "HL-CMD-13")

    def stands(self) -> int:
        """How many stands; 0: it is not said."""
        return self.count("stands") if self.says("NUMBER") else 0

    def chits(self) -> int:
        """What stands after `chits >=`; 0: nothing does."""
        found = self.part("chits")
        return self.of(found).count("chits") if found else 0

    def hand(self) -> Literal["left", "right"]:
        """Left or right."""
        return "left" if self.says("LEFT") else "right"

    def half(self) -> Half:
        """East or west; left and right as the army stands."""
        word = self.the("HALF").lower()
        if word in ("east", "west"):
            return cast(Half, word)
        faces_south = self.scene.edges[side_of(self.role)] == "north"
        return "east" if (word == "left") == faces_south else "west"

    def formation(self) -> say.Formed | None:
        """A formation, if there is one."""
        found = self.word("FORMATION")
        return cast(say.Formed, _joined(self.spotted("formation", found))) if found else None

    def benefit(self) -> say.Benefit:
        """A benefit; one for a charge is that for a move."""
        found = _joined(self.spotted("benefit", self.the("BENEFIT")))
        return "move" if found == "charge" else cast(say.Benefit, found)

    def phase(self) -> str:
        """A phase; empty: it is not said."""
        found = self.word("PHASE")
        return found.lower().replace(" ", "_") if found else ""

    def who(self) -> str:
        """For whom a policy is: a unit, a brigade, or all."""
        inner = self.of(child(self.tree, "who"))
        return "all" if inner.says("ALL") else self.spotted("who", inner.the("ID")).upper()
