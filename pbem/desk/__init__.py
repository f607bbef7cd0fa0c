"""The room where all trades meet: one use of the office per module, from receiving a letter to verifying.

Imports everything below it, and alone may read the clock or make up an id.  Start at ``receive``.
"""
