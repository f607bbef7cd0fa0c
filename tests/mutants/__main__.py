"""`python -m tests.mutants [SYSTEM …]`: the mutants of our own systems, and of the toy."""

from __future__ import annotations

import sys

from pbem.rules.registry import BUILT_IN
from pbem.suite.mutants import main
from tests.systems.play import SIXTH

if __name__ == "__main__":
    sys.path.insert(0, str(SIXTH))
    sys.exit(main(sys.argv[1:] or sorted(BUILT_IN)))
