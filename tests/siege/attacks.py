"""What anybody can send without a token, by door."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.siege import http1, http2
from tests.siege.attacker import Attacker


@dataclass(frozen=True)
class Attack:
    """An attack on one door (`rest` or `grpc`)."""

    door: str
    run: Callable[[Attacker], Awaitable[None]]


ATTACKS = {
    "heads that never end": Attack("rest", http1.endless_heads),
    "heads, a byte at a time": Attack("rest", http1.dripped_heads),
    "half heads": Attack("rest", http1.half_heads),
    "half bodies": Attack("rest", http1.half_bodies),
    "bodies, a byte at a time": Attack("rest", http1.dripped_bodies),
    "large bodies": Attack("rest", http1.large_bodies),
    "long URLs": Attack("rest", http1.long_urls),
    "answers not read": Attack("rest", http1.unread_answers),
    "connections that say nothing": Attack("rest", http1.silence),
    "connections, one after the other": Attack("rest", http1.churn),
    "guest tokens": Attack("rest", http1.guest_tokens),
    "wrong tokens": Attack("rest", http1.wrong_tokens),
    "paths that are not there": Attack("rest", http1.missing_paths),
    "noise": Attack("rest", http1.noise),
    "compressed messages": Attack("grpc", http2.compressed),
    "streams without a message": Attack("grpc", http2.open_streams),
    "streams begun and reset": Attack("grpc", http2.rapid_reset),
    "headers that go on": Attack("grpc", http2.continuations),
    "large headers": Attack("grpc", http2.large_headers),
    "pings": Attack("grpc", http2.pings),
    "settings": Attack("grpc", http2.settings),
    "half prefaces": Attack("grpc", http2.half_prefaces),
    "silent connections": Attack("grpc", http2.silence),
    "connection after connection": Attack("grpc", http2.churn),
    "health watches": Attack("grpc", http2.health_watches),
    "reflection streams": Attack("grpc", http2.reflection),
    "guest tokens by the stream": Attack("grpc", http2.guest_tokens),
    "tokens that are wrong": Attack("grpc", http2.wrong_tokens),
    "windows of nothing": Attack("grpc", http2.closed_windows),
}
