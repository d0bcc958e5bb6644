"""The REST door: an ASGI application over the same pipeline that serves gRPC.

It finds the route, builds the request message, calls, and writes the response or the status. It
decides nothing: authentication, limits, deadlines and errors are the pipeline's.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Protocol

import structlog
from google.protobuf.message import Message

from service.calls.errors import ApiError
from service.rest.download import Download
from service.rest.event_stream import EventStream
from service.rest.pages import Pages
from service.rest.replies import Reply, failure, success
from service.rest.request_body import (
    LIMIT,
    SECONDS,
    Disconnected,
    Receive,
    TooLarge,
    TooSlow,
    read_body,
)
from service.rest.router import ROUTES, NoSuchPath, Router
from service.rest.streams import send_stream
from service.rest.transcoding import IDEMPOTENCY_KEY, request_message, resume_after
from service.rules.reasons import Reason

Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_log = structlog.get_logger(__name__)


class Caller(Protocol):
    """The pipeline behind both doors.

    `method` is the RPC's full name (`/croupier.v1.TableService/Act`), `metadata` the headers by
    their names in lower case. Answers with the RPC's response or raises `ApiError`.
    """

    async def __call__(self, method: str, request: Message, metadata: Mapping[str, str]) -> Message:
        """Make one call."""
        ...

    def stream(
        self, method: str, request: Message, metadata: Mapping[str, str]
    ) -> AsyncGenerator[Message, None]:
        """Make one call that is answered by a stream; raises `ApiError` where it breaks off."""
        ...


class RestApp:
    """The ASGI application. `ready` says whether calls can be served now (for `/readyz`)."""

    def __init__(self, call: Caller, ready: Callable[[], Awaitable[bool]]) -> None:
        self._call = call
        self._router = Router(ROUTES)
        self._pages = Pages(ready)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one HTTP call."""
        if scope["type"] != "http":
            raise NotImplementedError(f"{scope['type']} is not served")
        try:
            reply = await self._reply(scope, receive, send)
        except Disconnected:
            return
        if reply is None:
            return
        headers = {"x-content-type-options": "nosniff", **reply.headers}
        headers["content-length"] = str(len(reply.body))
        await send(
            {
                "type": "http.response.start",
                "status": reply.status,
                "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            }
        )
        await send({"type": "http.response.body", "body": reply.body})

    async def _reply(self, scope: Scope, receive: Receive, send: Send) -> Reply | None:
        """What to answer; None if a stream has been sent."""
        try:
            page = await self._pages.find(scope["method"], scope["path"])
            return page or await self._answer(scope, receive, send)
        except ApiError as error:
            return failure(error)
        except NoSuchPath as error:
            refused = ApiError(Reason.UNIMPLEMENTED, str(error))
            if error.allowed:
                return failure(refused, 405, allow=", ".join(error.allowed))
            return failure(refused, 404)
        except TooLarge:
            message = f"the body has more than {LIMIT} bytes"
            return failure(
                ApiError(Reason.TOO_LARGE, message, limit=LIMIT), 413, connection="close"
            )
        except TooSlow:
            message = f"the body did not come within {SECONDS:g} seconds"
            refused = ApiError(Reason.DEADLINE_EXCEEDED, message)
            return failure(refused, 408, connection="close")
        except Disconnected:
            raise
        except Exception:  # noqa: BLE001 - the client gets an answer, the log the trace
            _log.exception("a call over REST failed", path=scope["path"])
            return failure(ApiError(Reason.INTERNAL, "the service failed"))

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> Reply | None:
        raw_path = scope.get("raw_path") or scope["path"].encode()
        # A HEAD is answered as a GET; the server leaves the body out.
        http_method = "GET" if scope["method"] == "HEAD" else scope["method"]
        route, variables = self._router.match(http_method, raw_path.decode("latin-1"))
        metadata = _metadata(scope["headers"])
        body = await read_body(receive)
        query = scope["query_string"].decode("latin-1")
        request = request_message(route, variables, query, body, metadata.get(IDEMPOTENCY_KEY, ""))
        if route.stream:
            resume = metadata.get("last-event-id")
            if resume and not route.download:
                resume_after(request, resume)
            form = Download() if route.download else EventStream()
            stream = self._call.stream(route.rpc, request, metadata)
            head_only = scope["method"] == "HEAD"
            return await send_stream(stream, form, receive, send, head_only=head_only)
        return success(await self._call(route.rpc, request, metadata))


def _metadata(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """The headers by name; one that is given several times is joined, as in HTTP."""
    metadata: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        metadata[name] = f"{metadata[name]}, {value}" if name in metadata else value
    return metadata
