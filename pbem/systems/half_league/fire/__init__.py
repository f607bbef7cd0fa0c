"""Fire and what it does: who may be shot at, hits, saves and losses."""
