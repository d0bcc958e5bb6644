"""Calls in vain, and what is done about those who go on with them.

A call is in vain when it never says what it asks, when nobody is known to have sent it, or when a
limit refused it. Each costs about as much as one that is served, so refusing them is no defence:
past a number of them, the connections that brought them are ended, and their address can't connect
for some seconds, which grow when it happens again. Everybody else, on that address too, keeps the
connections that they have.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import structlog

from service.calls.own_sockets import Network, Peer, network_of

_log = structlog.get_logger(__name__)

PERIOD = 10.0
"""Seconds over which calls in vain are counted."""
IN_VAIN = 200
"""More than this of one network in a period are too many."""
GUILTY = 8
"""A connection with more of them than this ends, when its network has had too many."""
UNHEARD = 5000
"""Calls that may be open in a process without having said what they ask."""
SHORTEST_REFUSAL, LONGEST_REFUSAL = 30.0, 600.0
"""Seconds; each refusal of a network takes twice as long as the one before."""
FORGOTTEN = 600.0
"""Seconds without a call after which nothing is known of a connection or a network."""


class Sockets(Protocol):
    """What can be done to the connections of a door."""

    def end(self, peers: Collection[Peer]) -> None:
        """End the connections of these peers."""

    def refuse(self, networks: Sequence[Network]) -> None:
        """Let these networks connect no more, and every other one."""


@dataclass(slots=True)
class _Address:
    """What is known of a network."""

    network: Network
    since: float
    in_vain: int = 0
    connections: dict[Peer, "Connection"] = field(default_factory=dict)
    refusal: float = SHORTEST_REFUSAL


@dataclass(slots=True)
class Connection:
    """What is known of a connection: calls in vain in this period, open ones that have not said
    what they ask, calls that were served, those under way, and when it called last."""

    peer: Peer
    address: _Address
    at: float
    in_vain: int = 0
    unheard: int = 0
    served: int = 0
    under_way: int = 0


class VainCalls:
    """Counts by connection and by network, and acts through the sockets of a door.

    `now` are seconds that never go back; networks that are `trusted` carry the calls of many, and
    answer for them themselves.
    """

    def __init__(
        self,
        sockets: Sockets,
        now: Callable[[], float],
        trusted: Sequence[Network] = (),
        most: int = IN_VAIN,
    ) -> None:
        self._sockets = sockets
        self._now = now
        self._trusted = trusted
        self._most = most
        self._connections: dict[Peer, Connection] = {}
        self._addresses: dict[Network, _Address] = {}
        self._refused: dict[Network, float] = {}
        self._unheard = 0

    def begun(self, peer: Peer) -> Connection:
        """A call has begun, and is in vain until it was `heard`."""
        connection = self._connections.get(peer) or self._meet(peer)
        connection.at = self._now()
        connection.unheard += 1
        self._unheard += 1
        self._count(connection)
        if self._unheard > UNHEARD:
            worst = max(self._connections.values(), key=lambda one: one.unheard)
            self._end(worst.address)
        return connection

    def heard(self, connection: Connection) -> None:
        """It has said what it asks, so it is not in vain for now."""
        connection.in_vain = max(0, connection.in_vain - 1)
        connection.address.in_vain = max(0, connection.address.in_vain - 1)

    def over(self, connection: Connection) -> None:
        """The call no longer waits for what it asks, heard or not."""
        connection.unheard -= 1
        self._unheard -= 1

    def in_vain(self, connection: Connection) -> None:
        """A call that was heard was in vain after all."""
        self._count(connection)

    def tend(self) -> None:
        """Once a second: let networks connect again, and forget who is gone."""
        now = self._now()
        over = [network for network, until in self._refused.items() if until <= now]
        for network in over:
            del self._refused[network]
        if over:
            self._sockets.refuse(list(self._refused))
        for peer, connection in list(self._connections.items()):
            if connection.at < now - FORGOTTEN and not (connection.unheard or connection.under_way):
                del self._connections[peer]
                connection.address.connections.pop(peer, None)
        for network, address in list(self._addresses.items()):
            if not address.connections and address.since < now - FORGOTTEN:
                del self._addresses[network]

    def least_served(self, peers: Collection[Peer], count: int) -> list[Peer]:
        """That number of these connections, those first that were served least."""

        def worth(peer: Peer) -> tuple[int, float]:
            known = self._connections.get(peer)
            return (known.served, known.at) if known else (-1, 0.0)

        return sorted(peers, key=worth)[: max(count, 0)]

    def busy(self) -> set[Peer]:
        """The connections with a call under way."""
        return {peer for peer, known in self._connections.items() if known.under_way}

    def known(self) -> int:
        """How many connections and networks are remembered."""
        return len(self._connections) + len(self._addresses)

    def _meet(self, peer: Peer) -> Connection:
        network = network_of(peer[0])
        address = self._addresses.get(network)
        if address is None:
            address = self._addresses[network] = _Address(network, self._now())
        connection = Connection(peer, address, self._now())
        self._connections[peer] = address.connections[peer] = connection
        return connection

    def _count(self, connection: Connection) -> None:
        address = connection.address
        if connection.at - address.since > PERIOD:
            address.since, address.in_vain = connection.at, 0
            for one in address.connections.values():
                one.in_vain = 0
        connection.in_vain += 1
        address.in_vain += 1
        if address.in_vain > self._most:
            self._end(address)

    def _end(self, address: _Address) -> None:
        """End the connections of a network that are guilty, and refuse it others for a while."""
        address.in_vain = 0
        if any(_is_in(address.network, trusted) for trusted in self._trusted):
            return
        guilty = [one for one in address.connections.values() if one.in_vain > GUILTY]
        for one in guilty:
            one.in_vain = 0
        self._sockets.end([one.peer for one in guilty])
        _log.warning(
            "too many calls in vain",
            network=str(address.network),
            connections_ended=len(guilty),
            refused_seconds=address.refusal,
        )
        self._refused[address.network] = self._now() + address.refusal
        address.refusal = min(2 * address.refusal, LONGEST_REFUSAL)
        self._sockets.refuse(list(self._refused))


def _is_in(network: Network, other: Network) -> bool:
    return network.version == other.version and network.network_address in other
