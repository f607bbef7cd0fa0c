"""What may be ordered, as read.  Each order carries the line it was written on and that line's text.

An activation is a tree: an `Act` holds lines (`ForceLine`, `SubLine`, which holds lines again) and last its own
action (`SelfLine`); a `Div` is a tree of one.  Places are hexes, HQs are ids: the reader has looked up names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.ground.hexes import Hex
from pbem.orders.sheet import Order
from pbem.systems.empire_1870.world.stacks import Status

# ------------------------------------------------------------------ parts of lines


class Amount(Struct, frozen=True, omit_defaults=True):
    """So many SP: `8SP` (*count*), `2G+1D+1M` (by status), or `ALL`: all unspent SP within the limit."""

    count: int = 0
    good: int = 0
    disrupted: int = 0
    demoralized: int = 0
    everything: bool = False

    @property
    def grades(self) -> dict[Status, int]:
        """How many it names of each status."""
        return {"good": self.good, "disrupted": self.disrupted, "demoralized": self.demoralized}

    @property
    def by_status(self) -> bool:
        """Whether it names statuses; else good SP go first, then disrupted, then demoralized."""
        return any(self.grades.values())

    @property
    def total(self) -> int:
        """How many SP it names; 0 for `ALL`."""
        return self.count or sum(self.grades.values())

    @property
    def any(self) -> bool:
        """Whether it names any SP."""
        return self.everything or self.total > 0


_SP = re.compile(r"(\d{1,3})\s?sp|\d{1,3}[gdm](?:\+\d{1,3}[gdm])*", re.IGNORECASE)


def amount_of(text: str) -> Amount | None:
    """SP as they are written, all but `ALL`; None: these are none.

    >>> amount_of("8SP") == Amount(count=8), amount_of("2G+1M") == Amount(good=2, demoralized=1), amount_of("8")
    (True, True, None)
    """
    found = _SP.fullmatch(text)
    if found is None or found[1]:
        return Amount(count=int(found[1])) if found else None
    of: Counter[str] = Counter()
    for some in text.lower().split("+"):
        of[some[-1]] += int(some[:-1])
    return Amount(good=of["g"], disrupted=of["d"], demoralized=of["m"])


class At(Struct, frozen=True):
    """An amount of SP in a hex."""

    amount: Amount
    hex: Hex


class Go(Struct, frozen=True, tag_field="leg", tag="go"):
    """A step into the next hex."""

    hex: Hex

    @property
    def end(self) -> Hex:
        """Where it leads."""
        return self.hex


class Ride(Struct, frozen=True, tag_field="leg", tag="ride", omit_defaults=True):
    """A ride by rail; *stay*: still on the train at its end (WE-RAI-01)."""

    start: Hex
    end: Hex
    stay: bool = False


Leg = Go | Ride


class March(Struct, frozen=True, kw_only=True, tag_field="action", tag="march", omit_defaults=True):
    """Go along a path."""

    path: tuple[Leg, ...]
    attack: bool = False
    through: bool | None = None
    """Go on after a won march combat; None: as *attack*."""
    stop_enemy: bool = False
    pickups: tuple[At, ...] = ()
    drops: tuple[At, ...] = ()
    force: int = 0
    """German: extra MP to roll for if the MP do not reach (WE-MOV-07)."""
    exit: bool = False


class ForcedMarch(Struct, frozen=True, kw_only=True, tag_field="action", tag="forced_march"):
    """March *extra* MP further at the risk of disorder (WE-FRC-01)."""

    extra: int
    path: tuple[Hex, ...]


class Rally(Struct, frozen=True, kw_only=True, tag_field="action", tag="rally"):
    """Bring the force to order (WE-RAL-01)."""


class Join(Struct, frozen=True, omit_defaults=True):
    """A lower HQ that takes part in a planned attack, with *amount* of its hex (None: all that is left there)."""

    hq: str
    amount: Amount | None = None


class Assault(Struct, frozen=True, kw_only=True, tag_field="action", tag="assault", omit_defaults=True):
    """A planned attack (WE-PLA-01); *advance* None: by the standing order; else a word or the hexes that go."""

    target: Hex
    joins: tuple[Join, ...] = ()
    advance: Literal["lead", "all", "none"] | tuple[Hex, ...] | None = None


Action = March | ForcedMarch | Rally | Assault


def hexes_of(action: Action | None) -> tuple[Hex, ...]:
    """The hexes that an action comes to, one after the other."""
    match action:
        case March():
            return tuple(leg.end for leg in action.path)
        case ForcedMarch():
            return action.path
        case Assault():
            return (action.target,)
        case Rally() | None:
            return ()


Test = Literal[
    "enemy_in", "enemy_adjacent", "friend_in", "friend_sp", "control", "rp", "odds", "done", "vp_most", "vp_least"
]


class Condition(Struct, frozen=True, omit_defaults=True):
    """One test of an `IF`, on what the side knows at that instant.

    *number* is the n of `friend_sp`, `rp`, `vp_most`, `vp_least`; *odds* the ratio of `odds`, attacker first.
    """

    test: Test
    negated: bool = False
    hex: Hex | None = None
    hq: str = ""
    number: int = 0
    odds: tuple[int, int] = (1, 1)


class Provided(Struct, frozen=True, omit_defaults=True):
    """`IF … AND … ELSE …`; *otherwise* is what is done if not all tests hold."""

    conditions: tuple[Condition, ...] = ()
    otherwise: Literal["skip", "wait"] | Action = "skip"


ALWAYS = Provided()

# ------------------------------------------------------------------ programme


class ForceLine(Order, frozen=True, kw_only=True, tag="force"):
    """SP of a hex in or next to the HQ's, without an HQ piece."""

    hex: Hex
    amount: Amount
    action: Action
    provided: Provided = ALWAYS


