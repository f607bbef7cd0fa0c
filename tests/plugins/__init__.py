"""Games by others: packages of their own, which are no part of pbem."""
