"""A sheet: language, drafts, reading, judging, forecast, template, and orders as written."""
