"""The scenario as its files say, never changed, and how its things are called in words."""
