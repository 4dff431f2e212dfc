"""Orders with words for others: letters between players, and texts for the newsletter."""
