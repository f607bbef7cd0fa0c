"""What can be measured as things stand."""
