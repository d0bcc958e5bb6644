"""The decider of a table: decide and evolve, pure functions over frozen data."""
