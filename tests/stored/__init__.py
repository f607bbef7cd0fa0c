"""Campaigns of every system, played to their middle on released rules, that all later code has to resolve again."""
