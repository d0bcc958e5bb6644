"""Where commands find what they look into: the database, the data folder, the public keys."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from service.keys.signing import PublicKeys
    from service.server.settings import Settings

DATABASE_HELP = "The database to look into (libpq's form); empty: that of the settings."
KEYS_HELP = "Public keys, JSON as /v1/signingKeys gives it; none: those of the settings."


@contextmanager
def look_into(settings: "Settings", database: str) -> Iterator[str]:
    """How to connect to the database that is named, or else to that of the settings: an embedded
    server that runs is used as it runs. What the database refuses is StoreUnavailable, and
    InputWrong a string that says nothing of a database."""
    from db.reach import plain_refusals, reach
    from service.server.data_folder import data_folder
    from service.server.settings import DATABASE_VARIABLE

    named = database or settings.database_url.get_secret_value()
    place = "--database" if database else DATABASE_VARIABLE
    with (
        nullcontext(named) if named else reach(data_folder(settings)) as conninfo,
        plain_refusals(conninfo, place),
    ):
        yield conninfo


def public_keys(file: Path | None) -> "PublicKeys":
    """The public keys in a file, or those of the settings' own signing keys."""
    from service.audit.evidence.public_keys import read_public_keys
    from service.keys.key_list import KeysMissing
    from service.keys.signing import parse_signing_keys
    from service.server.data_folder import data_folder
    from service.server.keys_in_use import signing_keys_of
    from service.server.settings import read_settings

    if file:
        return read_public_keys(file)
    settings = read_settings()
    try:
        return parse_signing_keys(signing_keys_of(settings, data_folder(settings))).public
    except KeysMissing as error:
        raise KeysMissing(f"{error}; or name a file of public keys with --keys") from error
