"""How the options of a game are read: the scenario's, and the campaign's over them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct

from pbem.kernel.errors import Refused
from pbem.kernel.office import Option

Options = TypeVar("Options", bound=Struct)


def read_options(
    kind: type[Options],
    base: Mapping[str, object],
    chosen: Mapping[str, Option],
    limits: Mapping[str, tuple[int, int]] | None = None,
) -> Options:
    """The options *base* with those that were *chosen* over them; `sp_cap.french` sets a part of one.

    *limits* has the least and the greatest value of those that are numbers.

    :raises Refused: if there is no such option, or it cannot have this value.
    """
    table: dict[str, object] = dict(base)
    for name, value in chosen.items():
        head, _, part = name.partition(".")
        if not part:
            table[head] = value
            continue
        whole = table.get(head, {})
        if not isinstance(whole, Mapping):
            raise Refused(f'the option "{head}" has no parts.')
        table[head] = {**whole, part: value}
    try:
        read = msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        raise Refused(f"an option is wrong: {error}.") from None
    for name, (least, most) in (limits or {}).items():
        if not least <= getattr(read, name) <= most:
            raise Refused(f"the option {name} can be from {least} to {most}.")
    return read
