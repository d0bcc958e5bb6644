"""Public keys in a file, as `GET /v1/signingKeys` gives them and an operator publishes them."""

from pathlib import Path

import msgspec

from service.audit.evidence.api_json import objects_with, record
from service.audit.evidence.evidence import EvidenceWrong
from service.keys.signing import ALGORITHM, PublicKeys


class _Written(msgspec.Struct, rename="camel"):
    key_id: str
    algorithm: str
    public_key: str


def read_public_keys(path: Path) -> PublicKeys:
    """The keys in a file; EvidenceWrong if there is none, or one is not a public key."""
    keys: dict[str, bytes] = {}
    for fields in objects_with(path, "publicKey"):
        one = record(path, fields, _Written, "public key")
        if one.algorithm != ALGORITHM:
            raise EvidenceWrong(f"{path}: key {one.key_id!r} is not for {ALGORITHM}")
        if one.key_id in keys:
            raise EvidenceWrong(f"{path}: there are two keys {one.key_id!r}")
        try:
            keys[one.key_id] = bytes.fromhex(one.public_key)
        except ValueError as error:
            raise EvidenceWrong(f"{path}: key {one.key_id!r}: {error}") from error
    if not keys:
        raise EvidenceWrong(f"{path}: it has no public key")
    try:
        return PublicKeys(keys)
    except ValueError as error:
        raise EvidenceWrong(f"{path}: {error}") from error
