"""Records over many tables: history, the feed, verification's words, exports."""
