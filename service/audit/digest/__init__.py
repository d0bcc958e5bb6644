"""Digests: what all tables of an operator have come to, in one signed file.

A receipt lets one player prove one table; a digest that is published proves all of them, also those
that nobody kept a receipt of, and a chain of digests proves that none ever went back.
"""
