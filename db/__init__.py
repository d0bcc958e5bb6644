"""PostgreSQL: the event store, its migrations and the embedded server."""
