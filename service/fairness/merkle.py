"""Merkle trees: one hash that stands for a list, and short proofs of single entries.

Rule: the leaf of an entry is the SHA-256 of a zero byte and the entry's bytes, a node above two
others that of a one byte and both, left first; so no node can pass for a leaf. On each level
neighbours are paired from the left, and a last one without a neighbour goes up as it is. The path
of an entry holds the neighbour on each level, from the leaves up, where there is one.

The tree is that of RFC 6962, section 2.1; a path is its audit path.
"""

from collections.abc import Sequence
from hashlib import sha256

_LEAF = b"\x00"
_NODE = b"\x01"


def leaf(entry: bytes) -> bytes:
    """The leaf of an entry."""
    return sha256(_LEAF + entry).digest()


class MerkleTree:
    """The tree over leaves (at least one), in their order."""

    def __init__(self, leaves: Sequence[bytes]) -> None:
        if not leaves:
            raise ValueError("a tree needs at least one leaf")
        self._levels = [list(leaves)]
        while len(self._levels[-1]) > 1:
            self._levels.append(_above(self._levels[-1]))

    @property
    def root(self) -> bytes:
        """The hash that stands for all leaves."""
        return self._levels[-1][0]

    def path(self, position: int) -> tuple[bytes, ...]:
        """What proves the leaf at a place, counted from 0; IndexError if there is none."""
        if not 0 <= position < len(self._levels[0]):
            raise IndexError(f"place {position} of {len(self._levels[0])} leaves")
        found = []
        for level in self._levels[:-1]:
            neighbour = position ^ 1
            if neighbour < len(level):
                found.append(level[neighbour])
            position >>= 1
        return tuple(found)


def root_from(leaf_hash: bytes, position: int, count: int, path: Sequence[bytes]) -> bytes | None:
    """The root that a path leads to from a leaf at a place of a list of so many.

    None if no path of this length leads from there.
    """
    if not 0 <= position < count:
        return None
    rest = list(reversed(path))
    node = leaf_hash
    while count > 1:
        if position ^ 1 < count:
            if not rest:
                return None
            neighbour = rest.pop()
            node = parent(neighbour, node) if position & 1 else parent(node, neighbour)
        position >>= 1
        count = (count + 1) >> 1
    return None if rest else node


def _above(level: Sequence[bytes]) -> list[bytes]:
    pairs = len(level) >> 1
    above = [parent(level[2 * place], level[2 * place + 1]) for place in range(pairs)]
    return above + list(level[2 * pairs :])


def parent(left: bytes, right: bytes) -> bytes:
    """The node above two others."""
    return sha256(_NODE + left + right).digest()
