"""The rules systems that ship with the office, each a package of the same shape; none knows another.

A system imports :mod:`pbem.ground`, :mod:`pbem.orders`, :mod:`pbem.rules` and :mod:`pbem.kernel`.  Start at
``st_privat``, the smallest.  All have the same rooms, and a room imports only those above it in this table; what has
the same part in each has the same name:

| room | what stands in it |
| --- | --- |
| `tables` | the charts as printed |
| `world` | the types of the log: `state` and its parts, `patches`, `fact`, `outcomes`, `orders`, `options` |
| `scene` | a scenario as its files say, and how its things are called in `words` |
| `field` | what can be measured as things stand: distances, lines of sight, who may do what |
| `mind` | what a side learns (`memory`), and what it sees of the enemy (`fog`) |
| `play` | a stretch of play, fact by fact; `pauses`, `victory`, what stands from turn to turn |
| `knowing`, `command` | in ``kriegsspiel`` alone: who sees whom; papers, riders, who commands whom |
| `march`, `fire`, `works`, `melee` | a module for each chapter of the rules; `works` in ``kriegsspiel`` alone |
| `turn` | `setup`, and the sequence of play, which alone drives the rooms above |
| `sheets` | orders: their verbs, a sheet as it is read, what stands in the way, `forecast`, `template` |
| `page` | one side's page: its frame, its map, its prose |
| `gm` | the GM's language (`direct`), his own page (`truth`), what conformance cases may ask (`asks`) |

A module that has become two keeps its name as the first half of both: `telling_combat`, `outcomes_fire`, `judge_setup`.
In ``kriegsspiel`` a fact of knowledge is known whole or not at all, so that `sighting` and `knowledge` stand for `fog`.
"""
