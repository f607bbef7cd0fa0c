"""`python -m tests.bench [--only NAME] [--markdown] [--write] [--peers | --postgres]`: see the package."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.bench import (
    jobs_club,
    jobs_desk,
    jobs_growth,
    jobs_history,
    jobs_letters,
    jobs_log,
    jobs_mail,
    jobs_peers,
    jobs_plane,
    jobs_replay,
    jobs_rules,
    jobs_start,
    jobs_web,
)
from tests.bench.measure import COLUMNS, Result, markdown, row, run
from tests.measured import put

JOBS = (
    *jobs_log.JOBS,
    *jobs_rules.JOBS,
    *jobs_plane.JOBS,
    *jobs_letters.JOBS,
    *jobs_mail.JOBS,
    *jobs_desk.JOBS,
    *jobs_start.JOBS,
    *jobs_growth.JOBS,
    *jobs_history.JOBS,
    *jobs_replay.JOBS,
    *jobs_web.JOBS,
)
ALL = (*JOBS, *jobs_peers.JOBS, *jobs_club.JOBS)
"""Those too that are run only when asked for."""


def main(arguments: list[str]) -> int:
    """Run the jobs and print what came of them; 1 if one is over its target by more than the slack."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench", description="How fast the office is, beside baselines."
    )
    names = [job.name for job in ALL]
    parser.add_argument("--only", metavar="NAME", action="append", choices=names, help=f"one of: {', '.join(names)}")
    parser.add_argument("--markdown", action="store_true", help="print a table in Markdown")
    parser.add_argument("--write", action="store_true", help="write the rows into MEASURED.md")
    parser.add_argument("--peers", action="store_true", help="beside other people's programs (jobs_peers)")
    parser.add_argument("--postgres", action="store_true", help="an office in PostgreSQL (jobs_club)")
    asked = parser.parse_args(arguments)
    results: list[Result] = []
    for job in jobs_peers.JOBS if asked.peers else jobs_club.JOBS if asked.postgres else JOBS:
        if asked.only and job.name not in asked.only:
            continue
        with tempfile.TemporaryDirectory(prefix="pbem-bench-") as folder:
            results.append(run(job, Path(folder)))
        if not asked.markdown:
            what, *figures, verdict = row(results[-1])
            ours, base, ratio, target = figures
            print(f"{job.name:14} {what}\n{'':14} {ours}, {base}: {ratio}, target {target}: {verdict}", flush=True)
    if asked.markdown:
        print("\n".join(markdown(results)))
    if asked.write:
        rows = {key: cells for key, *cells in map(row, results)}
        put("bench", COLUMNS, rows, right=(3, 4))
    over = [result.job.name for result in results if result.is_over]
    if over:
        print(f"over their targets, slack granted: {', '.join(over)}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
