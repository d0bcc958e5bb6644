"""How much one caller may ask, and one address: calls, commands, tables, tokens, streams.

Calls of an address are counted before anybody looks at its token, all else when it is known who
calls. Operators' keys are free of all but the calls of an address: an operator answers for what
its server does, and its server speaks for many players. What a proxy's address brings is limited
by caller only, because it carries the calls of many. Counts are in memory, of one process.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from functools import lru_cache

import msgspec

from service.calls.access import Identity, Role
from service.calls.buckets import Buckets
from service.calls.errors import ApiError
from service.calls.own_sockets import Network, network_of
from service.rules.reasons import Reason

RETRY_SECONDS = 1
"""When to come back if too many calls or streams are open at once."""

_network_of = lru_cache(maxsize=4096)(network_of)


class Counted(StrEnum):
    """What calls count as, beside as calls."""

    COMMANDS = "commands"
    TABLES = "tables"
    TOKENS = "tokens"


class Most(msgspec.Struct, frozen=True):
    """The limits of a process, under the names of their settings; 0: none."""

    caller_calls_per_minute: float = 0
    address_calls_per_minute: float = 0
    caller_commands_per_minute: float = 0
    address_commands_per_minute: float = 0
    caller_tables_per_minute: float = 0
    address_tables_per_minute: float = 0
    address_tokens_per_minute: float = 0
    caller_calls_at_once: int = 0
    calls_at_once: int = 0
    caller_streams: int = 0
    address_streams: int = 0

    def shared_by(self, processes: int) -> "Most":
        """What each of several processes allows, so that all together allow no more."""
        return Most(
            **{
                name: value / processes if name.endswith("_per_minute") else value
                for name, value in msgspec.structs.asdict(self).items()
            }
        )


class CallerLimits:
    """Raises ApiError (LIMIT_REACHED) for what goes beyond a limit; networks that are `trusted` are
    proxies."""

    def __init__(
        self, most: Most, now: Callable[[], float], trusted: Sequence[Network] = ()
    ) -> None:
        self._most = most
        self._trusted = trusted
        self._buckets = {
            name: Buckets(value, now)
            for name, value in msgspec.structs.asdict(most).items()
            if name.endswith("_per_minute")
        }
        self._open: Counter[tuple[str, Hashable]] = Counter()

    def begin(self, address: str, running: int) -> None:
        """A call has come from an address (empty: nobody knows), while `running` are under way."""
        if self._most.calls_at_once and running >= self._most.calls_at_once:
            raise _reached("calls_at_once", RETRY_SECONDS)
        network = self._network(address)
        if network is not None:
            self._take([("address_calls_per_minute", network)])

    def admit(self, address: str, identity: Identity | None, counted: Sequence[Counted]) -> None:
        """It is known who calls (None: anybody may), and what the call counts as."""
        if identity is not None and identity.role is Role.OPERATOR:
            return
        network = self._network(address)
        wanted: list[tuple[str, Hashable]] = []
        for one in counted:
            if network is not None:
                wanted.append((f"address_{one}_per_minute", network))
            if identity is not None:
                wanted.append((f"caller_{one}_per_minute", _caller(identity)))
        if identity is not None:
            wanted.append(("caller_calls_per_minute", _caller(identity)))
        self._take(wanted)

    @contextmanager
    def call(self, identity: Identity | None) -> Iterator[None]:
        """While a call is being served."""
        keys: list[tuple[str, Hashable]] = []
        if identity is not None and identity.role is not Role.OPERATOR:
            keys.append(("caller_calls_at_once", _caller(identity)))
        with self._at_once(keys):
            yield

    @contextmanager
    def stream(self, address: str, identity: Identity | None) -> Iterator[None]:
        """While a stream is open."""
        keys: list[tuple[str, Hashable]] = []
        if identity is not None and identity.role is not Role.OPERATOR:
            keys.append(("caller_streams", _caller(identity)))
            network = self._network(address)
            if network is not None:
                keys.append(("address_streams", network))
        with self._at_once(keys):
            yield

    def _take(self, wanted: Sequence[tuple[str, Hashable]]) -> None:
        """One of each, or of none."""
        for name, key in wanted:
            seconds = self._buckets[name].wait(key)
            if seconds:
                raise _reached(name, math.ceil(seconds))
        for name, key in wanted:
            self._buckets[name].take(key)

    @contextmanager
    def _at_once(self, keys: Sequence[tuple[str, Hashable]]) -> Iterator[None]:
        for one in keys:
            most = getattr(self._most, one[0])
            if most and self._open[one] >= most:
                raise _reached(one[0], RETRY_SECONDS)
        for one in keys:
            self._open[one] += 1
        try:
            yield
        finally:
            for one in keys:
                self._open[one] -= 1
                if not self._open[one]:
                    del self._open[one]

    def _network(self, address: str) -> Network | None:
        if not address:
            return None
        network = _network_of(address)
        for proxy in self._trusted:
            if proxy.version == network.version and network.network_address in proxy:
                return None
        return network


def _caller(identity: Identity) -> tuple[str, str]:
    return identity.operator, identity.player


def _reached(name: str, seconds: int) -> ApiError:
    return ApiError(
        Reason.LIMIT_REACHED,
        f"this is more than the service takes ({name}); come back in {seconds} s",
        limit=name,
        retry_seconds=seconds,
    )
