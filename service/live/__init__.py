"""Live tables: the one write path, reads, watching, deadlines."""
