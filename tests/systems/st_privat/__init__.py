"""The St. Privat system: its rules function by function; its cases stand in `tests/cases/st-privat`."""
