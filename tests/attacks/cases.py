"""Attacks on the framing of HTTP/1.1, and ordinary requests that look a little like them.

Where an attack hides a second request, that one is for /smuggled.
"""

from collections.abc import Mapping

Pieces = tuple[bytes, ...]
Carried = tuple[str, str, bytes]

HOST = b"Host: a.example\r\n"
HIDDEN = b"GET /smuggled HTTP/1.1\r\nHost: a.example\r\n\r\n"


def get(*headers: bytes, line: bytes = b"GET / HTTP/1.1") -> bytes:
    """A request without a body; `headers` without their line ends."""
    return line + b"\r\n" + b"".join(one + b"\r\n" for one in headers) + b"\r\n"


def post(*headers: bytes, body: bytes = b"") -> bytes:
    """A request with Host, and a body just behind its head."""
    return get(b"Host: a.example", *headers, line=b"POST /bet HTTP/1.1") + body


CHUNKED = b"Transfer-Encoding: chunked"


def chunks(text: bytes) -> bytes:
    return post(CHUNKED, body=text)


REFUSED: Mapping[str, tuple[bytes, int]] = {
    # --- Host
    "no host": (get(), 400),
    "two hosts": (get(b"Host: a.example", b"Host: b.example"), 400),
    "the same host twice": (get(b"Host: a.example", b"host: a.example"), 400),
    "two hosts in one": (get(b"Host: a.example, b.example"), 400),
    "a host with a path": (get(b"Host: a.example/admin"), 400),
    "a host with a user": (get(b"Host: me@a.example"), 400),
    "a host with a space": (get(b"Host: a.example b"), 400),
    "two hosts over HTTP/1.0": (
        get(b"Host: a.example", b"Host: b.example", line=b"GET / HTTP/1.0"), 400),
    # --- the length of the body
    "length and chunks": (post(b"Content-Length: 6", CHUNKED, body=b"0\r\n\r\n" + HIDDEN), 400),
    "chunks and length": (post(CHUNKED, b"Content-Length: 6", body=b"0\r\n\r\n" + HIDDEN), 400),
    "two lengths": (
        post(b"Content-Length: 0", b"Content-Length: %d" % len(HIDDEN), body=HIDDEN), 400),
    "one length twice": (post(b"Content-Length: 0", b"Content-Length: 0", body=HIDDEN), 400),
    "a list of lengths": (post(b"Content-Length: 0, 0", body=HIDDEN), 400),
    "a negative length": (post(b"Content-Length: -1", body=HIDDEN), 400),
    "a length with a sign": (post(b"Content-Length: +0", body=HIDDEN), 400),
    "a length in hexadecimal": (post(b"Content-Length: 0x0", body=HIDDEN), 400),
    "a length with an underscore": (post(b"Content-Length: 0_0", body=HIDDEN), 400),
    "a length with a space": (post(b"Content-Length: 0 0", body=HIDDEN), 400),
    "a length of other digits": (post(b"Content-Length: \xb2", body=HIDDEN), 400),
    "no length": (post(b"Content-Length:", body=HIDDEN), 400),
    "a length without end": (post(b"Content-Length: " + b"9" * 5000), 413),
    "a large body": (post(b"Content-Length: 5000000"), 413),
    "a large body that may be sent": (
        post(b"Content-Length: 5000000", b"Expect: 100-continue"), 413),
    # --- transfer codings
    "chunks over HTTP/1.0": (
        get(CHUNKED, line=b"POST / HTTP/1.0") + b"0\r\n\r\n" + HIDDEN, 400),
    "an unknown coding": (post(b"Transfer-Encoding: gzip", body=HIDDEN), 501),
    "gzip and chunks": (post(b"Transfer-Encoding: gzip, chunked", body=HIDDEN), 501),
    "chunks twice": (post(CHUNKED, CHUNKED, body=b"0\r\n\r\n" + HIDDEN), 400),
    "chunks and chunks": (post(b"Transfer-Encoding: chunked, chunked", body=HIDDEN), 501),
    "chunks and nothing": (post(b"Transfer-Encoding: chunked, identity", body=HIDDEN), 501),
    "xchunked": (post(b"Transfer-Encoding: xchunked", body=HIDDEN), 501),
    "chunked in quotes": (post(b'Transfer-Encoding: "chunked"', body=HIDDEN), 501),
    "chunked with a parameter": (post(b"Transfer-Encoding: chunked;q=1", body=HIDDEN), 501),
    "chunked after a vertical tab": (post(b"Transfer-Encoding: \x0bchunked", body=HIDDEN), 400),
    "chunked and a NUL": (post(b"Transfer-Encoding: chunked\0", body=HIDDEN), 400),
    "no coding": (post(b"Transfer-Encoding:", body=HIDDEN), 501),
    # --- lines
    "a space before the colon": (get(b"Host : a.example"), 400),
    "a space before the colon of chunks": (
        post(b"Transfer-Encoding : chunked", body=b"0\r\n\r\n" + HIDDEN), 400),
    "a tab before the colon": (get(b"Host: a.example", b"Content-Length\t: 0"), 400),
    "a folded line": (get(b"Host: a.example", b"X-A: 1", b" 2"), 400),
    "a folded coding": (post(b"Transfer-Encoding:", b" chunked", body=b"0\r\n\r\n" + HIDDEN), 400),
    "a folded first header": (get(b" X-A: 1", b"Host: a.example"), 400),
    "a header without a colon": (get(b"Host: a.example", b"X-A"), 400),
    "a header without a name": (get(b"Host: a.example", b": 1"), 400),
    "a name with a space": (get(b"Host: a.example", b"X A: 1"), 400),
    "a name with other letters": (get(b"Host: a.example", b"X-\xe4: 1"), 400),
    "a NUL in a value": (get(b"Host: a.example", b"X-A: 1\x002"), 400),
    "an escape in a value": (get(b"Host: a.example", b"X-A: \x1b[0m"), 400),
    "a bare CR in a value": (get(b"Host: a.example", b"X-A: 1\rX-B: 2"), 400),
    "a bare LF after a value": (b"GET / HTTP/1.1\r\nHost: a.example\nX-A: 1\r\n\r\n", 400),
    "bare LFs": (b"GET / HTTP/1.1\nHost: a.example\n\n", 400),
    "an end of bare LFs": (b"GET / HTTP/1.1\r\nHost: a.example\r\n\n" + HIDDEN, 400),
    "CR CR LF": (b"GET / HTTP/1.1\r\nHost: a.example\r\r\n\r\n", 400),
    # --- the first line
    "HTTP/0.9": (b"GET /\r\n", 400),
    "no path": (get(b"Host: a.example", line=b"GET HTTP/1.1"), 400),
    "two spaces": (get(b"Host: a.example", line=b"GET  / HTTP/1.1"), 400),
    "a tab for a space": (get(b"Host: a.example", line=b"GET\t/ HTTP/1.1"), 400),
    "a space at the end": (get(b"Host: a.example", line=b"GET / HTTP/1.1 "), 400),
    "a space in the URL": (get(b"Host: a.example", line=b"GET /a b HTTP/1.1"), 400),
    "letters that are not escaped": (get(b"Host: a.example", line=b"GET /\xc3\xa4 HTTP/1.1"), 400),
    "a fragment": (get(b"Host: a.example", line=b"GET /#/smuggled HTTP/1.1"), 400),
    "a URL without its slash": (get(b"Host: a.example", line=b"GET smuggled HTTP/1.1"), 400),
    "another scheme": (get(b"Host: a.example", line=b"GET ftp://a.example/ HTTP/1.1"), 400),
    "a URL with a user": (get(b"Host: a.example", line=b"GET http://me@a.example/ HTTP/1.1"), 400),
    "a URL without a host": (get(b"Host: a.example", line=b"GET http:/// HTTP/1.1"), 400),
    "a star for a GET": (get(b"Host: a.example", line=b"GET * HTTP/1.1"), 400),
    "a long URL": (get(b"Host: a.example", line=b"GET /" + b"a" * 9000 + b" HTTP/1.1"), 414),
    "lower case": (get(b"Host: a.example", line=b"GET / http/1.1"), 400),
    "HTTP/1.2": (get(b"Host: a.example", line=b"GET / HTTP/1.2"), 505),
    "HTTP/11": (get(b"Host: a.example", line=b"GET / HTTP/11"), 400),
    "HTTP/1.10": (get(b"Host: a.example", line=b"GET / HTTP/1.10"), 400),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    "a TLS hello": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
    "two empty lines": (b"\r\n\r\n" + get(b"Host: a.example"), 400),
    "a method with a colon": (get(b"Host: a.example", line=b"GE:T / HTTP/1.1"), 400),
    "a proxy": (get(b"Host: a.example:443", line=b"CONNECT a.example:443 HTTP/1.1"), 501),
    # --- the size of the head
    "many headers": (get(b"Host: a.example", *[b"X-A: 1"] * 101), 431),
    "a large header": (get(b"Host: a.example", b"X-A: " + b"a" * 33_000), 431),
    "a large cookie": (get(b"Host: a.example", *[b"Cookie: " + b"a" * 9000] * 4), 431),
    # --- expectations
    "another expectation": (post(b"Expect: 200-ok", b"Content-Length: 2", body=b"{}"), 417),
    "two expectations": (
        post(b"Expect: 100-continue", b"Expect: 100-continue", b"Content-Length: 2"), 417),
    # --- chunks
    "a chunk without a size": (chunks(b"\r\n0\r\n\r\n"), 400),
    "a size that is no number": (chunks(b"zz\r\n"), 400),
    "a size with 0x": (chunks(b"0x5\r\nhello\r\n0\r\n\r\n"), 400),
    "a size with a sign": (chunks(b"+5\r\nhello\r\n0\r\n\r\n"), 400),
    "a negative size": (chunks(b"-5\r\nhello\r\n0\r\n\r\n"), 400),
    "a size with an underscore": (chunks(b"0_5\r\nhello\r\n0\r\n\r\n"), 400),
    "a size with a space": (chunks(b"5 \r\nhello\r\n0\r\n\r\n"), 400),
    "a size that overflows": (chunks(b"1" + b"0" * 16 + b"5\r\nhello\r\n0\r\n\r\n"), 400),
    "a huge size": (chunks(b"ffffffffffffffff\r\n"), 413),
    "a chunk that is longer": (chunks(b"4\r\nhello\r\n0\r\n\r\n"), 400),
    "a chunk that is shorter": (chunks(b"6\r\nhello\r\n0\r\n\r\n"), 400),
    "two bytes between two chunks": (chunks(b"5\r\nhelloXX0\r\n\r\n"), 400),
    "a size before a bare LF": (chunks(b"5\nhello\r\n0\r\n\r\n"), 400),
    "data before a bare LF": (chunks(b"5\r\nhello\n0\r\n\r\n"), 400),
    "an extension with a bare CR": (chunks(b"5;a\rb\r\nhello\r\n0\r\n\r\n"), 400),
    "an extension with a bare LF": (chunks(b"5;a\n0\r\n\r\n" + HIDDEN), 400),
    "a long extension": (chunks(b"5;" + b"a" * 300 + b"\r\nhello\r\n0\r\n\r\n"), 400),
    "very many chunks": (chunks(b"1\r\na\r\n" * 5000 + b"0\r\n\r\n"), 400),
    "too much in chunks": (chunks((b"10000\r\n" + b"a" * 65_536 + b"\r\n") * 5), 413),
    "a trailer that is folded": (chunks(b"0\r\nX: 1\r\n 2\r\n\r\n"), 400),
    "a trailer before a bare LF": (chunks(b"0\r\nX: 1\n\r\n"), 400),
    "a trailer that is a request": (chunks(b"0\r\n" + HIDDEN), 400),
    "long trailers": (chunks(b"0\r\n" + b"X-A: 1\r\n" * 2000 + b"\r\n"), 431),
}  # fmt: skip
"""What is answered with one code, and nothing behind it is carried out."""

