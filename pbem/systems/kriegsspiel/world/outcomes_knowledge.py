"""What reaches a commander: facts of knowledge, each known to one role alone and whole.

*learned* is what his mind keeps of it; the other fields are for telling it in his diary.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.ground.plane import Point
from pbem.systems.kriegsspiel.world.dispatches import OwnState, Tiding
from pbem.systems.kriegsspiel.world.fact import Fact
from pbem.systems.kriegsspiel.world.mind import Received


class Briefed(Fact, frozen=True, kw_only=True, tag="kriegsspiel.briefed"):
    """The General Idea, and what the Separate Report gives him: command, superiors, information (KS-GM-03)."""

    general_idea: str
    separate_report: str = ""
    information: tuple[str, ...] = ()


class RunBegan(Fact, frozen=True, kw_only=True, tag="kriegsspiel.run_began"):
    """His clock at the beginning of a run."""

    turn_no: int


class RunEnded(Fact, frozen=True, kw_only=True, tag="kriegsspiel.run_ended"):
    """His clock at the end of a run or at his halt; *codes* are his own interrupts."""

    codes: tuple[str, ...] = ()
    halt: bool = False
    passed: bool = False
    """There was no time to ask him: his standing orders decided."""


class InterruptRaised(Fact, frozen=True, kw_only=True, tag="kriegsspiel.interrupt_raised"):
    """What calls him."""

    code: str
    why: str


class HaltCalled(Fact, frozen=True, kw_only=True, tag="kriegsspiel.halt_called"):
    """He is asked, apart from all others."""

    codes: tuple[str, ...]
    urgent: bool


class EyesSaw(Fact, frozen=True, kw_only=True, tag="kriegsspiel.knowledge_updated"):
    """What he sees himself in this move: enemies (entries), own troops and comrades, features."""

    fresh: tuple[str, ...] = ()
    """Entries that are new, or of which more is known."""
    lost: tuple[str, ...] = ()
    """Entries lost from sight."""
    news: tuple[str, ...] = ()
    """Sentences: `1/F has formed line`, `the bridge burns`."""


class Taken(Struct, frozen=True, omit_defaults=True):
    """One line of his sheet, and what was done with it at once."""

    line: int
    how: str
    """`paper`, `letter`, `voice`, `dispositions`, `ride_to`, …; `nothing`: it was not done."""
    to: str = ""
    no: int = 0
    """The number of the paper that was begun with it."""
    why: str = ""
    """Of what was not done: the reason that he sees."""
    deaf: tuple[str, ...] = ()
    """Of what was said to a group: who of it was too far off to hear it."""


class SheetTaken(Fact, frozen=True, kw_only=True, tag="kriegsspiel.sheet_taken"):
    """What he did with each line of his sheet: wrote it, said it, did it himself (KS-SIT-10: nothing of its fate)."""

    lines: tuple[Taken, ...]


class PaperReceived(Fact, frozen=True, kw_only=True, tag="kriegsspiel.paper_received"):
    """A paper is in his hand."""

    paper: Received


class ReceiptReceived(Fact, frozen=True, kw_only=True, tag="kriegsspiel.receipt_received"):
    """His rider is back: the paper was received."""

    no: int
    to: str
    received: int
    at: Point
    state: OwnState | None = None


class PaperSent(Fact, frozen=True, kw_only=True, tag="kriegsspiel.paper_sent"):
    """He writes; no rider is free; the rider leaves; he has cancelled it."""

    no: int
    to: str
    what: str
    """`writing`, `waiting`, `left`, `repeated`, `cancelled`, `taken` with him, `back`."""
    likely: int | None = None


class OfficerReported(Fact, frozen=True, kw_only=True, tag="kriegsspiel.officer_reported"):
    """An officer tells him at once, by word of mouth (KS-MSG-08)."""

    unit: str
    text: str
    tidings: tuple[Tiding, ...] = ()
    entries: tuple[str, ...] = ()
    urgent: bool = False


class Said(Fact, frozen=True, kw_only=True, tag="kriegsspiel.said"):
    """Talk between comrades within 1000 paces, to him or by him (KS-CMD-05)."""

    speaker: str
    to: str
    text: str


class ToldAtOnce(Fact, frozen=True, kw_only=True, tag="kriegsspiel.order_rejected"):
    """What he ordered here and now cannot be done, and he sees it at once."""

    line: int
    order: str
    reason: str


class RodeTo(Fact, frozen=True, kw_only=True, tag="kriegsspiel.rode"):
    """Where he is; *arrived*: his ride has ended."""

    path: tuple[Point, ...]
    arrived: bool = False
    cut: bool = False
    """The enemy bars the way."""


class NoiseHeard(Fact, frozen=True, kw_only=True, tag="kriegsspiel.heard"):
    """Fire heard."""

    noise: str
    bearing: int
    shots: int = 0


class FireSeen(Fact, frozen=True, kw_only=True, tag="kriegsspiel.fire_seen"):
    """A burning place, an explosion."""

    noise: str
    at: Point


class FightSeen(Fact, frozen=True, kw_only=True, tag="kriegsspiel.fight_seen"):
    """A fight that he witnesses, and its result as it is to be seen: no points, dice or odds."""

    at: Point
    text: str


class SkyChanged(Fact, frozen=True, kw_only=True, tag="kriegsspiel.sky_changed"):
    """Weather, light and ground, which all know."""

    text: str


class CommandTold(Fact, frozen=True, kw_only=True, tag="kriegsspiel.command_told"):
    """What he commands has changed, as far as he knows; or he himself is another person."""

    text: str
    headline: str = ""
    """If it is what his report should be headed by."""


class GameTold(Fact, frozen=True, kw_only=True, tag="kriegsspiel.game_told"):
    """The game has ended; all is open."""

    text: str
    scores: tuple[tuple[str, int, int], ...] = ()
