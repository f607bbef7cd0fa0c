"""A round of mail as the log tells of it: the sheets that stand, the hours, how far its run has come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Raw, Struct

from pbem.kernel.deadlines import HOUR, StepHours
from pbem.kernel.names import Moment, Role
from pbem.kernel.office import ExchangeResolved, NmrRecorded, Promises, RunAsked, Told

TO_PLAY = HOUR // 4
"""The time for which an urgent halt ends before the hour at which all is to be played that leaves then."""


class Sheet(Struct, frozen=True):
    """A role's orders for one moment, as they stand."""

    role: Role
    moment: Moment
    receipt: int
    text: str
    digest: str
    seq: int
    at: int
    orders: tuple[Raw, ...] = ()
    told: tuple[Told, ...] = ()
    beside: int = 0
    """Lines of its message to the office that were refused."""
    kept: bool = False
    """For a later moment: only its words were judged."""


class Halt(Struct, frozen=True):
    """A private halt in the run of an exchange."""

    moment: Moment
    seq: int
    """Of `halt_reached`."""
    step: int
    urgent: bool
    roles: tuple[Role, ...]
    asked: int = 0
    """The seq of `halt_asked`; 0: nobody was asked yet."""
    asked_at: int = 0
    until: int = 0
    """The hour of the answers; 0: until the GM goes on."""
    views: dict[Role, str] = {}
    passed: bool = False
    """Nobody is asked, for too little time was left."""

    def hour(self, steps: Sequence[StepHours]) -> int:
        """The hour until which it is answered; an urgent one ends before the interim reports of its step leave.

        So long before that what follows has been worked out, and leaves at its hour.
        """
        hours = steps[self.step - 1]
        return hours.interim - TO_PLAY if self.urgent else hours.until

    def takes(self, role: Role, at: int) -> bool:
        """Whether *role* was asked, and what comes from it *at* is in time."""
        return role in self.roles and self.asked > 0 and (self.until == 0 or at <= self.until)


class Exchange(Struct, frozen=True):
    """A round of mail: when it opened, what is due when, and how far it has come."""

    moment: Moment
    name: str
    opened: int
    """The seq of `exchange_opened`."""
    opened_at: int
    due: tuple[int, ...]
    promises: Promises
    promised_at: int
    resolved: ExchangeResolved | None = None
    resolved_seq: int = 0
    open_seed: str = ""
    words: dict[Role, str] = {}
    """Of all roles, with which its dice were thrown, made known with its release."""
    released: bool = False
    out: tuple[Role, ...] = ()
    """Roles that were out of the game when it was made known."""
    wall: str = ""
    """The deadline as the clock of *zone* shows it; empty where only the instant was written down."""
    zone: str = ""
    grace: int = 0
    """Microseconds after the deadline in which what is missing is still taken."""
    steps: tuple[StepHours, ...] = ()
    """The hours of its run, if it is played in steps."""
    halts: tuple[Halt, ...] = ()
    """Those to which its run came, in order."""
    nmr: tuple[NmrRecorded, ...] = ()
    """What was recorded of those who sent nothing in time."""
    observers: tuple[str, ...] = ()
    """Through whose eyes it is shown to observers, by the terms when it opened; *observers_delay* turns later."""
    observers_delay: int = 0
    silence: Literal["", "held", "taken", "asked", "stopped"] = ""
    """What came of those who sent nothing; empty while there is time, also once more."""
    spared: bool = False
    """Whether it has had more time already because the office was away."""
    asked: RunAsked | None = None
    """The GM's word to run it at the next look of the clock, until its run stands still."""
    known: int = 0
    """The seq of the annulment after which its dice are known: it was run with them, and is run with them again."""

    @property
    def held(self) -> bool:
        """Whether the time is over, and it waits all the same: for orders, or for the GM."""
        return self.silence in ("held", "asked", "stopped")

    @property
    def closes(self) -> int:
        """When the time is over for everybody, in microseconds UTC."""
        return self.deadline + self.grace

    def takes(self, at: int, sheet: Sheet | None) -> bool:
        """Whether orders that come *at* are in time, of a role of which *sheet* stands.

        Until the deadline all are; after it, until it is run, what is missing: until the grace is over, or while it
        is held.  Of an exchange that is played in steps nothing is taken once its run has begun; and nothing of any
        whose dice are known: no sheet is ever played with dice that its writer can have read of.
        """
        if self.known or (self.steps and self.state != "open"):
            return False
        if at <= self.deadline:
            return True
        missing = sheet is None or sheet.kept or sheet.at > self.deadline
        return self.state == "open" and missing and (self.held or at <= self.closes)

    @property
    def state(self) -> Literal["open", "halted", "resolved", "released"]:
        """Open to orders, run up to a private halt, run but not made known, or made known."""
        if self.released:
            return "released"
        return "resolved" if self.resolved else "halted" if self.halts else "open"

    @property
    def halt(self) -> Halt | None:
        """The halt at which its run stands."""
        return self.halts[-1] if self.halts and not self.resolved else None

    @property
    def address(self) -> Moment:
        """Of the sheets that are played next."""
        return self.halts[-1].moment if self.halts else self.moment

    @property
    def stands(self) -> int:
        """The event with which what is owed now began: its opening, or the halt at which its run stands."""
        return self.halt.seq if self.halt else self.opened

    @property
    def reports(self) -> int:
        """The hour before which its reports do not leave; 0: they leave when it was run."""
        return self.steps[-1].until if self.steps else 0

    @property
    def deadline(self) -> int:
        """The last hour, in microseconds UTC."""
        return self.due[-1]
