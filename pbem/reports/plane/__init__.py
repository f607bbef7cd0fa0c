"""Maps of continuous ground."""
