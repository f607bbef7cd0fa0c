"""What is so, what may come to pass, what may be ordered and in which words: the types of the log, and the language."""
