"""A stretch of play, pauses, victory."""
