"""Who serves what: for every method of the contract the one servicer that has it.

A servicer has one method for each RPC that it serves, with the RPC's name, which takes the request
and the call's context: `async def PlaceBet(self, request, context)`. An RPC that is answered by a
stream is an async generator. What else a call has to pass stands in the contract.
"""

from collections import Counter
from collections.abc import Sequence
from inspect import isasyncgenfunction, iscoroutinefunction
from typing import Any

from google.protobuf.descriptor import MethodDescriptor

from service.api.annotations import callers_of
from service.api.contract import method_name, methods
from service.api.forms import request_check
from service.calls.caller_limits import Counted
from service.calls.pipeline import Method, Stream

_ALSO = {"OpenTable": Counted.TABLES, "IssueGuestToken": Counted.TOKENS}
"""What calls count as, by their names, beside as commands."""


def served_by(servicers: Sequence[object]) -> tuple[dict[str, Method], dict[str, Stream]]:
    """The methods and the streams of the contract by full name.

    Raises TypeError for a method that nobody serves, or more than one, or not as it is declared.
    """
    calls: dict[str, Method] = {}
    streams: dict[str, Stream] = {}
    (name, times), *_ = Counter(method.name for method in methods()).most_common(1)
    if times > 1:
        raise TypeError(f"{times} methods have the name {name}: nobody could tell them apart")
    for method in methods():
        name, serve = method_name(method), _the_one(method, servicers)
        callers, check = callers_of(method), request_check(method.input_type)
        if method.server_streaming:
            streams[name] = Stream(serve, callers, check)
        else:
            calls[name] = Method(serve, callers, check, _counted(method))
    return calls, streams


def _counted(method: MethodDescriptor) -> tuple[Counted, ...]:
    """A call with a `request_id` is a command: it may add to the journal."""
    commands = [Counted.COMMANDS] if "request_id" in method.input_type.fields_by_name else []
    return (*commands, *([_ALSO[method.name]] if method.name in _ALSO else []))


def _the_one(method: MethodDescriptor, servicers: Sequence[object]) -> Any:
    found = [getattr(one, method.name) for one in servicers if hasattr(one, method.name)]
    if len(found) != 1:
        raise TypeError(f"{method.full_name} is served by {len(found)} servicers, not by one")
    is_declared = isasyncgenfunction if method.server_streaming else iscoroutinefunction
    if not is_declared(found[0]):
        raise TypeError(f"{method.full_name}: its servicer does not answer as the contract says")
    return found[0]
