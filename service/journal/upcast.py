"""Upcasts: old events as the current code reads them.

The bytes of a row never change. When a newer event replaces an old one, this module converts the
old event after the row's hash was computed over the stored bytes and before anything folds it. So
only this file and the decider that emits the old event know it. That decider still emits it; the
state after a decision is folded from what it is converted to, so that whoever decided a command has
the same table as whoever reads it.
"""

from collections.abc import Callable, Sequence
from typing import Any

from service.table.events import Event

UPCASTS: dict[type[Event], Callable[[Any], Sequence[Event]]] = {}
"""By type of the old event: the events that replace it, in order."""


def upcast(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The same events, with every old one replaced."""
    if not UPCASTS or not any(type(event) in UPCASTS for event in events):
        return events
    return tuple(new for event in events for new in UPCASTS.get(type(event), _same)(event))


def _same(event: Event) -> Sequence[Event]:
    return (event,)
