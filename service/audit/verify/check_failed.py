"""The exception of a failed check."""

from service.errors import RecordWrong
from service.records.verification import Fault, FaultKind


class CheckFailed(RecordWrong):
    """A check failed; `version` names the wrong row, if it is not the current one."""

    def __init__(self, kind: FaultKind, message: str, version: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.version = version

    def fault(self, version: int) -> Fault:
        """The fault; `version` is the current row."""
        named = version if self.version is None else self.version
        return Fault(named, self.kind, self.message)
