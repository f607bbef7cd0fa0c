"""The paper: reports, receipts, maps."""
