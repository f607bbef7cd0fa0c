"""Games that were played and are kept: a log of each, and what it came to."""
