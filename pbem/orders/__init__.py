"""Players' text becomes orders: numbered lines, complaints, and the grammar that all systems share.

Imports `pbem.kernel`; guests: lark, rapidfuzz.

Start reading at `sheet` (line, complaint, reading).
"""
