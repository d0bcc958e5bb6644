"""The pipeline of both doors: every call, over gRPC or REST, passes through here.

It finds the method, says who calls and whether they may, checks the request's form, sets
the deadline, measures, and turns whatever went wrong into an `ApiError`. A client that goes away
does not cancel what its call has begun in the database.
"""

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from typing import Any

import msgspec
import structlog

from service.calls.access import Access, Identity, Role
from service.calls.availability import Availability, State
from service.calls.caller_limits import CallerLimits, Counted, Most
from service.calls.errors import ApiError, code_of
from service.journal.ports import DataRefused, StoreUnavailable
from service.journal.text import UnknownRecord
from service.rules.reasons import Reason, Refused

_log = structlog.get_logger(__name__)

LONGEST_CALL = 10.0
"""Seconds after which a call is given up, if its client did not ask for less."""

DATABASE_AWAY = "the database can't be reached; send the same request again in a moment"


class Context(msgspec.Struct, frozen=True):
    """Who calls (None: a method that anybody may call), and the event loop's time at which to give
    the call up."""

    identity: Identity | None
    until: float

    @property
    def caller(self) -> Identity:
        """The caller of a method that is not open to all."""
        if self.identity is None:
            raise TypeError("this method is open to all, and its caller is not known")
        return self.identity


class Method(msgspec.Struct, frozen=True):
    """A method of the API: what serves it, who may call it (None: anybody, without a token), and
    what refuses a request that does not have its form, and what it counts as."""

    serve: Callable[[Any, Context], Awaitable[Any]]
    callers: tuple[Role, ...] | None
    check: Callable[[Any], None]
    counted: tuple[Counted, ...] = ()


class Stream(msgspec.Struct, frozen=True):
    """A method of the API that answers with a stream of responses."""

    serve: Callable[[Any, Context], AsyncGenerator[Any, None]]
    callers: tuple[Role, ...] | None
    check: Callable[[Any], None]


class Pipeline:
    """`methods` and `streams` by full name, as in `/croupier.v1.TableService/Act`. While the
    `availability` says that the database does not answer or the process ends, calls are refused
    at once; so is what goes beyond the `limits`."""

    def __init__(
        self,
        methods: Mapping[str, Method],
        streams: Mapping[str, Stream],
        access: Access,
        availability: Availability | None = None,
        limits: CallerLimits | None = None,
    ) -> None:
        self._methods = methods
        self._streams = streams
        self._access = access
        self._availability = availability or Availability()
        self._limits = limits or CallerLimits(Most(), time.monotonic)
        self._running: set[asyncio.Task[Any]] = set()

    async def __call__(
        self,
        method: str,
        request: Any,
        metadata: Mapping[str, str],
        seconds: float | None = None,
        address: str = "",
    ) -> Any:
        """Serve one call; `metadata` has names in lower case, `seconds` is the client's limit,
        `address` where it came from (empty: nobody knows).

        Raises ApiError for everything that is not an answer.
        """
        found = self._methods.get(method)
        if found is None:
            raise ApiError(Reason.UNIMPLEMENTED, f"there is no method {method}")
        self._require_service()
        # Before there is a task: what is refused has to be cheap.
        self._limits.begin(address, len(self._running))
        limit = LONGEST_CALL if seconds is None else max(0.0, min(seconds, LONGEST_CALL))
        started = time.monotonic()
        task = asyncio.create_task(self._serve(found, request, metadata, limit, address))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            async with asyncio.timeout(limit + 0.05):
                return await asyncio.shield(task)
        except TimeoutError as error:
            raise ApiError(
                Reason.DEADLINE_EXCEEDED,
                "the call took too long; repeat it with the same request_id to learn its outcome",
            ) from error
        except ApiError as error:
            _log.info(
                "refused",
                method=method,
                reason=error.reason.name,
                code=code_of(error.reason).name,
                milliseconds=round(1000 * (time.monotonic() - started), 1),
            )
            raise

    async def _serve(
        self,
        method: Method,
        request: Any,
        metadata: Mapping[str, str],
        seconds: float,
        address: str,
    ) -> Any:
        until = asyncio.get_running_loop().time() + seconds
        with _as_api_errors():
            identity = await self._access.admit(metadata, method.callers)
            with self._limits.call(identity):
                self._limits.admit(address, identity, method.counted)
                method.check(request)
                return await method.serve(request, Context(identity, until))

    async def stream(
        self, method: str, request: Any, metadata: Mapping[str, str], address: str = ""
    ) -> AsyncGenerator[Any, None]:
        """Serve one call that is answered by a stream; raises ApiError where it breaks off."""
        found = self._streams.get(method)
        if found is None:
            raise ApiError(Reason.UNIMPLEMENTED, f"there is no method {method}")
        self._require_service()
        self._limits.begin(address, len(self._running))
        with _as_api_errors():
            identity = await self._access.admit(metadata, found.callers)
            with self._limits.stream(address, identity):
                self._limits.admit(address, identity, ())
                found.check(request)
                async with aclosing(found.serve(request, Context(identity, math.inf))) as responses:
                    async for response in responses:
                        yield response

    def _require_service(self) -> None:
        state = self._availability.state
        if state is State.AWAY:
            raise ApiError(Reason.UNAVAILABLE, DATABASE_AWAY)
        if state is State.ENDING:
            raise ApiError(
                Reason.UNAVAILABLE, "this server stops; send the same request again to another one"
            )

    async def drain(self, seconds: float) -> None:
        """Wait for the calls that run, at most `seconds`."""
        if self._running:
            await asyncio.wait(self._running, timeout=seconds)


@contextmanager
def _as_api_errors() -> Iterator[None]:
    """Whatever goes wrong within leaves as an ApiError."""
    try:
        yield
    except Refused as refused:
        raise ApiError.of(refused) from refused
    except ApiError:
        raise
    except StoreUnavailable as error:
        _log.warning("the database can't be reached", error=str(error))
        raise ApiError(Reason.UNAVAILABLE, DATABASE_AWAY) from error
    except DataRefused as error:
        _log.error("the database refused a value that had passed the checks", error=str(error))
        raise ApiError(
            Reason.FIELD_INVALID,
            "the request has a value that can't be stored; look for characters that are no text",
            field="",
        ) from error
    except UnknownRecord as error:
        _log.error("a newer version wrote what can't be read here", error=str(error))
        raise ApiError(
            Reason.UNAVAILABLE,
            "this version of the service can't read the table; send the same request again",
        ) from error
    except Exception as error:
        _log.exception("a call failed")
        raise ApiError(
            Reason.INTERNAL,
            "the service failed; the same request_id, sent again, tells whether it took effect",
        ) from error
