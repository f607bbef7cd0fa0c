"""How the options of a game are read: the scenario's, and the campaign's over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.inspect import BoolType, IntType, LiteralType, StructType, Type, type_info
from msgspec.structs import fields

from pbem.kernel.errors import Refused
from pbem.kernel.office import Option
from pbem.orders.prose import listed
from pbem.orders.suggest import closest

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
        raise _wrong(str(next(_amiss(kind, table), error))) from None
    for name, (least, most) in (limits or {}).items():
        if not least <= getattr(read, name) <= most:
            raise Refused(f"the option {name} can be from {least} to {most}.")
    return read


def see_options(state: object, chosen: Mapping[str, object]) -> None:
    """See that the game of *state* has the options that were *chosen*, though its system may pass over what it has not.

    :raises Refused: if there is no such option.
    """
    kind = type(getattr(state, "options", None))
    if issubclass(kind, Struct):
        heads = {name.partition(".")[0]: None for name in chosen}
        known = {field.name for field in fields(kind)}
        for why in _amiss(kind, {name: value for name, value in heads.items() if name not in known}):
            raise _wrong(why)


def _wrong(why: str) -> Refused:
    return Refused(f"an option is wrong: {why}{'.'[why.endswith('?') :]}")


def _amiss(kind: object, table: Mapping[str, object], whole: str = "") -> Iterator[str]:
    """What is wrong with the options of a table, in words; *whole*: the option of which they are parts, and a dot."""
    known = {field.name: field.type for field in fields(kind)}  # type: ignore[arg-type]  # a class of options, or of parts
    for name, value in table.items():
        if name not in known:
            like = closest(name, known)
            yield f"there is no {whole}{name}" + (f"; did you mean {whole}{like}?" if like else "")
            continue
        try:
            msgspec.convert(value, known[name])
        except msgspec.ValidationError:
            info = type_info(known[name])
            if isinstance(info, StructType) and isinstance(value, Mapping):
                yield from _amiss(info.cls, value, f"{whole}{name}.")
            else:
                said = str(value).lower() if isinstance(value, bool) else value
                yield f"{whole}{name} is {_kind(info)}, not {said}"


def _kind(info: Type) -> str:
    """What values an option can have."""
    match info:
        case BoolType():
            return "true or false"
        case IntType():
            return "a whole number"
        case LiteralType():
            return listed([str(value) for value in info.values], "or")
        case StructType():
            return f"made of parts: {listed([field.name for field in info.fields])}"
        case _:  # msgspec knows more types than options are made of today
            return "of another kind"
