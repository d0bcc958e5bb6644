"""Calls: the pipeline of both doors, who calls, errors, pages."""
