"""A private PostgreSQL server for one machine."""
