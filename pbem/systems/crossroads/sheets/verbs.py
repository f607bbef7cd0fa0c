"""The order language: how each order is written and made, one order a line (the ledger's `Orders`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from pbem.ground.bearing import parse_bearing
from pbem.ground.plane import Point
from pbem.orders.grammar import Grammar, Node, Word, bare, parts_in, words_in
from pbem.orders.kindness import Dialect
from pbem.orders.names import name_key
from pbem.orders.refusal import BadWord, Wrong, mended
from pbem.orders.sentence import Head, Sentence, made_of, order_of
from pbem.orders.sheet import Line
from pbem.orders.suggest import closest
from pbem.orders.verbs import Verb, examples, rules
from pbem.systems.crossroads.field.field import degrees
from pbem.systems.crossroads.scene.scene import Scene
from pbem.systems.crossroads.world import orders as say
from pbem.systems.crossroads.world.state import INCHES

# ------------------------------------------------------------------ words


class Phrase(Sentence):
    """A line, or a part of one, over the ground of its scenario."""

    def __init__(self, scene: Scene, line: Line, tree: Node[Word]) -> None:
        super().__init__(line, tree)
        self.scene = scene

    @property
    def head(self) -> Head:
        """Line and text of the order, with the blanks that were written."""
        return {"line": self.line.number, "text": bare(self.line.text).strip()}

    def ids(self) -> list[str]:
        """The ids that stand in it, in capitals, as they are kept."""
        return [str(word).upper() for word in self.words("ID")]

    def last(self) -> str:
        """Its last word that was kept, where that is one of several."""
        return str(words_in(self.tree)[-1])

    def under(self, name: str) -> Phrase | None:
        """What stands in its part of that name."""
        node = self.part(name)
        return self.of(parts_in(node)[0]) if node is not None else None

    def tenths(self) -> int:
        """A length in tenths of an inch."""
        word = self.the("NUMBER")
        found = INCHES.parse(str(word))
        if found is None:
            raise BadWord(Wrong(f'"{word}" is finer than a tenth of an inch', "GC-GEO-01"), word)
        return found

    def whole(self) -> int:
        """A whole number."""
        word = self.the("NUMBER")
        return self.number(word, 0, 999, f'"{word}" is no whole number', "GC-ACT-04")

    def way(self) -> int:
        """A direction in whole degrees."""
        word = words_in(self.tree)[0]
        found = parse_bearing(str(word))
        if found is None:
            why = f'"{word}" is no direction; write one of the 16 points, as NE, or degrees'
            raise BadWord(Wrong(why, "GC-ACT-04"), word)
        return degrees(found)

    def spot(self) -> tuple[Point, str]:
        """A point, or a place of the map by its whole name."""
        words = words_in(self.tree)
        return self._point(words[0]) if words[0].type == "POINT" else self._place(words)

    def _point(self, word: Word) -> tuple[Point, str]:
        at, scene = INCHES.point(str(word)), self.scene
        if at is None:
            raise BadWord(Wrong(f'"{word}" is finer than a tenth of an inch', "GC-GEO-01"), word)
        if not (0 <= at.x <= scene.width and 0 <= at.y <= scene.height):
            far = f"{INCHES.show(scene.width)} by {INCHES.show(scene.height)}"
            raise BadWord(Wrong(f"{word} is off the table, which is {far} inches", "GC-MOV-05"), word)
        return at, ""

    def _place(self, words: list[Word]) -> tuple[Point, str]:
        said = bare(self.line.text)[words[0].start_pos : words[-1].end_pos]
        place = self.scene.by_name.get(name_key(said)) or self.scene.by_name.get(name_key(" ".join(words)))
        if place is not None:
            return place.pos, place.name
        names = [one.name for one in self.scene.places]
        parts = [name for name in names if name_key(said) in name_key(name)]
        near = closest(said, names) or (parts[0] if len(parts) == 1 else "")
        hint = f"did you mean {near}?" if near else f"there are {', '.join(names)}"
        name = Word.new_borrow_pos(words[0].type, said, words[0])
        name.end_column = words[-1].end_column
        why = f'there is no place "{said[:40]}"; {hint}'
        raise BadWord(Wrong(why, "GC-ACT-04", mended(self.line, name, near)), name)


def _always(word: str) -> Callable[[Phrase], str]:
    return lambda _: word


# ------------------------------------------------------------------ enemies and conditions

FOES: Mapping[str, Verb[Phrase, str]] = {
    "foe": Verb("ID", lambda said: said.ids()[0]),
    "contact": Verb('"contact" NUMBER', lambda said: f"contact {said.whole()}"),
    "nearest": Verb('"nearest"', lambda _: say.NEAREST),
}
"""How an enemy is named."""


def _foe(said: Phrase) -> str:
    return FOES[str(said.tree.data)].make(said)


def _foes(said: Phrase) -> list[str]:
    return [_foe(said.of(node)) for node in parts_in(said.tree)]


def _of(said: Phrase) -> str:
    foe = said.under("of")
    return _foe(foe) if foe is not None else ""


CONDITIONS: Mapping[str, Verb[Phrase, say.Condition]] = {
    "within": Verb('"within" NUMBER of?', made_of(say.Condition, "within", of=_of, number=Phrase.tenths)),
    "in_range": Verb('"in" "range" of?', made_of(say.Condition, "in range", of=_of)),
    "target": Verb(
        '"target" (SHAKEN | WITHDRAWN | ROUTED)',
        made_of(say.Condition, "target", status=Phrase.last),
    ),
    "not_seen": Verb('"not" "seen"', made_of(say.Condition, "not seen")),
    "loss": Verb('"loss" ">=" NUMBER', made_of(say.Condition, "loss", number=Phrase.whole)),
}
"""What an alternative may be made to wait for."""

# ------------------------------------------------------------------ actions


def _fire(said: Phrase) -> say.Fire:
    foes = _foes(said)
    if len(foes) > 1:
        why = "a unit fires at one target; give each of them a line of its own"
        raise BadWord(Wrong(why, "GC-FIR-08", bare(said.line.text).partition(" and ")[0].strip()))
    return say.Fire(enemy=foes[0])


def _move(said: Phrase) -> say.Move:
    half, facing = said.says("HALF"), said.under("facing")
    faces = facing.way() if facing is not None else None
    course = said.of(parts_in(said.tree)[0])
    goal = said.of(parts_in(course.tree)[0])
    if course.tree.data == "by":
        inches = course.tenths()
        return say.Move(half=half, direction=goal.way(), inches=inches, facing=faces)
    (to, place), via = goal.spot(), course.under("via")
    return say.Move(half=half, to=to, place=place, via=via.spot()[0] if via is not None else None, facing=faces)


ACTIONS: Mapping[str, Verb[Phrase, say.AnyAction]] = {
    "fire": Verb('FIRE foe ("and" foe)*', _fire, {"fire": "FR-3 fire PR-2"}),
    "move": Verb(
        '"move" HALF? course facing?',
        _move,
        {
            "move": "FR-6 move NE 6",
            "move to": "PR-1 move to 52,50 via 52,55 facing S",
            "move half": "PR-1 move half to 52,55 then fire nearest",
            "fire then": "FR-2 fire nearest then move half N 3",
        },
    ),
    "wheel": Verb(
        '"wheel" (LEFT | RIGHT) NUMBER',
        made_of(say.Wheel, hand=lambda said: str(said.the("LEFT", "RIGHT")), degrees=Phrase.whole),
        {"wheel": "PR-4 wheel left 45 then move SE 6"},
    ),
    "face": Verb(
        '"face" way',
        made_of(say.Face, facing=lambda said: said.of(parts_in(said.tree)[0]).way()),
        {"face": "FR-2 face E"},
    ),
    "form": Verb(
        '"form" (LINE | COLUMN | SKIRMISH | DEPLOYED | LIMBERED)',
        made_of(say.FormUp, formation=Phrase.last),
        {"form": "PR-3 form line then fire nearest"},
    ),
    "charge": Verb(
        '"charge" foe',
        made_of(say.Charge, enemy=lambda said: _foes(said)[0]),
        {"charge": "FR-Z1 charge contact 3 if within 12 else fire nearest"},
    ),
    "prone": Verb("PRONE", made_of(say.GoProne), {"prone": "FR-5 prone then fire nearest"}),
    "rise": Verb('"rise"', made_of(say.Rise), {"rise": "FR-5 rise then move half N 3"}),
    "rally": Verb('"rally"', made_of(say.Rally), {"rally": "FR-4 rally then fire nearest"}),
    "clear": Verb('"clear"', made_of(say.Clear), {"clear": "FR-M1 clear"}),
    "cross": Verb('"cross"', made_of(say.Cross), {"cross": "PR-A1 cross"}),
    "none": Verb('"none"', made_of(say.Nothing), {"none": "FR-6 none"}),
}
"""What a unit may be told to do on its card."""


def _action(said: Phrase) -> say.AnyAction:
    return ACTIONS[str(said.tree.data)].make(said)


# ------------------------------------------------------------------ lines

_OR_ELSE = re.compile(r"\b(?:or\s+else|else?|otherwise|if\s+not)\b", re.IGNORECASE)


def _alternatives(said: Phrase) -> tuple[say.Alternative, ...]:
    texts = [text.strip(" ,.") for text in _OR_ELSE.split(bare(said.line.text))]
    texts[0] = re.sub(r"^(?:\w+:?\s+)??[\w-]*-\w+:?\s+", "", texts[0])
    nodes = [node for found in parts_in(said.tree, "alternatives") for node in parts_in(found)]
    texts += [""] * (len(nodes) - len(texts))
    return tuple(_alternative(said.of(node), text) for node, text in zip(nodes, texts, strict=False))


def _alternative(said: Phrase, text: str) -> say.Alternative:
    action = _action(said.of(parts_in(said.tree)[0]))
    then, provided = said.under("then"), said.under("provided")
    return say.Alternative(
        action,
        _action(then) if then is not None else None,
        CONDITIONS[str(provided.tree.data)].make(provided) if provided is not None else None,
        text,
    )


def _unit(said: Phrase) -> str:
    return said.ids()[0]


def _attach(said: Phrase) -> say.AttachOfficer:
    (officer, unit), (timing, of) = said.ids(), _timing(said)
    return say.AttachOfficer(**said.head, officer=officer, unit=unit, timing=timing, of=of)


def _ride(said: Phrase) -> say.MoveOfficer:
    (to, place), (timing, of) = said.of(parts_in(said.tree)[0]).spot(), _timing(said)
    return say.MoveOfficer(**said.head, officer=_unit(said), to=to, place=place, timing=timing, of=of)


def _lead(said: Phrase) -> say.Lead:
    officer, *units = said.ids()
    action = _action(said.of(parts_in(said.tree)[-1]))
    return say.Lead(**said.head, officer=officer, units=tuple(dict.fromkeys(units)), action=action)


def _timing(said: Phrase) -> tuple[say.Timing, str]:
    timings: Mapping[str, say.Timing] = {"first": "first", "with_": "with", "after": "after"}
    for node in parts_in(said.tree, *timings):
        return timings[str(node.data)], "".join(said.of(node).ids())
    return "", ""


def _policy(what: str) -> Callable[[Phrase], say.Policy]:
    return order_of(say.Policy, what=_always(what), word=Phrase.last)


ORDERS: Mapping[str, Verb[Phrase, say.AnyOrder]] = {
    "unit": Verb("ID alternatives", order_of(say.UnitOrder, unit=_unit, alternatives=_alternatives)),
    "attach": Verb('"officer" ID "attach" ID timing?', _attach, {"officer": "officer FO-1 attach FR-2 after FR-2"}),
    "ride": Verb('"officer" ID "move" "to" spot timing?', _ride, {"officer move": "officer FO-1 move to 60,30 first"}),
    "lead": Verb(
        '"officer" ID "lead" ID+ action', _lead, {"officer lead": "officer KO-1 lead PR-1, PR-2, PR-3 move S 8"}
    ),
    "joker": Verb(
        '"joker" ID alternatives',
        order_of(say.JokerOrder, unit=_unit, alternatives=_alternatives),
        {"joker": "joker PR-7 charge FR-3"},
    ),
    "star": Verb(
        '"star" ID alternatives',
        order_of(say.JokerOrder, unit=_unit, alternatives=_alternatives, star=lambda _: True),
        {"star": "star FR-A1 fire nearest"},
    ),
    "policy_shaken": Verb('"policy" "shaken" (COVER | PRONE)', _policy("shaken"), {"policy": "policy shaken prone"}),
    "policy_defensive": Verb(
        '"policy" DEFENSIVE (YES | NO)',
        _policy("defensive_fire"),
        {"policy defensive-fire": "policy defensive-fire no"},
    ),
    "policy_advance": Verb(
        '"policy" "advance" (YES | NO)', _policy("advance"), {"policy advance": "policy advance yes"}
    ),
    "policy_after": Verb(
        '"policy" AFTERMELEE (FIRE | HOLD)', _policy("after_melee"), {"policy after-melee": "policy after-melee hold"}
    ),
    "policy_joker": Verb(
        '"policy" JOKERORDER ID+',
        order_of(say.Policy, what=_always("joker_order"), units=lambda said: tuple(dict.fromkeys(said.ids()))),
        {"policy joker-order": "policy joker-order PR-1, PR-4"},
    ),
}
"""What a line may be."""


def order_in(scene: Scene, line: Line, tree: Node[Word]) -> say.AnyOrder:
    """The order that a line is, before anybody judges it.

    :raises BadWord: at a place that is none, a number out of all bounds.
    """
    return ORDERS[str(tree.data)].make(Phrase(scene, line, tree))


# ------------------------------------------------------------------ the language

WORDS = {
    "ID": "a unit or officer, like PR-4",
    "NUMBER": "a number",
    "POINT": "a point, like 52,55",
    "NAME": "a place of the map",
    "DIR": "a direction, like NE or 225",
    "DEFENSIVE": "defensive-fire",
    "AFTERMELEE": "after-melee",
    "JOKERORDER": "joker-order",
}
"""Terminals that are no literal words, in words."""

DIALECT = Dialect(
    lengths=("inches", "inch", "ins", "in", '"', "''", "\u2033", "figures"),
    words={"hold": "none", "halt": "none", "stay": "none", "wait": "none", "stand": "none", "change": "form"},
    names=r"[a-z]{1,3}-[a-z]?\d{1,3}",
    leads=True,
    forms={
        r"^([a-z]o-?\d{1,3}):?\s+(attach|move|lead|ride)": r"officer \1 \2",
        r"\blimbers?(?:\s+up)?\b": "form limbered",
        r"\b(?:unlimbers?|deploys?)\b": "form deployed",
        r"\b(?:changes?|forms?)\s+(?:up\s+)?(?:in)?to\b": "form",
        r"\bride(?:s)?\s+to\b": "move to",
    },
)
"""How its players write."""

EXAMPLES = examples(ACTIONS, ORDERS)
"""One full example of each order, by what it is for."""

KEPT = "fire hold half left right line column skirmish deployed limbered prone cover yes no shaken withdrawn routed"
"""Words of which one stands where several may: which it was is kept."""

GRAMMAR = Grammar(
    rules({"order": ORDERS, "action": ACTIONS, "condition": CONDITIONS, "foe": FOES})
    + r"""
