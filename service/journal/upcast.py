"""Upcasts: old events as the present code reads them.

The bytes of a row never change. Where a newer event takes the place of an old one, the old one is
turned into it here, after the row's hash was taken over the bytes as they are stored and before
anything folds it. So nothing but this file knows the old event, and `evolve` needs no function for
it. A decider that used to emit the old event still does when it decides its rows again.
"""

from collections.abc import Callable, Sequence
from typing import Any

from service.table.events import Event

UPCASTS: dict[type[Event], Callable[[Any], Sequence[Event]]] = {}
"""By the type of the old event: the events that it is read as, in order."""


def upcast(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The same events, with every old one as what it is read as."""
    if not UPCASTS or not any(type(event) in UPCASTS for event in events):
        return events
    return tuple(new for event in events for new in UPCASTS.get(type(event), _same)(event))


def _same(event: Event) -> Sequence[Event]:
    return (event,)
