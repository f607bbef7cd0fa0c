"""Moving: a force on its way, what a step costs; who flees, and who is shut in where it has passed."""
