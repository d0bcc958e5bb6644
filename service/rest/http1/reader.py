"""From the bytes of one connection to its requests, in order; no I/O and no time in it."""

from enum import Enum, auto

from service.rest.http1.chunks import Chunks
from service.rest.http1.head import CHUNKED, Head, parse_head
from service.rest.http1.head_lines import HeadLines
from service.rest.http1.limits import Limits
from service.rest.http1.messages import Request, Unacceptable


class Due(Enum):
    """What a reader waits for."""

    REQUEST = auto()
    """Nothing of the next request has come."""
    HEAD = auto()
    BODY = auto()


class Reader:
    """`feed` it bytes and take requests with `next`, until it raises: then nothing that follows can
    be trusted to be a request."""

    __slots__ = (
        "_at",
        "_blank_line",
        "_buffer",
        "_chunks",
        "_head",
        "_limits",
        "_lines",
        "address",
    )

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.address = ""
        self._buffer: bytes | bytearray = b""
        self._at = 0
        self._blank_line = False
        self._lines: HeadLines | None = None
        self._head: Head | None = None
        self._chunks: Chunks | None = None

    @property
    def due(self) -> Due:
        """What has to come."""
        if self._head is not None:
            return Due.BODY
        return Due.HEAD if len(self._buffer) > self._at else Due.REQUEST

    @property
    def held(self) -> int:
        """How many bytes are kept."""
        decoded = len(self._chunks.body) if self._chunks else 0
        return len(self._buffer) - self._at + decoded

    @property
    def continues(self) -> bool:
        """Whether a body is due whose client waits for a word first."""
        return self._head is not None and self._head.continues and self.held == 0

    def feed(self, data: bytes) -> None:
        """Take what has come."""
        if self._at == len(self._buffer):
            self._buffer, self._at = data, 0
            return
        if isinstance(self._buffer, bytes):
            self._buffer = bytearray(memoryview(self._buffer)[self._at :])
        elif self._at:
            del self._buffer[: self._at]
        self._at = 0
        self._buffer += data

    def next(self) -> Request | None:
        """The next request; None if it has not come as a whole. Raises `Unacceptable`."""
        head = self._head
        if head is None:
            head = self._next_head()
            if head is None:
                return None
        body = self._body(head)
        if body is None:
            self._head = head
            return None
        self._head = None
        self._blank_line = False
        if self._at == len(self._buffer):
            self._buffer, self._at = b"", 0
        return Request(
            head.method,
            head.path,
            head.query,
            head.headers,
            body,
            head.minor,
            head.keep_alive,
            self.address,
        )

    def _next_head(self) -> Head | None:
        if not self._skip_blank_line():
            return None
        buffer, at, lines = self._buffer, self._at, self._lines
        seen = max(0, lines.seen - 3) if lines else 0
        end = buffer.find(b"\r\n\r\n", at + seen) + 4
        if 4 <= end <= at + self._limits.head_bytes:
            head = parse_head(str(buffer[at:end], "latin-1"), self._limits)
            if head is not None:
                self._at = end
                self._lines = None
                return head
        if lines is None:
            lines = self._lines = HeadLines(self._limits)
        lines.check(buffer, at)
        if end >= 4:  # the lines have the right form, and are no head
            raise Unacceptable(400, "the head of the request can't be read")
        return None

    def _skip_blank_line(self) -> bool:
        """Pass over one empty line, which old clients send after a body (RFC 9112, 2.2); whether
        anything follows."""
        if not self._blank_line and self._lines is None:
            begin = self._buffer[self._at : self._at + 2]
            if begin == b"\r\n":
                self._blank_line = True
                self._at += 2
            elif begin == b"\r":
                return False
        return len(self._buffer) > self._at

    def _body(self, head: Head) -> bytes | None:
        if head.length == 0:
            return b""
        if head.length != CHUNKED:
            end = self._at + head.length
            if len(self._buffer) < end:
                return None
            body = bytes(self._buffer[self._at : end])
            self._at = end
            return body
        if self._chunks is None:
            self._chunks = Chunks(self._limits)
        self._at = self._chunks.take(self._buffer, self._at)
        if not self._chunks.whole:
            return None
        body = bytes(self._chunks.body)
        self._chunks = None
        return body
