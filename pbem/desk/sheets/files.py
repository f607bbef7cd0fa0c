"""Order files: of one that is no text it is said what it is; and a sheet that says whose it is, is nobody else's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from pbem.desk.sheets.sheets import file_lines
from pbem.kernel.errors import Refused, UnknownRole
from pbem.kernel.names import Role
from pbem.mail.reading.kinds import kind_of_file
from pbem.orders.sheet import Line
from pbem.orders.words import Head, split_sheet


def order_lines(raw: bytes, name: str = "") -> tuple[Line, ...]:
    """The lines of an order file; *name*: what the file is called, if it has a name.

    :raises Refused: if it is no plain text, or too big.
    """
    called = PurePath(name).name or "the file"
    if kind := kind_of_file(raw, name):
        raise Refused(f"{called} is {kind.name}, and orders are read from plain text.  Instead: {kind.instead}.")
    return file_lines(raw)


def head_of(lines: Sequence[Line]) -> Head:
    """What a sheet says of itself, before it is known of which game and role it is."""
    return split_sheet(lines, lambda line: False).head


def game_of(head: Head) -> str | None:
    """The campaign that a sheet names; a line of several words that begins with `game` names none, as in a letter."""
    return head.game.lower() if head.game and len(head.game.split()) == 1 else None


def role_of(head: Head, told: str | None, campaign: str, roles: Sequence[Role]) -> Role:
    """The role whose sheet it is: as the sheet says, or as the reader is *told*, and both must agree.

    *campaign* and its *roles* are what the sheet is handed in for; without a campaign, whatever game it names.

    :raises Refused: if nothing says it, there is no such role, or the sheet is of another role or game.
    """
    if campaign and (game := game_of(head)) not in (None, campaign):
        raise Refused(f'the sheet says "game {game}", and this is {campaign}: nothing of it is taken.')
    said = told or head.role
    if said is None:
        raise Refused(f"the sheet does not say whose orders they are: --as ROLE.  There are {', '.join(roles)}.")
    role = Role(said.strip().casefold())
    if role not in roles:
        raise UnknownRole(said, tuple(roles))
    if head.role not in (None, role):
        raise Refused(f'the sheet says "role {head.role}", and this is for {role}: nothing of it is taken.')
    return role
