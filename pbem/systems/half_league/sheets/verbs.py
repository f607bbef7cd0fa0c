"""The order language: of each verb how it is written, what order it makes, an example, and of which sort it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, TypeVar, cast

from pbem.kernel.names import Role
from pbem.orders.grammar import Grammar, Node, Word, parts_in, words_in
from pbem.orders.kindness import Dialect
from pbem.orders.refusal import BadWord, Wrong
from pbem.orders.sentence import order_of
from pbem.orders.sheet import Line
from pbem.orders.verbs import Verb, Verbs, examples, rules
from pbem.systems.half_league.scene.scene import Scene
from pbem.systems.half_league.sheets.sentence import Spoken
from pbem.systems.half_league.world import orders as say

Made = TypeVar("Made", bound=say.AnyOrder)


def _unit(kind: type[Made], **fields: Callable[[Spoken], object]) -> Callable[[Spoken], Made]:
    """How a line becomes an order to the unit in hand."""
    return order_of(kind, unit=Spoken.own, **fields)


# ------------------------------------------------------------------ the sequence

SEQUENCE: Verbs[Spoken, say.AnyOrder] = {
    "initiative": Verb(
        '"initiative" (TAKE | GIVE)',
        order_of(say.SetInitiative, word=lambda told: "take" if told.says("TAKE") else "give"),
        {"initiative": "initiative take"},
    ),
    "flank": Verb('"flank" HALF', order_of(say.SetFlank, half=Spoken.half), {"flank": "flank east"}),
    "charge_flank": Verb(
        "CHARGE_FLANK HALF",
        order_of(say.SetFlank, half=Spoken.half, charge=lambda told: True),
        {"charge-flank": "charge-flank west"},
    ),
}

# ------------------------------------------------------------------ one activity a unit


def _move_to(told: Spoken) -> say.Move:
    end = told.place()
    via = [told.of(one).place().pos for one in parts_in(told.tree, "via")]
    facing, extra = told.part("facing"), told.part("extra")
    return say.Move(
        **told.head,
        unit=told.name,
        points=(*via, end.pos),
        far=told.of(extra).most() if extra else None,
        facing=told.of(facing).way() if facing else None,
        place=end.name,
    )


def _pull_then(told: Spoken) -> say.Pull:
    inner = parts_in(told.tree)[0]
    then = VERBS[str(inner.data)].make(told.of(inner))
    if isinstance(then, say.Pull | say.Hold):
        why = "after `pull then` stands what the unit does besides: a move, a charge or a change of formation"
        raise BadWord(Wrong(why, "HL-CMD-04"), told.spots["unit"])
    return say.Pull(**told.head, unit=told.name, then=then)  # type: ignore[arg-type] # an activity, and not those two


ACTIVITIES: Verbs[Spoken, say.AnyOrder] = {
    "move": Verb('"move" way NUMBER', _unit(say.Move, far=Spoken.far, bearing=Spoken.way), {"move": "UK-7 move SSW 8"}),
    "move_to": Verb(
        '"move" "to" place extra*',
        _move_to,
        {
            "move to": "UK-7 move to Great Redoubt max 10 facing S",
            "move to via": "UK-33 move to 72,50 via 69,56",
        },
    ),
    "follow": Verb(
        '"follow" "road" [most]', _unit(say.FollowRoad, far=Spoken.most), {"follow": "UK-95 follow road max 12"}
    ),
    "wheel": Verb(
        '"wheel" (LEFT | RIGHT) NUMBER [then]',
        _unit(say.Wheel, by=Spoken.turn, far=Spoken.then),
        {"wheel": "UK-19 wheel left 30 then move 6"},
    ),
    "face": Verb('"face" way', _unit(say.Face, bearing=Spoken.way), {"face": "RU-5 face NE"}),
    "about": Verb('"about" [then]', _unit(say.About, far=Spoken.then), {"about": "RU-3 about then 4"}),
    "retire": Verb('"retire" NUMBER', _unit(say.Retire, far=Spoken.far), {"retire": "RU-7 retire 4"}),
    "shift": Verb(
        '"shift" (LEFT | RIGHT) NUMBER',
        _unit(say.Shift, hand=Spoken.hand, far=Spoken.far),
        {"shift": "UK-41 shift left 3"},
    ),
    "prolong": Verb(
        '"prolong" way NUMBER',
        _unit(say.Prolong, bearing=Spoken.way, far=Spoken.far),
        {"prolong": "RU-A3 prolong S 3"},
    ),
    "form": Verb(
        '"form" FORMATION ["facing" way]',
        _unit(say.Form, formation=Spoken.formation, facing=Spoken.facing),
        {"form": "UK-30 form line facing S"},
    ),
    "charge": Verb(
        '"charge" enemy ["else" NEAREST]',
        _unit(say.Charge, target=Spoken.enemy, nearest=lambda told: told.says("NEAREST")),
        {"charge": "RU-1 charge UK-7 else nearest", "charge contact": "RU-1 charge contact 3"},
    ),
    "pull": Verb(
        '"pull" [DOUBLE]', _unit(say.Pull, double=lambda told: told.says("DOUBLE")), {"pull": "UK-33 pull double"}
    ),
    "pull_then": Verb('"pull" "then" activity', _pull_then, {"pull then": "UK-33 pull then move S 8"}),
    "hold": Verb('"hold"', _unit(say.Hold), {"hold": "UK-7, UK-33 hold"}),
}

# ------------------------------------------------------------------ leaders, fire and points

RIDES: Verbs[Spoken, say.AnyOrder] = {
    "attach": Verb(
        '"attach" ID', order_of(say.Attach, leader=Spoken.own, unit=Spoken.joins), {"attach": "BG-COD attach UK-33"}
    ),
    "detach": Verb('"detach"', order_of(say.Detach, leader=Spoken.own), {"detach": "BG-COD detach"}),
}


def _favour(told: Spoken) -> say.Favour:
    leader, unit = told.leader(), [told.spotted("unit", word).upper() for word in told.words("ID")[1:]]
    return say.Favour(**told.head, leader=leader, benefit=told.benefit(), unit="".join(unit))


FAVOURS: Verbs[Spoken, say.AnyOrder] = {
    "favour": Verb('"brigadier" ID BENEFIT ["unit" ID]', _favour, {"brigadier": "brigadier BG-GDS fire unit UK-GG"}),
}


SPENDING: Verbs[Spoken, say.AnyOrder] = {
    "spend": Verb('"spend" BENEFIT', _unit(say.Spend, benefit=Spoken.benefit), {"spend": "UK-23 spend fire"}),
}


def _parts(told: Spoken) -> tuple[say.FirePart, ...]:
    inner = [told.of(one) for one in parts_in(told.tree, "part")]
    return tuple(say.FirePart(one.enemy(), one.stands()) for one in inner)


FIGHTING: Verbs[Spoken, say.AnyOrder] = {
    "fire": Verb(
        '"fire" part ("and" part)*',
        _unit(say.Fire, parts=_parts),
        {"fire": "UK-7 fire RU-A1 stands 2 and RU-1 stands 2"},
    ),
    "bombard": Verb('"bombard" enemy', _unit(say.Bombard, target=Spoken.enemy), {"bombard": "RU-A1 bombard contact 2"}),
    "hold_fire": Verb("HOLD_FIRE", _unit(say.HoldFire), {"hold-fire": "RU-9 hold-fire"}),
    "advance": Verb(
        '"advance" (YES | NO)',
        _unit(say.Advance, yes=lambda told: told.says("YES")),
        {"advance": "UK-33 advance no"},
    ),
    "reinforce": Verb(
        '"reinforce" "to" place [most]',
        _unit(say.Reinforce, to=lambda told: told.place().pos, far=Spoken.most),
        {"reinforce": "RU-10 reinforce to 56,24 max 8"},
    ),
}

ARMY: Verbs[Spoken, say.AnyOrder] = {
    "army_pull": Verb(
        'ARMY_PULL ID ["phase" PHASE] [chits]',
        order_of(say.ArmyPull, leader=Spoken.leader, phase=Spoken.phase, chits=Spoken.chits),
        {"army-pull": "army-pull AC-1 when chits >= 3", "army-pull phase": "army-pull AC-1 phase charge"},
    )
}

# ------------------------------------------------------------------ standing policies


def _cp(told: Spoken) -> say.Policy:
    benefit, hits = told.benefit(), told.part("hits")
    if hits is None:
        when = cast(Literal["always", "never"], told.the("WHEN").lower().replace(" ", "-"))
        return say.Policy("cp", told.who(), benefit, when)
    if benefit not in ("fire_save", "melee_save"):
        why = "hits are counted before saves alone: fire_save or melee_save"
        raise BadWord(Wrong(why, "HL-CMD-13"), told.the("BENEFIT"))
    return say.Policy("cp", told.who(), benefit, "when-hits", told.of(hits).count("hits"))


def _advance(told: Spoken) -> say.Policy:
    return say.Policy("advance", told.who(), when="yes" if told.says("YES") else "no")


def _when_chits(kind: Literal["pull", "army-pull"], who: Callable[[Spoken], str]) -> Callable[[Spoken], say.Policy]:
    def policy(told: Spoken) -> say.Policy:
        number = told.chits()
        return say.Policy(kind, who(told), when="chits" if number else "never", number=number)

    return policy


POLICIES: Verbs[Spoken, say.AnyOrder] = {
    "policy_cp": Verb(
        '"policy" "cp" who BENEFIT (WHEN | hits)',
        order_of(say.SetPolicy, policy=_cp),
        {"policy": "policy cp B-GDS fire_save when-hits >= 3", "policy cp": "policy cp all melee if-attacked"},
    ),
    "policy_advance": Verb(
        '"policy" "advance" (YES | NO) who',
        order_of(say.SetPolicy, policy=_advance),
        {"policy advance": "policy advance no B-HIG"},
    ),
    "policy_pull": Verb(
        '"policy" "pull" who (chits | NEVER)',
        order_of(say.SetPolicy, policy=_when_chits("pull", Spoken.who)),
        {"policy pull": "policy pull all when chits >= 2"},
    ),
    "policy_army": Verb(
        '"policy" ARMY_PULL ID (chits | NEVER)',
        order_of(say.SetPolicy, policy=_when_chits("army-pull", Spoken.leader)),
        {
            "policy army-pull": "policy army-pull AC-1 when chits >= 4",
            "policy army-pull never": "policy army-pull AC-1 never",
        },
    ),
}

# ------------------------------------------------------------------ set-up

SETTING_UP: Verbs[Spoken, say.AnyOrder] = {
    "deploy": Verb(
        '"deploy" place "facing" way [FORMATION]',
        _unit(say.Deploy, at=lambda told: told.place().pos, facing=Spoken.way, formation=Spoken.formation),
        {"deploy": "UK-7 deploy 61,64 facing S line"},
    )
}

# ------------------------------------------------------------------ the whole

SORTS = (
    *(("command", SEQUENCE), ("move", ACTIVITIES), ("move", RIDES), ("points", FAVOURS), ("points", SPENDING)),
    *(("fight", FIGHTING), ("points", ARMY), ("policy", POLICIES), ("setup", SETTING_UP)),
)
"""Of which sort the verbs of each table are."""
VERBS = {name: verb._replace(sort=sort) for sort, verbs in SORTS for name, verb in verbs.items()}
"""Every verb, by the grammar's name for it."""
EXAMPLES: Mapping[str, str] = examples(VERBS)
"""One full example of each order, by its verb."""

