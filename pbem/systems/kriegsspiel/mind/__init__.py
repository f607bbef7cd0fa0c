"""What a side learns, sees and may suppose."""
