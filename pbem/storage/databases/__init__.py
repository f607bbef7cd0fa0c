"""The databases that an office can be kept in, and what is said to each alone.

    sqlite      a file: the default, with nothing to install
    postgres    a server: for an office of many games, on several machines (`pip install pbem[postgres]`)

Both have the functions of `choice.Database`; `choice.chosen` gives that of a url, and a connection knows its own.
Statements stand everywhere in the words of SQLite; `postgres` says them in its own.
"""
