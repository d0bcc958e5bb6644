"""The shoes of live tables: sealing and unsealing of seeds, cards, proofs."""
