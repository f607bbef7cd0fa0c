"""What is so, what may come to pass, what may be ordered: the types of the log (state, facts, orders, options)."""
