"""A sheet: language, drafts, reading, judging, forecast, template."""