class SelfLine(Order, frozen=True, kw_only=True, tag="self"):
    """The HQ's own action, with SP of its hex, of neighbouring hexes (*also*), and lower HQs (*along*)."""

    amount: Amount
    also: tuple[At, ...] = ()
    along: tuple[str, ...] = ()
    action: Action
    provided: Provided = ALWAYS


class SubLine(Order, frozen=True, kw_only=True, tag="sub"):
    """A lower HQ with a block of its own; its *provided.otherwise* is skip or wait."""

    hq: str
    lines: tuple[ForceLine | SubLine | SelfLine, ...] = ()
    provided: Provided = ALWAYS


BlockLine = ForceLine | SubLine | SelfLine


class Act(Order, frozen=True, kw_only=True, tag="act"):
    """Activate an HQ; its *provided.otherwise* is skip or wait."""

    hq: str
    lines: tuple[BlockLine, ...] = ()
    provided: Provided = ALWAYS


class Div(Order, frozen=True, kw_only=True, tag="div"):
    """Activate a force without an HQ piece (WE-ACT-02)."""

    hex: Hex
    amount: Amount
    action: Action
    provided: Provided = ALWAYS


class Pass(Order, frozen=True, kw_only=True, tag="pass"):
    """Decline the activation when its turn comes."""


Activation = Act | Div
"""What an entry of a programme may activate."""
Root = Activation | Pass
"""What an entry of a programme may be."""


class Drop(Order, frozen=True, kw_only=True, tag="drop"):
    """Delete the remaining entry *number*, counted from 1 as the last report lists them."""

    number: int


class Insert(Order, frozen=True, kw_only=True, tag="insert"):
    """Put *entry*, which was written next, before the remaining entry *number*."""

    number: int
    entry: Root


# ------------------------------------------------------------------ administration


class Mobilize(Order, frozen=True, kw_only=True, tag="mobilize"):
    """Raise SP."""

    count: int
    hex: Hex


class MobilizeHq(Order, frozen=True, kw_only=True, tag="mobilize_hq"):
    """Bring an HQ from the pool."""

    hq: str
    hex: Hex


class StandingMobilize(Order, frozen=True, kw_only=True, tag="standing_mobilize"):
    """Raise SP each turn, hexes tried in order, while RP stay at or above *reserve*; count 0 cancels it."""

    count: int
    hexes: tuple[Hex, ...] = ()
    reserve: int = 0


