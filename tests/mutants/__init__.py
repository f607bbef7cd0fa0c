"""Take each rule of a system away in turn: a case that names it must fail.

`python -m tests.mutants [SYSTEM …]` gives every `@rule` function its neutral answer (no modifier, no effect), one
at a time, and runs the cases that name its rules and come to it.  A mutant that no case notices has survived; each
survivor needs its reason in `reasons.toml`, else the command ends with 1.  So it does for a reason that nothing needs
any more.

Read `neutral` (what the neutral answer of a function is), then `hunt`.
"""
