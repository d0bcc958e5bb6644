"""The journal: what is written, in what form, and what follows from it."""
