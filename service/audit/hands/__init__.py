"""Hand histories: scripted rounds that an auditor can read, write and dispute."""
