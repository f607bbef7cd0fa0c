"""The rules systems that ship with the office, each a package of the same shape; none knows another.

A system imports :mod:`pbem.ground`, :mod:`pbem.orders`, :mod:`pbem.rules` and :mod:`pbem.kernel`.  Start at
``st_privat``, the smallest.  What has the same part in each has the same name:

| module | what stands in it |
| --- | --- |
| `scene`, `options` | a scenario as its files say, the options in force |
| `state`, `outcomes`, `fact` | what is so, what may come to pass, and who learns how much of it |
| `setup`, `turn`, `pauses`, `victory` | the empty field, the sequence of play, where it stops for mail, who has won |
| `tables`, and a module for each chapter of the rules | the charts as printed, and what is played by them |
| `field`, `play` | what can be measured as things stand; a stretch of play, fact by fact |
| `memory`, `fog` | what a side learns, and what it sees of the enemy |
| `language`, `drafts`, `reading`, `judge` | orders: the grammar, a line as an order, a sheet, what stands in the way |
| `forecast`, `template` | what a sheet would come to; lines to begin from |
| `view`, `landscape`, `drawing`, `telling`, `sentences`, `words` | a page: its frame, its map, its prose |
| `direct`, `asks` | the GM's language; what conformance cases may ask |

A module that has become two keeps its name as the first half of both: `telling_combat`, `tables_fire`, `judge_setup`.
In ``kriegsspiel`` a fact of knowledge is known whole or not at all, so that `sighting` and `knowledge` stand for `fog`.
"""
