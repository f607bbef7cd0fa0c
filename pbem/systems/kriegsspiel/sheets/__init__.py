"""A sheet: verbs, language, reading, judging, forecast, template."""
