"""Evolve: how each event changes the state. No rule is applied here and no chance is needed.

Folding the events of a round from `initial_state` gives the table as it stands. What an event
changes says the one function, in `cards`, `money` or `seats`, that takes its type.
"""

from collections.abc import Callable, Iterable, Iterator
from inspect import isfunction, signature
from typing import Any

from service.rules.rule_set import RuleSet
from service.table import events as e
from service.table.evolving import cards, money, seats
from service.table.state import State


def initial_state(rules: RuleSet) -> State:
    """The state before the first event of a round: it inherits nothing but the table's rules."""
    return State(rules=rules)


def fold(state: State, events: Iterable[e.Event]) -> State:
    """The state after all these events."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: State, event: e.Event) -> State:
    """The state after one event."""
    return _APPLY[type(event)](state, event)


def _functions() -> Iterator[tuple[type[e.Event], Callable[[State, Any], State]]]:
    """The functions of the parts that take an event, each with the type of event that it takes."""
    for part in (cards, money, seats):
        for function in vars(part).values():
            if isfunction(function) and function.__module__ == part.__name__:
                taken = signature(function).parameters.get("event")
                if taken:
                    yield taken.annotation, function


_APPLY = dict(_functions())
