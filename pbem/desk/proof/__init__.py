"""What was decided is checked: dice, replay, papers; carried elsewhere, upgraded."""