WORDS = {
    "ID": "a unit or a leader, like UK-7",
    "NAME": "a place of the map, like Great Redoubt",
    "POINT": "x,y in inches, like 61,57.5",
    "NUMBER": "a number",
    "COMPASS": "a point of the compass, like SSW",
    "FORMATION": "a formation: line, double_line, column, road_column, square, skirmish, dismounted, "
    "limbered or unlimbered",
    "BENEFIT": "a benefit: move, pull, fire, fire_save, morale, melee or melee_save",
    "HALF": "east or west, left or right",
    "CHARGE_FLANK": '"charge-flank"',
    "ARMY_PULL": '"army-pull"',
    "HOLD_FIRE": '"hold-fire"',
    "WHEN": "always, if-attacked, if-charged or never",
    "WHEN_HITS": '"when-hits >= 3"',
    "PHASE": "a phase, like charge",
}
"""Terminals that are no literal words, in words."""

DIALECT = Dialect(
    lengths=("inches", "inch", "ins", "in", '"', "''", "\u2033"),
    words={"wait": "hold", "rally": "pull"},
    names=r"[a-z]{1,3}-[a-z0-9]{1,6}",
    leads=True,
    little=("with",),
    forms={
        r"^(take|give)\s+(?:the\s+)?initiative$": r"initiative \1",
        r"\b(?:with\s+)?(\d+)\s+stands?\b": r"stands \1",
        r"\b(?:changes?|forms?)\s+(?:up\s+)?(?:in)?to\b": "form",
        r"\blimbers?(?:\s+up)?\b": "form limbered",
        r"\bunlimbers?\b": "form unlimbered",
    },
)
"""How its players write."""

