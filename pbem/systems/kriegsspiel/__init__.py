"""The war game of Lieutenant von Reisswitz, 1824: orders by messenger, and an umpire who knows everything."""
