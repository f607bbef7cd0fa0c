"""Text forms: Markdown, plain columns, times."""
