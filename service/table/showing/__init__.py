"""Show: what one viewer may see, and how a round is told."""
