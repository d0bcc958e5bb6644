"""The keys of a server: they sign tokens and receipts and seal seeds; and the operator's API key.

They come from the settings. A server with an embedded database generates missing keys once and
keeps them in a file that only its user can read. Without that file its sealed seeds are lost.
"""

import json
import os
import secrets
from pathlib import Path

import msgspec

from service.errors import using
from service.keys.key_list import KeysMissing

FILE = "keys.json"


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


def read_key_file(file: Path) -> Keys:
    """The keys in a file; KeysMissing if it has none, FileNotFoundError if there is no file."""
    with using(file):
        exists = file.exists()
    if not exists:
        raise FileNotFoundError(file)
    with using(file):
        data = file.read_bytes()
    try:
        return msgspec.json.decode(data, type=Keys)
    except msgspec.DecodeError as error:
        raise KeysMissing(f"{file} has no keys ({error}): restore it from a backup") from error


def kept_keys(file: Path) -> Keys:
    """The keys in a file. A missing file is created; a file older than the signing keys gets them.
    Any other missing key is lost and is not generated again."""
    fresh = Keys.fresh()
    try:
        kept = read_key_file(file)
    except FileNotFoundError:
        kept = fresh
    else:
        if kept.signing_keys:
            return kept
        kept = msgspec.structs.replace(kept, signing_keys=fresh.signing_keys)
    new = file.with_suffix(".new")
    text = json.dumps(msgspec.structs.asdict(kept), indent=2)
    with using(file):
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        new.replace(file)
    return kept
