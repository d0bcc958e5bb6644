"""A stream as server-sent events, one for each response of the RPC.

`id` is the version that a response has, so that a browser which lost its connection resumes after
it with `Last-Event-ID`; a response that carries nothing new is a comment, which keeps the
connection alive. An error that comes after the stream has begun is an event named `error`.
"""

from typing import Any

from service.calls.errors import ApiError
from service.rest.http1.messages import Headers
from service.rest.json_writer import to_json
from service.rest.replies import failure

HEADERS: Headers = (("content-type", "text/event-stream"), ("cache-control", "no-store"))
_HEARTBEAT = b": heartbeat\n\n"


class EventStream:
    """Writes responses that have a `version`, and a `table` if they carry something new."""

    probe = _HEARTBEAT

    def headers(self, _first: Any) -> Headers:
        """Those of an event stream."""
        return HEADERS

    def piece(self, response: Any) -> bytes:
        """One event, or a comment."""
        if not response.HasField("table"):
            return _HEARTBEAT
        return b"id: %d\ndata: %s\n\n" % (response.version, to_json(response))

    def broken_off(self, error: ApiError) -> bytes | None:
        """The event `error`."""
        return b"event: error\ndata: " + failure(error).body + b"\n\n"
