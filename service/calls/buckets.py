"""Token buckets: how often something may happen, by whoever does it."""

import math
from collections import OrderedDict
from collections.abc import Callable, Hashable

MOST_KEYS = 20_000
"""Callers that one limit remembers. Past them who came longest ago is forgotten."""

MINUTE = 60.0


class Buckets:
    """One limit: a minute's worth may be had at once, and grows back evenly.

    `per_minute` 0: there is no limit. `now` is in seconds, and never goes back.
    """

    def __init__(self, per_minute: float, now: Callable[[], float], keys: int = MOST_KEYS) -> None:
        self._most = max(1.0, per_minute) if per_minute else math.inf
        self._each = MINUTE / self._most
        self._now = now
        self._keys = keys
        # The time at which a bucket is full again: one number says all of it.
        self._full_at: OrderedDict[Hashable, float] = OrderedDict()

    def wait(self, key: Hashable) -> float:
        """Seconds until this key may have one; 0: now, which takes nothing yet."""
        if self._most == math.inf:
            return 0.0
        missing = self._full_at.get(key, 0.0) - self._now() + self._each - MINUTE
        # What the arithmetic of floats leaves is no time to wait.
        return missing if missing > 1e-6 else 0.0

    def take(self, key: Hashable) -> None:
        """Let the key have one, which `wait` allowed."""
        if self._most == math.inf:
            return
        self._full_at[key] = max(self._full_at.get(key, 0.0), self._now()) + self._each
        self._full_at.move_to_end(key)
        if len(self._full_at) > self._keys:
            self._full_at.popitem(last=False)
