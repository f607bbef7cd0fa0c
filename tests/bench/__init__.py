"""How fast the office is, against baselines that run beside it: `python -m tests.bench` (`make bench`).

Each job is measured in rounds that alternate with those of its baseline, in one process, on one disk, with the same
durability; medians are compared.  `baselines` holds what is measured against, `jobs_…` what is measured.
"""
