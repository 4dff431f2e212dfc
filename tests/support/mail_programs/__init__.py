"""Replies to a letter of ours in the shapes of sixty mail programs and their languages."""
