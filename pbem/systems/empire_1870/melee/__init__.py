"""A combat from its totals to retreat and advance, and sieges."""
