"""The referee's check of every row: legality, results and payouts, by independent code.

The referee needs the first cards that were dealt face down. While one is not turned up and the
shoe's seed is not known, the rows wait.
"""

from collections import deque
from typing import Any

import msgspec

from service.audit.referee.reading import Reading
from service.audit.verify.check_failed import CheckFailed
from service.audit.verify.recorded_chance import RecordedChance
from service.records.verification import FaultKind
from service.rules.rule_set import RuleSet

Plain = dict[str, Any]

_decoder = msgspec.json.Decoder(list[Plain])


class SecondReading:
    """The referee for a table's journal."""

    def __init__(self, rules: RuleSet, chance: RecordedChance) -> None:
        self._reading = Reading(msgspec.to_builtins(rules), chance.face)
        self._chance = chance
        self._hides = rules.first_card_hidden
        self._waiting: deque[tuple[int, deque[Plain]]] = deque()
        self._shoe = 0

    def read(self, version: int, events: str) -> None:
        """Read the next row; raises CheckFailed, with the row, if the referee objects."""
        coming = _decoder.decode(events)
        if self._hides:
            self._waiting.append((version, deque(coming)))
            self.go_on()
            return
        for event in coming:
            self._reading.read(event)
        self._object(version)

    def go_on(self) -> None:
        """Read the waiting rows, as far as their cards are known."""
        while self._waiting:
            version, coming = self._waiting[0]
            while coming:
                if self._must_wait_for(coming[0]):
                    return
                self._reading.read(coming.popleft())
            self._object(version)
            self._waiting.popleft()

    def end(self) -> None:
        """The journal ends after the last row that was read."""
        if not self._waiting:
            self._reading.end()
            self._object(None)

    def _must_wait_for(self, event: Plain) -> bool:
        match event["type"]:
            case "ShoeOpened":
                self._shoe = event["shoe"]
            case "FirstCardDealt":
                return self._chance.face(self._shoe, event["position"]) is None
        return False

    def _object(self, version: int | None) -> None:
        if self._reading.objections:
            raise CheckFailed(
                FaultKind.REFEREE, f"the referee: {self._reading.objections[0].what}", version
            )
