"""What is owed: who may or must send something now, and what is asked."""

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
    deadlines, lists, receipts and mails of all others stay as they were.
    """

    moment: Moment
    name: str
    """`B, second mover and fire`; public, unless it is a halt."""
    calls: tuple[Call, ...]
    step: int = 0
    """Of a halt: the step whose hour ends it."""
    steps: int = 1
    """Of an exchange: how many hours are fixed when it opens."""
    urgent: bool = False
    """Ask at once, if the hour leaves time; else at the step's own hour."""

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
"""By `Query.key`: from `query_answered`, or the query's *otherwise*."""
