"""The ways by which letters come in, and back in: doors, folders, pipes, and the word of a GM on what waits."""
