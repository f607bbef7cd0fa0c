"""A player who orders anything that the language allows, and who knows the rules better than the game should have to.

He writes order lines as a letter would bring them, of every verb and with every value of every option; he answers
halts and questions, and the umpire rules now and then.  After every fact the invariants of the system are asked
(`tests/systems/<package>/invariants.py`, written from its ledger), and after every exchange what holds of all systems.
What breaks one is shrunk to the least that still does, and printed with the command that plays it again.

- `speech`: a grammar turned about, so that it makes lines;
- `story`: a game as it was played, to be played again;
- `watch`: a game in which nothing comes to pass unexamined;
- `wander`: the player;
- `shrink`: the least story that still breaks the same rule;
- `unseen`: what changes where a role cannot see changes nothing that reaches it.
"""
