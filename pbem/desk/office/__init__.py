"""The office itself: folder, settings, keys."""
