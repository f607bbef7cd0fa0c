"""What the GM's languages share: how their lines are carried out, what is said of one that cannot be, and values.

A system has its verbs in a table, and an example of each: `direct` hands both to `carried_out`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.inspect import CustomType, NamedTupleType, NoneType, StructType, Type, UnionType, VarTupleType, type_info
from msgspec.structs import fields

from pbem.kernel.errors import Refused
from pbem.kernel.names import Role
from pbem.kernel.numbers import whole
from pbem.kernel.office import Option
from pbem.orders.sheet import Complaint, Judgement, Line

Verb = TypeVar("Verb")
Kind = TypeVar("Kind")
Patch = TypeVar("Patch", bound=Struct)
Options = TypeVar("Options", bound=Struct)

Readers = Mapping[str | type, Callable[[str], object]]
"""What reads a value that is set: by the name of its attribute, or by the type of it (`Point`)."""


class BadDirective(Exception):
    """A directive that cannot be carried out; the text says why."""


def carried_out(
    lines: Sequence[Line],
    verbs: Mapping[str, Verb],
    forms: Mapping[str, str],
    carry_out: Callable[[Verb, str, Sequence[str]], None],
) -> tuple[Complaint, ...]:
    """Carry out each line by its verb, given its text and the words after the verb; what cannot be is complained of.

    *forms* has an example of each verb; that of `set`, or else the first, is shown to who writes a verb that there is
    not.
    """
    any_form = forms.get("set") or next(iter(forms.values()))
    complaints = []
    for line in lines:
        text = line.text.split("#")[0].strip()
        if not text:
            continue
        first, *words = text.split()
        try:
            verb = verbs.get(first.lower())
            if verb is None:
                raise BadDirective(f'"{first}" is no directive; there are {", ".join(verbs)}')
            carry_out(verb, text, words)
        except BadDirective as wrong:
            example = forms.get(first.lower(), any_form)
            complaints.append(
                Complaint(line.number, 1, Judgement.NOT_UNDERSTOOD, str(wrong), instead=example, width=len(line.text))
            )
    return tuple(complaints)


def side_of(text: str, sides: Sequence[Role]) -> Role:
    """A side by its name.

    :raises BadDirective: if there is none.
    """
    side = Role(text.lower())
    if side not in sides:
        raise BadDirective(f'"{text}" is no side; there are {", ".join(sides)}')
    return side


def option_of(words: Sequence[str]) -> tuple[str, Option]:
    """What `option NAME VALUE` says: the name, and a number, true or false, or a word.

    >>> option_of(["pulses", "3"]), option_of(["bridges", "true"]), option_of(["sp_cap.french", "-1"])
    (('pulses', 3), ('bridges', True), ('sp_cap.french', -1))

    :raises BadDirective: if these are not two words.
    """
    if len(words) != 2:
        raise BadDirective("it reads: option NAME VALUE")
    name, value = words
    if (number := whole(value, sign=True)) is not None:
        return name, number
    return name, {"true": True, "false": False}.get(value.lower(), value)


def plain(value: str) -> object:
    """`true`, `false` and `none` as what they say, anything else as the word that it is."""
    return {"true": True, "false": False, "none": None}.get(value.lower(), value)


def number_of(text: str, least: int, most: int) -> int:
    """A whole number in its bounds.

    :raises BadDirective: if it is none.
    """
    found = whole(text)
    if found is None or not least <= found <= most:
        raise BadDirective(f'"{text}" is no number from {least} to {most}')
    return found


def options_with(
    parse: Callable[[Mapping[str, object], Mapping[str, Option]], Options],
    now: Options,
    words: Sequence[str],
    at_start: Collection[str] = (),
) -> Options:
    """The options in force, with what `option NAME VALUE` says over them.

    *parse*: how the system reads its options; *at_start*: those that can be chosen with the campaign alone.

    :raises BadDirective: if there is no such option, or it cannot have this value now.
    """
    name, value = option_of(words)
    if name.partition(".")[0] in at_start:
        raise BadDirective(f"{name} can be chosen with the campaign alone: it shapes the beginning")
    try:
        return parse(msgspec.to_builtins(now), {name: value})
    except Refused as error:
        raise BadDirective(str(error)) from None


def patched(kind: type[Patch], attribute: str, value: str, readers: Readers, of: str) -> Patch:
    """The patch that a `set` makes of one attribute; its value is read as the type of the field wants it.

    *kind*: a patch as in `rules/patch.py`, of which every field may be `UNSET`, and is by default.

    What *readers* has, by name or by type, reads it; of several values in a row each of them, parted by commas or
    blanks.  `none` is no value, or none in a row.  *of*: what has the attributes (`a unit`).

    :raises BadDirective: if it has no such attribute, or the value does not fit.
    """
    types = _types(kind)
    if attribute not in types:
        raise BadDirective(f'{of} has no attribute "{attribute}"; it has {", ".join(types)}')
    wanted = types[attribute]
    parts = wanted.types if isinstance(wanted, UnionType) else (wanted,)
    nothing = any(isinstance(one, NoneType) for one in parts)
    row = next((one for one in parts if isinstance(one, VarTupleType)), None)
    said: object
    if row is not None:
        words = [] if value.lower() == "none" else re.split(r"[,\s]+", value.strip("[] "))
        said = [_read(word, attribute, (row.item_type,), readers) for word in words]
    elif nothing and value.lower() == "none":
        said = None
    else:
        said = _read(value, attribute, parts, readers)
    return read_as(kind, {attribute: said}, attribute, value)


@cache
def _types(kind: type[Struct]) -> Mapping[str, Type]:
    """What each field of a patch may be; what stands in the types of its fields is worked out once."""
    return {field.name: type_info(field.type) for field in fields(kind)}


def _read(value: str, attribute: str, parts: Sequence[Type], readers: Readers) -> object:
    reader = readers.get(attribute)
    for one in parts:
        if reader is None and isinstance(one, CustomType | NamedTupleType | StructType):
            reader = readers.get(one.cls)
    return plain(value) if reader is None else reader(value)


def read_as(kind: type[Kind], attributes: Mapping[str, object], attribute: str, value: str) -> Kind:
    """The attributes that a `set` comes to, as a *kind*; *attribute* and *value* are what was written.

    :raises BadDirective: if the value does not fit.
    """
    try:
        return msgspec.convert(attributes, kind, strict=False, from_attributes=True)
    except msgspec.ValidationError as error:
        raise BadDirective(f"{attribute} cannot be {value}: {error}") from None
