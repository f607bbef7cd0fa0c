"""One side's page: prose, tables, map."""
