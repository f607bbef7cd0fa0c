"""A deed, as data: its form, its command, and what does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from pbem.desk.access.people import Right
from pbem.desk.office.office import Office
from pbem.kernel.errors import PbemError, Refused

Kind = Literal["line", "text", "number", "day", "hour", "role", "choice", "yes", "given"]
"""How a field is filled: a line, a text, a number, a day, a day and an hour, a role of the game, one of some words,
a tick, or by the page itself."""

Values = Mapping[str, str]


class Field(Struct, frozen=True, kw_only=True):
    """One field of a form."""

    name: str
    label: str = ""
    kind: Kind = "line"
    needed: bool = True
    value: str = ""
    """What stands in it at first."""
    choices: tuple[str, ...] = ()
    longest: int = 400


class Deed(Struct, frozen=True, kw_only=True):
    """Something that a GM can do."""

    name: str
    label: str
    """What stands on its button."""
    command: str
    """That does the same; in braces what the page fills in."""
    right: Right
    does: Callable[[Office, str, Values], str]
    """Called with the office, the campaign (empty: none), and the fields; gives what was done, in sentences."""
    fields: tuple[Field, ...] = ()
    of_log: bool = False
    """Whether the log must end where it ended when the page was made."""
    hint: str = ""


class Done(Struct, frozen=True, kw_only=True):
    """What came of a deed."""

    well: bool
    says: str


def read(deed: Deed, form: Mapping[str, str]) -> dict[str, str]:
    """The fields of *deed*, as a form has filled them.

    :raises Refused: if one lacks, or has a value that it cannot have.
    """
    values = {}
    for field in deed.fields:
        value = form.get(field.name, "").strip()
        if field.kind != "text":
            value = " ".join(value.split())
        if field.needed and not value:
            raise Refused(f"“{field.label or field.name}” is empty.  Nothing was done.")
        if len(value) > field.longest:
            raise Refused(
                f"“{field.label or field.name}” is longer than {field.longest} characters.  Nothing was done."
            )
        if field.kind == "choice" and value and value not in field.choices:
            raise Refused(f"“{field.label or field.name}” is one of: {', '.join(field.choices)}.  Nothing was done.")
        if field.kind == "number" and value and not (value.isdecimal() and value.isascii()):
            raise Refused(f"“{field.label or field.name}” is a number.  Nothing was done.")
        values[field.name] = value
    return values


def carried_out(office: Office, deed: Deed, campaign: str, values: Values) -> Done:
    """Do *deed*; what is refused is said."""
    try:
        return Done(well=True, says=deed.does(office, campaign, values))
    except PbemError as error:
        return Done(well=False, says=str(error))
