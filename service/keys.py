"""The keys of a server: what signs tokens and receipts, what seals seeds, the operator's API key.

They come from the settings. A server with data of its own makes those that are missing, once, and
keeps them in a file that its user alone can read; without that file its sealed seeds are lost.
"""

import json
import os
import secrets
from pathlib import Path

import msgspec

from service.settings import Settings, is_loopback

FILE = "keys.json"
LEAST_SECRET = 32


class KeysMissing(Exception):
    """Keys that are needed are not there, or will not do; the message says what to set."""


class Keys(msgspec.Struct, frozen=True):
    """The keys in use, as the settings write them."""

    token_secret: str
    sealing_keys: str
    operator_key: str
    signing_keys: str = ""

    @classmethod
    def fresh(cls) -> "Keys":
        """New keys from the operating system's randomness."""
        return cls(
            token_secret=secrets.token_urlsafe(48),
            sealing_keys=f"k1:{secrets.token_hex(32)}",
            operator_key=f"ck_{secrets.token_urlsafe(32)}",
            signing_keys=f"s1:{secrets.token_hex(32)}",
        )


def keys_of(settings: Settings, folder: Path | None) -> Keys:
    """The keys from the settings, completed from the file in `folder` where there is one.

    Raises KeysMissing when there is none, when a key is too short, and when a server that listens
    beyond this machine has not been given keys of its own.
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
    if given.token_secret and len(given.token_secret) < LEAST_SECRET:
        raise KeysMissing(f"CROUPIER_TOKEN_SECRET needs at least {LEAST_SECRET} characters")
    if folder is None:
        return given
    kept = _kept(folder / FILE)
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
        kept: str = getattr(_read(file), name)
    except FileNotFoundError:
        kept = ""
    if not kept:
        what = name.replace("_", " ")
        raise KeysMissing(f"set CROUPIER_{name.upper()}: there are no {what} in {file}")
    return kept


def _read(file: Path) -> Keys:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Keys)
    except msgspec.DecodeError as error:
        raise KeysMissing(f"{file} holds no keys ({error}): bring back a copy of it") from error


def _kept(file: Path) -> Keys:
    """The keys in a file, which is made if it is not there, and completed if it is older than the
    signing keys. Whatever else is missing is lost, and not made anew."""
    fresh = Keys.fresh()
    try:
        kept = _read(file)
    except FileNotFoundError:
        kept = fresh
    else:
        if kept.signing_keys:
            return kept
        kept = msgspec.structs.replace(kept, signing_keys=fresh.signing_keys)
    new = file.with_suffix(".new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        json.dump(msgspec.structs.asdict(kept), out, indent=2)
        out.flush()
        os.fsync(out.fileno())
    new.replace(file)
    return kept
