"""The commitment to a shoe: published before any bet can depend on the shoe.

Rule: each shoe has a server seed of 32 bytes from the operating system. Its commitment is the
SHA-256 of these bytes. The event that opens shoe n contains the commitment to shoe n + 1; the event
that opens the table contains the commitment to shoe 1. When a shoe is retired its seed is revealed,
and anyone can hash it.

Source: docs/fairness.md, steps 1, 2 and 12.
"""

from hashlib import sha256

SEED_SIZE = 32
"""The length of a server seed, in bytes."""


def commitment(seed: bytes) -> str:
    """The commitment to a server seed, in hex; ValueError if the seed does not have 32 bytes."""
    if len(seed) != SEED_SIZE:
        raise ValueError(f"a server seed has {SEED_SIZE} bytes, not {len(seed)}")
    return sha256(seed).hexdigest()
