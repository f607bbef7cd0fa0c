"""Hand to hand: charges and close combat."""
