"""Shoes of served tables: seeds sealed and opened, cards, proofs."""
