"""The closed list of reasons: every one is given by some part of the service."""

from pathlib import Path

import service
from service.rules.reasons import Reason

FOLDER = Path(service.__file__).parent


def test_every_reason_is_given_somewhere() -> None:
    text = "".join(
        path.read_text()
        for path in FOLDER.rglob("*.py")
        if path.name not in ("reasons.py", "errors.py")
    )
    unused = [reason.name for reason in Reason if f"Reason.{reason.name}" not in text]
    assert unused == []
