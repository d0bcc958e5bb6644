"""Decide: what follows from a command, under the rules."""
