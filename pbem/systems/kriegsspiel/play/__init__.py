"""A stretch of play, pauses, victory, what stands from turn to turn."""
