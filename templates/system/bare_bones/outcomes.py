"""What may come to pass: each fact is whole, in the past tense, and says who knows of it (`known`)."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType
from pbem.kernel.event import Outcome
from pbem.kernel.names import Role


class CompanyPlaced(Outcome, frozen=True, kw_only=True, tag="bare-bones.company_placed"):
    """A company stands in a village; *men* is None where they are not counted."""

    company: str
    side: Role
    at: str
    men: int | None


class CompanyMarched(Outcome, frozen=True, kw_only=True, tag="bare-bones.company_marched"):
    """A company went from one village to the next."""

    company: str
    line: int
    start: str
    end: str


class CompanyHeld(Outcome, frozen=True, kw_only=True, tag="bare-bones.company_held"):
    """A company was told to stay, and did."""

    company: str
    line: int


class MarchFailed(Outcome, frozen=True, kw_only=True, tag="bare-bones.march_failed"):
    """An order could not be carried out: what it was read by is not so any more."""

    company: str
    line: int
    reason: Literal["gone", "too far"]


class FightFought(Outcome, frozen=True, kw_only=True, tag="bare-bones.fight_fought"):
    """Sides fought for a village; *winner* is None if none was the strongest."""

    village: str
    sides: tuple[Role, ...]
    winner: Role | None


class MenLost(Outcome, frozen=True, kw_only=True, tag="bare-bones.men_lost"):
    """Men of a company fell."""

    company: str
    men: int


class CompanyBeaten(Outcome, frozen=True, kw_only=True, tag="bare-bones.company_beaten"):
    """A company was beaten, and went home."""

    company: str
    end: str


class CompanyRemoved(Outcome, frozen=True, kw_only=True, tag="bare-bones.company_removed"):
    """A company is no more."""

    company: str
    cause: str


class VillageTaken(Outcome, frozen=True, kw_only=True, tag="bare-bones.village_taken"):
    """A village is in other hands; at the muster, in its first."""

    village: str
    side: Role


class TurnBegan(Outcome, frozen=True, kw_only=True, tag="bare-bones.turn_began"):
    """Play went on to a turn."""

    turn: int


class Ruled(Outcome, frozen=True, kw_only=True, tag="bare-bones.ruled"):
    """The GM set something of a company."""

    company: str
    men: int | UnsetType = UNSET
    at: str | UnsetType = UNSET


class GameEnded(Outcome, frozen=True, kw_only=True, tag="bare-bones.game_ended"):
    """The game is over; *winner* is None if nobody has won."""

    winner: Role | None
    reason: Literal["alone", "last turn"]


Fact = (
    CompanyPlaced
    | CompanyMarched
    | CompanyHeld
    | MarchFailed
    | FightFought
    | MenLost
    | CompanyBeaten
    | CompanyRemoved
    | VillageTaken
    | TurnBegan
    | Ruled
    | GameEnded
)
FACTS: tuple[type[Fact], ...] = Fact.__args__
