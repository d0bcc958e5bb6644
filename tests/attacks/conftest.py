"""Attacks go to the event loop that serves."""

from asyncio import AbstractEventLoop
from collections.abc import Callable, Mapping

import uvloop


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], AbstractEventLoop]]:
    """The loops that each test of this folder runs on."""
    return {"uvloop": uvloop.new_event_loop}
