"""Bridges, boats, earthworks."""
