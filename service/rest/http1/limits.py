"""What one client, and all of them together, may take of this server before it is refused."""

from dataclasses import dataclass, field

KIB = 1024
MIB = 1024 * KIB


def _limit(default: float, what: str, answer: str) -> float:
    number: float = field(default=default, metadata={"what": what, "answer": answer})
    return number


def _count(default: int, what: str, answer: str) -> int:
    number: int = field(default=default, metadata={"what": what, "answer": answer})
    return number


_CLOSED = "the connection is closed"


@dataclass(frozen=True, slots=True)
class Limits:
    """Every limit of the server: its default, what it limits, and what happens beyond it. Bytes,
    seconds or numbers, as the name says; docs/operators.md has them as a table."""

    head_bytes: int = _count(32 * KIB, "request line and headers", "431")
    target_bytes: int = _count(8 * KIB, "the URL", "414")
    headers: int = _count(100, "the number of headers", "431")
    body_bytes: int = _count(256 * KIB, "the body", "413, before it is read if its length is given")
    chunks: int = _count(4096, "the number of chunks of a body", "400")
    extension_bytes: int = _count(256, "what follows the size of a chunk in its line", "400")
    trailer_bytes: int = _count(8 * KIB, "trailers, which are read and ignored", "431")
    head_seconds: float = _limit(
        10.0, "from the first byte of a request to the end of its head", "408"
    )
    body_seconds: float = _limit(10.0, "from the head to the end of the body", "408")
    body_bytes_per_second: int = _count(
        16 * KIB, "a body that comes as fast as this may take longer than `body_seconds`", "408"
    )
    stall_seconds: float = _limit(
        30.0, "for a client to read `stall_bytes` of what waits for it", _CLOSED
    )
    stall_bytes: int = _count(16 * KIB, "see `stall_seconds`", _CLOSED)
    keep_alive_seconds: float = _limit(75.0, "without a request on an open connection", _CLOSED)
    connections: int = _count(
        4096,
        "open connections",
        "the one that has waited longest for its client is closed: of those that got their last"
        " answer, then of those that never completed a request, then of the idle ones; 503 if none"
        " waits",
    )
    waiting_bytes: int = _count(
        64 * MIB, "what all connections hold of requests that are not complete", _CLOSED
    )
    pipelined_bytes: int = _count(
        64 * KIB, "what is read while the answer to an earlier request is due", "reading pauses"
    )
    linger_seconds: float = _limit(
        2.0, "after the last answer, for the client to read it and to close", _CLOSED
    )
    linger_bytes: int = _count(16 * MIB, "what is still read, and thrown away, then", _CLOSED)

    @property
    def tick_seconds(self) -> float:
        """How often time limits are looked at: a limit may be exceeded by as much."""
        shortest = min(
            self.head_seconds,
            self.body_seconds,
            self.stall_seconds,
            self.keep_alive_seconds,
            self.linger_seconds,
        )
        return min(1.0, shortest / 4)
