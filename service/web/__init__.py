"""The browser client: static files, no build step."""
