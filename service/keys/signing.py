"""Signing: anyone with the public key can prove later what the service once said.

Ed25519 (RFC 8032): the same key and message always give the same signature, so test vectors exist
and signing twice reveals nothing new. The key's id is part of the signed message. A signature is
valid for one purpose only: see `service.fairness.framing`. Keys rotate by their ids: the first key
signs, and each public key verifies what its private key signed.
"""

from collections.abc import Mapping, Sequence

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from service.errors import RecordWrong
from service.fairness.framing import framed
from service.journal.plain_ids import PLAIN_ID
from service.keys.key_list import KeysMissing, parse_key_list

ALGORITHM = "Ed25519"

Part = bytes | str | int


class Signature(msgspec.Struct, frozen=True):
    """A signature (64 bytes) and the id of the key that made it."""

    key_id: str
    signature: bytes


class SignatureWrong(RecordWrong):
    """The signature does not fit the content, or the key is unknown; the message says which."""


class PublicKeys:
    """The public keys by id, 32 bytes each; the first one is that of the signing key in use."""

    def __init__(self, keys: Mapping[str, bytes]) -> None:
        self._keys = {
            key_id: Ed25519PublicKey.from_public_bytes(key) for key_id, key in keys.items()
        }
        self.by_id = dict(keys)

    def check(self, purpose: str, parts: Sequence[Part], signed: Signature) -> None:
        """Raise SignatureWrong unless one of these keys signed these parts for this purpose."""
        key = self._keys.get(signed.key_id)
        if key is None:
            known = ", ".join(self._keys) or "none"
            raise SignatureWrong(f"signed with key {signed.key_id!r}; known: {known}")
        try:
            key.verify(signed.signature, signed_message(purpose, signed.key_id, parts))
        except InvalidSignature:
            raise SignatureWrong(f"key {signed.key_id!r} did not sign this") from None


class SigningKeys:
    """The private keys by id (seeds of 32 bytes); the first one signs."""

    def __init__(self, seeds: Mapping[str, bytes]) -> None:
        if not seeds:
            raise KeysMissing("at least one signing key is needed")
        for key_id in seeds:
            if not PLAIN_ID.fullmatch(key_id):
                raise KeysMissing(f"signing key id {key_id!r}: 1 to 64 letters, digits, - or _")
        keys = {
            key_id: Ed25519PrivateKey.from_private_bytes(seed) for key_id, seed in seeds.items()
        }
        self._key_id = next(iter(keys))
        self._key = keys[self._key_id]
        self.public = PublicKeys(
            {key_id: key.public_key().public_bytes_raw() for key_id, key in keys.items()}
        )

    def sign(self, purpose: str, parts: Sequence[Part]) -> Signature:
        """Sign these parts for a purpose."""
        message = signed_message(purpose, self._key_id, parts)
        return Signature(self._key_id, self._key.sign(message))


def signed_message(purpose: str, key_id: str, parts: Sequence[Part]) -> bytes:
    """The bytes that are signed: purpose, key id and parts, each preceded by its length."""
    return framed(purpose, [key_id, *parts])


def parse_signing_keys(text: str) -> SigningKeys:
    """Keys as a setting lists them (`service.keys.key_list`), the signing one first."""
    return SigningKeys(parse_key_list(text, "signing key"))
