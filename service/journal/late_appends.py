"""Appends that are too late: the process's clock is corrected before they are decided again.

If the process's clock is behind the database's (its offset is old, or the database moved to another
machine), every append would be refused until the next regular refresh.
"""

from collections.abc import Awaitable, Callable

from service.journal.ports import Append, Outcome


class LateAppends:
    """Passes appends on; after LATE it calls `refresh`, which reads the database's clock."""

    def __init__(
        self,
        append: Callable[[Append], Awaitable[Outcome]],
        refresh: Callable[[], Awaitable[None]],
    ) -> None:
        self._append = append
        self._refresh = refresh

    async def append(self, append: Append) -> Outcome:
        """Append one table's step and return the outcome after the commit; after LATE the clock is
        corrected first."""
        outcome = await self._append(append)
        if outcome is Outcome.LATE:
            await self._refresh()
        return outcome
