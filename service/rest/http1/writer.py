"""From answers to bytes."""

from functools import lru_cache
from http import HTTPStatus

from service.rest.http1.messages import Headers, Reply, Request

CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
LAST_CHUNK = b"0\r\n\r\n"

_CLOSE = "connection: close\r\n"
_KEEP = "connection: keep-alive\r\n"
_CHUNKED = "transfer-encoding: chunked\r\n"


def reply_bytes(reply: Reply, date: str, request: Request | None, *, close: bool) -> bytes:
    """A whole answer. `date` is the header with its line end; without a `request` what came was not
    one. HEAD gets the head alone, with the length that a GET has."""
    head = (
        f"{_beginning(reply.status, reply.headers)}{date}{_connection(request, close=close)}"
        f"content-length: {len(reply.body)}\r\n\r\n"
    )
    if request is not None and request.method == "HEAD":
        return head.encode("latin-1")
    return head.encode("latin-1") + reply.body


def stream_head(headers: Headers, date: str, request: Request, *, close: bool) -> bytes:
    """The head of an answer whose body comes in pieces: in chunks, or, to HTTP/1.0, up to the end
    of the connection."""
    coding = _CHUNKED if request.minor else ""
    head = f"{_beginning(200, headers)}{date}{_connection(request, close=close)}{coding}\r\n"
    return head.encode("latin-1")


def chunk(piece: bytes) -> bytes:
    """A piece of a body in chunks; never an empty one, which would end it."""
    return b"%x\r\n%b\r\n" % (len(piece), piece)


def _connection(request: Request | None, *, close: bool) -> str:
    """HTTP/1.1 stays open and HTTP/1.0 closes unless the answer says otherwise."""
    if close:
        return _CLOSE
    return "" if request is None or request.minor else _KEEP


@lru_cache(maxsize=256)
def _beginning(status: int, headers: Headers) -> str:
    """Status line and headers; ValueError for a value that would be more than its header."""
    text = "".join(f"{name}: {value}\r\n" for name, value in headers)
    if text.count("\r") != len(headers) or text.count("\n") != len(headers):
        raise ValueError(f"a header of the answer has a line end: {headers}")
    phrase = HTTPStatus(status).phrase
    return f"HTTP/1.1 {status} {phrase}\r\nx-content-type-options: nosniff\r\n{text}"
