"""What lies in a package of its own is tested by it, with the package on the path (`test_diplomacy.py`)."""

collect_ignore = ["pbem-diplomacy"]
