"""The rulebook: pure functions over cards, stakes and options, one file a rule."""
