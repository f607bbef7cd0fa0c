"""The GM's language, the GM's page, what conformance cases may ask."""
