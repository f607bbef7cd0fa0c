"""Moving: ways walked, formations, what is paid."""
