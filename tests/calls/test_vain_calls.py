"""Calls in vain: who goes on with them loses the connections that brought them, and nobody else."""

from collections.abc import Collection, Sequence
from ipaddress import ip_network

import pytest

from service.calls.own_sockets import Network, Peer, network_of
from service.calls.vain_calls import (
    FORGOTTEN,
    GUILTY,
    LONGEST_REFUSAL,
    PERIOD,
    SHORTEST_REFUSAL,
    UNHEARD,
    Connection,
    VainCalls,
)

MOST = 100
ATTACKER, NEIGHBOUR, FAR = ("192.0.2.1", 4001), ("192.0.2.1", 4002), ("198.51.100.7", 4001)


class Door:
    """Remembers what is done to its connections, at a time that the test sets."""

    def __init__(self, trusted: Sequence[Network] = ()) -> None:
        self.now = 1000.0
        self.ended: list[Peer] = []
        self.refused: list[str] = []
        self.calls = VainCalls(self, lambda: self.now, trusted, MOST)

    def end(self, peers: Collection[Peer]) -> None:
        self.ended += peers

    def refuse(self, networks: Sequence[Network]) -> None:
        self.refused = [str(network) for network in networks]

    def in_vain(self, peer: Peer, times: int) -> None:
        """Calls that never say what they ask, and go away."""
        for _ in range(times):
            self.calls.over(self.calls.begun(peer))

    def served(self, peer: Peer, times: int) -> None:
        for _ in range(times):
            connection = self.calls.begun(peer)
            self.calls.over(connection)
            self.calls.heard(connection)
            connection.served += 1

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.calls.tend()


@pytest.fixture
def door() -> Door:
    return Door()


def test_calls_that_are_served_are_never_too_many(door: Door) -> None:
    door.served(ATTACKER, 50 * MOST)
    assert not door.ended
    assert not door.refused


def test_who_goes_on_in_vain_is_ended_and_refused(door: Door) -> None:
    door.in_vain(ATTACKER, MOST)
    assert not door.ended
    door.in_vain(ATTACKER, 1)
    assert door.ended == [ATTACKER]
    assert door.refused == ["192.0.2.1/32"]


def test_who_shares_the_address_keeps_a_connection_that_is_in_use(door: Door) -> None:
    door.served(NEIGHBOUR, 30)
    door.in_vain(NEIGHBOUR, GUILTY)
    door.in_vain(ATTACKER, MOST)
    assert door.ended == [ATTACKER]


def test_many_connections_of_one_address_count_together(door: Door) -> None:
    crowd = [("192.0.2.1", port) for port in range(5000, 5010)]
    for _ in range(MOST // len(crowd) + 1):
        for peer in crowd:
            door.in_vain(peer, 1)
    assert set(door.ended) == set(crowd)
    assert door.refused == ["192.0.2.1/32"]


def test_a_call_that_was_heard_and_then_refused_is_in_vain(door: Door) -> None:
    for _ in range(MOST + 1):
        connection = door.calls.begun(ATTACKER)
        door.calls.over(connection)
        door.calls.heard(connection)
        door.calls.in_vain(connection)
    assert door.ended == [ATTACKER]


def test_a_few_in_vain_now_and_then_do_no_harm(door: Door) -> None:
    for _ in range(20):
        door.in_vain(ATTACKER, MOST)
        door.wait(PERIOD + 1)
    assert not door.ended


def test_a_refusal_ends_and_the_next_one_takes_twice_as_long(door: Door) -> None:
    lasted = SHORTEST_REFUSAL
    while lasted < LONGEST_REFUSAL:
        door.in_vain(ATTACKER, MOST + 1)
        door.wait(lasted - 0.1)
        assert door.refused == ["192.0.2.1/32"]
        door.wait(0.2)
        assert door.refused == []
        lasted = min(2 * lasted, LONGEST_REFUSAL)
        door.now += PERIOD


def test_one_refusal_leaves_another_as_it_is(door: Door) -> None:
    door.in_vain(ATTACKER, MOST + 1)
    door.now += SHORTEST_REFUSAL / 2
    door.in_vain(FAR, MOST + 1)
    assert door.refused == ["192.0.2.1/32", "198.51.100.7/32"]
    door.wait(SHORTEST_REFUSAL / 2 + 0.1)
    assert door.refused == ["198.51.100.7/32"]


def test_a_network_of_ipv6_is_one_caller(door: Door) -> None:
    for host in range(MOST + 1):
        door.in_vain((f"2001:db8:0:1:{host:x}::1", 4001), 1)
    assert door.refused == ["2001:db8:0:1::/64"]


def test_a_trusted_proxy_carries_the_calls_of_many() -> None:
    door = Door([ip_network("10.0.0.0/8"), ip_network("fd00::/8")])
    for proxy in ("10.1.2.3", "fd00::1"):
        door.in_vain((proxy, 4001), 10 * MOST)
    assert not door.ended
    assert not door.refused


def test_calls_that_say_nothing_are_bounded_over_all_addresses(door: Door) -> None:
    waiting: list[Connection] = []
    for host in range(UNHEARD // 50):
        peer = (f"203.0.{host // 250}.{host % 250 + 1}", 4001)
        waiting += [door.calls.begun(peer) for _ in range(50)]
    assert not door.ended
    door.calls.begun(("203.0.0.1", 4001))
    assert door.ended == [("203.0.0.1", 4001)]


def test_those_served_least_end_first_when_there_are_too_many_connections(door: Door) -> None:
    door.served(NEIGHBOUR, 3)
    door.served(FAR, 1)
    silent = ("192.0.2.9", 4001)
    peers = {NEIGHBOUR, FAR, silent}
    assert door.calls.least_served(peers, 2) == [silent, FAR]
    assert door.calls.least_served(peers, -5) == []


def test_who_is_gone_is_forgotten(door: Door) -> None:
    door.in_vain(ATTACKER, MOST + 1)
    door.served(FAR, 1)
    door.wait(FORGOTTEN + PERIOD)
    door.wait(1)
    assert not door.calls.known()


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1/32"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("::1", "::/64"),
    ],
)
def test_the_network_of_an_address(address: str, network: str) -> None:
    assert network_of(address) == ip_network(network)
