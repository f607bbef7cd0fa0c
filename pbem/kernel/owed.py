"""What is owed: who may or must send something now, and what is asked.

An exchange whose `Pause.steps` is above 0 is played in steps, with private halts.  Its hours are fixed when it opens:

    deadline      orders are in; the first step is played
    of each step  `interim`: its urgent halts end, and the interim reports of its end leave; `until`: they are answered,
                  and the next step is played.  Of the last step both are the hour of the reports

None of them depends on what is played: whoever is not called himself cannot tell whether somebody is.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.kernel.names import Moment, Role, RuleId


class Call(Struct, frozen=True, kw_only=True):
    """What one role may send now.  Only this role is ever shown its calls."""

    role: Role
    sorts: tuple[str, ...]
    """Kinds of order lines that count now (`movement`, `fire`); others are kept as "not used"."""
    must: bool = True
    """Is waited for.  False: may send, is not missed."""
    final: bool = False
    """The first sheet that is taken stands: it cannot be replaced, added to or withdrawn."""
    why: str = ""
    """For a halt: what came to his knowledge."""
    otherwise: str = ""
    """What is taken for silence, in words."""


class Pause(Struct, frozen=True, kw_only=True):
    """Where play stands still.

    With `moment.halt == 0` the exchange is open to all.  Else it is a halt, private to the roles called:
    deadlines, lists, receipts and mails of all others stay as they were.  A halt lies in the turn and exchange of the
    orders that are being played, and its number is above that of the halt before.
    """

    moment: Moment
    name: str
    """`B, second mover and fire`; public, unless it is a halt."""
    calls: tuple[Call, ...]
    step: int = 0
    """Of a halt: the step in which it lies, or at whose end, from 1."""
    steps: int = 0
    """Of an exchange: in how many steps it is played, each with hours that are fixed when it opens.  0: it has no
    halts, and what it comes to can be made known at once."""
    urgent: bool = False
    """Asked at once, and answered before the step ends; else asked at the hour at which interim reports leave."""
    least: int = 0
    """Of an urgent halt: hours that must be left to answer.  Are there less, nobody is asked (`passed_key`)."""

    def call(self, role: Role) -> Call | None:
        """The call of *role*, if it has one."""
        return next((call for call in self.calls if call.role == role), None)


class Query(Struct, frozen=True, kw_only=True):
    """A question in the middle of a procedure, to the GM (*to* is None) or to one role.

    Asked by stopping: the unfinished stretch is thrown away, and `resolve` is called again from the last
    settled fact with the answer added.  Throws have names, so the same dice fall.
    """

    key: str
    """Like a throw's name; the same in every run."""
    to: Role | None
    rule: RuleId
    asks: str
    """In words, with what he needs to decide."""
    options: tuple[str, ...] = ()
    """Empty: free text."""
    otherwise: str
    """Taken when the deadline passes."""


Answers = Mapping[str, str]
"""By `Query.key`: from `query_answered`, or the query's *otherwise*; and by `passed_key` of a halt."""

PASSED = "passed"


def passed_key(halt: Moment) -> str:
    """Under what key the answers say `PASSED` when nobody was asked at *halt*, for too little time was left.

    Play then goes on with what is taken for silence; the page of those who were not asked can say so.

    >>> passed_key(Moment(3, 1, 20))
    '3.20/halt'
    """
    return f"{halt}/halt"
