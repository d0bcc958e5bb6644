"""The chain: versions without a gap, each row's hash over the previous one, time never going
backwards.

What others have kept (receipts, digests) is compared with it here, row by row.
"""

from collections.abc import Mapping, Sequence

from service.audit.evidence.kept_hashes import KeptHash
from service.audit.verify.check_failed import CheckFailed
from service.journal.codec import GENESIS, row_hash
from service.journal.ports import JournalRow
from service.records.verification import FaultKind


class Chain:
    """The chain of a table so far. `known` has kept hashes, by version."""

    def __init__(self, known: Mapping[int, Sequence[KeptHash]]) -> None:
        self.version = 0
        self._hash = GENESIS
        self._at = 0
        self._known = known

    def follow(self, row: JournalRow) -> None:
        """Check the next row against the previous one."""
        missing = self.version + 1
        if row.version != missing:
            raise CheckFailed(FaultKind.VERSION, f"row {missing} is missing", missing)
        if row.hash != row_hash(self._hash, row):
            raise CheckFailed(
                FaultKind.HASH, "its hash is not that of its columns and the hash of the row before"
            )
        for known in self._known.get(row.version, ()):
            if known.hash != row.hash:
                raise CheckFailed(
                    FaultKind.KNOWN,
                    f"its hash is {row.hash.hex()}; {known.source} has {known.hash.hex()}",
                )
        if row.at < self._at:
            raise CheckFailed(
                FaultKind.CLOCK, f"it was recorded {self._at - row.at} µs before the row before it"
            )
        self.version, self._hash, self._at = row.version, row.hash, row.at

    def end(self, version: int) -> None:
        """Check the end that the head gives: no row may be missing, and no kept hash may be of a
        later row."""
        if version != self.version:
            missing = self.version + 1
            raise CheckFailed(
                FaultKind.VERSION,
                f"row {missing} is missing: the head says that there are {version}",
                missing,
            )
        beyond = sorted(later for later in self._known if later > version)
        if beyond:
            known = self._known[beyond[0]][0]
            raise CheckFailed(
                FaultKind.KNOWN,
                f"the journal ends at row {version}; {known.source} has row {known.version}",
                version + 1,
            )
