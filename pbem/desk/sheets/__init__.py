"""A text parted, cleaned, read by the rules; its receipt."""