H2C = (
    b"Connection: Upgrade, HTTP2-Settings",
    b"Upgrade: h2c",
    b"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
)
WEB_SOCKET = (
    b"Connection: Upgrade",
    b"Upgrade: websocket",
    b"Sec-WebSocket-Version: 13",
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
)
LENGTH = b"Content-Length: %d"
BODY = b'{"request_id": "r"}'

TAKEN: Mapping[str, tuple[Pieces, Carried]] = {
    "nothing special": ((get(b"Host: a.example"),), ("GET", "/", b"")),
    "an empty host": ((get(b"Host:"),), ("GET", "/", b"")),
    "an address": ((get(b"Host: [::1]:8080"),), ("GET", "/", b"")),
    "another method": (
        (get(b"Host: a.example", line=b"PURGE /x HTTP/1.1"),), ("PURGE", "/x", b"")),
    "an absolute URL": (
        (get(b"Host: b.example", line=b"GET http://a.example/x?y HTTP/1.1"),), ("GET", "/x", b"")),
    "an absolute URL without a path": (
        (get(b"Host: b.example", line=b"GET HTTP://a.example HTTP/1.1"),), ("GET", "/", b"")),
    "an empty line before": ((b"\r\n" + get(b"Host: a.example"),), ("GET", "/", b"")),
    "a star": ((get(b"Host: a.example", line=b"OPTIONS * HTTP/1.1"),), ("OPTIONS", "*", b"")),
    "a length": ((post(LENGTH % 19, body=BODY),), ("POST", "/bet", BODY)),
    "a length with zeros": ((post(b"Content-Length: 00019", body=BODY),), ("POST", "/bet", BODY)),
    "a body later": ((post(LENGTH % 19), BODY), ("POST", "/bet", BODY)),
    "chunks": ((chunks(b"5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n"),), ("POST", "/bet", b"hello!")),
    "chunks in capitals": (
        (post(b"Transfer-Encoding: Chunked", body=b"A\r\n0123456789\r\n0\r\n\r\n"),),
        ("POST", "/bet", b"0123456789")),
    "chunks with an extension": (
        (chunks(b'5;a=b;c="d e"\r\nhello\r\n0;x\r\n\r\n'),), ("POST", "/bet", b"hello")),
    "chunks with trailers": (
        (chunks(b"5\r\nhello\r\n0\r\nContent-Length: 9\r\nHost: b\r\n\r\n"),),
        ("POST", "/bet", b"hello")),
    "a request in a body": ((post(LENGTH % len(HIDDEN), body=HIDDEN),), ("POST", "/bet", HIDDEN)),
    "h2c": ((post(*H2C, LENGTH % 19, body=BODY),), ("POST", "/bet", BODY)),
    "h2c, its body later": ((post(*H2C, LENGTH % 19), BODY), ("POST", "/bet", BODY)),
    "h2c, a request in its body": (
        (post(*H2C, LENGTH % len(HIDDEN)), HIDDEN), ("POST", "/bet", HIDDEN)),
    "h2c in chunks": (
        (post(*H2C, CHUNKED), b"%x\r\n%b\r\n0\r\n\r\n" % (len(HIDDEN), HIDDEN)),
        ("POST", "/bet", HIDDEN)),
    "a web socket": ((get(b"Host: a.example", *WEB_SOCKET),), ("GET", "/", b"")),
    "a web socket with a body": (
        (post(*WEB_SOCKET, LENGTH % len(HIDDEN)), HIDDEN), ("POST", "/bet", HIDDEN)),
    "TLS": (
        (get(b"Host: a.example", b"Connection: Upgrade", b"Upgrade: TLS/1.2"),), ("GET", "/", b"")),
}  # fmt: skip
"""What is one request, and is carried out as such."""
