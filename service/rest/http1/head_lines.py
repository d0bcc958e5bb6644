"""The lines of a head as they come, so that a fault in one is answered at once.

Whoever sends half a head must not wait for the time limit to learn that its first line is wrong,
and each byte is looked at once, however small the pieces are that it comes in.
"""

import re

from service.rest.http1.head import NAME, VALUE
from service.rest.http1.limits import Limits
from service.rest.http1.messages import Unacceptable

_LONGEST_REST = 40
"""Bytes of a request line without its URL: method, version, spaces, line end."""

_FIRST_BYTE = re.compile(NAME)
_REQUEST_LINE = re.compile(rf"{NAME}{{1,24}} ([!-~]+) HTTP/1\.[01]\r\n")
_ANY_VERSION = re.compile(rf"{NAME}+ [!-~]+ HTTP/[0-9](?:\.[0-9])?\r\n")
_HEADER = re.compile(rf"{NAME}+:{VALUE}*+\r\n")
_TLS_HANDSHAKE = "\x16"


class HeadLines:
    """The lines of one head that have been checked."""

    __slots__ = ("_begin", "_limits", "_number", "_seen")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._number = 0
        self._begin = 0
        self._seen = 0

    @property
    def seen(self) -> int:
        """How many bytes need not be looked at again."""
        return self._seen

    def check(self, buffer: bytes | bytearray, at: int) -> None:
        """Look at what has come since the last call of the head that begins at `at`; raises
        `Unacceptable` for the first line that is wrong, or when there is too much."""
        while (end := buffer.find(b"\n", at + self._seen) + 1) > 0:
            line = str(buffer[at + self._begin : end], "latin-1")
            if self._number == 0:
                self._check_request_line(line)
            elif end - at > self._limits.head_bytes:
                raise self._too_large()
            elif line == "\r\n":
                return
            else:
                self._check_header(line)
            self._number += 1
            self._begin = self._seen = end - at
        self._seen = len(buffer) - at
        if self._number == 0:
            self._check_beginning(buffer, at)
        elif self._seen > self._limits.head_bytes:
            raise self._too_large()

    def _check_beginning(self, buffer: bytes | bytearray, at: int) -> None:
        first = chr(buffer[at])
        if not _FIRST_BYTE.match(first):
            raise _no_request(first)
        if self._seen > self._limits.target_bytes + _LONGEST_REST:
            raise self._long_target()

    def _check_request_line(self, line: str) -> None:
        if not _FIRST_BYTE.match(line):
            raise _no_request(line[0])
        if len(line) > self._limits.target_bytes + _LONGEST_REST:
            raise self._long_target()
        right = _REQUEST_LINE.fullmatch(line)
        if right is None:
            if _ANY_VERSION.fullmatch(line):
                raise Unacceptable(505, "this server speaks HTTP/1.1 and HTTP/1.0")
            raise _no_request(line[0])
        if len(right[1]) > self._limits.target_bytes:
            raise self._long_target()

    def _check_header(self, line: str) -> None:
        if not _HEADER.fullmatch(line):
            message = "a header is not `name: value` in one line that ends in CR LF"
            raise Unacceptable(400, message)
        if self._number > self._limits.headers:
            limit = self._limits.headers
            raise Unacceptable(431, f"the request has more than {limit} headers", limit)

    def _too_large(self) -> Unacceptable:
        limit = self._limits.head_bytes
        return Unacceptable(431, f"request line and headers have more than {limit} bytes", limit)

    def _long_target(self) -> Unacceptable:
        limit = self._limits.target_bytes
        return Unacceptable(414, f"the URL has more than {limit} bytes", limit)


def _no_request(first: str) -> Unacceptable:
    if first == _TLS_HANDSHAKE:
        return Unacceptable(400, "this port speaks HTTP without TLS")
    message = "the first line is not `METHOD /path HTTP/1.1` that ends in CR LF"
    return Unacceptable(400, message)
