"""Papers, riders, who commands whom, staff."""
