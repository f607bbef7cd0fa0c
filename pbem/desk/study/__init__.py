"""Scenarios played many times, without an office."""
