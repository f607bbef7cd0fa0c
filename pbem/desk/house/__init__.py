"""The office as a process: on duty, in order, demonstrated."""
