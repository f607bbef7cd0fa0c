"""The GM's word and the past."""