GRAMMAR = Grammar(
    rules(
        {
            "alone": {**SEQUENCE, **FAVOURS, **ARMY, **POLICIES},
            "addition": {**RIDES, **SPENDING, **FIGHTING, **SETTING_UP},
            "activity": ACTIVITIES,
        }
    )
    + r"""
?order: alone
      | units action                                             -> units
?action: activity | addition

units: ID+
who: ID | ALL
chits: "when" "chits" ">=" NUMBER
hits: WHEN_HITS ">=" NUMBER

extra: most | "facing" way -> facing | "via" place -> via
most: "max" NUMBER
then: "then" ["move"] NUMBER
part: enemy ["stands" NUMBER]
enemy: ID | "contact" NUMBER                                     -> contact
place: POINT | NAME+
way: COMPASS | NUMBER

TAKE: "take"
GIVE: "give"
ALL: "all"
YES: "yes"
NO: "no"
NEVER: "never"
LEFT: "left"
RIGHT: "right"
NEAREST: "nearest"
DOUBLE: "double"

ID: /[a-z]{1,3}-[a-z0-9]{1,6}/
POINT: /\d{1,3}(?:\.\d{1,3})?\s*,\s*\d{1,3}(?:\.\d{1,3})?/
NUMBER: /\d{1,3}(?:\.\d{1,3})?/
COMPASS: /[ns](?:[ns]?[ew])?|[ew](?:[ns][ew])?/
NAME: /[^\W\d_]+(?:['-][^\W\d_]+)*/
FORMATION: /skirmish|double[_ -]line|road[_ -]column|line|column|square|dismounted|limbered|unlimbered/
BENEFIT: /fire[_ -]save|melee[_ -]save|fire|morale|melee|move|pull|charge/
HALF: /east|west|left|right/
CHARGE_FLANK: /charge[- ]flank/
ARMY_PULL: /army[- ]pull/
HOLD_FIRE: /hold[- ]fire/
WHEN: /always|if[- ]attacked|if[- ]charged|never/
WHEN_HITS: /when[- ]hits/
PHASE: /move|fire[_ ]artillery|fire[_ ]small|charge|melee|reinforce/
""",
    examples=EXAMPLES,
    words=WORDS,
    vague=("NAME",),
    dialect=DIALECT,
    system="half-league",
)
"""One order a line; blanks, commas, comments, capitals and shortened words are common to all systems."""


class Draft(NamedTuple):
    """The orders of a line before anybody judges them: one, or one for each of the units that it names."""

    orders: list[say.AnyOrder]
    sort: str
    spots: Mapping[str, Word]
    """Where words stand; see `Spoken`."""


def draft(scene: Scene, role: Role, line: Line, tree: Node[Word]) -> Draft:
    """The orders of a line.

    :raises BadWord: if it holds a word that the game does not have.
    """
    told = Spoken(scene, role, line, tree)
    if tree.data != "units":
        verb = VERBS[str(tree.data)]
        return Draft([verb.make(told)], verb.sort, told.spots)
    names, action = parts_in(tree)
    verb, orders = VERBS[str(action.data)], []
    for word in words_in(names):
        told.name = told.spotted("unit", word).upper()
        if f"unit {told.name}" not in told.spots:
            told.spotted(f"unit {told.name}", word)
            orders.append(verb.make(told.of(action)))
    return Draft(orders, verb.sort, told.spots)
