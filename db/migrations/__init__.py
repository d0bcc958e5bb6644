"""The schema's history: forward only, one revision a file, in plain SQL."""
