"""The REST door: the generated route table and the small runtime that serves it."""
