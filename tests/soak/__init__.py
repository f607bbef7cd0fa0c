"""Long work, not for every commit: `python -m tests.soak [JOB …]` (`make soak`); `--help` says how much can be asked.

Many games, and games of random orders (`tests.player`); a reader that is sent anything, letters by the thousand,
processes that are killed. Every job prints its seed, counts what it did, and says what was wrong; what it needs to be
run again is in what it says.
"""
