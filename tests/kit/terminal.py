"""Someone who types commands and looks at what comes."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner, Result

from pbem.cli import main


class Terminal:
    """Runs `pbem` in this process."""

    def types(self, *words: str, given: str | bytes = "") -> Result:
        """Run a command, *given* on its standard input."""
        result = CliRunner().invoke(main, words, input=given, prog_name="pbem")
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    def does(self, *words: str, given: str | bytes = "") -> str:
        """Run a command that succeeds; gives what it prints."""
        result = self.types(*words, given=given)
        assert result.exit_code == 0, f"{' '.join(words)}: {result.output}"
        return result.stdout

    def refused(self, *words: str, given: str | bytes = "") -> str:
        """Run a command that is refused; gives what it says."""
        result = self.types(*words, given=given)
        assert result.exit_code == 1, f"{' '.join(words)}: {result.exit_code}: {result.output}"
        assert "Traceback" not in result.output
        return result.stderr

    def shows(self, *words: str) -> Any:
        """What a command shows as JSON."""
        return json.loads(self.does(*words, "--json"))

    def letter(self, role: str, text: str, number: int = 1) -> str:
        """A letter of *role*, as it comes."""
        return f"From: {role}@player.example\nSubject: [ford] x\nMessage-ID: <{number}.{role}@x>\n\n{text}\n"
