"""What goes out: letters queued and held, posts queued, and whether letters reach a player."""
