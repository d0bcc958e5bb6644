"""The schema's history: forward only, one revision per file, in plain SQL."""
