"""The referee's second reading of every row: legality, results and payouts, from other code.

The referee has to know a first card that was dealt face down. As long as one is not turned up, and
the shoe's seed is not known, the rows wait.
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
    """The referee beside a table's journal."""

    def __init__(self, rules: RuleSet, chance: RecordedChance) -> None:
        self._reading = Reading(msgspec.to_builtins(rules), chance.face)
        self._chance = chance
        self._hides = rules.first_card_hidden
        self._waiting: deque[tuple[int, deque[Plain]]] = deque()
        self._shoe = 0

    def read(self, version: int, events: str) -> None:
        """The next row; raises CheckFailed, naming the row, where the referee objects."""
        coming = _decoder.decode(events)
        if self._hides:
            self._waiting.append((version, deque(coming)))
            self.go_on()
            return
        for event in coming:
            self._reading.read(event)
        self._object(version)

    def go_on(self) -> None:
        """Read what waited, as far as the cards are known."""
        while self._waiting:
            version, coming = self._waiting[0]
            while coming:
                if self._must_wait_for(coming[0]):
                    return
                self._reading.read(coming.popleft())
            self._object(version)
            self._waiting.popleft()

    def end(self) -> None:
        """The journal ends here, after the row that was read last."""
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
