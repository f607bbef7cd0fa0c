"""Hand to hand: charge, melee, falling back, advance."""
