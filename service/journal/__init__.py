"""The journal: its rows, their format, and what is derived from them."""
