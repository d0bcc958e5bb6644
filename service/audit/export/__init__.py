"""`croupier export`: files of rounds and events, for people who look further with other tools."""
