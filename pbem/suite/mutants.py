"""`python -m pbem.suite.mutants [SYSTEM …]`: each rule is taken away in turn, and a case must fail.

A function that wears a rule, or says yes or no, gives a neutral answer instead of its own.  A mutant that no case
notices survives: a case is missing, or there is a reason, which stands in `mutants.toml` beside the cases, in a table
of the name of the system, by the mutant as it is listed.  A function of which the type tells no neutral answer has one
in `neutral.toml`, under `"SYSTEM: module.function"`.
"""

from __future__ import annotations

import argparse
import sys

from pbem.rules import registry
from pbem.suite.hunt import cases, fails, hunt, reasons, report


def main(arguments: list[str]) -> int:
    """Hunt the mutants of each system; 0 if every survivor has its reason."""
    known = sorted(registry.names())
    parser = argparse.ArgumentParser(prog="python -m pbem.suite.mutants", description="Take each rule away in turn.")
    parser.add_argument("system", nargs="*", help=f"of {', '.join(known)}; those of other packages, if none is named")
    systems = parser.parse_args(arguments).system
    if strange := [system for system in systems if system not in known]:
        parser.error(f"no system {strange[0]}: there are {', '.join(known)}")
    sound = True
    for system in systems or [one for one in known if one not in registry.BUILT_IN]:
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
