"""Players' text becomes orders: numbered lines, complaints, and the grammar that all systems share.

Imports `pbem.kernel`; guests: lark, rapidfuzz.

Start reading at `sheet` (line, complaint, reading), then `grammar` (how an order line is read), `words` (what is the
office's in a sheet), `refusal` and `suggest` (why a line is no order, the word that was perhaps meant), `names` (how
the name of a place is looked up) and `prose` (numbers and rows of words).
"""
