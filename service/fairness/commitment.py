"""The commitment to a shoe: published before anything can depend on the shoe.

Rule: each shoe has a server seed of 32 bytes from the operating system. Its commitment is the
SHA-256 of these bytes. The commitment to shoe n + 1 stands in the event that opens shoe n, that of
shoe 1 in the event that opens the table; when the shoe is retired the seed is revealed, and anyone
can hash it.

Source: the design, section 4.
"""

from hashlib import sha256

SEED_SIZE = 32
"""Bytes of a server seed."""


def commitment(seed: bytes) -> str:
    """The commitment to a server seed, in hex; ValueError if the seed is not of 32 bytes."""
    if len(seed) != SEED_SIZE:
        raise ValueError(f"a server seed has {SEED_SIZE} bytes, not {len(seed)}")
    return sha256(seed).hexdigest()
