"""Moving: ways walked, what the ground allows, leaders, reinforcements, and morale, which makes units give way."""
