"""Who may come in by the web, and by what he is known there."""
