"""Letters between roles, as the log has them: to whom one goes that names several, and what of them is one letter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from pbem.desk.books.dossiers import Dossier
from pbem.kernel.event import Recorded
from pbem.kernel.names import Role
from pbem.kernel.office import LetterSent
from pbem.orders.prose import listed

ALL = "all"
"""Whom a letter reaches that is to everybody."""

SIDE = "side "
"""What stands before the name of a side, which may be that of a role too."""


class Letter(Struct, frozen=True):
    """A letter from one role to others."""

    recorded: Recorded
    """As the first of its readers had it."""
    sent: LetterSent
    readers: tuple[Role, ...]


def sides(dossier: Dossier) -> Mapping[str, tuple[Role, ...]]:
    """The roles of each side of the game, by its name; nothing, where the game does not say."""
    past = dossier.system.past
    return {side.name.casefold(): side.roles for side in past.sides(dossier.scene)} if past else {}


def meant(dossier: Dossier, name: str) -> tuple[Role, ...]:
    """The roles that *name* means: a role, a side, or all; a role's name is no side's.  None, if it means nothing."""
    if name in dossier.roles:
        return (Role(name),)
    if name == ALL:
        return dossier.roles
    return sides(dossier).get(name.removeprefix(SIDE), ())


def as_addressed(dossier: Dossier, name: str) -> str:
    """*name* as it is told to readers: of a side that it is one."""
    plain = name in dossier.roles or name == ALL or name.startswith(SIDE)
    return name if plain else f"{SIDE}{name}"


def addressees(dossier: Dossier, role: Role) -> list[str]:
    """To whom *role* may write of those who play: roles, and in a game of several all of them, and sides."""
    others = [one for one in dossier.roles if one != role]
    if len(others) < 2:
        return list(others)
    of_others = [name for name, roles in sides(dossier).items() if len({*roles} - {role}) > 1]
    return [*others, ALL, *(f"{SIDE}{name}" for name in of_others)]


def whom(sent: LetterSent, readers: Sequence[Role] = ()) -> str:
    """To whom a letter went, as a reader of it is told who is told it."""
    return listed(sent.addressed or readers or ((sent.to,) if sent.to else ()))


def letters(log: Iterable[Recorded]) -> Iterator[Letter]:
    """The letters from roles to roles in *log*, each once, whoever had it."""
    found: dict[tuple[object, ...], list[Recorded]] = {}
    for one in log:
        event = one.event
        if isinstance(event, LetterSent) and event.to is not None:
            # Only what went to several at once is one letter: a man may write the same twice.
            alone = (one.seq,) if not event.addressed else ()
            key = (event.sender, event.message, event.addressed, event.text, one.at, *alone)
            found.setdefault(key, []).append(one)
    for several in found.values():
        sent = [one.event for one in several if isinstance(one.event, LetterSent)]
        yield Letter(several[0], sent[0], tuple(event.to for event in sent if event.to is not None))
