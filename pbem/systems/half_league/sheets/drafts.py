"""How a line becomes orders, before anybody judges them; the place of each of its words is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypedDict, cast

from pbem.ground.bearing import DEGREE, parse_bearing
from pbem.ground.plane import Point
from pbem.kernel.names import Role
from pbem.kernel.numbers import whole
from pbem.orders.grammar import Node, Word, bare, child, part, parts_in, words_in
from pbem.orders.names import name_key
from pbem.orders.refusal import BadWord, Wrong, mended
from pbem.orders.sheet import Line
from pbem.orders.suggest import closest
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.world import orders as say
from pbem.systems.half_league.world.course import Half
from pbem.systems.half_league.world.pieces import SCALE, side_of


@dataclass
class Draft:
    """The orders of a line: one, or one for each of the units that it names."""

    line: Line
    orders: list[say.AnyOrder] = field(default_factory=list)
    spots: dict[str, Word] = field(default_factory=dict)
    """Where words stand: `unit`, `target`, `place`, `number`."""


class Head(TypedDict):
    """What every order carries."""

    line: int
    text: str


class Sentence:
    """The words of one line, being read; *name* is the piece that the order in hand is for."""

    def __init__(self, scene: Scene, role: Role, line: Line) -> None:
        self.scene, self.role, self.line = scene, role, line
        self.spots: dict[str, Word] = {}
        self.name = ""

    @property
    def head(self) -> Head:
        """Line and text of the order."""
        return {"line": self.line.number, "text": " ".join(bare(self.line.text).split())}

    # ------------------------------------------------------------ words

    def id(self, token: Word, spot: str) -> str:
        """An id, in capitals."""
        self.spots.setdefault(spot, token)
        return token.upper()

    def enemy(self, node: Node[Word]) -> str:
        """An enemy as the writer knows him: an id, or `contact 3`."""
        token = words_in(node)[0]
        self.spots.setdefault("target", token)
        if str(node.data) == "contact":
            if "." in token:
                raise BadWord(Wrong("contacts are counted in whole numbers", "HL-FIR-05"), token)
            return f"contact {int(token)}"
        return token.upper()

    def place(self, node: Node[Word]) -> tuple[Point, str]:
        """A place of the map, and its name if it was named."""
        tokens = words_in(node)
        self.spots.setdefault("place", tokens[0])
        if tokens[0].type == "POINT":
            at = SCALE.point(str(tokens[0]))
            assert at is not None, "the grammar takes nothing else"
            return at, ""
        name = bare(self.line.text)[tokens[0].start_pos : tokens[-1].end_pos]
        found = self.scene.places.get(name_key(name)) or self.scene.places.get(name_key(" ".join(tokens)))
        if found is None:
            meant = closest(name, [one.name for one in self.scene.places.values()])
            more = f"; did you mean {meant}?" if meant else ""
            whole = Word.new_borrow_pos(tokens[0].type, name, tokens[0])
            whole.end_column = tokens[-1].end_column
            instead = mended(self.line, whole, meant or "")
            raise BadWord(Wrong(f'the map has no place "{name}"{more}', "HL-MOV-01", instead), whole)
        return found.pos, found.name

    def way(self, node: Node[Word]) -> int:
        """A bearing."""
        token = words_in(node)[0]
        self.spots.setdefault("way", token)
        found = parse_bearing(str(token))
        if found is None:
            raise BadWord(Wrong(f"{token} is no bearing: a point of the compass, or degrees", "HL-MOV-06"), token)
        return found

    def length(self, token: Word, spot: str = "number") -> int:
        """Inches, more than none."""
        self.spots.setdefault(spot, token)
        found = SCALE.parse(str(token))
        if not found:
            raise BadWord(Wrong("a distance is more than 0 inches", "HL-MOV-01"), token)
        return found

    def count(self, token: Word, what: str) -> int:
        """A whole number from 1."""
        self.spots.setdefault("number", token)
        if not (found := whole(token)):
            raise BadWord(Wrong(f"{what} are counted in whole numbers from 1", "HL-CMD-13"), token)
        return found

    def most(self, node: Node[Word]) -> int | None:
        """What stands after `max`."""
        found = part(node, "most")
        return self.length(words_in(found)[0], "max") if found else None

    def then(self, node: Node[Word]) -> int:
        """What stands after `then`."""
        found = part(node, "then")
        return self.length(words_in(found)[0]) if found else 0

    def chits(self, node: Node[Word]) -> int:
        """What stands after `chits >=`; 0: nothing does."""
        found = part(node, "chits")
        return self.count(words_in(found)[0], "chits") if found else 0

    def half(self, token: Word) -> Half:
        """East or west; left and right as the army stands."""
        word = token.lower()
        if word in ("east", "west"):
            return cast(Half, word)
        faces_south = self.scene.edges[side_of(self.role)] == "north"
        return "east" if (word == "left") == faces_south else "west"


def _word(node: Node[Word], kind: str) -> Word | None:
    return next((word for word in words_in(node) if word.type == kind), None)


def _need(node: Node[Word], kind: str) -> Word:
    found = _word(node, kind)
    assert found is not None, "the grammar asks for it"
    return found


def _formation(token: Word) -> say.Formed:
    return cast(say.Formed, token.lower().replace(" ", "_").replace("-", "_"))


def _benefit(token: Word) -> say.Benefit:
    word = token.lower().replace(" ", "_").replace("-", "_")
    return "move" if word == "charge" else cast(say.Benefit, word)


# ------------------------------------------------------------------ activities

Activity = Callable[[Sentence, Node[Word]], say.AnyOrder]


def _move(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    far = read.length(_need(node, "NUMBER"))
    return say.Move(**read.head, unit=read.name, bearing=read.way(child(node, "way")), far=far)


def _move_to(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    end, name = read.place(child(node, "place"))
    via = [read.place(child(one, "place"))[0] for one in parts_in(node, "via")]
    facing = part(node, "facing")
    extra = next((one for one in parts_in(node, "extra") if part(one, "most")), None)
    return say.Move(
        **read.head,
        unit=read.name,
        points=(*via, end),
        far=read.most(extra) if extra else None,
        facing=read.way(child(facing, "way")) if facing else None,
        place=name,
    )


def _follow(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    return say.FollowRoad(**read.head, unit=read.name, far=read.most(node))


def _hand(node: Node[Word]) -> Literal["left", "right"]:
    return "left" if _word(node, "LEFT") is not None else "right"


def _wheel(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    token = _need(node, "NUMBER")
    read.spots.setdefault("number", token)
    found = parse_bearing(str(token))
    if not found or found > 90 * DEGREE:
        raise BadWord(Wrong("a wheel is of 90 degrees at most", "HL-MOV-06"), token)
    return say.Wheel(**read.head, unit=read.name, by=found if _hand(node) == "right" else -found, far=read.then(node))


def _face(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    return say.Face(**read.head, unit=read.name, bearing=read.way(child(node, "way")))


def _about(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    return say.About(**read.head, unit=read.name, far=read.then(node))


def _retire(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    return say.Retire(**read.head, unit=read.name, far=read.length(_need(node, "NUMBER")))


def _shift(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    return say.Shift(**read.head, unit=read.name, hand=_hand(node), far=read.length(_need(node, "NUMBER")))


def _prolong(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    way = read.way(child(node, "way"))
    return say.Prolong(**read.head, unit=read.name, bearing=way, far=read.length(_need(node, "NUMBER")))


def _form(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    token = _need(node, "FORMATION")
    read.spots.setdefault("formation", token)
    way = part(node, "way")
    return say.Form(**read.head, unit=read.name, formation=_formation(token), facing=read.way(way) if way else None)


def _charge(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    target = read.enemy(_child_enemy(node))
    return say.Charge(**read.head, unit=read.name, target=target, nearest=_word(node, "NEAREST") is not None)


def _child_enemy(node: Node[Word]) -> Node[Word]:
    found = part(node, "enemy", "contact")
    assert found is not None, "the grammar asks for it"
    return found


def _pull(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    return say.Pull(**read.head, unit=read.name, double=_word(node, "DOUBLE") is not None)


def _pull_then(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    inner = next(child for child in node.children if isinstance(child, Node))
    then = ACTIONS[str(inner.data)](read, inner)
    if isinstance(then, say.Pull | say.Hold):
        why = "after `pull then` stands what the unit does besides: a move, a charge or a change of formation"
        raise BadWord(Wrong(why, "HL-CMD-04"), read.spots["unit"])
    return say.Pull(**read.head, unit=read.name, then=then)  # type: ignore[arg-type] # an activity, and not those two


def _hold(read: Sentence, _node_: Node[Word]) -> say.AnyOrder:
    return say.Hold(**read.head, unit=read.name)


# ------------------------------------------------------------------ additions


def _hold_fire(read: Sentence, _node_: Node[Word]) -> say.AnyOrder:
    return say.HoldFire(**read.head, unit=read.name)


def _attach(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    return say.Attach(**read.head, leader=read.name, unit=read.id(_need(node, "ID"), "target"))


def _detach(read: Sentence, _node_: Node[Word]) -> say.AnyOrder:
    return say.Detach(**read.head, leader=read.name)


def _spend(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    token = _need(node, "BENEFIT")
    read.spots.setdefault("benefit", token)
    return say.Spend(**read.head, unit=read.name, benefit=_benefit(token))


def _fire(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    parts = []
    for one in parts_in(node, "part"):
        token = _word(one, "NUMBER")
        parts.append(say.FirePart(read.enemy(_child_enemy(one)), read.count(token, "stands") if token else 0))
    return say.Fire(**read.head, unit=read.name, parts=tuple(parts))


def _bombard(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    return say.Bombard(**read.head, unit=read.name, target=read.enemy(_child_enemy(node)))


def _advance(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    return say.Advance(**read.head, unit=read.name, yes=_word(node, "YES") is not None)


def _reinforce(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    return say.Reinforce(**read.head, unit=read.name, to=read.place(child(node, "place"))[0], far=read.most(node))


def _deploy(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    token = _word(node, "FORMATION")
    return say.Deploy(
        **read.head,
        unit=read.name,
        at=read.place(child(node, "place"))[0],
        facing=read.way(child(node, "way")),
        formation=_formation(token) if token else None,
    )


ACTIONS: Mapping[str, Activity] = {
    "move": _move,
    "move_to": _move_to,
    "follow": _follow,
    "wheel": _wheel,
    "face": _face,
    "about": _about,
    "retire": _retire,
    "shift": _shift,
    "prolong": _prolong,
    "form": _form,
    "charge": _charge,
    "pull": _pull,
    "pull_then": _pull_then,
    "hold": _hold,
    "hold_fire": _hold_fire,
    "attach": _attach,
    "detach": _detach,
    "spend": _spend,
    "fire": _fire,
    "bombard": _bombard,
    "advance": _advance,
    "reinforce": _reinforce,
    "deploy": _deploy,
}
"""How the part of a line behind its units is read, by the grammar's name for it."""


