"""`croupier digest` and `croupier receipt`: what they do, and what they say."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from service.audit.digest.chain import check_chain
from service.audit.digest.form import ALL_OPERATORS, Header, TableHead
from service.audit.digest.make import make_digest
from service.audit.digest.proof import FORMAT, prove, read_proof
from service.audit.digest.reader import known_from_receipt, read_digest
from service.audit.evidence.evidence import EvidenceWrong
from service.errors import using
from service.keys.signing import PublicKeys, SigningKeys


def publish(
    rows: Iterable[tuple[str, int, bytes]],
    made_at: int,
    operator: str,
    keys: SigningKeys,
    out: Path,
    previous: Path | None,
) -> str:
    """Make the digest of these heads (id, version, hash), of one operator or (empty) of all."""
    before = read_digest(previous, keys.public) if previous else None
    heads = (TableHead(*row) for row in rows)
    header = make_digest(heads, made_at, operator or ALL_OPERATORS, keys, out, before)
    return f"{out}: {_told(header)}"


def proof_of(file: Path, table_id: str, keys: PublicKeys) -> str:
    """The proof that a table stands in a digest, as JSON."""
    return msgspec.json.encode(prove(read_digest(file, keys), table_id)).decode()


def check_files(files: Sequence[Path], keys: PublicKeys) -> Iterator[str]:
    """Check proofs, and digests that follow one another in the order given; a line for each that
    holds. EvidenceWrong for the first that does not."""
    if not files:
        raise EvidenceWrong("name the digests and proofs to check")
    digests = []
    for file in files:
        if not _is_proof(file):
            digests.append(file)
            continue
        proof = read_proof(file, keys)
        yield (
            f"{file}: holds: table {proof.table_id} was at version {proof.version},"
            f" hash {proof.hash}, in {_told(proof.header)}"
        )
    for digest in check_chain(digests, keys):
        yield f"{digest.path}: holds: {_told(digest.header)}"


def check_receipts(files: Sequence[Path], keys: PublicKeys) -> Iterator[str]:
    """Check the receipts in files; a line for each. EvidenceWrong for the first that is none."""
    for file in files:
        for known in known_from_receipt(file, keys):
            yield (
                f"{file}: holds: table {known.table_id} was at version {known.version},"
                f" hash {known.hash.hex()}"
            )


def _is_proof(file: Path) -> bool:
    start = f'{{"format":"{FORMAT}"'.encode()
    with using(file), file.open("rb") as opened:
        return opened.read(len(start)) == start


def _told(header: Header) -> str:
    whose = "all operators" if header.operator == ALL_OPERATORS else f"operator {header.operator}"
    made = datetime.fromtimestamp(header.made_at // 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    return (
        f"digest {header.number} of {whose}, {header.tables} tables at {made} UTC,"
        f" root {header.root}, signed with key {header.key_id}"
    )
