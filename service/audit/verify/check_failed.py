"""The way out of any check that fails."""

from service.errors import RecordWrong
from service.records.verification import Fault, FaultKind


class CheckFailed(RecordWrong):
    """A check failed; `version` names another row than the one being read, where it is another."""

    def __init__(self, kind: FaultKind, message: str, version: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.version = version

    def fault(self, version: int) -> Fault:
        """The fault, found while the row of that version was read."""
        named = version if self.version is None else self.version
        return Fault(named, self.kind, self.message)
