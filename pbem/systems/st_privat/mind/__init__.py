"""What a side learns and sees."""
