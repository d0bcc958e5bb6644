"""Making a digest: the heads of one snapshot, in order, into a file that is signed at the end."""

import os
import shutil
import tempfile
from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO, cast

from service.audit.digest.chain import continued
from service.audit.digest.form import NO_DIGEST, PURPOSE, Header, TableHead, leaf_of, line_of
from service.audit.digest.reader import Digest
from service.audit.evidence.evidence import EvidenceWrong
from service.errors import FileTrouble, closing, using
from service.fairness.running_tree import RunningTree
from service.keys.signing import SigningKeys


def make_digest(
    heads: Iterable[TableHead],
    made_at: int,
    operator: str,
    keys: SigningKeys,
    out: Path,
    previous: Digest | None = None,
) -> Header:
    """Write the digest of these heads (ascending by table id) and return its header.

    Every table of `previous` must still exist, with the same or a later version; otherwise
    EvidenceWrong, and nothing is written. Raises FileTrouble if `out` exists.
    """
    with using(out):
        exists = out.exists()
    if exists:
        raise FileTrouble(f"{out} exists already: a digest is never replaced")
    if previous and previous.header.operator != operator:
        raise EvidenceWrong(
            f"{previous.path}: belongs to operator {previous.header.operator}, not to {operator}"
        )
    tree = RunningTree()
    with _lines_beside(out) as lines:
        for head in continued(previous, heads, "the database") if previous else heads:
            tree.add(leaf_of(head))
            with using(out):
                lines.write(line_of(head) + b"\n")
        header = Header(
            format=PURPOSE,
            operator=operator,
            number=previous.header.number + 1 if previous else 1,
            made_at=made_at,
            tables=tree.count,
            root=tree.root.hex(),
            previous=previous.header.hash if previous else NO_DIGEST,
        ).signed(keys)
        _write(out, header, lines)
    return header


def _write(out: Path, header: Header, lines: BinaryIO) -> None:
    """Write the file completely or not at all."""
    unfinished = out.with_name(out.name + ".new")
    with using(out), unfinished.open("wb") as file:
        try:
            file.write(header.line + b"\n")
            lines.seek(0)
            shutil.copyfileobj(lines, file)
            file.flush()
            os.fsync(file.fileno())
            unfinished.replace(out)
        finally:
            unfinished.unlink(missing_ok=True)


def _lines_beside(out: Path) -> AbstractContextManager[BinaryIO]:
    with using(out):
        return closing(out, cast("BinaryIO", tempfile.TemporaryFile(dir=out.parent)))
