"""Verification: the database is compared with its journals, the rules, the seeds, and what others
have kept.

Everything is derived again from the journal of each table, row by row from the first one, and
compared with what is stored. The first wrong row of a table is named; the other tables are still
verified. Verification needs only the right to SELECT.
"""
