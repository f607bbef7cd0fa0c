"""The ``pbem`` command, one module per group of commands.

Imports :mod:`pbem.desk`, :mod:`pbem.kernel` and :mod:`pbem.reports`, and those only inside a command, so that
``pbem --help`` stays fast.  Start at ``main``.
"""
