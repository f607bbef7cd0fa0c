"""A picture as a map, of whatever ground; plots."""
