"""Moving: ways walked, what is paid, whom and what one comes upon."""
