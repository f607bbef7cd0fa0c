"""Bytes and header fields: limits, charsets, addresses."""
