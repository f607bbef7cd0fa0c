"""What the GM's languages share: how their lines are carried out, what is said of one that cannot be, and values.

A system has its verbs in a table, and an example of each: `direct` hands both to `carried_out`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from pbem.kernel.names import Role
from pbem.kernel.numbers import whole
from pbem.kernel.office import Option
from pbem.orders.sheet import Complaint, Judgement, Line

Verb = TypeVar("Verb")
Kind = TypeVar("Kind")


class BadDirective(Exception):
    """A directive that cannot be carried out; the text says why."""


def carried_out(
    lines: Sequence[Line],
    verbs: Mapping[str, Verb],
    forms: Mapping[str, str],
    carry_out: Callable[[Verb, str, Sequence[str]], None],
) -> tuple[Complaint, ...]:
    """Carry out each line by its verb, given its text and the words after the verb; what cannot be is complained of.

    *forms* has an example of each verb; that of `set` is shown to who writes a verb that there is not.
    """
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
            example = forms.get(first.lower(), forms["set"])
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


def read_as(kind: type[Kind], attributes: Mapping[str, object], attribute: str, value: str) -> Kind:
    """The attributes that a `set` comes to, as a *kind*; *attribute* and *value* are what was written.

    :raises BadDirective: if the value does not fit.
    """
    try:
        return msgspec.convert(attributes, kind, strict=False, from_attributes=True)
    except msgspec.ValidationError as error:
        raise BadDirective(f"{attribute} cannot be {value}: {error}") from None
