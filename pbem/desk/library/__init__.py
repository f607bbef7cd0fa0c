"""Scenarios and rulebooks as they lie on disk; needs no office."""
