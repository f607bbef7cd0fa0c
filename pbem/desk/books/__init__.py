"""What the books of the office say of a campaign, read-only."""
