"""What a commander may send, read and resolved to places on the map: imperative, tagged.

A sheet is a list of what the commander does himself, says, and writes.  What is meant for a unit is a `Line`: an order,
a reaction or a trigger, in the words of the order language and with its places as points of the map.  It travels in a
`Dispatch` or is spoken with `Voice`, and acts where it arrives (KS-CMD-07).
"""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from pbem.ground.plane import Point

Verb = Literal[
    "march", "follow", "halt", "hold", "form", "face", "shift", "deploy", "support", "cover",
    "skirmishers_out", "skirmishers_in", "fire_at_will", "fire_on", "cease_fire", "hold_fire", "attack", "charge",
    "retire", "occupy", "fortify", "barricade", "clear", "dig", "limber", "unlimber", "prolonge", "send_wagons",
    "bombard", "breach", "batter", "build", "dismantle", "prepare", "blow", "burn", "tear_up", "remove", "repair",
    "put_out", "embark", "land", "take_boats", "swim", "patrol", "post", "detach", "rejoin", "escort", "release",
    "dismount", "mount", "report", "rest", "guard", "observe", "outposts", "pursue", "relieve", "make_way",
    "demonstrate", "hold_concealed", "rally", "order_of_march", "signal", "withdraw_guns", "words",
]  # fmt: skip
"""The orders a unit may be given, one word each."""


class Spot(Struct, frozen=True, omit_defaults=True):
    """A place of an order."""

    at: Point
    text: str
    """As it was written."""
    feature: str = ""
    """The id of the area, line, stronghold, crossing, boats, road or entry that was named, if one was."""


class Facing(Struct, frozen=True, omit_defaults=True):
    """Where to look: a bearing in hundredths of a degree, or a place."""

    bearing: int | None = None
    toward: Spot | None = None


class Target(Struct, frozen=True, omit_defaults=True):
    """Whom to attack or fire on, as the writer knows it: a place and an arm, never the body itself (KS-ORD-02)."""

    at: Spot | None
    """None: the nearest."""
    arm: str = ""
    """`infantry`, `cavalry`, `battery`, `skirmishers`; empty: any."""
    entry: str = ""
    """`e3`, if an entry of the writer's page was named; nothing is looked up by it."""
    own: bool = False
    """A place without troops is meant: a village, a crossing."""


ConditionKind = Literal[
    "and", "or", "not", "at", "time", "unit_at", "word_from", "attacked", "fired_on", "enemy_within", "enemy_at",
    "crosses", "losses", "unit_does", "crossing", "relieved", "fire_seen", "signal", "not_attacked", "after",
]  # fmt: skip
"""The kinds of conditions."""


class Condition(Struct, frozen=True, omit_defaults=True):
    """A condition, or several joined; *kind* says which fields count.

    ============== =========================================================================
    kind           fields
    ============== =========================================================================
    and or not     parts
    at             spot: the unit's own head within 50 paces
    time           move: from this move on
    unit_at        unit, spot
    word_from      unit: the id of a person
    attacked       arm: "", cavalry, infantry, superior
    fired_on       arm: artillery, canister
    enemy_within   number (paces), spot (None: of the unit itself)
    enemy_at       spot
    crosses        spot (a crossing)
    losses         number (percent)
    unit_does      unit, arm: attacks, retires, arrives
    crossing       spot, arm: ready, destroyed, lost
    relieved
    fire_seen      spot
    signal         number
    not_attacked   move
    after          arm: the verb of an order, earlier in the same paper, that is finished
    ============== =========================================================================
    """

    kind: ConditionKind
    parts: tuple[Condition, ...] = ()
    spot: Spot | None = None
    unit: str = ""
    arm: str = ""
    number: int = 0
    move: int = 0
    text: str = ""


OUT_OF_FIRE = "march out of the fire"
"""The text of the order by which a unit leaves a burning place (KS-BOM-03)."""


class Order(Struct, frozen=True, omit_defaults=True):
    """One order to one unit; *verb* says which fields count."""

    verb: Verb
    text: str
    """As it was written, without the unit and any condition."""
    to: tuple[Spot, ...] = ()
    """Places, in order; of a patrol all that it visits; of a pursuit what it does not go beyond."""
    by: tuple[Spot, ...] = ()
    """Roads and places that the way must take, in order; of `embark` and `take_boats` the boats."""
    across: bool = False
    concealed: bool = False
    formation: str = ""
    rate: str = ""
    facing: Facing | None = None
    target: Target | None = None
    unit: str = ""
    """Another unit, the id that a detached part gets, the person to whom a patrol reports, the reserve."""
    where: Point | None = None
    """Where its writer believed that other unit to be; None: he did not know."""
    units: tuple[str, ...] = ()
    number: int | None = None
    """Paces, zugs, moves, men, shots: the first number of the order's form; of `deploy` the interval."""
    second: int | None = None
    """The second: `skirmishers out 4 200 ahead`; the waves of an attack; of `deploy` the distance."""
    until: Condition | None = None
    """`until HH:MM`, `until CONDITION`, `when CONDITION` behind an order."""
    manner: tuple[str, ...] = ()
    """Bare words of the form: `to the last`, `until relieved`, `slow`, `by lines`, `bayonet`, `wide`, `timed`,
    `return`, `left`, `half`, `infantry` of `for infantry`, `pontoon`, `canister`, `guns left`, …"""

    @property
    def flees(self) -> bool:
        """Whether it leads out of a fire, and nobody has given it: logs know it by its text alone."""
        return self.text == OUT_OF_FIRE


