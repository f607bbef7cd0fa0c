"""Facts: names, events, the log as everyone sees it, what is owed, dice, errors.

Imports the standard library and msgspec, and nothing of pbem.  It knows no game, no clock and no disk.

Start reading at `event` (what came to pass), then `office` (the events every campaign has), `campaign`
(what a log tells of a campaign), `owed` (who may send what) and `dice` (falls by name).
"""
