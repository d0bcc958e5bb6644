"""Hears what calls ask: in time, and counting those that never say it."""

import asyncio
from typing import TYPE_CHECKING, Any, NoReturn

import grpc

from service.api.peers import peer_of
from service.api.status import rpc_status
from service.calls.errors import ApiError
from service.calls.vain_calls import Connection, VainCalls
from service.rules.reasons import Reason

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[Any, Any]

MESSAGE_SECONDS = 10.0
"""How long a call may take to say what it asks."""


class Hearing:
    """Where calls come in. To gRPC all requests are streams, so that a call is seen before its
    message has come."""

    def __init__(self, calls: VainCalls) -> None:
        self.calls = calls

    def begin(self, context: "Context") -> Connection:
        """A call has come. It is in vain until somebody says otherwise."""
        return self.calls.begun(peer_of(context.peer()))

    async def message(self, context: "Context", connection: Connection) -> bytes:
        """What a call asks; ApiError if it does not say so in time, or ends without."""
        try:
            async with asyncio.timeout(MESSAGE_SECONDS):
                data = await context.read()
        except TimeoutError as error:
            raise ApiError(
                Reason.DEADLINE_EXCEEDED, f"the call said nothing for {MESSAGE_SECONDS:.0f} seconds"
            ) from error
        finally:
            self.calls.over(connection)
        if not isinstance(data, bytes):
            raise ApiError(Reason.FIELD_INVALID, "the call has no request message", field="")
        return data


async def abort(context: "Context", error: ApiError) -> NoReturn:
    """End a call with an error, and its details."""
    status = rpc_status(error)
    await context.abort(
        grpc.StatusCode[error.code.name],
        error.message,
        (("grpc-status-details-bin", status.SerializeToString()),),
    )
    raise AssertionError("abort always raises") from error
