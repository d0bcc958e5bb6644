"""A proof that one table is in a digest, for people who must not see the other tables.

Rule: the proof holds the digest's header, the table's line, its position among the tables (from 0)
and the path of its leaf. The proof can be checked with the published header, or the public key,
alone.
"""

from pathlib import Path

import msgspec

from service.audit.digest.form import Header, TableHead, leaf_of
from service.audit.digest.reader import Digest, check_header
from service.audit.evidence.evidence import EvidenceWrong
from service.errors import using
from service.fairness.merkle import root_from
from service.fairness.running_tree import path_from
from service.keys.signing import PublicKeys

FORMAT = "croupier digest proof 1"


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The proof that a table is in the digest with this header; hashes in hex."""

    format: str
    header: Header
    table_id: str
    version: int
    hash: str
    position: int
    path: tuple[str, ...]


def prove(digest: Digest, table_id: str) -> Proof:
    """The proof of a table; EvidenceWrong if the digest does not have it."""
    found = next(
        (
            (position, head)
            for position, head in enumerate(digest.tables())
            if head.table_id == table_id
        ),
        None,
    )
    if found is None:
        raise EvidenceWrong(f"{digest.path}: has no table {table_id!r}")
    position, head = found
    path = path_from(map(leaf_of, digest.tables()), position, digest.header.tables)
    return Proof(
        format=FORMAT,
        header=digest.header,
        table_id=head.table_id,
        version=head.version,
        hash=head.hash.hex(),
        position=position,
        path=tuple(step.hex() for step in path),
    )


def read_proof(path: Path, keys: PublicKeys) -> Proof:
    """Read and check a proof; EvidenceWrong if it is not valid."""
    with using(path):
        data = path.read_bytes()
    try:
        proof = msgspec.json.decode(data, type=Proof)
        head = TableHead(proof.table_id, proof.version, bytes.fromhex(proof.hash))
        steps = [bytes.fromhex(step) for step in proof.path]
    except (msgspec.DecodeError, ValueError) as error:
        raise EvidenceWrong(f"{path}: not a proof ({error})") from error
    if proof.format != FORMAT:
        raise EvidenceWrong(f"{path}: its format is {proof.format!r}, not {FORMAT!r}")
    check_header(proof.header, str(path), keys)
    root = root_from(leaf_of(head), proof.position, proof.header.tables, steps)
    if root is None or root.hex() != proof.header.root:
        raise EvidenceWrong(
            f"{path}: the path does not lead from table {proof.table_id} to the signed root"
        )
    return proof
