"""Trees of every small size: each leaf is proved by its path, and by nothing else."""

from hashlib import sha256

import pytest

from service.fairness.merkle import MerkleTree, leaf, root_from
from tests.fairness.recompute import root_of


def leaves(count: int) -> list[bytes]:
    return [leaf(bytes([place])) for place in range(count)]


@pytest.mark.parametrize("count", range(1, 34))
def test_each_leaf_is_proved_at_its_place_only(count: int) -> None:
    tree = MerkleTree(leaves(count))
    assert tree.root == root_of(leaves(count))
    for place, one in enumerate(leaves(count)):
        path = tree.path(place)
        assert root_from(one, place, count, path) == tree.root
        for other in range(count):
            if other != place:
                assert root_from(one, other, count, path) != tree.root


@pytest.mark.parametrize("count", [2, 7, 52, 312])
def test_a_changed_proof_proves_nothing(count: int) -> None:
    tree = MerkleTree([leaf(place.to_bytes(2, "big")) for place in range(count)])
    place = count // 2
    one, path = leaf(place.to_bytes(2, "big")), list(tree.path(place))
    assert root_from(one, place, count, path) == tree.root
    for step, neighbour in enumerate(path):
        for changed in (neighbour[:-1] + bytes([neighbour[-1] ^ 1]), b""):
            other = [*path[:step], changed, *path[step + 1 :]]
            assert root_from(one, place, count, other) != tree.root
    assert root_from(one, place, count, path[:-1]) is None
    assert root_from(one, place, count, [*path, bytes(32)]) is None
    assert root_from(one, place, 0, path) is None
    assert root_from(one, -1, count, path) is None
    assert root_from(leaf(b"other"), place, count, path) != tree.root


def test_no_node_passes_for_a_leaf() -> None:
    tree = MerkleTree(leaves(4))
    inner = MerkleTree(leaves(2)).root
    assert root_from(inner, 0, 2, [MerkleTree(leaves(4)[2:]).root]) == tree.root
    assert leaf(leaves(2)[0] + leaves(2)[1]) != inner
    assert leaf(b"") == sha256(b"\0").digest()


def test_there_is_no_tree_over_nothing_and_no_path_from_nowhere() -> None:
    with pytest.raises(ValueError, match="at least one"):
        MerkleTree([])
    for place in (-1, 3):
        with pytest.raises(IndexError):
            MerkleTree(leaves(3)).path(place)
