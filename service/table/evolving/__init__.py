"""Evolve: how events change the state."""
