"""Connection strings: checked before a message can quote them.

If libpq can't read a string, its message quotes the string, with the password. If a character of a
password in a URI should have been escaped, libpq reads a part of the password as the host or the
database, and its messages, and those of the server, quote that part.
"""

import psycopg
from psycopg.conninfo import conninfo_to_dict

from service.errors import InputWrong

_HELP = (
    "write postgresql://user:password@host/database with %40, %2F, %25 … for the signs @ / % … in a"
    " password, or host=… password='…' (it is not shown, because it may have a password)"
)


def check_connection_string(written: str, place: str) -> None:
    """Raise InputWrong if libpq can't read the string, or reads a part of a password as host or
    database. The message names the argument or variable (`place`), and shows nothing of the string.
    """
    try:
        conninfo_to_dict(written)
    except psycopg.ProgrammingError:
        raise InputWrong(f"{place} is not a connection string: {_HELP}") from None
    scheme, colon, rest = written.partition("://")
    if not colon or scheme not in ("postgresql", "postgres"):
        return
    authority, _, path = rest.partition("?")[0].partition("/")
    if authority.count("@") > 1 or "@" in path:
        raise InputWrong(f"{place} has one @ too many: {_HELP}")