class Reenter(Order, frozen=True, kw_only=True, tag="reenter"):
    """Where a wounded HQ comes back, tried in order."""

    hq: str
    hexes: tuple[Hex, ...]


# ------------------------------------------------------------------ reactions and standing orders

Reaction = Literal[
    "chassepot",
    "cavalry",
    "artillery_attack",
    "artillery_defence",
    "reroll",
    "losses",
    "retreat",
    "garrison",
    "advance",
]


class React(Order, frozen=True, kw_only=True, tag="react"):
    """A standing reaction.  *word* is the policy's first word in small letters.

    *numbers* are its numbers in the order written (`min 4`: (4,); `reserve 10 odds 1:1 3:1`: (10,), with *low*
    and *high*); *hexes* those of `to`.  The scope is one of *scope_hex*, *scope_hq*, or neither: general.
    """

    reaction: Reaction
    word: str
    numbers: tuple[int, ...] = ()
    low: tuple[int, int] | None = None
    high: tuple[int, int] | None = None
    losing: bool = True
    """Of `reroll low`: only while not winning."""
    hexes: tuple[Hex, ...] = ()
    scope_hex: Hex | None = None
    scope_hq: str = ""


class SiegeOrder(Order, frozen=True, kw_only=True, tag="siege"):
    """Whether a besieged fortress is assaulted."""

    hex: Hex
    assault: bool


class Recover(Order, frozen=True, kw_only=True, tag="recover"):
    """On what RP are spent in the Recovery Phase."""

    word: Literal["all", "none", "reserve", "first"]
    reserve: int = 0
    hexes: tuple[Hex, ...] = ()


class SetupHq(Order, frozen=True, kw_only=True, tag="setup_hq"):
    """Set an HQ up."""

    hq: str
    hex: Hex


class SetupSp(Order, frozen=True, kw_only=True, tag="setup_sp"):
    """Set SP up; *group* names the German army they are of."""

    count: int
    hex: Hex
    group: str = ""


# ------------------------------------------------------------------ what may be ordered, by what becomes of it

Edit = Drop | Insert
"""What changes the entries that remain."""
Raising = Mobilize | MobilizeHq
"""What is carried out in the Administrative Phase."""
Lasting = StandingMobilize | Reenter | React | SiegeOrder | Recover
"""Standing orders."""
Placing = SetupHq | SetupSp
"""What sets pieces up."""

AnyOrder = Root | Edit | Raising | Lasting | Placing

Written = AnyOrder | BlockLine
"""What one line of a sheet can come to; a line of a block is of the order of its head."""

ORDERS: tuple[type[AnyOrder], ...] = AnyOrder.__args__


ActingLine = ForceLine | SelfLine | Div
"""A line that has an action."""


def lines_in(order: Written) -> Iterator[Written]:
    """An order, and every line of its block from top to bottom; for an `INSERT` stands its entry."""
    order = order.entry if isinstance(order, Insert) else order
    yield order
    for line in order.lines if isinstance(order, Act | SubLine) else ():
        yield from lines_in(line)


def unlined(order: AnyOrder) -> AnyOrder:
    """An order that stands in no sheet: no line of its side's is answered for by what becomes of it."""
    if isinstance(order, Insert):
        return replace(order, line=0, entry=unlined(order.entry))
    parts = {"lines": tuple(map(_unlined, order.lines))} if isinstance(order, Act) else {}
    return replace(order, line=0, **parts)


def _unlined(line: BlockLine) -> BlockLine:
    parts = {"lines": tuple(map(_unlined, line.lines))} if isinstance(line, SubLine) else {}
    return replace(line, line=0, **parts)


def in_one_row(order: Root) -> str:
    """An entry with the lines of its block, each as it was written."""
    return "; ".join(_rows(order))


def _rows(order: Written) -> Iterator[str]:
    yield " ".join(order.text.split())
    if isinstance(order, Act | SubLine):
        for line in order.lines:
            yield from _rows(line)
        yield "END"
