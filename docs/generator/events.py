"""The table of events, from their docstrings."""

import inspect
from typing import get_args

from service.table.events import AnyEvent


def event_table() -> str:
    """Every event with its docstring, in the order of a round."""
    rows = [f"| `{event.__name__}` | {_said(event)} |" for event in get_args(AnyEvent)]
    return "\n".join(["| event | what it says |", "|---|---|", *rows])


def _said(event: type) -> str:
    text = inspect.getdoc(event)
    if not text:
        raise ValueError(f"{event.__name__} has no docstring")
    return " ".join(text.split())
