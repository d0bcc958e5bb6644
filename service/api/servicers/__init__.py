"""The servicers, a file for each subject."""
