"""The REST door: HTTP requests to calls of the same pipeline that serves gRPC, and their answers.

It finds the route, builds the request message, calls, and writes the response or the status. It
decides nothing: authentication, limits, deadlines and errors are the pipeline's, and what is a
request at all is decided by the server (`http1`).
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from functools import lru_cache
from typing import Protocol

import structlog
from google.protobuf.message import Message

from service.calls.errors import ApiError
from service.rest.download import Download
from service.rest.event_stream import EventStream
from service.rest.http1.messages import Reply, Request, Stream, Unacceptable
from service.rest.pages import Pages
from service.rest.replies import failure, refusal, success
from service.rest.router import ROUTES, NoSuchPath, Route, Router
from service.rest.streams import Form, open_head, open_stream
from service.rest.transcoding import IDEMPOTENCY_KEY, request_message, resume_after
from service.rules.reasons import Reason

_log = structlog.get_logger(__name__)


class Caller(Protocol):
    """The pipeline behind both doors.

    `method` is the RPC's full name (`/croupier.v1.TableService/Act`), `metadata` the headers by
    their names in lower case, `address` the client's. Answers with the RPC's response or raises
    `ApiError`.
    """

    async def __call__(
        self, method: str, request: Message, metadata: Mapping[str, str], *, address: str
    ) -> Message:
        """Make one call."""
        ...

    def stream(
        self, method: str, request: Message, metadata: Mapping[str, str], address: str
    ) -> AsyncGenerator[Message, None]:
        """Make one call that is answered by a stream; raises `ApiError` where it breaks off."""
        ...


class RestApp:
    """The application of the HTTP server. `ready` says whether calls can be served now (for
    `/readyz`)."""

    def __init__(self, call: Caller, ready: Callable[[], Awaitable[bool]]) -> None:
        self._call = call
        self._router = Router(ROUTES)
        self._pages = Pages(ready)

    def at_once(self, request: Request) -> Reply | None:
        """The answer if it is a page; None: `answer` has it."""
        try:
            return self._pages.at_once(request.method, request.path)
        except NoSuchPath as error:
            return _no_such_path(error)

    async def answer(self, request: Request) -> Reply | Stream:
        """The answer to any other request."""
        try:
            return await self._pages.find(request.path) or await self._answer(request)
        except ApiError as error:
            return failure(error)
        except NoSuchPath as error:
            return _no_such_path(error)
        except Exception:  # noqa: BLE001 - the client gets an answer, the log the trace
            _log.exception("a call over REST failed", path=request.path)
            return failure(ApiError(Reason.INTERNAL, "the service failed"))

    def refusal(self, refused: Unacceptable) -> Reply:
        """What to answer instead of a request."""
        return _refusal(refused.status, refused.message, refused.limit)

    async def _answer(self, request: Request) -> Reply | Stream:
        # A HEAD is answered as a GET; the server leaves the body out.
        http_method = "GET" if request.method == "HEAD" else request.method
        route, variables = self._router.match(http_method, request.path)
        headers = request.headers
        message = request_message(
            route, variables, request.query, request.body, headers.get(IDEMPOTENCY_KEY, "")
        )
        if route.stream:
            return await self._open(route, message, request)
        return success(await self._call(route.rpc, message, headers, address=request.address))

    async def _open(self, route: Route, message: Message, request: Request) -> Reply | Stream:
        resume = request.headers.get("last-event-id")
        if resume and not route.download:
            resume_after(message, resume)
        form: Form = Download() if route.download else EventStream()
        responses = self._call.stream(route.rpc, message, request.headers, request.address)
        open_it = open_head if request.method == "HEAD" else open_stream
        return await open_it(responses, form)


def _no_such_path(error: NoSuchPath) -> Reply:
    refused = ApiError(Reason.UNIMPLEMENTED, str(error))
    if error.allowed:
        return failure(refused, 405, allow=", ".join(error.allowed))
    return failure(refused, 404)


@lru_cache(maxsize=64)
def _refusal(status: int, message: str, limit: int) -> Reply:
    """Made once: whoever sends rubbish must not cost more than whoever plays."""
    return refusal(Unacceptable(status, message, limit))
