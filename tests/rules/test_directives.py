"""Values that a GM sets, read as the field of a patch wants them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import pytest
from msgspec import UNSET, Struct, UnsetType

from pbem.kernel.errors import Refused
from pbem.kernel.office import Option
from pbem.orders.sheet import lines_of
from pbem.rules.directives import BadDirective, Readers, carried_out, options_with, patched


class Spot(NamedTuple):
    """A place, as `3,4`."""

    x: int
    y: int


class Patch(Struct, frozen=True):
    """What may be set of a unit."""

    men: int | UnsetType = UNSET
    routed: bool | UnsetType = UNSET
    form: Literal["line", "column"] | UnsetType = UNSET
    at: Spot | UnsetType | None = UNSET
    target: str | UnsetType = UNSET
    seen_by: tuple[str, ...] | UnsetType = UNSET


def spot(text: str) -> Spot:
    x, _, y = text.partition(",")
    if not y:
        raise BadDirective(f'"{text}" is no place')
    return Spot(int(x), int(y))


READERS: Readers = {Spot: spot, "target": str.upper, "seen_by": str.upper}


@pytest.mark.parametrize(
    ("attribute", "value", "patch"),
    [
        ("men", "12", Patch(men=12)),
        ("routed", "True", Patch(routed=True)),
        ("form", "column", Patch(form="column")),
        ("at", "3,4", Patch(at=Spot(3, 4))),
        ("at", "none", Patch(at=None)),
        ("target", "pr-4", Patch(target="PR-4")),
        ("seen_by", "fr-1, fr-2", Patch(seen_by=("FR-1", "FR-2"))),
        ("seen_by", "none", Patch(seen_by=())),
    ],
)
def test_a_value_is_read_by_the_type_of_its_field(attribute: str, value: str, patch: Patch) -> None:
    assert patched(Patch, attribute, value, READERS, "a unit") == patch


@pytest.mark.parametrize(
    ("attribute", "value", "why"),
    [
        ("hat", "on", 'a unit has no attribute "hat"; it has men, routed'),
        ("men", "many", "men cannot be many"),
        ("men", "none", "men cannot be none"),
        ("form", "circle", "form cannot be circle"),
        ("at", "here", '"here" is no place'),
    ],
)
def test_what_does_not_fit_is_said(attribute: str, value: str, why: str) -> None:
    with pytest.raises(BadDirective, match=why):
        patched(Patch, attribute, value, READERS, "a unit")


@pytest.mark.parametrize(
    ("forms", "example"),
    [({"go": "go s1", "set": "set s1 men 1"}, "set s1 men 1"), ({"go": "go s1", "stop": "stop s1"}, "go s1")],
)
def test_who_writes_a_verb_that_there_is_not_is_shown_how_one_is_set_or_else_the_first(
    forms: Mapping[str, str], example: str
) -> None:
    [complaint] = carried_out(lines_of("fly s1"), forms, forms, lambda verb, text, words: None)

    assert complaint.why == f'"fly" is no directive; there are {", ".join(forms)}'
    assert complaint.instead == example


class Options(Struct, frozen=True):
    """Two options."""

    fog: bool = True
    free: bool = False


def parse(base: Mapping[str, object], chosen: Mapping[str, Option]) -> Options:
    table = {**base, **chosen}
    if table.keys() - {"fog", "free"}:
        raise Refused("there is no such option.")
    return Options(**{name: bool(value) for name, value in table.items()})


def test_an_option_is_laid_over_those_in_force() -> None:
    assert options_with(parse, Options(), ["fog", "false"], ["free"]) == Options(fog=False)


@pytest.mark.parametrize("words", [["fog"], ["hat", "on"], ["free", "true"]])
def test_an_option_that_cannot_be_set_now_is_refused(words: list[str]) -> None:
    with pytest.raises(BadDirective):
        options_with(parse, Options(), words, ["free"])
