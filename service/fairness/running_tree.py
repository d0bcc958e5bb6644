"""The Merkle tree of `merkle` over a list that is too long for memory: leaves are added once each,
in order.

Rule: a few complete subtrees represent all leaves so far, each with at most half as many leaves as
the one before; so memory grows with the logarithm of the length. The root over no leaves is the
SHA-256 of the empty string (RFC 6962).
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256

from service.fairness.merkle import parent


class RunningTree:
    """The tree over the leaves so far."""

    def __init__(self) -> None:
        self._whole: list[tuple[int, bytes]] = []
        self.count = 0

    def add(self, leaf_hash: bytes) -> None:
        """Add a leaf."""
        size, top = 1, leaf_hash
        while self._whole and self._whole[-1][0] == size:
            top = parent(self._whole.pop()[1], top)
            size *= 2
        self._whole.append((size, top))
        self.count += 1

    @property
    def root(self) -> bytes:
        """The hash that commits to all leaves so far."""
        if not self._whole:
            return sha256().digest()
        root = self._whole[-1][1]
        for _, top in reversed(self._whole[:-1]):
            root = parent(top, root)
        return root


def path_from(leaves: Iterable[bytes], position: int, count: int) -> tuple[bytes, ...]:
    """The proof of the leaf at a position in a list of `count`, as `MerkleTree.path` gives it.

    IndexError if there is no such position.
    """
    if not 0 <= position < count:
        raise IndexError(f"position {position} of {count} leaves")
    beside = _subtrees_beside(position, count)
    trees = [RunningTree() for _ in beside]
    for place, leaf_hash in enumerate(leaves):
        for (start, stop), tree in zip(beside, trees, strict=True):
            if start <= place < stop:
                tree.add(leaf_hash)
    return tuple(tree.root for tree in trees)


def _subtrees_beside(position: int, count: int) -> Sequence[tuple[int, int]]:
    """The range of leaves that each step of a path covers, from the leaf up."""
    found = []
    start, stop = 0, count
    while stop - start > 1:
        # The left subtree is the largest complete one that leaves at least one leaf on the right.
        middle = start + (1 << (stop - start - 1).bit_length() - 1)
        if position < middle:
            found.append((middle, stop))
            stop = middle
        else:
            found.append((start, middle))
            start = middle
    return found[::-1]
