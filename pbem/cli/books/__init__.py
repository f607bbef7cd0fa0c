"""Commands that show what is written for readers."""
