"""Set-up and the sequence of play, which alone drives the rooms below it."""
