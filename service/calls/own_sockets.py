"""The sockets of this process, found by who is at their other end: to end connections that a
library made and does not hand out, and to let nobody of an address connect again.

Linux only, as the rest of the service.
"""

import ctypes
import os
import socket
import struct
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path

Network = IPv4Network | IPv6Network
Peer = tuple[str, int]
"""Address and port of the other end."""

IPV6_PREFIX = 64
"""Who has an IPv6 address usually has all of such a network."""

_FILES = Path("/proc/self/fd")
_ATTACH_FILTER = 26  # SO_ATTACH_FILTER
_LOAD_BYTE, _LOAD_WORD, _AND, _EQUAL, _RETURN = 0x30, 0x20, 0x54, 0x15, 0x06
_NETWORK_HEADER = 0xFFF00000  # SKF_NET_OFF
_KEEP, _DROP = 0xFFFFFFFF, 0
MOST_REFUSED = 200
"""Networks that a filter can hold: a program has 4,096 instructions at most, an address five."""


def network_of(address: str) -> Network:
    """The network that counts as one caller: the address itself, or the /64 of an IPv6 one."""
    prefix = 32 if ip_address(address).version == 4 else IPV6_PREFIX
    return ip_network(f"{address}/{prefix}", strict=False)


def peers_at(port: int) -> set[Peer]:
    """Who is connected to a port that this process serves."""
    return {peer for _, peer in _connections(port)}


def end(port: int, peers: Collection[Peer]) -> None:
    """End the connections that these peers have to a port. Whoever made them reads their end."""
    for own, peer in _connections(port):
        if peer in peers:
            with suppress(OSError):  # ended by itself meanwhile
                own.shutdown(socket.SHUT_RDWR)


def stop_listening(port: int) -> None:
    """Take no more connections at a port. Those of other processes at the same port get them."""
    for own in _sockets():
        if _listens(own, port):
            own.shutdown(socket.SHUT_RDWR)


def refuse(port: int, networks: Sequence[Network]) -> None:
    """Let nobody of these networks connect to a port that this process listens at, and everybody
    else. The kernel drops what would begin a connection; those that exist go on.
    """
    program = _filter(networks[:MOST_REFUSED])
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    attached = struct.pack("HL", len(program), ctypes.addressof(buffer))
    for own in _sockets():
        if _listens(own, port):
            own.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, attached)


def _filter(networks: Sequence[Network]) -> list[tuple[int, int, int, int]]:
    """A program of the classic BPF that drops packets from these networks."""
    for_old = [(_LOAD_WORD, 0, 0, _NETWORK_HEADER + 12)]
    for_new: list[tuple[int, int, int, int]] = []
    for network in networks:
        address = int(network.network_address)
        if network.version == 4:
            for_old += [(_EQUAL, 0, 1, address), (_RETURN, 0, 0, _DROP)]
        else:
            for_new += [
                (_LOAD_WORD, 0, 0, _NETWORK_HEADER + 8),
                (_EQUAL, 0, 3, address >> 96),
                (_LOAD_WORD, 0, 0, _NETWORK_HEADER + 12),
                (_EQUAL, 0, 1, address >> 64 & 0xFFFFFFFF),
                (_RETURN, 0, 0, _DROP),
            ]
    for_old.append((_RETURN, 0, 0, _KEEP))
    for_new.append((_RETURN, 0, 0, _KEEP))
    return [
        (_LOAD_BYTE, 0, 0, _NETWORK_HEADER),
        (_AND, 0, 0, 0xF0),
        (_EQUAL, 1, 0, 0x40),  # IPv4: over the jump
        (0x05, 0, 0, len(for_old)),  # jump to what is for IPv6
        *for_old,
        *for_new,
    ]


def _listens(own: socket.socket, port: int) -> bool:
    listens = own.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    return bool(listens) and own.getsockname()[1] == port


def _connections(port: int) -> Iterator[tuple[socket.socket, Peer]]:
    for own in _sockets():
        with suppress(OSError):  # not connected, or not any more
            if own.getsockname()[1] == port:
                address, peer_port, *_ = own.getpeername()
                yield own, (_plain(address), peer_port)


def _sockets() -> Iterator[socket.socket]:
    """Each TCP socket of this process, for the time of one step."""
    for file in _FILES.iterdir():
        try:
            if not str(file.readlink()).startswith("socket:"):
                continue
            # A copy: what is done to it is done to the connection, but closing it closes nothing.
            own = socket.socket(fileno=os.dup(int(file.name)))
        except OSError:
            continue  # gone by now
        with own:
            if own.family in (socket.AF_INET, socket.AF_INET6):
                yield own


def _plain(address: str) -> str:
    """An address as text, IPv4 in its own form."""
    return address.removeprefix("::ffff:") if "." in address else address


def open_files() -> int:
    """How many files and sockets this process has open, which is quick to learn. Connections are no
    more than that."""
    return sum(1 for _ in _FILES.iterdir())
