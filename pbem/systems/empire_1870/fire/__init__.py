"""Chassepot fire, and what fire and combat do: losses, and HQs that are hit."""
