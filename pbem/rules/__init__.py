"""The contract between the office and a rules system, the ledger of a system's rules, and conformance cases.

Imports `pbem.kernel`, `pbem.orders` and `pbem.ground`; guests: msgspec.

Start reading at `contract` (what a system answers), then `view` (what goes onto one role's page).
"""
