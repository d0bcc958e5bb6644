"""Keys: how they are written, kept, and signed with."""
