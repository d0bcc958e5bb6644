"""Digests: the state of all tables of an operator, in one signed file.

A receipt lets one player prove one table. A published digest proves all tables, also those of which
no one kept a receipt. A chain of digests proves that no table was ever rolled back.
"""
