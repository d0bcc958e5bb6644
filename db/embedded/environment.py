"""The environment of libpq, which has no say in how this process reaches its embedded server."""

import os

_PREFIX = "PG"


def forget_libpq_environment() -> None:
    """Remove libpq's variables from the environment of this process and of those that it starts.

    libpq adds to every connection string what it does not have: with `PGHOSTADDR` the games would
    go to another server, with `PGSERVICE` or `PGOPTIONS` to another database or with other rights.
    A list of the variables would be out of date with the next libpq, so all of its prefix go.
    """
    for name in [name for name in os.environ if name.startswith(_PREFIX)]:
        del os.environ[name]