alternatives: alternative ("else" alternative)*
alternative: action then? provided?
then: "then" action
provided: "if" condition
course: way NUMBER                                       -> by
      | "to" spot via?                                   -> to
via: "via" spot
facing: "facing" way
way: DIR | NUMBER
spot: POINT | NAME+
of: "of" foe
timing: "first"                                          -> first
      | "with" ID                                        -> with_
      | "after" ID                                       -> after

DEFENSIVE: /defensive[- ]fire/
AFTERMELEE: /after[- ]melee/
JOKERORDER: /joker[- ]order/
ID: /[a-z]{1,3}-[a-z]?\d{1,3}/
POINT: /\d{1,3}(?:\.\d+)?\s*,\s*\d{1,3}(?:\.\d+)?/
NUMBER: /\d{1,3}(?:\.\d+)?/
DIR: /[ns](?:[ns]?[ew])?|[ew](?:[ns][ew])?/
NAME: /[^\W\d_]+(?:[-'][^\W\d_]+)*/
"""
    + "\n".join(f'{word.upper()}: "{word}"' for word in KEPT.split()),
    examples=EXAMPLES,
    words=WORDS,
    vague=("NAME",),
    dialect=DIALECT,
    system="crossroads",
)
"""Blanks, commas, comments, capitals and shortened words are common to all systems."""
