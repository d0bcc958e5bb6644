"""The table of the limits of the REST gateway, from their declarations."""

from dataclasses import fields
from typing import Any

from service.rest.http1.limits import Limits

_UNITS = {"bytes": "bytes", "seconds": "seconds", "second": "bytes per second"}


def limit_table() -> str:
    """Every limit with its default, its unit, and what happens beyond it."""
    rows = [
        f"| `{one.name}` | {_figure(one.default)}{_unit(one.name)} | {one.metadata['what']} |"
        f" {one.metadata['answer']} |"
        for one in fields(Limits)
    ]
    return "\n".join(["| limit | default | of what | beyond it |", "|---|---|---|---|", *rows])


def _figure(default: Any) -> str:
    return f"{default:,.0f}"


def _unit(name: str) -> str:
    unit = _UNITS.get(name.rpartition("_")[2])
    return f" {unit}" if unit else ""
