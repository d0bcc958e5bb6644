"""gRPC's reflection service, for tools that ask a server what it has. Anybody may ask, so each
question counts, and a stream may ask a limited number."""

from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

import grpc
from grpc_reflection.v1alpha import reflection
from grpc_reflection.v1alpha.reflection_pb2 import (
    ServerReflectionRequest,
    ServerReflectionResponse,
)

from service.api.hearing import Hearing

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[Any, Any]

QUESTIONS = 100
"""What one stream may ask. The contract has fewer files and services."""
NAME = reflection.SERVICE_NAME


class Reflection:
    """Answers for these services."""

    def __init__(self, hearing: Hearing, names: Sequence[str]) -> None:
        self._hearing = hearing
        self._servicer = reflection.aio.ReflectionServicer(names)

    def handler(self) -> grpc.GenericRpcHandler:
        """What serves it."""
        return grpc.method_handlers_generic_handler(
            NAME,
            {
                "ServerReflectionInfo": grpc.stream_stream_rpc_method_handler(
                    self._answers,
                    request_deserializer=ServerReflectionRequest.FromString,
                    response_serializer=ServerReflectionResponse.SerializeToString,
                )
            },
        )

    async def _answers(
        self, requests: AsyncIterator[ServerReflectionRequest], context: "Context"
    ) -> AsyncGenerator[ServerReflectionResponse, None]:
        """One answer to each question."""
        asked = 0
        async for answer in self._servicer.ServerReflectionInfo(requests, context):
            self._hearing.calls.over(self._hearing.begin(context))
            yield answer
            asked += 1
            if asked == QUESTIONS:
                await context.abort(
                    grpc.StatusCode.RESOURCE_EXHAUSTED,
                    f"a stream may ask {QUESTIONS} times; open another one",
                )
