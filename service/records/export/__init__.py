"""Exports: what has happened, as files of plain columns."""
