"""Connections that somebody else made are ended, and addresses refused, without touching others."""

import socket
from collections.abc import Iterator
from ipaddress import ip_network

import pytest

from service.calls import own_sockets

ATTACKER, PLAYER = "127.0.0.2", "127.0.0.1"


@pytest.fixture(params=[socket.AF_INET, socket.AF_INET6], ids=["IPv4", "IPv6"])
def listener(request: pytest.FixtureRequest) -> Iterator[socket.socket]:
    with socket.create_server(
        ("", 0), family=request.param, dualstack_ipv6=request.param == socket.AF_INET6
    ) as listener:
        listener.settimeout(5)
        yield listener


def connect(listener: socket.socket, source: str, seconds: float = 5) -> socket.socket:
    made = socket.socket()
    made.settimeout(seconds)
    made.bind((source, 0))
    try:
        made.connect(("127.0.0.1", listener.getsockname()[1]))
    except BaseException:
        made.close()
        raise
    return made


def test_only_the_connections_of_a_peer_end(listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    with connect(listener, ATTACKER) as attacker, connect(listener, PLAYER) as player:
        accepted = [listener.accept()[0] for _ in range(2)]
        assert own_sockets.peers_at(port) == {attacker.getsockname(), player.getsockname()}
        own_sockets.end(port, [attacker.getsockname()])
        assert attacker.recv(1) == b""
        for one in accepted:
            if one.getpeername()[1] == player.getsockname()[1]:
                one.sendall(b"x")
        assert player.recv(1) == b"x"
        for one in accepted:
            one.close()


def test_a_refused_address_can_not_connect_until_it_may_again(listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    far = [ip_network("198.51.100.7/32"), ip_network("2001:db8::/64"), ip_network("fe80::/64")]
    before = connect(listener, ATTACKER)
    own_sockets.refuse(port, [*far, ip_network(f"{ATTACKER}/32")])
    with pytest.raises(TimeoutError):
        connect(listener, ATTACKER, 0.3)
    connect(listener, PLAYER).close()
    accepted, _ = listener.accept()
    accepted.sendall(b"x")
    assert before.recv(1) == b"x", "a connection that was there before goes on"
    own_sockets.refuse(port, far)
    connect(listener, ATTACKER).close()
    before.close()
    accepted.close()


def test_a_network_of_ipv6_is_refused() -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listener:
        address = listener.getsockname()
        own_sockets.refuse(address[1], [ip_network("::/64")])
        with socket.socket(socket.AF_INET6) as made:
            made.settimeout(0.3)
            with pytest.raises(TimeoutError):
                made.connect(address)
        own_sockets.refuse(address[1], [ip_network("0:0:0:1::/64")])
        with socket.socket(socket.AF_INET6) as made:
            made.settimeout(5)
            made.connect(address)


def test_more_addresses_than_a_filter_can_hold_are_cut_off(listener: socket.socket) -> None:
    many = [ip_network(f"10.0.{number // 250}.{number % 250}/32") for number in range(3000)]
    own_sockets.refuse(listener.getsockname()[1], many)
    connect(listener, PLAYER).close()


def test_other_ports_are_left_alone(listener: socket.socket) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        own_sockets.refuse(other.getsockname()[1], [ip_network(f"{PLAYER}/32")])
        connect(listener, PLAYER).close()
