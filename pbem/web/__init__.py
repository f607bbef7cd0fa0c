"""The reading room: the office as pages and as an API.

It stands beside `pbem.cli`, over `pbem.desk`: what it shows is made as letters are, of what its reader may know, and
what it takes goes in by the door of letters.  It has nothing of its own but who has come in.  Start at `routes`, the
table of all pages and of whom each is for; then `application`.
"""
