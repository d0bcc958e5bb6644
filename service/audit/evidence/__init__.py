"""Evidence from outside the database: receipts, keys, kept hashes, proofs."""
