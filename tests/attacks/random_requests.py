"""Random bytes that are nearly requests."""

from itertools import pairwise

from hypothesis import strategies as st

from tests.attacks.cases import REFUSED, TAKEN

TCHARS = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")

_LINES = st.sampled_from([
    b"GET / HTTP/1.1", b"POST /a?b=c HTTP/1.1", b"GET / HTTP/1.0", b"POST /a HTTP/1.0",
    b"GET  / HTTP/1.1", b"GET /\x80 HTTP/1.1", b"GET / HTTP/1.1 ", b"GET /", b"get / HTTP/1.1",
])  # fmt: skip
_HEADERS = st.sampled_from([
    b"Host: a", b"Host: b", b"Host:", b"Host: a b", b" Host: a", b"Host : a", b"X: \xe4", b"X:\t1 ",
    b"Content-Length: 5", b"Content-Length: 0", b"Content-Length: 05", b"Content-Length: 5, 5",
    b"Content-Length: +5", b"Content-Length: 5 ", b"content-length:5", b"Content-Length: 5;a",
    b"Transfer-Encoding: chunked", b"Transfer-Encoding: Chunked ", b"Transfer-Encoding: identity",
    b"Transfer-Encoding: gzip, chunked", b"Transfer-Encoding:\x0bchunked", b"Transfer-Encoding:",
    b"Transfer-Encoding : chunked", b"Transfer-Encoding\t: chunked", b"X: 1\r\n 2", b"X\x00: 1",
    b"Connection: close", b"Connection: keep-alive", b"Expect: 100-continue", b"X: 1\rY: 2",
    b"Connection: Upgrade\r\nUpgrade: h2c", b"Connection: Transfer-Encoding", b"Trailer: X",
])  # fmt: skip
_BODIES = st.sampled_from([
    b"", b"hello", b"5\r\nhello\r\n0\r\n\r\n", b"0\r\n\r\n", b"5;a=b\r\nhello\r\n0\r\nX: 1\r\n\r\n",
    b"5 \r\nhello\r\n0\r\n\r\n", b"5\nhello\n0\n\n", b"0x5\r\nhello\r\n0\r\n\r\n",
    b"5\r\nhello0\r\n\r\n",
    b"005\r\nhello\r\n00\r\n\r\n", b"5\r\nhello\r\n0\r\nGET / HTTP/1.1\r\n\r\n",
])  # fmt: skip
_ENDS = st.sampled_from([b"\r\n"] * 8 + [b"\n", b"\r", b"\r\r\n"])
_SPLINTERS = st.sampled_from([
    b"\r\n", b"\n", b"\r", b" ", b"\t", b"\0", b":", b";", b",", b"0", b"\x0b", b"\x80",
    b"\r\n\r\n",
])  # fmt: skip


@st.composite
def composed(draw: st.DrawFn) -> bytes:
    """A request of parts, some of them wrong."""
    end = draw(_ENDS)
    lines = [draw(_LINES), *draw(st.lists(_HEADERS, max_size=4))]
    if draw(st.booleans()):
        lines.insert(1, b"Host: a")
    return end.join(lines) + end + draw(_ENDS) + draw(_BODIES)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A known case with a splinter in it, or a piece less."""
    cases = [attack for attack, _ in REFUSED.values() if len(attack) < 1000]
    cases += [b"".join(pieces) for pieces, _ in TAKEN.values()]
    data = draw(st.sampled_from(cases))
    at = draw(st.integers(0, len(data)))
    less = draw(st.integers(0, 2))
    return data[:at] + draw(_SPLINTERS) + data[at + less :]


def nearly_requests() -> st.SearchStrategy[bytes]:
    """Several of them, one directly behind the other."""
    return st.lists(composed() | damaged(), min_size=1, max_size=3).map(b"".join)


@st.composite
def in_pieces(draw: st.DrawFn, data: bytes) -> list[bytes]:
    """The same bytes, cut at random."""
    cuts = sorted(draw(st.sets(st.integers(0, len(data)), max_size=8)))
    ends = [0, *cuts, len(data)]
    return [data[begin:end] for begin, end in pairwise(ends)]


@st.composite
def ordinary(draw: st.DrawFn) -> tuple[bytes, tuple[str, str, bytes]]:
    """A request that every server takes, with its method, target and body."""
    method = draw(st.sampled_from(METHODS))
    target = "/" + draw(st.text("abcXYZ019-._~!$&'()*+,;=:@%20/?", max_size=40))
    body = draw(st.binary(max_size=300))
    names = st.text(TCHARS, min_size=1, max_size=20).map(lambda name: f"X-{name}")
    value = st.text([chr(code) for code in (*range(0x20, 0x7F), 0xE4)], max_size=40)
    headers = [("Host", draw(st.sampled_from(["a", "a.example:80", "127.0.0.1", "[::1]:1"])))]
    headers += draw(st.lists(st.tuples(names, value.map(str.strip)), max_size=8))
    if draw(st.booleans()):
        headers.append(("Content-Length", str(len(body))))
        sent = body
    else:
        headers.append(("Transfer-Encoding", "chunked"))
        sent = b"".join(
            b"%x\r\n%b\r\n" % (len(piece), piece) for piece in draw(in_pieces(body)) if piece
        )
        sent += b"0\r\n\r\n"
    blank = draw(st.sampled_from(["", " ", "\t", "  "]))
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}:{blank}{text}" for name, text in headers)]
    head = "".join(f"{line}\r\n" for line in lines) + "\r\n"
    return head.encode("latin-1") + sent, (method, target, body)
