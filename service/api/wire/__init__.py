"""Between plain data and messages."""
