"""A small game of its own for the log to hold, and where the migrations lie."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hypothesis import strategies as st

from pbem.kernel.event import Event, Outcome
from pbem.kernel.names import CampaignId, Moment, PlayerId, Role
from pbem.kernel.office import DryRunAsked, OrdersRefused, PlayerEnrolled

MIGRATIONS = Path(__file__).parents[2] / "migrations"
AUTUMN, SPRING = CampaignId("autumn"), CampaignId("spring")
NOW = 1_700_000_000_000_000


class Moved(Outcome, frozen=True, kw_only=True, tag="test.moved"):
    """A piece went somewhere."""

    piece: str
    path: tuple[str, ...] = ()
    cost: int = 0


class Rallied(Outcome, frozen=True, kw_only=True, tag="test.rallied"):
    """Pieces came back; how many of each."""

    back: dict[str, int] = {}


FACTS: tuple[type[Event], ...] = (Moved, Rallied)

words = st.text(max_size=12)
events = st.one_of(
    st.builds(Moved, piece=words, path=st.lists(words, max_size=3).map(tuple), cost=st.integers(-(2**63), 2**63 - 1)),
    st.builds(Rallied, back=st.dictionaries(words, st.integers(0, 9), max_size=3)),
    st.builds(PlayerEnrolled, role=words.map(Role), player=words.map(PlayerId)),
    st.builds(OrdersRefused, role=st.just(Role("french")), moment=st.none(), receipt=st.just(1), text=words,
              reason=words, digest=st.just("d")),
)  # fmt: skip
moments = st.builds(Moment, st.integers(0, 99), st.integers(1, 9), st.integers(0, 9))


def moves(count: int, start: int = 0) -> Sequence[tuple[Moment, Event]]:
    """So many facts of turn 1."""
    return [(Moment(1), Moved(piece=f"p{start + one}")) for one in range(count)]


def asked(turn: int = 1) -> tuple[Moment, Event]:
    """An event of the office."""
    return Moment(turn), DryRunAsked(moment=Moment(turn))
