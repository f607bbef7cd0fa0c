"""`python -m tests.mutants [SYSTEM …]`: see the package."""

from __future__ import annotations

import argparse
import sys

from pbem.rules import registry
from tests.mutants.hunt import cases, fails, hunt, reasons, report
from tests.systems.play import SIXTH


def main(arguments: list[str]) -> int:
    """Hunt the mutants of each system; 0 if every survivor has its reason."""
    sys.path.insert(0, str(SIXTH))
    known = sorted(registry.names())
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Take each rule away in turn.")
    parser.add_argument("system", nargs="*", help=f"of {', '.join(known)}; those that come with pbem, if none is named")
    systems = parser.parse_args(arguments).system
    if strange := [system for system in systems if system not in known]:
        parser.error(f"no system {strange[0]}: there are {', '.join(known)}")
    sound = True
    for system in systems or sorted(registry.BUILT_IN):
        if failing := list(fails(system, cases(system))):
            print(f"{system}: these cases fail without any mutant: {', '.join(failing)}")
            sound = False
            continue
        lines, excused = report(system, hunt(system), reasons(system))
        print("\n".join(lines))
        sound = sound and excused
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
