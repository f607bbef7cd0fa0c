"""The bytes of a report do not depend on how a process happens to hash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_report_of_st_privat_is_the_same_in_every_process() -> None:
    def digest(seed: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "tests.kit.digest", "ste-marie"],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
        ).stdout

    first, *others = [digest(seed) for seed in ("0", "1", "1870")]
    assert len(first) == 65
    assert others == [first, first]