class Line(Struct, frozen=True, omit_defaults=True):
    """A line of a paper or of what is said, for *unit*."""

    line: int
    unit: str
    """The id of a unit or group of the writer's side."""
    text: str
    order: Order | None = None
    react: tuple[str, str] | None = None
    """Key and value of a reaction; a place in it is written as a point: `retire 3700,2900`."""
    spot: Spot | None = None
    """The place of a reaction."""
    test: Condition | None = None
    """The order waits for this beside the queue (KS-CMD-15)."""
    then: bool = False
    """Appended to what is in force, or to the trigger before it."""
    now: bool = False
    """Clears the queue."""
    lapse: bool = False
    """`cancel when`: the triggers lapse."""


def reaction_place(value: str) -> Point | None:
    """The place that a reaction names: `retire 3700,2900 @3700,2900`."""
    _, found, text = value.partition("@")
    if not found:
        return None
    x, _, y = text.partition(",")
    return Point(int(x), int(y))


class Act(Struct, frozen=True, kw_only=True, tag_field="act", omit_defaults=True):
    """Something on a commander's sheet."""

    line: int


class RideTo(Act, frozen=True, kw_only=True, tag="ride_to", omit_defaults=True):
    """The commander rides to a place."""

    to: Spot
    by: tuple[Spot, ...] = ()


class RideWith(Act, frozen=True, kw_only=True, tag="ride_with"):
    """He stays with a unit."""

    unit: str


class Stay(Act, frozen=True, kw_only=True, tag="stay"):
    """He stays where he is."""


class Look(Act, frozen=True, kw_only=True, tag="look"):
    """He halts for a move and looks one way through the telescope (KS-SIT-03)."""

    facing: Facing


class Wake(Act, frozen=True, kw_only=True, tag="wake", omit_defaults=True):
    """A wake rule (W8)."""

    test: Condition


class Mute(Act, frozen=True, kw_only=True, tag="mute"):
    """`wake off W6`, `wake on W6`."""

    code: str
    off: bool


class Say(Act, frozen=True, kw_only=True, tag="say"):
    """He talks to a comrade within 1000 paces (KS-CMD-05)."""

    to: str
    text: str


class TakeCommand(Act, frozen=True, kw_only=True, tag="take_command"):
    """He takes a unit of his chain under his own command."""

    unit: str


class HandOver(Act, frozen=True, kw_only=True, tag="hand_over"):
    """He hands a unit to another person of his side."""

    unit: str
    to: str


class StaffObserve(Act, frozen=True, kw_only=True, tag="staff_observe", omit_defaults=True):
    """An officer of his staff rides out to observe; no place: he comes back (KS-MSG-09)."""

    to: Spot | None = None
    by: tuple[Spot, ...] = ()


class Voice(Act, frozen=True, kw_only=True, tag="voice"):
    """An order by word of mouth (KS-CMD-02)."""

    order: Line


class Dispatch(Act, frozen=True, kw_only=True, tag="dispatch", omit_defaults=True):
    """A paper: orders, free text, or both; to a unit, a group or a person of his side, or to `higher`."""

    to: str
    lines: tuple[Line, ...] = ()
    text: str = ""
    by: tuple[Spot, ...] = ()
    copies: int = 1
    urgent: bool = False
    receipt: bool = True
    letter: bool = False


class OnArrival(Act, frozen=True, kw_only=True, tag="on_arrival"):
    """What he says or writes when his ride of this sheet has ended."""

    then: Voice | Dispatch | Look | Stay


class CancelPaper(Act, frozen=True, kw_only=True, tag="cancel_paper"):
    """His own paper of that number, while it is still being written."""

    number: int


class OfferEnd(Act, frozen=True, kw_only=True, tag="offer_end"):
    """A commander-in-chief offers to end the game."""


class NoteJoin(Act, frozen=True, kw_only=True, tag="note_join"):
    """Two entries of his page are one body."""

    one: str
    other: str


class NoteDrop(Act, frozen=True, kw_only=True, tag="note_drop"):
    """An entry of his page is struck out."""

    entry: str


class Parley(Act, frozen=True, kw_only=True, tag="parley"):
    """A letter to the enemy by flag of truce; the umpire carries it."""

    text: str


class Start(Act, frozen=True, kw_only=True, tag="start", omit_defaults=True):
    """Set-up: where a unit stands at the opening (KS-GM-08)."""

    unit: str
    at: Spot
    facing: Facing | None = None
    formation: str = ""


class Enter(Act, frozen=True, kw_only=True, tag="enter"):
    """Set-up: by which entry a unit comes."""

    unit: str
    entry: str


class Give(Act, frozen=True, kw_only=True, tag="give"):
    """Set-up: a unit or group is allotted to a person."""

    unit: str
    to: str


class Intention(Act, frozen=True, kw_only=True, tag="intention"):
    """Set-up: what he means to do, for the umpire."""

    text: str


AnyAct = (
    RideTo | RideWith | Stay | Look | Wake | Mute | Say | TakeCommand | HandOver | StaffObserve | Voice | Dispatch
    | OnArrival | CancelPaper | OfferEnd | NoteJoin | NoteDrop | Parley | Start | Enter | Give | Intention
)  # fmt: skip

ORDERS: tuple[type[Act], ...] = get_args(AnyAct)
"""Every kind of line of a sheet."""


def lines_of(act: AnyAct) -> tuple[Line, ...]:
    """What an act says or writes to units."""
    match act:
        case Dispatch():
            return act.lines
        case Voice():
            return (act.order,)
        case _:  # the other acts are the commander's own
            return ()
