"""Who keeps the office, and how it stands: for who looks after it, and for nothing that is played."""
