"""Keys: their format, the file that keeps them, and signing."""
