"""A game as it was played: all that was sent, answered and ruled, so that it can be played again and made shorter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from pbem.kernel.names import Role
from pbem.kernel.office import Option


class Step(Struct, frozen=True, omit_defaults=True):
    """What was done at one pause."""

    sheets: dict[Role, str] = {}
    rulings: str = ""
    """Directives of the umpire before it, known to all whom they concern."""
    answers: dict[str, str] = {}
    """To questions in the middle of a procedure; what is not answered is taken as for silence."""


class Story(Struct, frozen=True, kw_only=True):
    """A game from its first pause on."""

    system: str
    scenario: str
    luck: str
    options: dict[str, Option] = {}
    steps: tuple[Step, ...] = ()

    def with_steps(self, steps: tuple[Step, ...]) -> Story:
        """The same game with other steps."""
        return msgspec.structs.replace(self, steps=steps)

    def __str__(self) -> str:
        """In words, sheet by sheet."""
        chosen = ", ".join(f"{name} = {value}" for name, value in self.options.items())
        lines = [f"{self.system} {self.scenario}, luck {self.luck!r}{f', {chosen}' if chosen else ''}"]
        for number, step in enumerate(self.steps, start=1):
            for role, sheet in step.sheets.items():
                if sheet:
                    lines += [f"  {number} {role}:", *(f"      {line}" for line in sheet.splitlines())]
            if step.rulings:
                lines += [f"  {number} the umpire:", *(f"      {line}" for line in step.rulings.splitlines())]
            if step.answers:
                lines.append(f"  {number} answers: {step.answers}")
        lines.append(f"  {len(self.steps)} exchanges and halts in all")
        return "\n".join(lines)


def save(story: Story, path: Path) -> None:
    """Keep a story in a file."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(story), indent=1))


def load(path: Path) -> Story:
    """The story of a file."""
    return msgspec.json.decode(path.read_bytes(), type=Story)


def roles_of(step: Step) -> Mapping[Role, str]:
    """The sheets that say something."""
    return {role: sheet for role, sheet in step.sheets.items() if sheet.strip()}
