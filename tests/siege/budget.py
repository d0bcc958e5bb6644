"""What an attacker may send: so many bytes in a minute, counted and spread evenly."""

import asyncio

MEGABYTE = 1_000_000
A_MINUTE = 50 * MEGABYTE


class Budget:
    """Bytes that were sent, and when the next may be."""

    def __init__(self, a_minute: int = A_MINUTE) -> None:
        self._a_second = a_minute / 60
        self._started = asyncio.get_running_loop().time()
        self._promised = 0
        self.sent = 0

    async def spend(self, count: int) -> None:
        """Wait until `count` bytes more may be sent. A second's worth may be sent at once."""
        self._promised += count
        due = self._started + self._promised / self._a_second - 1
        ahead = due - asyncio.get_running_loop().time()
        await asyncio.sleep(max(0.0, ahead))
        self.sent += count
