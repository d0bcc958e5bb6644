"""Checks on what was played: a second reading of the rules, verification, simulation."""
