"""Commands of the command line that have a file of their own, and what they share.

They belong to `service.cli`, which registers them: like it, they may know every part.
"""
