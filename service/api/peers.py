"""Who is at the other end of a gRPC connection, read from gRPC's text."""

import re
from functools import lru_cache
from urllib.parse import unquote

from service.calls.own_sockets import Peer

_PEER = re.compile(r"ipv[46]:\[?([0-9a-fA-F.:]+)(?:%[^\]]*)?\]?:(\d+)")
_UNKNOWN: Peer = ("127.0.0.1", 0)
"""Over a socket of the file system: this machine."""


@lru_cache(maxsize=4096)
def peer_of(text: str) -> Peer:
    """Address and port of `ipv4:127.0.0.1:5000` or `ipv6:%5B::1%5D:5000`."""
    found = _PEER.fullmatch(unquote(text))
    if found is None:
        return _UNKNOWN
    return found[1].removeprefix("::ffff:") if "." in found[1] else found[1], int(found[2])
