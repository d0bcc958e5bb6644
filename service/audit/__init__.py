"""Checks of what was played: the referee, verification, digests, hand histories, simulation."""
