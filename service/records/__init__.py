"""Queries across many tables: history, the feed, exports, receipts, and what verification reads."""
