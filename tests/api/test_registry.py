"""Every method of the contract has the one servicer that serves it, as the contract says."""

from collections.abc import AsyncGenerator, Iterable
from typing import Any

import pytest

from service.api.contract import method_name, methods
from service.api.registry import served_by


async def answer(self: object, request: object, context: object) -> None:
    """Serves a call."""


async def stream(self: object, request: object, context: object) -> AsyncGenerator[None, None]:
    """Serves a stream."""
    yield


def servicer(names: Iterable[str], **others: Any) -> object:
    """Something that serves these methods of the contract."""
    known = {method.name: method for method in methods()}
    serve = {name: stream if known[name].server_streaming else answer for name in names}
    return type("Servicer", (), serve | others)()


NAMES = [method.name for method in methods()]


def test_methods_may_be_shared_out_among_servicers() -> None:
    calls, streams = served_by([servicer(NAMES[:5]), servicer(NAMES[5:])])
    assert {*calls, *streams} == {method_name(method) for method in methods()}
    assert set(streams) == {method_name(one) for one in methods() if one.server_streaming}


@pytest.mark.parametrize("name", NAMES)
def test_a_method_that_nobody_serves(name: str) -> None:
    with pytest.raises(TypeError, match=rf"\.{name} is served by 0"):
        served_by([servicer(other for other in NAMES if other != name)])


def test_a_method_that_two_serve() -> None:
    with pytest.raises(TypeError, match=r"TableService\.Act is served by 2"):
        served_by([servicer(NAMES), servicer(["Act"])])


def test_a_stream_that_is_served_as_a_call_and_the_other_way_round() -> None:
    with pytest.raises(TypeError, match=r"WatchTable: its servicer"):
        served_by([servicer(NAMES, WatchTable=answer)])
    with pytest.raises(TypeError, match=r"GetTable: its servicer"):
        served_by([servicer(NAMES, GetTable=stream)])
