"""Names in players' words: whose they are, who may take one, and which pilot or place is meant."""
