"""The head of a request, read strictly: request line and headers, by RFC 9112.

Refused is whatever two implementations could read differently, because between a proxy and this
server that is how one request becomes two. So: one Host, one way to tell the body's length, no line
that is folded or ends in anything but CRLF.
"""

import re

import msgspec

from service.rest.http1.limits import Limits
from service.rest.http1.messages import Unacceptable

CHUNKED = -1
"""The length of a body that comes in chunks."""

NAME = r"[!#$%&'*+.^_`|~0-9A-Za-z-]"
VALUE = r"[\t\x20-\x7e\x80-\xff]"
_REQUEST_LINE = rf"({NAME}{{1,24}}) ([!-~]+) HTTP/1\.([01])\r\n"
_HEAD = re.compile(rf"{_REQUEST_LINE}((?:{NAME}+:{VALUE}*+\r\n)*+)\r\n")
_ABSOLUTE = re.compile(r"(?i:https?)://([^/?]+)(.*)")
# A registered name, an address, an IPv6 address in brackets; a port.
_AUTHORITY = re.compile(r"(?:[A-Za-z0-9._~%!$&'()*+;=-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{0,5})?")
_ONCE = frozenset({"host", "content-length", "transfer-encoding"})


class Head(msgspec.Struct, frozen=True):
    """A head that is right. `length` is that of the body, or `CHUNKED`."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    minor: int
    keep_alive: bool
    length: int
    continues: bool
    """Whether the client waits for a word before it sends its body."""


def parse_head(text: str, limits: Limits) -> Head | None:
    """The head that a text is (Latin-1, its empty line included).

    None if it does not have the form of a head, or its parts exceed a limit: `head_lines` says what
    is wrong. Raises `Unacceptable` for a head of the right form that is not to be served.
    """
    match = _HEAD.fullmatch(text)
    if match is None:
        return None
    method, target, digit, block = match.groups()
    lines = block.split("\r\n")
    if len(target) > limits.target_bytes or len(lines) - 1 > limits.headers:
        return None
    lines.pop()
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        name, value = name.lower(), value.strip(" \t")
        if name in headers:
            if name in _ONCE:
                raise Unacceptable(400, f"the header {name} is given more than once")
            headers[name] = f"{headers[name]}, {value}"
        else:
            headers[name] = value
    minor = int(digit)
    _check_host(headers.get("host"), minor)
    path, query = _split_target(method, target)
    length = _body_length(headers, minor, limits.body_bytes)
    return Head(
        method,
        path,
        query,
        headers,
        minor,
        _keeps_alive(headers.get("connection"), minor),
        length,
        _continues(headers.get("expect"), minor),
    )


def _check_host(host: str | None, minor: int) -> None:
    if host is None:
        if minor:
            raise Unacceptable(400, "the header host is missing: HTTP/1.1 requires it")
    elif host and not _AUTHORITY.fullmatch(host):
        raise Unacceptable(400, "the header host is not a host")


def _split_target(method: str, target: str) -> tuple[str, str]:
    """Path and query of a request target in one of the forms of RFC 9112, 3.2."""
    if method == "CONNECT":
        raise Unacceptable(501, "this server is not a proxy")
    if "#" in target:
        raise Unacceptable(400, "the URL has a fragment, which is never sent")
    if not target.startswith("/"):
        if target == "*" and method == "OPTIONS":
            return target, ""
        absolute = _ABSOLUTE.fullmatch(target)
        if absolute is None or not _AUTHORITY.fullmatch(absolute[1]):
            raise Unacceptable(400, "the request line has no usable URL")
        target = absolute[2]
        if not target.startswith("/"):
            target = f"/{target}"
    path, _, query = target.partition("?")
    return path, query


def _body_length(headers: dict[str, str], minor: int, limit: int) -> int:
    coding, length = headers.get("transfer-encoding"), headers.get("content-length")
    if coding is not None:
        if length is not None:
            raise Unacceptable(400, "content-length and transfer-encoding exclude each other")
        if not minor:
            raise Unacceptable(400, "HTTP/1.0 has no transfer-encoding")
        if coding.lower() != "chunked":
            raise Unacceptable(501, "the only transfer-encoding that is read is chunked")
        return CHUNKED
    if length is None:
        return 0
    if not (length.isascii() and length.isdigit()):
        raise Unacceptable(400, "content-length is not a number")
    significant = length.lstrip("0")
    if len(significant) > len(str(limit)) or int(significant or "0") > limit:
        raise too_large(limit)
    return int(significant or "0")


def too_large(limit: int) -> Unacceptable:
    """The refusal of a body of more than this many bytes."""
    return Unacceptable(413, f"the body has more than {limit} bytes", limit)


def _keeps_alive(connection: str | None, minor: int) -> bool:
    if connection is None:
        return minor == 1
    options = {option.strip(" \t") for option in connection.lower().split(",")}
    return "close" not in options and (minor == 1 or "keep-alive" in options)


def _continues(expect: str | None, minor: int) -> bool:
    if expect is None or not minor:
        return False
    if expect.lower() != "100-continue":
        raise Unacceptable(417, "the only expectation that is met is 100-continue")
    return True
