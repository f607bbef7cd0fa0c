"""What was put to the vote, as the log tells of it: the votes that stand, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.names import Role
from pbem.kernel.office import ProposalClosed, ProposalMade


class Proposal(Struct, frozen=True):
    """Something that was put to the vote."""

    made: ProposalMade
    seq: int
    at: int
    until: int
    """The last instant at which votes count; later than it was said by the time of a pause that came after it."""
    votes: Mapping[Role, bool] = {}
    """What each role said last; nothing of a player who has left since."""
    closed: ProposalClosed | None = None
    closed_at: int = 0
    moot: bool = False
    """Of a replacement: the role has changed hands since."""
    left: bool = False
    """Whether its proposer has left since: it is nobody's, and who has his role now is not told whose it was."""

    @property
    def key(self) -> str:
        """Its name: `V1`."""
        return self.made.key

    @property
    def secret(self) -> bool:
        """Whether nobody is told who proposed it, who voted, and how."""
        return self.made.ballot.secret

    def is_of(self, role: Role | None) -> bool:
        """Whether whoever plays *role* has proposed it."""
        return self.made.by == role and not self.left

    def stands_still(self, paused_at: int) -> bool:
        """Whether its time does not pass: the game is paused, and was not when it was proposed."""
        return bool(paused_at) and self.at < paused_at


Proposals = Mapping[str, Proposal]


def made(proposals: Proposals, event: ProposalMade, *, seq: int, at: int) -> Proposals:
    """The proposals with one more, to which its proposer agrees."""
    return {**proposals, event.key: Proposal(event, seq, at, event.until, {event.by: True})}


def voted(proposals: Proposals, key: str, role: Role, *, yes: bool) -> Proposals:
    """The proposals with another word of *role*."""
    one = proposals[key]
    return {**proposals, key: replace(one, votes={**one.votes, role: yes})}


def closed(proposals: Proposals, event: ProposalClosed, *, at: int) -> Proposals:
    """The proposals, of which one is over."""
    return {**proposals, event.key: replace(proposals[event.key], closed=event, closed_at=at)}


def changed_hands(proposals: Proposals, role: Role) -> Proposals:
    """The proposals after whoever played *role* has left: without his vote, and without a reason to replace him."""
    return {key: _left(one if one.closed else _without(one, role), role) for key, one in proposals.items()}


def _left(one: Proposal, role: Role) -> Proposal:
    return replace(one, left=True) if one.made.by == role else one


def _without(one: Proposal, role: Role) -> Proposal:
    votes = {who: yes for who, yes in one.votes.items() if who != role}
    return replace(one, votes=votes, moot=one.moot or one.made.role == role)


def resumed(proposals: Proposals, paused_at: int, later: int) -> Proposals:
    """The proposals after a pause: those whose time stood still in it run on for what was left of it."""
    return {
        key: replace(one, until=one.until + later)
        if not one.closed and one.stands_still(paused_at) and one.until >= paused_at
        else one
        for key, one in proposals.items()
    }
