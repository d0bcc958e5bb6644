"""The chain of digests: each names the one before it, and no table is rolled back or deleted."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from service.audit.digest.form import TableHead
from service.audit.digest.reader import Digest, read_digest
from service.audit.evidence.evidence import EvidenceWrong
from service.keys.signing import PublicKeys


def check_chain(paths: Sequence[Path], keys: PublicKeys) -> list[Digest]:
    """Read consecutive digests, in order; EvidenceWrong if they are not consecutive."""
    digests = [read_digest(path, keys) for path in paths]
    for before, after in pairwise(digests):
        _follows(before, after)
        for _ in continued(before, after.tables(), str(after.path)):
            pass
    return digests


def _follows(before: Digest, after: Digest) -> None:
    old, new = before.header, after.header
    if new.operator != old.operator:
        raise EvidenceWrong(
            f"{after.path}: belongs to operator {new.operator}, but {before.path} does not"
        )
    if new.number != old.number + 1 or new.previous != old.hash:
        raise EvidenceWrong(f"{after.path}: does not name {before.path} as the digest before")
    if new.made_at < old.made_at:
        raise EvidenceWrong(f"{after.path}: made before {before.path}")


def continued(before: Digest, heads: Iterable[TableHead], where: str) -> Iterator[TableHead]:
    """The same heads; before each one is passed on, it is checked that no table of the digest
    `before` up to there is missing or was rolled back; EvidenceWrong if one is. `where` names the
    source of the heads in errors."""
    told = before.tables()
    old = next(told, None)
    for head in heads:
        if old and old.table_id < head.table_id:
            raise _gone(old, before, where)
        if old and old.table_id == head.table_id:
            if head.version < old.version:
                raise EvidenceWrong(
                    f"{where}: table {head.table_id} is at version {head.version}, and was at"
                    f" {old.version} in {before.path}"
                )
            if head.version == old.version and head.hash != old.hash:
                raise EvidenceWrong(
                    f"{where}: version {head.version} of table {head.table_id} has another hash"
                    f" than in {before.path}"
                )
            old = next(told, None)
        yield head
    if old:
        raise _gone(old, before, where)


def _gone(old: TableHead, before: Digest, where: str) -> EvidenceWrong:
    return EvidenceWrong(f"{where}: table {old.table_id} of {before.path} is gone")
