"""The contract between the office and a rules system, the ledger of a system's rules, and conformance cases.

Imports `pbem.kernel`, `pbem.orders` and `pbem.ground`; guests: msgspec.

Start reading at `contract` (what a system answers) and `view` (what goes onto one role's page); then `ledger` (rules
and the mark that ties code to them), `registry` (which systems are installed), `cases` (proof without Python; what a
case may expect is `expectations`) and `coverage` (what is played and what is proven).  What all systems do alike:
`scene` and `options` (files of a scenario), `patch` (facts onto a state), `telling` (lines of a report), `directives`.
"""