# ------------------------------------------------------------------ lines without units


def _initiative(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    return say.SetInitiative(**read.head, word="take" if _word(node, "TAKE") is not None else "give")


def _flank(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    return say.SetFlank(
        **read.head, half=read.half(_need(node, "HALF")), charge=_word(node, "CHARGE_FLANK") is not None
    )


def _favour(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    leader, *unit = [word for word in words_in(node) if word.type == "ID"]
    token = _need(node, "BENEFIT")
    read.spots.setdefault("benefit", token)
    return say.Favour(
        **read.head,
        leader=read.id(leader, "leader"),
        benefit=_benefit(token),
        unit=read.id(unit[0], "unit") if unit else "",
    )


def _army_pull(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    phase = _word(node, "PHASE")
    return say.ArmyPull(
        **read.head,
        leader=read.id(_need(node, "ID"), "leader"),
        phase=phase.lower().replace(" ", "_") if phase else "",
        chits=read.chits(node),
    )


def _who(read: Sentence, node: Node[Word]) -> str:
    token = words_in(child(node, "who"))[0]
    return "all" if token.type == "ALL" else read.id(token, "who")


def _policy(read: Sentence, policy: say.Policy) -> say.AnyOrder:
    return say.SetPolicy(**read.head, policy=policy)


def _policy_cp(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    benefit, when, hits = _benefit(_need(node, "BENEFIT")), _word(node, "WHEN"), part(node, "hits")
    if hits is not None:
        if benefit not in ("fire_save", "melee_save"):
            why = "hits are counted before saves alone: fire_save or melee_save"
            raise BadWord(Wrong(why, "HL-CMD-13"), _need(node, "BENEFIT"))
        number = read.count(_need(hits, "NUMBER"), "hits")
        return _policy(read, say.Policy("cp", _who(read, node), benefit, "when-hits", number))
    assert when is not None, "the grammar asks for one of them"
    word = cast(Literal["always", "never"], when.lower().replace(" ", "-"))
    return _policy(read, say.Policy("cp", _who(read, node), benefit, word))


def _policy_advance(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    yes = _word(node, "YES") is not None
    return _policy(read, say.Policy("advance", _who(read, node), when="yes" if yes else "no"))


def _policy_pull(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    number = read.chits(node)
    return _policy(read, say.Policy("pull", _who(read, node), when="chits" if number else "never", number=number))


def _policy_army(read: Sentence, node: Node[Word]) -> say.AnyOrder:
    number, chief = read.chits(node), read.id(_need(node, "ID"), "leader")
    return _policy(read, say.Policy("army-pull", chief, when="chits" if number else "never", number=number))


ALONE: Mapping[str, Activity] = {
    "initiative": _initiative,
    "flank": _flank,
    "charge_flank": _flank,
    "favour": _favour,
    "army_pull": _army_pull,
    "policy_cp": _policy_cp,
    "policy_advance": _policy_advance,
    "policy_pull": _policy_pull,
    "policy_army": _policy_army,
}
"""How a line that names no units is read, by the grammar's name for it."""


def draft(scene: Scene, role: Role, line: Line, tree: Node[Word]) -> Draft:
    """The orders of a line.

    :raises BadWord: if it holds a word that the game does not have.
    """
    read = Sentence(scene, role, line)
    kind = str(tree.data)
    if kind != "units":
        return Draft(line, [ALONE[kind](read, tree)], read.spots)
    names, action = (child for child in tree.children if isinstance(child, Node))
    made = Draft(line, [], read.spots)
    for token in words_in(names):
        read.spots.setdefault("unit", token)
        read.name = token.upper()
        if f"unit {read.name}" not in read.spots:
            read.spots[f"unit {read.name}"] = token
            made.orders.append(ACTIONS[str(action.data)](read, action))
    return made
