"""Who plays: enrolled, replaced, led by the rules."""
