"""`croupier verify`: what it says while it runs, of each table that is wrong, and at the end."""

import gc
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import msgspec
from rich.console import Console

from service.audit.evidence.kept_hashes import KeptHashes
from service.audit.evidence.proofs import ShoeProofs
from service.audit.verify.verifier import Verifier
from service.cli.reports.row_progress import showing_progress
from service.cli.reports.verify_summary import Summary, told
from service.records.verification import AuditReader, Scope
from service.shoes.sealing import SealingKeys

RIGHT, WRONG, NOTHING = 0, 1, 2
"""Exit statuses: all is right, something is wrong, there is no such table."""


class Wanted(msgspec.Struct, frozen=True):
    """What to verify, beside what, and how to tell it."""

    scope: Scope
    known: KeptHashes
    proofs: Mapping[str, ShoeProofs]
    sealing: SealingKeys | None
    as_json: bool


async def run_verification(reader: AuditReader, wanted: Wanted) -> int:
    """Verify, tell what is wrong as it is found, and a count at the end; the exit status.

    What is found goes to standard output, progress to standard error.
    """
    summary = Summary()
    out, started = Console(highlight=False, soft_wrap=True), time.monotonic()
    _, rows = await reader.size(wanted.scope)
    with showing_progress(rows) as progress, _without_collections():
        verifier = Verifier(reader, wanted.sealing, wanted.proofs, progress)
        async for verdict in verifier.verify(wanted.scope, wanted.known):
            summary.add(verdict)
            if wanted.as_json:
                _write(msgspec.json.encode(verdict))
            elif verdict.fault:
                out.print(told(verdict), markup=False)
    if not summary.tables and not wanted.scope.is_all:
        named = wanted.scope.table_id or f"of operator {wanted.scope.operator}"
        Console(stderr=True).print(f"there is no table {named}", markup=False)
        return NOTHING
    summary.seconds = round(time.monotonic() - started, 3)
    if wanted.as_json:
        _write(msgspec.json.encode({"summary": summary}))
    else:
        for line in summary.lines():
            out.print(line, markup=False)
    return WRONG if summary.wrong else RIGHT


@contextmanager
def _without_collections() -> Iterator[None]:
    """What is verified leaves no cycles behind: what is dropped is freed at once, and searching is
    for nothing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _write(line: bytes) -> None:
    sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()
