"""The server: its processes, its settings, and how its parts are put together."""
