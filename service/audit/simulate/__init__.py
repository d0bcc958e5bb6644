"""Simulation: many rounds by a fixed strategy, through the decider that serves players."""
