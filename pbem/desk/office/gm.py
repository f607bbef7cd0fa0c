"""Who runs games, and how much of it: the entries `[[gm]]` of the settings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from pbem.kernel.digest import digest_of
from pbem.kernel.errors import Refused
from pbem.mail.reading.naming import for_people
from pbem.mail.wire.addresses import normalise

_NAME = re.compile(r"[^\W_][\w .-]{0,39}")
_TAKEN = ("gm", "office", "clock")
"""What stands in the log for others."""


Share = Literal["all", "run", "read"]
"""How much somebody may do who runs games: all of it; run turns and deal with letters, but not rule nor say who plays;
look."""


class Gm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody who runs games: an entry `[[gm]]`."""

    address: str
    name: str = ""
    """What he is called, in the log too; empty: by the part of his address before the `@`,
    or `umpire`."""
    rights: Share | dict[str, Share] = "all"
    """How much he may do, in all games, or by the name of each; `*` stands for all others, and for what is the office's
    and no game's."""
    epoch: Annotated[int, Meta(ge=1, le=9999)] = 1
    """Counts how often his secret addresses were made new: those of before are void."""

    @property
    def tag(self) -> str:
        """What stands for him in a secret address: it says nothing of him, and with another address it is another.

        >>> Gm(address="a@b.org").tag
        '5b26064bbe84'
        """
        return digest_of(normalise(self.address).encode())[:12]

    def share(self, campaign: str) -> Share | None:
        """How much he may do in *campaign* (`*`: in what is the office's); None: nothing.

        >>> Gm(address="a@b.org", rights={"*": "read", "alma": "all"}).share("alma")
        'all'
        """
        if isinstance(self.rights, str):
            return self.rights
        return self.rights.get(campaign, self.rights.get("*"))


def an_address(written: str) -> str:
    """An address of the settings, as it is kept; empty if there is none.

    :raises ValueError: if it is none.
    """
    address = normalise(written)
    if written and not (address and address.isascii()):
        raise ValueError(f'"{written}" is no address')
    return address


def who_runs(written: str | tuple[Gm, ...]) -> str | tuple[Gm, ...]:
    """Those who run games, as they are kept.

    :raises ValueError: if one is not written as he should be.
    """
    if isinstance(written, str):
        return an_address(written)
    if not written:
        raise ValueError("there is nobody: leave it out, or write an entry [[gm]] for each")
    found = tuple(_one_who_runs(one) for one in written)
    for what in ("address", "name"):
        each = [getattr(one, what).casefold() for one in found]
        if twice := next((one for one in each if each.count(one) > 1), None):
            raise ValueError(f'two have the {what} "{twice}"')
    if found[0].rights != "all":
        raise ValueError(f'{found[0].name} comes first and is told what is no game\'s: his rights are "all"')
    return found


def _one_who_runs(gm: Gm) -> Gm:
    address = an_address(gm.address)
    if not address:
        raise ValueError("one has no address")
    name = for_people(gm.name or address.partition("@")[0], "")
    if name.casefold() in _TAKEN or not _NAME.fullmatch(name):
        if not gm.name:
            return replace(gm, address=address, name="umpire")
        taken = ", ".join(_TAKEN)
        raise ValueError(f'"{name}" is no name for him: letters, digits, blanks, "." and "-", and none of {taken}')
    return replace(gm, address=address, name=name)


def named(gms: Sequence[Gm], who: str) -> Gm:
    """Whoever runs games and has the name or the address *who*, in whatever case.

    :raises Refused: if nobody has, naming those that there are.
    """
    for gm in gms:
        if who.strip().casefold() in (gm.name.casefold(), gm.address.casefold()):
            return gm
    there = ", ".join(gm.name for gm in gms)
    raise Refused(f'nobody who runs games is called "{who[:60]}".  There are: {there}.')
