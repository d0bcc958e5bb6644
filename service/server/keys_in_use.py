"""Which keys are in use: those of the settings, completed from the file beside the data."""

from pathlib import Path

from service.keys.key_file import FILE, Keys, kept_keys, read_key_file
from service.keys.key_list import KeysMissing
from service.keys.signing import parse_signing_keys
from service.server.settings import Settings, is_loopback
from service.shoes.sealing import parse_sealing_keys

LEAST_SECRET = 32


def keys_of(settings: Settings, folder: Path | None) -> Keys:
    """The keys from the settings, completed from the file in `folder` where there is one.

    Raises KeysMissing when there is none, when a key is too short, and when a server that listens
    beyond this machine has not been given keys of its own.
    """
    check_given_keys(settings)
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


def check_given_keys(settings: Settings) -> None:
    """Raise KeysMissing for a key among the settings that will not do."""
    secret = settings.token_secret.get_secret_value()
    if secret and len(secret) < LEAST_SECRET:
        raise KeysMissing(f"CROUPIER_TOKEN_SECRET needs at least {LEAST_SECRET} characters")
    for text, parse in (
        (settings.sealing_keys.get_secret_value(), parse_sealing_keys),
        (settings.signing_keys.get_secret_value(), parse_signing_keys),
    ):
        if text:
            parse(text)


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
