"""A body that comes in chunks (RFC 9112, 7.1), with its trailers."""

import re
from enum import Enum, auto

from service.rest.http1.head import NAME, VALUE, too_large
from service.rest.http1.limits import Limits
from service.rest.http1.messages import Unacceptable

_NAME, _VALUE = NAME.encode(), VALUE.encode()
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,16}+)(;" + _VALUE + rb"*+)?\r\n")
_HALF_SIZE = re.compile(rb"(?:[0-9A-Fa-f]{1,16}+(?:;" + _VALUE + rb"*+)?\r?)?")
_TRAILER = re.compile(_NAME + rb"+:" + _VALUE + rb"*+\r\n")
_LONGEST_SIZE = 16


class _Due(Enum):
    SIZE = auto()
    DATA = auto()
    END_OF_DATA = auto()
    TRAILER = auto()
    NOTHING = auto()


class Chunks:
    """What has come of one body."""

    __slots__ = ("_chunks", "_due", "_left", "_limits", "_trailers", "body")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._due = _Due.SIZE
        self._left = 0
        self._chunks = 0
        self._trailers = 0
        self.body = bytearray()

    @property
    def whole(self) -> bool:
        """Whether the body and its trailers have come."""
        return self._due is _Due.NOTHING

    def take(self, buffer: bytes | bytearray, at: int) -> int:
        """Take what belongs to the body from this point on; where it ends, or the buffer's part
        that can't be read yet begins. Raises `Unacceptable`."""
        while self._due is not _Due.NOTHING:
            match self._due:
                case _Due.SIZE:
                    after = self._take_size(buffer, at)
                case _Due.DATA:
                    after = self._take_data(buffer, at)
                case _Due.END_OF_DATA:
                    after = self._take_end(buffer, at)
                case _Due.TRAILER:
                    after = self._take_trailer(buffer, at)
            if after < 0:
                break
            at = after
        return at

    def _take_size(self, buffer: bytes | bytearray, at: int) -> int:
        limits = self._limits
        longest = _LONGEST_SIZE + limits.extension_bytes + len(b"\r\n")
        line = _SIZE.match(buffer, at, at + longest)
        if line is None:
            if len(buffer) - at >= longest or not _HALF_SIZE.fullmatch(buffer, at):
                raise Unacceptable(400, "the size of a chunk is wrong, or too much follows it")
            return -1
        self._left = int(line[1], 16)
        if self._left == 0:
            self._due = _Due.TRAILER
            return line.end()
        self._chunks += 1
        if self._chunks > limits.chunks:
            raise Unacceptable(400, f"the body comes in more than {limits.chunks} chunks")
        if len(self.body) + self._left > limits.body_bytes:
            raise too_large(limits.body_bytes)
        self._due = _Due.DATA
        return line.end()

    def _take_data(self, buffer: bytes | bytearray, at: int) -> int:
        piece = buffer[at : at + self._left]
        if not piece:
            return -1
        self.body += piece
        self._left -= len(piece)
        if self._left == 0:
            self._due = _Due.END_OF_DATA
        return at + len(piece)

    def _take_end(self, buffer: bytes | bytearray, at: int) -> int:
        end = buffer[at : at + 2]
        if not b"\r\n".startswith(end):
            raise Unacceptable(400, "a chunk is longer than its size says")
        if len(end) < 2:
            return -1
        self._due = _Due.SIZE
        return at + 2

    def _take_trailer(self, buffer: bytes | bytearray, at: int) -> int:
        limit = self._limits.trailer_bytes
        end = buffer.find(b"\n", at) + 1
        size = (end or len(buffer)) - at
        if self._trailers + size > limit:
            raise Unacceptable(431, f"the trailers have more than {limit} bytes", limit)
        if end == 0:
            return -1
        line = buffer[at:end]
        if line == b"\r\n":
            self._due = _Due.NOTHING
        elif not _TRAILER.fullmatch(line):
            raise Unacceptable(400, "a trailer is not `name: value` in one line that ends in CR LF")
        self._trailers += size
        return end
