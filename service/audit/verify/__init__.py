"""Verification: the database held against itself, the rules, the seeds, and what others kept.

Everything is derived again from the journal of each table, row by row from the first one, and
compared with what is stored. The first row of a table that does not fit is named; the other tables
are verified all the same. Selecting is all that it needs to be allowed.
"""
