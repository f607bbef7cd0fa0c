"""Hand to hand: charge and melee."""
