"""Every verb that an order may have, by its place in the grammar: how it is written, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from pbem.ground.hexes import Hex
from pbem.kernel.names import Role
from pbem.orders.grammar import Node, Word, bare, parts_in, words_in
from pbem.orders.sentence import made_of, order_of
from pbem.orders.sheet import Line
from pbem.orders.verbs import Verb, Verbs, examples
from pbem.systems.empire_1870.scene.scene import Scene
from pbem.systems.empire_1870.sheets.sentence import AMOUNTS, Draft, Sentence
from pbem.systems.empire_1870.tables.charts import FORCED_MARCH
from pbem.systems.empire_1870.world import orders as say

Made = TypeVar("Made")
Read = Callable[[Sentence], object]

# ------------------------------------------------------------------ what stands in a line, or in a part of it


def _place(told: Sentence) -> Hex:
    return told.places()[0]


def _hq(told: Sentence) -> str:
    return told.hq(told.the("HQ"))


def _count(told: Sentence) -> int:
    return told.amount().count


def _at(told: Sentence) -> say.At:
    return say.At(told.amount(), told.places()[0])


def _within(least: int = 0, most: int = 99) -> Callable[[Sentence], int]:
    return lambda told: told.within(least, most)


def _if_any(kind: str, read: Read, otherwise: object) -> Read:
    return lambda told: read(told) if told.says(kind) else otherwise


def _is(value: object) -> Read:
    """What the verb itself says."""
    return lambda told: value


def _first(told: Sentence) -> str:
    """The first word that is no number."""
    return next(one for one in words_in(told.tree) if one.type not in ("NUMBER", "RATIO")).lower()


def _parts(told: Sentence, *names: str) -> list[Sentence]:
    return [told.of(node) for node in parts_in(told.tree, *names)]


def _each(verbs: Verbs[Sentence, Made], *names: str) -> Callable[[Sentence], tuple[Made, ...]]:
    """What each part comes to that is of these names, or of any in the table."""
    return lambda told: tuple(verbs[str(one.tree.data)].make(one) for one in _parts(told, *(names or verbs)))


def _only(verbs: Verbs[Sentence, Made], *names: str) -> Callable[[Sentence], Made | None]:
    """What the first of them comes to, if there is one."""
    return lambda told: next(iter(_each(verbs, *names)(told)), None)


# ------------------------------------------------------------------ actions


def _leg(told: Sentence) -> say.Leg:
    start, *end = told.places()
    return say.Ride(start, end[0], told.says("STAY")) if end else say.Go(start)


LEGS: Verbs[Sentence, say.Leg] = {
    "go": Verb("place", _leg),
    "ride": Verb('"rail" place "to" place [STAY]', _leg),
}
OPTIONS: Verbs[Sentence, object] = {
    "attack": Verb('"attack"', _is(value=True)),
    "through": Verb('"through"', _is(value=True)),
    "stop_enemy": Verb('"stop" "enemy"', _is(value=True)),
    "pickup": Verb('"pickup" amount "at" place', _at),
    "leave": Verb('"drop" amount "at" place', _at),
    "extra": Verb('"force" NUMBER', _within(*FORCED_MARCH)),
    "exit": Verb('"exit"', _is(value=True)),
}
"""What may be said of a march besides its way."""
ADVANCES: Verbs[Sentence, object] = {
    "advance_word": Verb('"advance" (ALL | LEAD | NONE)', _first),
    "advance_hexes": Verb('"advance" place+', Sentence.places),
}


def _option(name: str, otherwise: object) -> Read:
    return lambda told: _only(OPTIONS, name)(told) or otherwise


def _joins(told: Sentence) -> tuple[say.Join, ...]:
    joins: list[say.Join] = []
    for one in (joined for several in _parts(told, "join") for joined in _parts(several, "joined")):
        amount = one.amount() if one.word(*AMOUNTS) else None
        joins.append(say.Join(one.hq(one.the("HQ"), f"join.{len(joins)}"), amount))
    return tuple(joins)


ACTIONS: Verbs[Sentence, say.Action] = {
    "march": Verb(
        '"march" leg* option*',
        made_of(
            say.March,
            path=_each(LEGS),
            attack=_option("attack", otherwise=False),
            through=_option("through", None),
            stop_enemy=_option("stop_enemy", otherwise=False),
            pickups=_each(OPTIONS, "pickup"),
            drops=_each(OPTIONS, "leave"),
            force=_option("extra", 0),
            exit=_option("exit", otherwise=False),
        ),
    ),
    "forced": Verb(
        '"forced" NUMBER place+', made_of(say.ForcedMarch, extra=_within(*FORCED_MARCH), path=Sentence.places)
    ),
    "rally": Verb('"rally"', made_of(say.Rally)),
    "assault": Verb(
        '"assault" place join* [advance]', made_of(say.Assault, joins=_joins, advance=_only(ADVANCES), target=_place)
    ),
}


def _action(told: Sentence) -> say.Action:
    """The action of a line; where it begins is kept."""
    node = parts_in(told.tree, *ACTIONS)[0]
    words: list[Word] = list(node.scan_values(lambda one: isinstance(one, Word)))
    told.spots.setdefault("action", words[0] if words else told.spots.get("sp") or _verb(told))
    return ACTIONS[str(node.data)].make(told.of(node))


def _verb(told: Sentence) -> Word:
    text = bare(told.line.text)
    start, verb = len(text) - len(text.lstrip()), text.split()[0]
    return Word("VERB", verb, column=start + 1, end_column=start + 1 + len(verb))


# ------------------------------------------------------------------ conditions

_TESTS = {
    "enemy_in": '"enemy" "in" place',
    "no_enemy_in": '"no" "enemy" "in" place',
    "enemy_adjacent": '"enemy" "adjacent" place',
    "no_enemy_adjacent": '"no" "enemy" "adjacent" place',
    "friend_in": '"friend" "in" place',
    "friend_sp": '"friend" "sp" ">=" NUMBER "in" place',
    "control": '"control" place',
    "not_control": '"not" "control" place',
    "rp": '"rp" ">=" NUMBER',
    "odds": '"odds" ">=" RATIO',
    "done": '"done" HQ',
    "not_done": '"not" "done" HQ',
    "vp_most": '"vp" "<=" NUMBER',
    "vp_least": '"vp" ">=" NUMBER',
}


def _condition(told: Sentence) -> say.Condition:
    name = str(told.tree.data)
    test = name.removeprefix("no_").removeprefix("not_")
    hq = told.hq(told.the("HQ"), "condition") if told.says("HQ") else ""
    odds, places = [*told.ratios, (1, 1)][0], told.places()
    number = told.within() if told.says("NUMBER") else 0
    return say.Condition(test, name != test, places[0] if places else None, hq, number, odds)  # type: ignore[arg-type]


CONDITIONS: Verbs[Sentence, say.Condition] = {name: Verb(form, _condition) for name, form in _TESTS.items()}
"""What an `IF` may ask; with `no` or `not` before it, whether it does not hold."""


def _provided(told: Sentence) -> say.Provided:
    """`IF … AND … ELSE …`."""
    node = told.part("provided", "provided_block")
    if node is None:
        return say.ALWAYS
    tests = _each(CONDITIONS)(told.of(node))
    other = next((one for one in node.children if isinstance(one, Word)), None)
    if other is not None and other.type == "WAIT":
        return say.Provided(tests, "wait")
    action = _only(ACTIONS)(told.of(node))
    return say.Provided(tests, "skip" if action is None else action)


# ------------------------------------------------------------------ reactions


def _reaction(**said: Read) -> Callable[[Sentence], dict[str, object]]:
    """What a reaction says beside its numbers; its name and its first word, if nothing else is said."""

    def read(told: Sentence) -> dict[str, object]:
        fields: dict[str, Read] = {"reaction": lambda told: str(told.tree.data), "word": _first, **said}
        return {name: field(told) for name, field in fields.items()}

    return read


def _artillery(told: Sentence) -> dict[str, object]:
    side, word = words_in(told.tree)[:2]
    return {"reaction": f"artillery_{side.lower()}", "word": word.lower()}


REACTIONS: Verbs[Sentence, Mapping[str, object]] = {
    "chassepot": Verb(
        '"chassepot" (ALWAYS | NEVER | (MIN | COLUMN) NUMBER)',
        _reaction(),
        {"react chassepot": "REACT CHASSEPOT MIN 4 AT 2306"},
    ),
    "chassepot_hold": Verb(
        # The SP of one hex hold their fire: what `NEVER AT` it says.
        '"chassepot" "hold" place',
        _reaction(reaction=_is("chassepot"), word=_is("never"), scope_hex=_place, scope_hq=_is(""), hexes=_is(())),
    ),
    "cavalry": Verb(
        '"cavalry" (ALWAYS | NEVER | ODDS NUMBER) ["to" place+]',
        _reaction(),
        {"react cavalry": "REACT CAVALRY ODDS 2 TO 2504"},
    ),
    "artillery": Verb(
        '"artillery" (ATTACK | DEFENCE) (ALWAYS | NEVER | MAX NUMBER | RESERVE NUMBER ["odds" RATIO RATIO])',
        _artillery,
        {"react artillery": "REACT ARTILLERY DEFENCE NEVER"},
    ),
    "reroll": Verb(
        '"reroll" (NEVER | LOW NUMBER [LOSING | ALWAYS])',
        _reaction(losing=lambda told: not told.says("ALWAYS")),
        {"react reroll": "REACT REROLL LOW 3 LOSING"},
    ),
    "losses": Verb(
        '"losses" (SPREAD | CONCENTRATE | KEEP NUMBER)', _reaction(), {"react losses": "REACT LOSSES KEEP 3 FOR F2"}
    ),
    "retreat": Verb(
        '"retreat" (SHORT | LONG | FORTRESS | TO place [place])',
        _reaction(),
        {"react retreat": "REACT RETREAT TO 2107"},
    ),
    "garrison": Verb(
        '"garrison" (STAY | LEAVE | KEEP NUMBER)', _reaction(), {"react garrison": "REACT GARRISON KEEP 2 AT Bitche"}
    ),
    "advance": Verb('"advance" (LEAD | ALL | NONE)', _reaction(), {"react advance": "REACT ADVANCE ALL"}),
}
SCOPES: Verbs[Sentence, object] = {
    "scope_hq": Verb('"for" HQ', lambda told: told.hq(told.the("HQ"), "scope")),
    "scope_hex": Verb('"at" place', _place),
}
"""For whom a reaction holds, if not for all of a side."""


def _react(told: Sentence) -> say.React:
    [what] = _parts(told, *REACTIONS)
    low, high = [*what.ratios, None, None][:2]
    scopes = {"scope_hex": _only(SCOPES, "scope_hex")(told), "scope_hq": _only(SCOPES, "scope_hq")(told) or ""}
    numbers = tuple(map(int, what.words("NUMBER")))
    said = {**scopes, "numbers": numbers, "low": low, "high": high, "hexes": what.places()}
    return say.React(**told.head, **{**said, **REACTIONS[str(what.tree.data)].make(what)})  # type: ignore[arg-type]


# ------------------------------------------------------------------ lines

_ACTS: Mapping[str, Read] = {"action": _action, "provided": _provided}
_FORCE: Mapping[str, Read] = {"hex": _place, "amount": Sentence.amount, **_ACTS}


def _also(told: Sentence) -> tuple[say.At, ...]:
    return tuple(map(_at, _parts(told, "from")))


def _along(told: Sentence) -> tuple[str, ...]:
    words = [one for company in _parts(told, "with") for one in company.words("HQ")]
    return tuple(told.hq(one, f"with.{number}") for number, one in enumerate(words))


VERBS: Verbs[Sentence, say.Written | None] = {
    "mobilize": Verb(
        '"mobilize" SP "at" place',
        order_of(say.Mobilize, count=_count, hex=_place),
        {"mobilize": "MOBILIZE 2SP AT Mainz"},
        "administration",
    ),
    "mobilize_hq": Verb(
        '"mobilize" "hq" HQ "at" place',
        order_of(say.MobilizeHq, hq=_hq, hex=_place),
        {"mobilize hq": "MOBILIZE HQ CD1 AT Mainz"},
        "administration",
    ),
    "standing": Verb(
        '"standing" "mobilize" SP "at" place+ ["reserve" NUMBER]',
        order_of(say.StandingMobilize, reserve=_if_any("NUMBER", _within(), 0), count=_count, hexes=Sentence.places),
        {"standing mobilize": "STANDING MOBILIZE 2SP AT Mainz Landau RESERVE 10"},
        "reactions",
    ),
    "standing_none": Verb(
        '"standing" "mobilize" "none"', order_of(say.StandingMobilize, count=_is(0)), sort="reactions"
    ),
    "reenter": Verb(
        '"reenter" HQ "at" place+',
        order_of(say.Reenter, hq=_hq, hexes=Sentence.places),
        {"reenter": "REENTER F1 AT Metz Verdun"},
        "reactions",
    ),
    "act": Verb(
        '"act" HQ [provided_block]', order_of(say.Act, hq=_hq, provided=_provided), {"act": "ACT A2"}, "programme"
    ),
    "sub": Verb(
        '"sub" HQ [provided_block]', order_of(say.SubLine, hq=_hq, provided=_provided), {"sub": "SUB G3"}, "programme"
    ),
    "end": Verb('"end"', lambda told: None, {"end": "END"}, "programme"),
    "force": Verb(
        '"force" place amount action [provided]',
        order_of(say.ForceLine, **_FORCE),
        {"force": "FORCE 2504 3SP MARCH 2404 2405"},
        "programme",
    ),
    "self": Verb(
        '"self" amount from* [with] action [provided]',
        order_of(say.SelfLine, amount=Sentence.amount, also=_also, along=_along, **_ACTS),
        {"self": "SELF 8SP MARCH 2405 2306 ATTACK IF ODDS >= 1:2 ELSE WAIT"},
        "programme",
    ),
    "div": Verb(
        '"div" place amount action [provided]',
        order_of(say.Div, **_FORCE),
        {"div": "DIV 2407 3SP MARCH 2406"},
        "programme",
    ),
    "pass": Verb('"pass"', order_of(say.Pass), {"pass": "PASS"}, "programme"),
    "drop": Verb('"drop" NUMBER', order_of(say.Drop, number=_within(1)), {"drop": "DROP 2"}, "programme"),
    # Its place is kept as that of a DROP, until the entry that is to stand there has been read.
    "insert": Verb('"insert" NUMBER', order_of(say.Drop, number=_within(1)), {"insert": "INSERT 1"}, "programme"),
    "react": Verb(
        '"react" reaction [scope]',
        _react,
        {"react": "REACT ARTILLERY ATTACK RESERVE 10 ODDS 1:1 3:1", **examples(REACTIONS)},
        "reactions",
    ),
    "siege": Verb(
        '"siege" place (ASSAULT | NO)',
        order_of(say.SiegeOrder, hex=_place, assault=lambda told: told.says("ASSAULT")),
        {"siege": "SIEGE Toul ASSAULT"},
        "reactions",
    ),
    "recover": Verb(
        '"recover" (ALL | NONE)',
        order_of(say.Recover, word=_first),
        {"recover": "RECOVER RESERVE 5"},
        "reactions",
    ),
    "recover_reserve": Verb(
        '"recover" "reserve" NUMBER', order_of(say.Recover, word=_is("reserve"), reserve=_within()), sort="reactions"
    ),
    "recover_first": Verb(
        '"recover" "first" place+', order_of(say.Recover, word=_is("first"), hexes=Sentence.places), sort="reactions"
    ),
    "setup_hq": Verb('"setup" HQ "at" place', order_of(say.SetupHq, hq=_hq, hex=_place), sort="setup"),
    "setup_sp": Verb(
        '"setup" SP ["of" HQ] "at" place',
        order_of(say.SetupSp, group=_if_any("HQ", _hq, ""), count=_count, hex=_place),
        {"setup": "SETUP 4SP OF A1 AT 2405"},
        "setup",
    ),
}
"""Every verb of a line."""


def draft(scene: Scene, side: Role, line: Line, tree: Node[Word]) -> Draft:
    """A line as an order, as far as its words go.

    :raises BadWord: if a place, an HQ or a number is none.
    """
    told, kind = Sentence(scene, side, line, tree), str(tree.data)
    return Draft(line, kind, VERBS[kind].make(told), told.spots)
