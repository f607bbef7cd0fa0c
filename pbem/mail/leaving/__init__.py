"""Letters out: composed, signed, sent."""
