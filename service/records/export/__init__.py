"""Exports: settled rounds and events as files with plain columns."""
