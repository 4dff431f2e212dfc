"""The newsletter: gathered, printed, sent, and as a feed."""
