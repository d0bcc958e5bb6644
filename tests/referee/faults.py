"""Ways to falsify a log, and what the referee says to it."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from service.audit.referee import review
from tests.referee.logs import Json, Log

Fault = Callable[[Log], None]
"""Something that falsifies a log in place."""


def objections(log: Log, fault: Fault) -> str:
    """All that the referee says to a log with a fault; he has nothing to say to it without."""
    assert review(*log) == []
    return "; ".join(objection.what for objection in review(*falsified(log, fault)))


def falsified(log: Log, fault: Fault) -> Log:
    """A copy of a log with a fault in it."""
    copy = deepcopy(log)
    fault(copy)
    return copy


def _find(log: Log, name: str, nth: int) -> int:
    return [place for place, event in enumerate(log.events) if event["type"] == name][nth - 1]


def change(name: str, nth: int = 1, **fields: Any) -> Fault:
    """Other values in the nth event of that name; a function is given the old value."""

    def fault(log: Log) -> None:
        event = log.events[_find(log, name, nth)]
        for field, value in fields.items():
            event[field] = value(event[field]) if callable(value) else value

    return fault


def drop(name: str, nth: int = 1) -> Fault:
    """Leave the nth event of that name out."""
    return lambda log: log.events.__delitem__(_find(log, name, nth))


def change_within(name: str, field: str, index: int | None = None, **fields: Any) -> Fault:
    """Other values inside a field of the first event of that name; in a list, at an index."""

    def fault(log: Log) -> None:
        inside = log.events[_find(log, name, 1)][field]
        (inside if index is None else inside[index]).update(fields)

    return fault


def both(one: Fault, other: Fault) -> Fault:
    """Two faults at once."""

    def fault(log: Log) -> None:
        one(log)
        other(log)

    return fault


def repeat(name: str, nth: int = 1, **fields: Any) -> Fault:
    """Once more the nth event of that name, with other values, directly behind it."""

    def fault(log: Log) -> None:
        place = _find(log, name, nth)
        log.events.insert(place + 1, {**log.events[place], **fields})

    return fault


def put_before(name: str, event: Json, nth: int = 1) -> Fault:
    """Another event before the nth one of that name."""
    return lambda log: log.events.insert(_find(log, name, nth), event)


def add(event: Json) -> Fault:
    """Another event at the end."""
    return lambda log: log.events.append(event)


def swap(one: str, other: str) -> Fault:
    """The first events of these names in each other's place."""

    def fault(log: Log) -> None:
        here, there = _find(log, one, 1), _find(log, other, 1)
        log.events[here], log.events[there] = log.events[there], log.events[here]

    return fault


def under(**options: Any) -> Fault:
    """The same events at a table of other rules."""

    def fault(log: Log) -> None:
        log.rule_set.update(options)
        log.events[0]["rule_set"].update(options)

    return fault


def pay(seat: int, hand: int, returned: int, result: str | None = None) -> Fault:
    """Another payout to a hand, carried through the books so that they still add up."""

    def fault(log: Log) -> None:
        for event in log.events:
            if event["type"] == "HandSettled" and (event["seat"], event["hand"]) == (seat, hand):
                more = returned - event["returned"]
                event["returned"] = returned
                event["result"] = result or event["result"]
            elif event["type"] == "RoundSettled":
                book = next(one for one in event["seats"] if one["seat"] == seat)
                for column in ("returned", "net", "stack"):
                    book[column] += more

    return fault
