"""An office is made again elsewhere, from either sort of database in either, and files are written that are whole.

copying     one office into another, row by row; and whether they are the same
placing     where an office may be made, and what becomes of one that lies there
published   files that bear their names only when they are whole and on the disk
"""
