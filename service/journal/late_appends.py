"""Appends that come too late: the process's clock is put right before they are decided again.

A process whose clock is behind the database's (its offset is old, the database moved to another
machine) would have every append refused until the clock is read again by itself.
"""

from collections.abc import Awaitable, Callable

from service.journal.ports import Append, Outcome


class LateAppends:
    """Passes appends on; one that is LATE has `refresh` read the database's clock first."""

    def __init__(
        self,
        append: Callable[[Append], Awaitable[Outcome]],
        refresh: Callable[[], Awaitable[None]],
    ) -> None:
        self._append = append
        self._refresh = refresh

    async def append(self, append: Append) -> Outcome:
        """Append a step; its outcome after the commit, and after LATE with the clock put right."""
        outcome = await self._append(append)
        if outcome is Outcome.LATE:
            await self._refresh()
        return outcome
