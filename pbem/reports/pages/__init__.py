"""Report, receipt, notice, umpire: one template each."""
