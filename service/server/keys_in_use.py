"""Which keys are in use: those of the settings, completed from the file beside the data."""

from pathlib import Path

from service.keys.key_file import FILE, Keys, kept_keys, read_key_file
from service.keys.key_list import KeysMissing
from service.server.addresses import is_loopback
from service.server.settings import Settings


def keys_of(settings: Settings, folder: Path | None) -> Keys:
    """The keys from the settings, completed from the file in `folder` where there is one.

    Raises KeysMissing when there is none, and when a server that listens beyond
    this this machine has not been given keys of its own.
    """
    given = Keys(
        settings.token_secret.get_secret_value(),
        settings.sealing_keys.get_secret_value(),
        settings.operator_key.get_secret_value(),
        settings.signing_keys.get_secret_value(),
    )
    if not (given.token_secret and given.sealing_keys and given.signing_keys):
        names = (
            "CROUPIER_TOKEN_SECRET, CROUPIER_SEALING_KEYS and CROUPIER_SIGNING_KEYS"
            " (`croupier keys` makes some)"
        )
        if folder is None:
            raise KeysMissing(f"a server that shares a database needs {names}")
        for address in (settings.grpc_address, settings.rest_address):
            if not is_loopback(address):
                raise KeysMissing(f"a server that listens at {address} needs {names}")
    if folder is None:
        return given
    kept = kept_keys(folder / FILE)
    return Keys(
        given.token_secret or kept.token_secret,
        given.sealing_keys or kept.sealing_keys,
        given.operator_key or kept.operator_key,
        given.signing_keys or kept.signing_keys,
    )


def signing_keys_of(settings: Settings, folder: Path) -> str:
    """The signing keys alone, from the settings or the file in `folder`; nothing is made.

    Raises KeysMissing when there are none.
    """
    return _given_or_kept("signing_keys", settings, folder)


def sealing_keys_of(settings: Settings, folder: Path) -> str:
    """The sealing keys alone, in the same way."""
    return _given_or_kept("sealing_keys", settings, folder)


def _given_or_kept(name: str, settings: Settings, folder: Path) -> str:
    given: str = getattr(settings, name).get_secret_value()
    if given:
        return given
    file = folder / FILE
    try:
        kept: str = getattr(read_key_file(file), name)
    except FileNotFoundError:
        kept = ""
    if not kept:
        what = name.replace("_", " ")
        raise KeysMissing(f"set CROUPIER_{name.upper()}: there are no {what} in {file}")
    return kept
