"""A sheet: reading, judging, forecast, template, examples."""
