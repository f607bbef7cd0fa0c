"""What there is, what one fact makes of it, and what a role is shown of a fact."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace
from pbem.ground.picture import SideStyle
from pbem.kernel.names import Aspect, Role
from pbem.rules.patch import sets

from bare_bones.outcomes import (
    CompanyBeaten,
    CompanyMarched,
    CompanyPlaced,
    CompanyRemoved,
    Fact,
    GameEnded,
    MenLost,
    Ruled,
    TurnBegan,
    VillageTaken,
)

FROM_AFAR = Aspect("from afar")
"""A company as its enemies see it: where it stands, and not how many men it has."""


class Village(Struct, frozen=True):
    """A place of the map: its column and row, what lies next to it, and whose it is at first."""

    at: tuple[int, int]
    next: tuple[str, ...]
    home: Role = Role("")


class Side(Struct, frozen=True):
    """A role of the scenario."""

    role: Role
    name: str
    commander: str
    style: SideStyle


class Scene(Struct, frozen=True, kw_only=True):
    """A scenario: it is never changed, and no part of the state."""

    name: str
    title: str
    place: str
    date: str
    sides: tuple[Side, ...]
    villages: dict[str, Village]
    companies: dict[str, tuple[Role, str]]
    """By name: whose it is, and the village that is its home."""
    options: dict[str, object]

    @property
    def roles(self) -> tuple[Role, ...]:
        """Who plays."""
        return tuple(side.role for side in self.sides)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What may be chosen with a campaign."""

    last_turn: int = 4


class Company(Struct, frozen=True, kw_only=True):
    """A company; *men* is None to a mind that does not know them."""

    side: Role
    at: str
    men: int | None


class CompanyPatch(Struct, frozen=True):
    """What may be set of a company."""

    men: int | UnsetType = UNSET
    at: str | UnsetType = UNSET


class Valley(Struct, frozen=True, kw_only=True):
    """The truth, or what one role knows of it."""

    turn: int = 1
    companies: dict[str, Company] = {}
    holders: dict[str, Role] = {}
    """In whose hands each village is."""
    fallen: dict[Role, int] = {}
    """Men of each side that are no more, as far as they are known."""
    over: bool = False
    winner: Role | None = None
    options: Options = Options()

    @property
    def pieces(self) -> dict[str, Company]:
        """What cases call the companies (`expect.pieces`)."""
        return self.companies

    @property
    def vp(self) -> dict[Role, int]:
        """Villages held by each side: what cases call the score."""
        held = list(self.holders.values())
        return {side: held.count(side) for side in self.fallen}


def own(valley: Valley, role: Role) -> dict[str, Company]:
    """The companies of *role*, in the order of their names."""
    return {name: one for name, one in sorted(valley.companies.items()) if one.side == role}


def there(valley: Valley, village: str) -> dict[Role, list[str]]:
    """Who stands in a village: the companies of each side."""
    found: dict[Role, list[str]] = {}
    for name, company in sorted(valley.companies.items()):
        if company.at == village:
            found.setdefault(company.side, []).append(name)
    return found


def evolve(valley: Valley, fact: Fact) -> Valley:
    """The valley after *fact*; total, also on a valley that is known in part."""
    match fact:
        case CompanyPlaced():
            placed = Company(side=fact.side, at=fact.at, men=fact.men)
            return replace(valley, companies={**valley.companies, fact.company: placed})
        case CompanyMarched() | CompanyBeaten():
            return _change(valley, fact.company, at=fact.end)
        case MenLost():
            company = valley.companies.get(fact.company)
            if company is None or company.men is None:
                return valley
            return _fallen(_change(valley, fact.company, men=company.men - fact.men), company.side, fact.men)
        case CompanyRemoved():
            companies = dict(valley.companies)
            gone = companies.pop(fact.company, None)
            left = replace(valley, companies=companies)
            return _fallen(left, gone.side, gone.men or 0) if gone else left
        case VillageTaken():
            return replace(valley, holders={**valley.holders, fact.village: fact.side})
        case TurnBegan():
            return replace(valley, turn=fact.turn)
        case Ruled():
            return _change(valley, fact.company, **sets(CompanyPatch(men=fact.men, at=fact.at)))
        case GameEnded():
            return replace(valley, over=True, winner=fact.winner)
        case _:  # what changes nothing that is kept
            return valley


def _change(valley: Valley, name: str, **changes: object) -> Valley:
    if name not in valley.companies:
        return valley
    return replace(valley, companies={**valley.companies, name: replace(valley.companies[name], **changes)})


def _fallen(valley: Valley, side: Role, men: int) -> Valley:
    return replace(valley, fallen={**valley.fallen, side: valley.fallen.get(side, 0) + men})


def seen(fact: Fact, aspect: Aspect, role: Role) -> Fact | None:
    """The form of a fact that an aspect shows: of a company from afar neither its men nor the die that gave them."""
    return replace(fact, men=None, dice=()) if isinstance(fact, CompanyPlaced) else None


def counts(valley: Valley) -> Mapping[str, int]:
    """Men on the field and men fallen, of each side: the sum never changes."""
    field = {f"{side} men": sum(one.men or 0 for one in own(valley, side).values()) for side in valley.fallen}
    return field | {f"{side} men fallen": men for side, men in valley.fallen.items()}
