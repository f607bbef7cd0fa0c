"""What is so, what may come to pass, what may be ordered: state, facts, orders, options, and a commander's mind."""
