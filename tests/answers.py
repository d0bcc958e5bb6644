"""A database that always answers."""


async def answers(_seconds: float) -> None:
    """At once."""
