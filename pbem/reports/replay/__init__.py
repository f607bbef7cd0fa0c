"""A game as one page that moves: its pictures drawn, its words and dice beside them."""
