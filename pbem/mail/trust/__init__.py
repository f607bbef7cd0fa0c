"""Who wrote it, and how sure that is."""
