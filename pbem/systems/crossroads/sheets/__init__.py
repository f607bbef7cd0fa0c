"""A sheet: the order language, reading, judging, forecast, template."""
