"""Reading digests and receipts: nothing in a file is used before its signature is verified."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from service.audit.digest.form import NO_DIGEST, PURPOSE, Header, TableHead, head_of, leaf_of
from service.audit.evidence.evidence import EvidenceWrong
from service.audit.evidence.kept_hashes import KeptHash
from service.audit.evidence.receipts import receipts_in
from service.errors import using
from service.fairness.running_tree import RunningTree
from service.keys.signing import PublicKeys, SignatureWrong

LONGEST_LINE = 4096
"""The longest line of a digest, in bytes."""


class Digest(msgspec.Struct, frozen=True):
    """A verified digest: its file, and its header."""

    path: Path
    header: Header

    def tables(self) -> Iterator[TableHead]:
        """Its tables, ascending by id, read one by one."""
        with using(self.path), self.path.open("rb") as file:
            file.readline(LONGEST_LINE)
            for line in file:
                yield head_of(line)


def read_digest(path: Path, keys: PublicKeys) -> Digest:
    """Read a digest and check all of it: signature, order, count and root; EvidenceWrong if one is
    wrong."""
    with using(path), path.open("rb") as file:
        header = _header(path, file.readline(LONGEST_LINE), keys)
        tree, last = RunningTree(), ""
        for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), start=2):
            try:
                head = head_of(line)
            except ValueError as error:
                raise EvidenceWrong(
                    f"{path}, line {number}: not the line of a table ({error})"
                ) from error
            if head.table_id <= last:
                raise EvidenceWrong(f"{path}, line {number}: {head.table_id} is out of order")
            last = head.table_id
            tree.add(leaf_of(head))
    if tree.count != header.tables:
        raise EvidenceWrong(f"{path}: has {tree.count} tables, but its header says {header.tables}")
    if tree.root.hex() != header.root:
        raise EvidenceWrong(f"{path}: its tables do not give the signed root")
    return Digest(path, header)


def _header(path: Path, line: bytes, keys: PublicKeys) -> Header:
    try:
        header = msgspec.json.decode(line, type=Header)
    except msgspec.DecodeError as error:
        raise EvidenceWrong(f"{path}, line 1: not the header of a digest ({error})") from error
    if header.format != PURPOSE:
        raise EvidenceWrong(f"{path}: its format is {header.format!r}, not {PURPOSE!r}")
    if header.line + b"\n" != line:
        # The next digest names this one by the bytes of this line.
        raise EvidenceWrong(f"{path}, line 1: the text of the header is not the signed one")
    check_header(header, str(path), keys)
    return header


def check_header(header: Header, source: str, keys: PublicKeys) -> None:
    """Raise EvidenceWrong unless one of these keys signed this header of a digest."""
    try:
        header.check(keys)
    except (SignatureWrong, ValueError) as error:
        raise EvidenceWrong(f"{source}: {error}") from error
    if header.number < 1 or (header.number == 1) != (header.previous == NO_DIGEST):
        raise EvidenceWrong(f"{source}: number {header.number} follows {header.previous}")


def known_from_digest(path: Path, keys: PublicKeys) -> Iterator[KeptHash]:
    """The kept hashes of a digest, ascending by table id; EvidenceWrong before the first one if the
    digest is not valid."""
    digest = read_digest(path, keys)
    source = f"digest {path}"
    return (KeptHash(head.table_id, head.version, head.hash, source) for head in digest.tables())


def known_from_receipt(path: Path, keys: PublicKeys) -> Iterator[KeptHash]:
    """The kept hashes of the receipts in a file, ascending by table id. The file has JSON as the
    API gives it, with receipts anywhere in it. EvidenceWrong before the first one if there is no
    receipt, or one is not valid."""
    receipts = sorted(receipts_in(path), key=lambda one: (one.table_id, one.version))
    for receipt in receipts:
        try:
            receipt.check(keys)
        except SignatureWrong as error:
            raise EvidenceWrong(
                f"{path}: the receipt of version {receipt.version} of table"
                f" {receipt.table_id}: {error}"
            ) from error
    source = f"receipt {path}"
    return iter([KeptHash(one.table_id, one.version, one.hash, source) for one in receipts])
