"""Hand to hand: charge, melee, sieges, retreat, pursuit."""
