"""The command line, a file a command; what commands print stands in `reports`."""
