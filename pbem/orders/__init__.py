"""Players' text becomes orders: numbered lines, complaints, and the grammar that all systems share.

Imports `pbem.kernel`; guests: lark, rapidfuzz.

Start reading at `sheet` (line, complaint, reading), then `grammar` (how an order line is read), with `lexing` (how it
is cut into words), `kindness` (what it may be written with besides) and `retelling` (what it says where it is no
order as it is written); then `words` (what is the office's in a sheet), `refusal` and `suggest` (why a line is no
order, the word that was perhaps meant), `names` (how the name of a place is looked up) and `prose` (numbers and rows
of words).
"""
