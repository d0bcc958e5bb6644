"""Shuffle, commitment and proofs: pure functions of seeds."""
